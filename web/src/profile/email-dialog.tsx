import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/** The email changes only after the link in the letter has been opened; the dialog says so. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts();
  const words = texts.profile;
  const change = useAction('changeEmail');
  const [sentTo, setSentTo] = useState<string>();
  return (
    <Dialog title={words.emailTitle} onClose={onClose}>
      {sentTo === undefined ? (
        <Form
          error={change.error}
          onSubmit={(values) => {
            const email = values.text('email');
            change.mutate({ body: { email } }, { onSuccess: () => setSentTo(email) });
          }}
        >
          <TextField
            name="email"
            type="email"
            label={words.newEmail}
            hint={words.newEmailHint}
            autoComplete="email"
            maxLength={254}
            autoFocus
            required
          />
          <FormActions>
            <Button type="submit" look="primary" isBusy={change.isPending}>
              {words.sendLetter}
            </Button>
          </FormActions>
        </Form>
      ) : (
        <div className="grid justify-items-start gap-4">
          <p role="status" className="flex gap-2">
            <MailCheck aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-ok" />
            {words.letterSent(sentTo)}
          </p>
          <Button onClick={onClose}>{texts.ui.close}</Button>
        </div>
      )}
    </Dialog>
  );
}
