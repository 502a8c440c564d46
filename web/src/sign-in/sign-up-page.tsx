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
import { InvitedTo } from './invited-to.tsx';
import { type Letter, LetterSent } from './letter-sent.tsx';
import { PhoneForm, SandboxPhone, useCodeEntry } from './phone-form.tsx';
import { newRequestToken, useIsSandbox } from './sandbox-inbox.tsx';
import { SecondStep } from './second-step.tsx';
import { useEnter } from './use-enter.ts';

/** Sign-up by phone, and by email where letters can be sent. */
export function SignUpPage() {
  const texts = useTexts().signIn;
  const enter = useEnter();
  const entry = useCodeEntry();
  const isCodeSent = entry.sent !== undefined;
  const isSandbox = useIsSandbox();
  const [letter, setLetter] = useState<Letter>();
  const [isSecondStep, setSecondStep] = useState(false);
  const { data: options } = useQuery(queryOf('signInOptions'));
  const done = () => void enter();
  if (letter !== undefined) return <LetterSent letter={letter} />;
  if (isSecondStep) {
    return (
      <SignInFrame title={texts.secondTitle} lead={texts.secondLead}>
        <InvitedTo />
        <SecondStep onDone={done} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={texts.signUpTitle}
      lead={texts.brandLine}
      aside={isSandbox ? <SandboxPhone entry={entry} /> : undefined}
    >
      <InvitedTo />
      <PhoneForm entry={entry} onDone={done} onSecondFactor={() => setSecondStep(true)} />
      {options?.has_mail === false && !isCodeSent && (
        <p className="text-sm text-muted">{texts.noMail}</p>
      )}
      {options?.has_mail && !isCodeSent && (
        <>
          <OrLine />
          <SignUpForm onSent={setLetter} />
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

function SignUpForm({ onSent }: { onSent: (letter: Letter) => void }) {
  const texts = useTexts().signIn;
  const signUp = useAction('signUpByEmail');
  return (
    <Form
      error={signUp.error}
      onSubmit={(values) => {
        const email = values.text('email');
        const requestToken = newRequestToken();
        signUp.mutate(
          { body: { name: values.text('name'), email, request_token: requestToken } },
          { onSuccess: () => onSent({ email, requestToken }) },
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
