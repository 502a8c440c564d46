import { Link } from '@tanstack/react-router';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { needsSecondFactor } from './use-enter.ts';
import { usePasskeyOffer } from './use-passkey-offer.ts';

export function EmailField(props: { hint?: string; hasPasskeys?: boolean }) {
  const { hint, hasPasskeys = false } = props;
  const texts = useTexts().signIn;
  return (
    <TextField
      name="email"
      type="email"
      label={texts.email}
      hint={hint}
      autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
      required
    />
  );
}

export function EmailForm(props: {
  onDone: () => void;
  onSecondFactor: () => void;
  hasMail: boolean;
}) {
  const { onDone, onSecondFactor, hasMail } = props;
  const texts = useTexts().signIn;
  const signIn = useAction('signInByEmail');
  usePasskeyOffer(onDone);
  return (
    <Form
      error={signIn.error !== null && needsSecondFactor(signIn.error) ? null : signIn.error}
      onSubmit={(values) =>
        signIn.mutate(
          { body: { email: values.text('email'), password: values.secret('password') } },
          { onSuccess: onDone, onError: (error) => needsSecondFactor(error) && onSecondFactor() },
        )
      }
    >
      <EmailField hasPasskeys />
      <PasswordField label={texts.password} />
      <FormActions>
        <Button type="submit" look="primary" className="w-full" isBusy={signIn.isPending}>
          {texts.enter}
        </Button>
      </FormActions>
      {hasMail && (
        <p className="text-table">
          <Link to="/forgot-password" className="link">
            {texts.forgot}
          </Link>
        </p>
      )}
    </Form>
  );
}
