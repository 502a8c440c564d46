import { useNavigate } from '@tanstack/react-router';
import { Monitor } from 'lucide-react';
import { useAction } from '../queries.ts';
import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

const NAME_LENGTH_MAX = 200;

/** Names the draft; everything else is asked in its steps. */
export function NewBroadcastDialog({ onClose }: { onClose: () => void }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const format = useFormat();
  const navigate = useNavigate();
  const create = useAction('createBroadcast', { invalidates: ['broadcasts'] });
  return (
    <Dialog title={texts.create} onClose={onClose}>
      <Form
        error={create.error}
        onSubmit={(values) =>
          create.mutate(
            { body: { name: values.text('name') } },
            {
              onSuccess: ({ id }) =>
                void navigate({ to: '/app/broadcasts/$id', params: { id }, search: { step: '1' } }),
            },
          )
        }
      >
        <HandierOnComputer />
        <TextField
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          defaultValue={texts.nameOf(format.date(Date.now()))}
          onFocus={(event) => event.currentTarget.select()}
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          required
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {texts.createSubmit}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {ui.cancel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

/** Only on a small screen. */
export function HandierOnComputer() {
  const texts = useBroadcastTexts();
  return (
    <p className="flex gap-2 rounded-control bg-info-tint px-3 py-2 text-sm text-info sm:hidden">
      <Monitor aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      {texts.handierOnComputer}
    </p>
  );
}
