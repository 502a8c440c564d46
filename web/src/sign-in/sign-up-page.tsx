import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { EmailField } from './email-form.tsx';
import { InvitedTo } from './invited-to.tsx';
import { type Letter, LetterSent } from './letter-sent.tsx';
import { PhoneForm, SandboxPhone, useCodeEntry } from './phone-form.tsx';
import { newRequestToken, useIsSandbox } from './sandbox-inbox.tsx';
import { SecondStepPage } from './second-step.tsx';
import { useEnter } from './use-enter.ts';
import { useWay, WayTabs } from './ways.tsx';

/** Sign-up by phone, and by email where letters can be sent. */
export function SignUpPage() {
  const texts = useTexts().signIn;
  const enter = useEnter();
  const way = useWay();
  const entry = useCodeEntry();
  const isSandbox = useIsSandbox();
  const [letter, setLetter] = useState<Letter>();
  const [isSecondStep, setSecondStep] = useState(false);
  const { data: options } = useQuery(queryOf('signInOptions'));
  const done = () => void enter();
  if (letter !== undefined) return <LetterSent letter={letter} />;
  if (isSecondStep) return <SecondStepPage onDone={done} />;
  // The choice is there while the options load, so that the form does not move under a finger.
  const hasMail = options?.has_mail ?? true;
  const isByEmail = way === 'email' && hasMail;
  const isCodeSent = !isByEmail && entry.sent !== undefined;
  return (
    <SignInFrame
      title={texts.signUpTitle}
      lead={texts.brandLine}
      aside={isSandbox ? <SandboxPhone entry={entry} /> : undefined}
    >
      <InvitedTo />
      {hasMail && !isCodeSent && <WayTabs label={texts.signUpWays} />}
      {isByEmail ? (
        <SignUpForm onSent={setLetter} />
      ) : (
        <PhoneForm
          entry={entry}
          hint={texts.signUpPhoneHint}
          onDone={done}
          onSecondFactor={() => setSecondStep(true)}
        />
      )}
      {!hasMail && !isCodeSent && <p className="text-sm text-muted">{texts.noMail}</p>}
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
      <EmailField hint={texts.signUpEmailHint} />
      <FormActions>
        <Button type="submit" look="primary" className="w-full" isBusy={signUp.isPending}>
          {texts.signUp}
        </Button>
      </FormActions>
    </Form>
  );
}
