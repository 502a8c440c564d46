import { useMutation } from '@tanstack/react-query';
import type { Session } from '@zhiber/contract/cabinet/session.ts';
import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call, onRefusal } from '../call.ts';
import { askForPasskey, canUsePasskeys } from '../passkeys.ts';
import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { PasswordField } from '../ui/controls/password-field.tsx';
import { CodeField, TextField } from '../ui/controls/text-field.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/**
 * Opens when a call is refused because the person has to confirm that it is them. The call is
 * retried once they have.
 */
export function IdentityDialog() {
  const [resolveCall, setResolveCall] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => {
    onRefusal.staleSignIn = () => new Promise((resolve) => setResolveCall(() => resolve));
    return () => {
      onRefusal.staleSignIn = async () => false;
    };
  }, []);
  const texts = useTexts().layout.identity;
  if (resolveCall === undefined) return null;
  const end = (isConfirmed: boolean) => {
    resolveCall(isConfirmed);
    setResolveCall(undefined);
  };
  return (
    <Dialog title={texts.title} onClose={() => end(false)}>
      <IdentityForm onConfirmed={() => end(true)} />
    </Dialog>
  );
}

type Way = 'passkey' | 'app' | 'recovery' | 'password' | 'phone';

/** The strongest first. With a second factor, the server takes nothing weaker. */
function waysOf(person: Session['person']): Way[] {
  const ways: [Way, boolean][] = person.has_second_factor
    ? [
        ['passkey', person.has_passkey && canUsePasskeys],
        ['app', person.has_code_app],
        ['recovery', true],
      ]
    : [
        ['password', person.has_password],
        ['phone', person.phone !== null],
      ];
  return ways.filter(([, isThere]) => isThere).map(([way]) => way);
}

function IdentityForm({ onConfirmed }: { onConfirmed: () => void }) {
  const { layout, signIn } = useTexts();
  const texts = layout.identity;
  const { person } = useSession();
  const ways = waysOf(person);
  const [chosen, setChosen] = useState<Way>();
  const way = chosen ?? ways[0];
  const confirm = useMutation({
    mutationFn: async (values: FormValues) => {
      await call('confirmIdentity', { body: await readProof(way as Way, values) });
    },
    onSuccess: onConfirmed,
  });
  if (way === undefined) return <p>{texts.noWay}</p>;
  const change = (other: Way) => {
    confirm.reset();
    setChosen(other);
  };
  const names: Record<Way, string> = {
    passkey: texts.passkey,
    app: signIn.useApp,
    recovery: texts.useRecovery,
    password: texts.usePassword,
    phone: texts.useCode,
  };
  return (
    <Form error={confirm.error} onSubmit={(values) => confirm.mutate(values)}>
      <p className="text-muted">{person.has_second_factor ? texts.leadByFactor : texts.lead}</p>
      <ProofField key={way} way={way} />
      <FormActions>
        <Button
          key={way}
          type="submit"
          look="primary"
          autoFocus={way === 'passkey'}
          isBusy={confirm.isPending}
          icon={way === 'passkey' && <Fingerprint aria-hidden="true" size={18} />}
        >
          {way === 'passkey' ? texts.passkey : texts.confirm}
        </Button>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} look="quiet" onClick={() => change(other)}>
              {names[other]}
            </Button>
          ))}
      </FormActions>
    </Form>
  );
}

async function readProof(way: Way, values: FormValues) {
  switch (way) {
    case 'passkey': {
      const { options } = await call('startPasskeyProof');
      return { passkey: await askForPasskey(options) };
    }
    case 'password':
      return { password: values.secret('password') };
    case 'recovery':
      return { code: values.text('code'), is_recovery_code: true };
    default:
      return { code: values.text('code') };
  }
}

function ProofField({ way }: { way: Way }) {
  const { layout, signIn } = useTexts();
  switch (way) {
    case 'passkey':
      return null;
    case 'app':
      return <CodeField label={signIn.secondCode} autoFocus />;
    case 'recovery':
      return (
        <TextField name="code" label={signIn.recoveryCode} autoComplete="off" autoFocus required />
      );
    case 'password':
      return <PasswordField label={layout.identity.password} autoFocus />;
    case 'phone':
      return <CodeByPhone />;
  }
}

function CodeByPhone() {
  const texts = useTexts().layout.identity;
  const format = useFormat();
  const { person } = useSession();
  const send = useAction('sendIdentityCode');
  const [secondsLeft, startCountdown] = useCountdown();
  const sendCode = () =>
    send.mutate({}, { onSuccess: (sent) => startCountdown(sent.resend_after) });
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <Button autoFocus isBusy={send.isPending} disabled={secondsLeft > 0} onClick={sendCode}>
          {texts.sendCode}
        </Button>
        <p role="status" className="text-sm text-muted">
          {send.isSuccess && texts.codeSent(format.phone(person.phone ?? ''))}{' '}
          {secondsLeft > 0 && <span aria-hidden="true">{texts.resendIn(secondsLeft)}</span>}
        </p>
        <Refusal error={send.error} />
      </div>
      <CodeField label={texts.code} />
    </>
  );
}
