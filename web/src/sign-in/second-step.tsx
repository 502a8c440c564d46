import { useQuery } from '@tanstack/react-query';
import { call } from '../call.ts';
import { askForPasskey } from '../passkeys.ts';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { SecondFactorForm } from '../ui/identity/second-factor-form.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';
import { InvitedTo } from './invited-to.tsx';

/** The second step of a sign-in to the cabinet. */
export function SecondStepPage({ onDone }: { onDone: () => void }) {
  const texts = useTexts().signIn;
  return (
    <SignInFrame title={texts.secondTitle} lead={texts.secondLead}>
      <InvitedTo />
      <SecondStep onDone={onDone} />
    </SignInFrame>
  );
}

function SecondStep({ onDone }: { onDone: () => void }) {
  const { data, error, refetch } = useQuery({ ...queryOf('secondFactors'), gcTime: 0 });
  if (error !== null) return <ErrorCard error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonCard />;
  return (
    <SecondFactorForm
      factors={data}
      enterCode={(body) => call('signInSecond', { body })}
      enterPasskey={signInByPasskey}
      onDone={onDone}
    />
  );
}

async function signInByPasskey(): Promise<void> {
  const { options } = await call('startPasskeySecondStep');
  const answer = await askForPasskey(options);
  await call('signInSecondByPasskey', { body: { answer } });
}
