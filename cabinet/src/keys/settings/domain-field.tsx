import { useTexts } from '../../texts/use-texts.tsx';
import { TextField, type TextFieldProps } from '../../ui/controls/text-field.tsx';

/** The domain that a key is bound to, with the rule that is in force for it. */
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
