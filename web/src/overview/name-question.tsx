import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { useDismissed } from './use-dismissed.ts';

/** Asked once: whoever came by phone is called by its masked number until they say their name. */
export function NameQuestion() {
  const texts = useTexts();
  const { person, viewed_until: viewedUntil } = useSession();
  const [isDismissed, dismiss] = useDismissed('name-question');
  const change = useAction('changeProfile', { invalidates: ['session', 'team'] });
  if (person.has_name || isDismissed || viewedUntil !== null) return null;
  return (
    <Card
      title={texts.overview.nameQuestion}
      aside={
        <Button look="quiet" onClick={dismiss}>
          {texts.overview.notNow}
        </Button>
      }
    >
      <Form
        error={change.error}
        onSubmit={(values) => change.mutate({ body: { name: values.text('name') } })}
      >
        <TextField
          name="name"
          label={texts.signIn.yourName}
          hint={texts.signIn.yourNameHint}
          autoComplete="name"
          maxLength={200}
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
