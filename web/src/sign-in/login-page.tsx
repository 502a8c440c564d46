import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { call } from '../call.ts';
import { askForPasskey, canUsePasskeys } from '../passkeys.ts';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { PasskeyButton } from '../ui/identity/passkey-button.tsx';
import { OrLine, SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { EmailForm } from './email-form.tsx';
import { InvitedTo } from './invited-to.tsx';
import { PhoneForm, SandboxPhone, useCodeEntry } from './phone-form.tsx';
import { useIsSandbox } from './sandbox-inbox.tsx';
import { SecondStepPage } from './second-step.tsx';
import { useEnter } from './use-enter.ts';
import { useWay, WayTabs } from './ways.tsx';

export function LoginPage() {
  const texts = useTexts().signIn;
  const enter = useEnter();
  const [isSecondStep, setSecondStep] = useState(false);
  const options = useQuery(queryOf('signInOptions'));
  const way = useWay();
  const entry = useCodeEntry();
  const hasSandboxPhone = useIsSandbox() && way === 'phone';
  const done = () => void enter();
  if (isSecondStep) return <SecondStepPage onDone={done} />;
  const steps = { onDone: done, onSecondFactor: () => setSecondStep(true) };
  const hasMail = options.data?.has_mail ?? false;
  // Who waits for a code is not offered other ways in: the step itself leads back to them.
  const isCodeSent = way === 'phone' && entry.sent !== undefined;
  return (
    <SignInFrame
      title={texts.title}
      lead={texts.brandLine}
      aside={hasSandboxPhone ? <SandboxPhone entry={entry} /> : undefined}
    >
      <InvitedTo />
      {options.error !== null && <ErrorCard error={options.error} onRetry={options.refetch} />}
      {options.data?.has_demo && !isCodeSent && <DemoButton onDone={done} />}
      {!isCodeSent && <WayTabs label={texts.ways} />}
      {way === 'phone' ? (
        <PhoneForm {...steps} entry={entry} hint={texts.phoneHint} />
      ) : (
        <EmailForm {...steps} hasMail={hasMail} />
      )}
      {canUsePasskeys && !isCodeSent && (
        <>
          <OrLine />
          <PasskeyButton label={texts.passkey} signIn={signInByPasskey} onDone={done} />
        </>
      )}
      {way === 'email' && hasMail && (
        <p className="text-table text-muted">
          {texts.noAccount}{' '}
          <Link to="/signup" search={true} className="link">
            {texts.toSignUp}
          </Link>
        </p>
      )}
    </SignInFrame>
  );
}

async function signInByPasskey(): Promise<void> {
  const { options, request_token } = await call('startPasskeySignIn');
  const answer = await askForPasskey(options);
  await call('signInByPasskey', { body: { answer, request_token } });
}

/** Opens the demo company without signing up. */
function DemoButton({ onDone }: { onDone: () => void }) {
  const texts = useTexts().signIn;
  const demo = useAction('enterDemo');
  return (
    <>
      <div className="grid gap-2">
        <Button
          icon={<Play aria-hidden="true" size={16} />}
          isBusy={demo.isPending}
          onClick={() => demo.mutate({}, { onSuccess: onDone })}
        >
          {texts.demo}
        </Button>
        <p className="text-sm text-muted">{texts.demoHint}</p>
        {demo.error !== null && <ErrorCard error={demo.error} />}
      </div>
      <OrLine />
    </>
  );
}
