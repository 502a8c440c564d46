import { useSearch } from '@tanstack/react-router';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { BadLink } from './password-pages.tsx';
import { useEnter } from './use-enter.ts';

/** Opened from the letter of a sign-up. The account is created with the password chosen here. */
export function FinishSignUpPage() {
  const texts = useTexts().signIn;
  const { token } = useSearch({ strict: false }) as { token?: string };
  const enter = useEnter();
  const finish = useAction('finishSignUp');
  if (token === undefined) return <BadLink title={texts.finishTitle} />;
  return (
    <SignInFrame title={texts.finishTitle} lead={texts.finishLead}>
      <Form
        error={finish.error}
        onSubmit={(values) =>
          finish.mutate(
            { body: { token, password: values.secret('password') } },
            { onSuccess: () => void enter() },
          )
        }
      >
        <PasswordField label={texts.password} isNew />
        <FormActions>
          <Button type="submit" look="primary" isBusy={finish.isPending}>
            {texts.finish}
          </Button>
        </FormActions>
      </Form>
    </SignInFrame>
  );
}

/**
 * Opened from the letter to a new address. A button press is required: mail scanners open every
 * link, and must not use up the one-time token.
 */
export function ConfirmPage() {
  const texts = useTexts().signIn;
  const { token } = useSearch({ strict: false }) as { token?: string };
  const enter = useEnter();
  const confirm = useAction('confirmNewEmail');
  if (token === undefined) return <BadLink title={texts.confirmTitle} />;
  return (
    <SignInFrame title={texts.confirmTitle} lead={texts.confirmLead}>
      <Form
        error={confirm.error}
        onSubmit={() => confirm.mutate({ body: { token } }, { onSuccess: () => void enter() })}
      >
        <FormActions>
          <Button type="submit" look="primary" isBusy={confirm.isPending}>
            {texts.confirm}
          </Button>
        </FormActions>
      </Form>
    </SignInFrame>
  );
}
