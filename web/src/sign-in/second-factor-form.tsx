import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../call.ts';
import { askForPasskey, canUsePasskeys } from '../passkeys.ts';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { OrLine } from './sign-in-frame.tsx';

/** The second step of a sign-in: a passkey, a code from the app, or a recovery code. */
export function SecondFactorForm({ onDone }: { onDone: () => void }) {
  const texts = useTexts().signIn;
  const { data, error, refetch } = useQuery({ ...queryOf('secondFactors'), gcTime: 0 });
  const [isRecoveryWanted, setRecoveryWanted] = useState(false);
  if (error !== null) return <ErrorCard error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonCard />;
  const { has_code_app: hasApp, has_passkey: hasPasskey } = data;
  const canUsePasskey = hasPasskey && canUsePasskeys;
  // With only a passkey, a browser that cannot use it leaves nothing but the recovery codes.
  const isRecovery = isRecoveryWanted || !(hasApp || canUsePasskey);
  const hasCode = hasApp || isRecovery;
  return (
    <>
      {canUsePasskey && (
        <PasskeyButton
          label={texts.secondByPasskey}
          look="primary"
          signIn={signInByPasskey}
          onDone={onDone}
        />
      )}
      {canUsePasskey && hasCode && <OrLine />}
      {hasCode && (
        <CodeForm
          key={String(isRecovery)}
          isRecovery={isRecovery}
          isMain={!canUsePasskey}
          onDone={onDone}
        />
      )}
      {(hasApp || !isRecovery) && (
        <div>
          <Button look="quiet" onClick={() => setRecoveryWanted(!isRecovery)}>
            {isRecovery ? texts.useApp : hasApp ? texts.useRecovery : texts.useRecoveryOnly}
          </Button>
        </div>
      )}
    </>
  );
}

async function signInByPasskey(): Promise<void> {
  const { options } = await call('startPasskeySecondStep');
  const answer = await askForPasskey(options);
  await call('signInSecondByPasskey', { body: { answer } });
}

function CodeForm(props: { isRecovery: boolean; isMain: boolean; onDone: () => void }) {
  const { isRecovery, isMain, onDone } = props;
  const texts = useTexts().signIn;
  const signIn = useAction('signInSecond');
  return (
    <Form
      error={signIn.error}
      onSubmit={(values) =>
        signIn.mutate(
          { body: { code: values.text('code'), is_recovery_code: isRecovery } },
          { onSuccess: onDone },
        )
      }
    >
      <TextField
        name="code"
        label={isRecovery ? texts.recoveryCode : texts.secondCode}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoFocus
        required
      />
      <FormActions>
        <Button
          type="submit"
          look={isMain ? 'primary' : 'plain'}
          className="w-full"
          isBusy={signIn.isPending}
        >
          {texts.enter}
        </Button>
      </FormActions>
    </Form>
  );
}
