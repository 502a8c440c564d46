import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { canUsePasskeys } from '../../passkeys.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Form, FormActions } from '../controls/form.tsx';
import { TextField } from '../controls/text-field.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { OrLine } from './sign-in-frame.tsx';

type TypedCode = { code: string; is_recovery_code: boolean };

/** The second step of a sign-in: a passkey, a code from the app, or a recovery code. */
export function SecondFactorForm(props: {
  factors: { has_code_app: boolean; has_passkey: boolean };
  enterCode: (typed: TypedCode) => Promise<unknown>;
  enterPasskey: () => Promise<void>;
  onDone: () => void;
}) {
  const { factors, enterCode, enterPasskey, onDone } = props;
  const texts = useTexts().signIn;
  const [isRecoveryWanted, setRecoveryWanted] = useState(false);
  const { has_code_app: hasApp, has_passkey: hasPasskey } = factors;
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
          signIn={enterPasskey}
          onDone={onDone}
        />
      )}
      {canUsePasskey && hasCode && <OrLine />}
      {hasCode && (
        <CodeForm
          key={String(isRecovery)}
          isRecovery={isRecovery}
          isMain={!canUsePasskey}
          enterCode={enterCode}
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

function CodeForm(props: {
  isRecovery: boolean;
  isMain: boolean;
  enterCode: (typed: TypedCode) => Promise<unknown>;
  onDone: () => void;
}) {
  const { isRecovery, isMain, enterCode, onDone } = props;
  const texts = useTexts().signIn;
  const signIn = useMutation({ mutationFn: enterCode, onSuccess: onDone });
  return (
    <Form
      error={signIn.error}
      onSubmit={(values) =>
        signIn.mutate({ code: values.text('code'), is_recovery_code: isRecovery })
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
