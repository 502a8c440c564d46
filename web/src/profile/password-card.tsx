import { PASSWORD_LENGTH_MIN } from '@zhiber/contract/cabinet/credentials.ts';
import { useState } from 'react';
import { SIGN_IN_QUERIES, useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { passwordStrength, STRENGTHS } from './password-strength.ts';

export function PasswordCard() {
  const texts = useTexts().profile;
  const { person } = useSession();
  const [isOpen, setOpen] = useState(false);
  const action = person.has_password ? texts.changePassword : texts.setPassword;
  return (
    <Card title={texts.password} aside={<Button onClick={() => setOpen(true)}>{action}</Button>}>
      <p className="text-table text-muted">
        {person.has_password ? texts.passwordIsSet : texts.noPassword}
      </p>
      {isOpen && <PasswordDialog title={action} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function PasswordDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const texts = useTexts().profile;
  const { person } = useSession();
  const { showToast } = useToasts();
  const change = useAction('changePassword', { invalidates: SIGN_IN_QUERIES });
  const [typed, setTyped] = useState('');
  const save = (values: FormValues) => {
    const current = person.has_password ? { current: values.secret('current') } : {};
    change.mutate(
      { body: { ...current, password: values.secret('password') } },
      {
        onSuccess: () => {
          onClose();
          showToast(texts.passwordChanged);
        },
      },
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={change.error} onSubmit={save}>
        {person.has_password && <PasswordField name="current" label={texts.currentPassword} />}
        <PasswordField
          isNew
          label={texts.newPassword}
          hint={<StrengthHint password={typed} />}
          onType={setTyped}
        />
        <p className="text-sm text-muted">{texts.othersEnd}</p>
        <FormActions>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            {title}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

const BARS = ['bg-bad', 'bg-warn', 'bg-ok', 'bg-ok'] as const;

/** A word and bars: bars alone would not be accessible. */
function StrengthHint({ password }: { password: string }) {
  const texts = useTexts();
  if (password === '') return texts.signIn.passwordHint(PASSWORD_LENGTH_MIN);
  const strength = passwordStrength(password);
  const level = STRENGTHS.indexOf(strength);
  return (
    <span className="grid gap-1.5 pt-1">
      <span aria-hidden="true" className="grid grid-cols-4 gap-1">
        {STRENGTHS.map((name, place) => (
          <span
            key={name}
            className={classes('h-1 rounded-full', place <= level ? BARS[level] : 'bg-hairline')}
          />
        ))}
      </span>
      {texts.profile.strengths[strength]}
    </span>
  );
}
