import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@zhiber/contract/cabinet/credentials.ts';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { IconButton } from './icon-button.tsx';
import { TextField } from './text-field.tsx';

export type PasswordFieldProps = {
  label: string;
  name?: string;
  /** A new password has a minimum length, which the hint shows. */
  isNew?: boolean;
  hint?: ReactNode;
  autoFocus?: boolean;
  onType?: (password: string) => void;
};

/** A password can be revealed, pasted and filled by a password manager. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, name = 'password', isNew = false, autoFocus = false, onType } = props;
  const texts = useTexts().signIn;
  const [isShown, setShown] = useState(false);
  const hint = props.hint ?? (isNew ? texts.passwordHint(PASSWORD_LENGTH_MIN) : undefined);
  return (
    <TextField
      name={name}
      label={label}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      hint={hint}
      autoFocus={autoFocus}
      minLength={isNew ? PASSWORD_LENGTH_MIN : undefined}
      maxLength={PASSWORD_LENGTH_MAX}
      onChange={(event) => onType?.(event.currentTarget.value)}
      required
      beside={
        <IconButton
          icon={isShown ? EyeOff : Eye}
          label={isShown ? texts.hidePassword : texts.showPassword}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  );
}
