import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { EmailField } from './email-form.tsx';
import { type Letter, LetterSent } from './letter-sent.tsx';
import { newRequestToken } from './sandbox-inbox.tsx';

export function ForgotPage() {
  const texts = useTexts().signIn;
  const [letter, setLetter] = useState<Letter>();
  const forgot = useAction('forgotPassword');
  if (letter !== undefined) return <LetterSent letter={letter} />;
  return (
    <SignInFrame title={texts.forgotTitle} lead={texts.forgotLead}>
      <Form
        error={forgot.error}
        onSubmit={(values) => {
          const email = values.text('email');
          const requestToken = newRequestToken();
          forgot.mutate(
            { body: { email, request_token: requestToken } },
            { onSuccess: () => setLetter({ email, requestToken }) },
          );
        }}
      >
        <EmailField />
        <FormActions>
          <Button type="submit" look="primary" isBusy={forgot.isPending}>
            {texts.sendLetter}
          </Button>
          <LinkButton to="/login" look="quiet">
            {texts.toSignIn}
          </LinkButton>
        </FormActions>
      </Form>
    </SignInFrame>
  );
}

/** Opened from a letter, whose link contains a token. */
export function ResetPage() {
  const texts = useTexts().signIn;
  const { token } = useSearch({ strict: false }) as { token?: string };
  const navigate = useNavigate();
  const { showToast } = useToasts();
  const reset = useAction('resetPassword');
  if (token === undefined) return <BadLink title={texts.resetTitle} />;
  const finish = () => {
    showToast(texts.resetDone);
    void navigate({ to: '/login', search: { way: 'email' }, replace: true });
  };
  return (
    <SignInFrame title={texts.resetTitle}>
      <Form
        error={reset.error}
        onSubmit={(values) =>
          reset.mutate(
            { body: { token, password: values.secret('password') } },
            { onSuccess: finish },
          )
        }
      >
        <PasswordField label={texts.newPassword} isNew />
        <FormActions>
          <Button type="submit" look="primary" isBusy={reset.isPending}>
            {texts.setPassword}
          </Button>
        </FormActions>
      </Form>
    </SignInFrame>
  );
}

export function BadLink({ title }: { title: string }) {
  const texts = useTexts().signIn;
  return (
    <SignInFrame title={title}>
      <p role="alert">{texts.badLink}</p>
      <div>
        <LinkButton to="/login">{texts.toSignIn}</LinkButton>
      </div>
    </SignInFrame>
  );
}
