import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { EmailField } from './email-form.tsx';
import { EntranceFrame, OrLine } from './entrance-frame.tsx';
import { LetterSent } from './letter-sent.tsx';
import { PhoneForm } from './phone-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useEnter } from './use-enter.ts';

/** A phone is enough; where letters can be sent, an e-mail address is too. */
export function SignUpPage() {
  const texts = useTexts().entrance;
  const enter = useEnter();
  const [email, setEmail] = useState<string>();
  const [isSecondStep, setSecondStep] = useState(false);
  const { data: entrance } = useQuery(queryOf('entrance'));
  const done = () => void enter();
  if (email !== undefined) return <LetterSent email={email} />;
  if (isSecondStep) {
    return (
      <EntranceFrame title={texts.secondTitle} lead={texts.secondLead}>
        <SecondFactorForm onDone={done} />
      </EntranceFrame>
    );
  }
  return (
    <EntranceFrame title={texts.signUpTitle} lead={texts.brandLine}>
      <PhoneForm onDone={done} onSecondFactor={() => setSecondStep(true)} />
      {entrance?.has_mail === false && <p className="text-sm text-muted">{texts.noMail}</p>}
      {entrance?.has_mail && (
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
    </EntranceFrame>
  );
}

function SignUpForm({ onSent }: { onSent: (email: string) => void }) {
  const texts = useTexts().entrance;
  const signUp = useAction('signUpByEmail');
  return (
    <Form
      error={signUp.error}
      onSubmit={(values) => {
        const email = values.text('email');
        signUp.mutate(
          { body: { name: values.text('name'), email, password: values.secret('password') } },
          { onSuccess: () => onSent(email) },
        );
      }}
    >
      <TextField name="name" label={texts.name} autoComplete="name" maxLength={200} required />
      <EmailField />
      <PasswordField label={texts.password} isNew />
      <FormActions>
        <Button type="submit" className="w-full" isBusy={signUp.isPending}>
          {texts.signUp}
        </Button>
      </FormActions>
    </Form>
  );
}
