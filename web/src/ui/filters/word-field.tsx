import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Form } from '../controls/form.tsx';
import { TextField } from '../controls/text-field.tsx';

/** A filter by one exact word, applied on submit. */
export function WordField(props: {
  label: string;
  hint?: string;
  maxLength: number;
  value: string | undefined;
  onApply: (value: string | undefined) => void;
}) {
  const { label, hint, maxLength, value, onApply } = props;
  const texts = useTexts().lists;
  return (
    <Form key={value} className="gap-2.5" onSubmit={(values) => onApply(values.optional('word'))}>
      <TextField
        name="word"
        label={label}
        hint={hint}
        maxLength={maxLength}
        defaultValue={value ?? ''}
      />
      <Button type="submit">{texts.apply}</Button>
    </Form>
  );
}
