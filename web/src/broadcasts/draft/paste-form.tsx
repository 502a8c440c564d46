import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { TextAreaField } from '../../ui/controls/text-field.tsx';

/** Phones one to a line, or cells copied from a table. */
export function PasteForm(props: {
  error: Error | null;
  onText: (text: string, name: string) => void;
}) {
  const texts = useBroadcastTexts();
  return (
    <Form
      error={props.error}
      onSubmit={(values) => props.onText(values.text('rows'), texts.loadedFrom.text)}
    >
      <TextAreaField
        name="rows"
        label={texts.pasteLabel}
        hint={texts.pasteHint}
        placeholder={texts.pastePlaceholder}
        rows={8}
        required
        spellCheck={false}
        autoComplete="off"
      />
      <FormActions>
        <Button type="submit" look="primary">
          {texts.readRows}
        </Button>
      </FormActions>
    </Form>
  );
}
