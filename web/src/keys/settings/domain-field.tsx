import { useTexts } from '../../texts/use-texts.tsx';
import { TextField, type TextFieldProps } from '../../ui/controls/text-field.tsx';

/** The domain that a key is restricted to, with an explanation of the rule. */
export function DomainField(props: Partial<TextFieldProps>) {
  const texts = useTexts().keys;
  return (
    <TextField
      {...props}
      name="domain"
      label={texts.domainLabel}
      hint={texts.domainRule}
      placeholder="shop.kz"
      maxLength={253}
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
