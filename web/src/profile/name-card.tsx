import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

export function NameCard() {
  const texts = useTexts();
  const { person } = useSession();
  const { showToast } = useToasts();
  const change = useAction('changeProfile', { invalidates: ['session', 'team'] });
  return (
    <Card title={texts.profile.you}>
      <Form
        error={change.error}
        onSubmit={(values) =>
          change.mutate(
            { body: { name: values.text('name') } },
            { onSuccess: () => showToast(texts.profile.saved) },
          )
        }
      >
        <TextField
          name="name"
          label={texts.profile.name}
          hint={texts.profile.nameHint}
          defaultValue={person.name}
          maxLength={200}
          autoComplete="name"
          required
          beside={
            <Button type="submit" isBusy={change.isPending}>
              {texts.ui.save}
            </Button>
          }
        />
      </Form>
    </Card>
  );
}
