import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '@zhiber/contract/cabinet/session.ts';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';

/** Can be shown, pasted into and filled by a password manager. */
export function PasswordField({ label, isNew = false }: { label: string; isNew?: boolean }) {
  const texts = useTexts().entrance;
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      name="password"
      label={label}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      hint={isNew ? texts.passwordHint(PASSWORD_LENGTH_MIN) : undefined}
      minLength={isNew ? PASSWORD_LENGTH_MIN : undefined}
      maxLength={PASSWORD_LENGTH_MAX}
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
