import { useState } from 'react';
import { CallError } from '../call-error.ts';
import { askForPasskey, canUsePasskeys } from '../passkeys.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { PasskeyButton } from '../ui/identity/passkey-button.tsx';
import { OrLine, SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { callDesk, useAction } from './call.ts';
import { SecondStep } from './second-step.tsx';
import { SetUpFactor } from './set-up-factor.tsx';
import { useEnterDesk } from './use-enter-desk.ts';

/** The steps of a sign-in. The refusal of the first one names the second. */
const STEPS = { second_factor_required: 'second', second_factor_needed: 'set-up' } as const;
type Step = 'first' | (typeof STEPS)[keyof typeof STEPS];

function stepAfter(error: Error | null): Step {
  const code = error instanceof CallError ? error.code : '';
  return code in STEPS ? STEPS[code as keyof typeof STEPS] : 'first';
}

export function DeskLoginPage() {
  const texts = useAdminTexts().frame;
  const { signIn } = useTexts();
  const [step, setStep] = useState<Step>('first');
  const enter = useEnterDesk();
  switch (step) {
    case 'second':
      return (
        <SignInFrame desk={texts.desk} title={signIn.secondTitle} lead={signIn.secondLead}>
          <SecondStep onDone={enter} />
        </SignInFrame>
      );
    case 'set-up':
      return (
        <SignInFrame desk={texts.desk} title={texts.setUpTitle} lead={texts.setUpLead}>
          <SetUpFactor onDone={enter} />
        </SignInFrame>
      );
    case 'first':
      return (
        <SignInFrame desk={texts.desk} title={texts.loginTitle} lead={texts.loginLead}>
          <FirstStep onStep={setStep} />
          {canUsePasskeys && (
            <>
              <OrLine />
              <PasskeyButton label={signIn.passkey} signIn={signInByPasskey} onDone={enter} />
            </>
          )}
          <p className="text-table">
            <a href="/app" className="link">
              {texts.toCabinet}
            </a>
          </p>
        </SignInFrame>
      );
  }
}

function FirstStep({ onStep }: { onStep: (step: Step) => void }) {
  const texts = useTexts().signIn;
  const signIn = useAction('signIn');
  return (
    <Form
      error={stepAfter(signIn.error) === 'first' ? signIn.error : null}
      onSubmit={(values) =>
        signIn.mutate(
          { body: { email: values.text('email'), password: values.secret('password') } },
          { onError: (error) => onStep(stepAfter(error)) },
        )
      }
    >
      <TextField name="email" type="email" label={texts.email} autoComplete="username" required />
      <PasswordField label={texts.password} />
      <FormActions>
        <Button type="submit" look="primary" className="w-full" isBusy={signIn.isPending}>
          {texts.enter}
        </Button>
      </FormActions>
    </Form>
  );
}

async function signInByPasskey(): Promise<void> {
  const { options, request_token } = await callDesk('startPasskeySignIn');
  const answer = await askForPasskey(options);
  await callDesk('signInByPasskey', { body: { answer, request_token } });
}
