import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { OrLine, SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { EmailField } from './email-form.tsx';
import { LetterSent } from './letter-sent.tsx';
import { PhoneForm } from './phone-form.tsx';
import { SecondStep } from './second-step.tsx';
import { useEnter } from './use-enter.ts';

/** Sign-up by phone, and by email where letters can be sent. */
export function SignUpPage() {
  const texts = useTexts().signIn;
  const enter = useEnter();
  const [email, setEmail] = useState<string>();
  const [isSecondStep, setSecondStep] = useState(false);
  const { data: options } = useQuery(queryOf('signInOptions'));
  const done = () => void enter();
  if (email !== undefined) return <LetterSent email={email} />;
  if (isSecondStep) {
    return (
      <SignInFrame title={texts.secondTitle} lead={texts.secondLead}>
        <SecondStep onDone={done} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={texts.signUpTitle} lead={texts.brandLine}>
      <PhoneForm onDone={done} onSecondFactor={() => setSecondStep(true)} />
      {options?.has_mail === false && <p className="text-sm text-muted">{texts.noMail}</p>}
      {options?.has_mail && (
        <>
          <OrLine />
          <SignUpForm onSent={setEmail} />
        </>
      )}
      <p className="text-table text-muted">
        {texts.hasAccount}{' '}
        <Link to="/login" search={true} className="link">
          {texts.toSignIn}
        </Link>
      </p>
    </SignInFrame>
  );
}

function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
  const texts = useTexts().signIn;
  const signUp = useAction('signUpByEmail');
  return (
    <Form
      error={signUp.error}
      onSubmit={(values) => {
        const email = values.text('email');
        signUp.mutate(
          { body: { name: values.text('name'), email } },
          { onSuccess: () => onSent(email) },
        );
      }}
    >
      <TextField name="name" label={texts.name} autoComplete="name" maxLength={200} required />
      <EmailField />
      <FormActions>
        <Button type="submit" className="w-full" isBusy={signUp.isPending}>
          {texts.signUp}
        </Button>
      </FormActions>
    </Form>
  );
}
