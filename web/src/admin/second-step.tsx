import { useQuery } from '@tanstack/react-query';
import { askForPasskey } from '../passkeys.ts';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { SecondFactorForm } from '../ui/identity/second-factor-form.tsx';
import { callDesk, queryOf } from './call.ts';

/** The second step of a sign-in to the desk. */
export function SecondStep({ onDone }: { onDone: () => void }) {
  const { data, error, refetch } = useQuery({ ...queryOf('secondFactors'), gcTime: 0 });
  if (error !== null) return <ErrorCard error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonCard />;
  return (
    <SecondFactorForm
      factors={data}
      enterCode={(body) => callDesk('signInSecond', { body })}
      enterPasskey={async () => {
        const { options } = await callDesk('startPasskeySecondStep');
        const answer = await askForPasskey(options);
        await callDesk('signInSecondByPasskey', { body: { answer } });
      }}
      onDone={onDone}
    />
  );
}
