import type { Session } from '@zhiber/contract/cabinet/session.ts';
import { call } from '../call.ts';
import { askForPasskey, canUsePasskeys } from '../passkeys.ts';
import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import type { FormValues } from '../ui/controls/form.tsx';
import { CodeField } from '../ui/controls/text-field.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { ProofDialog, type ProofWay } from '../ui/identity/proof-dialog.tsx';
import type { ProofDialogProps } from '../ui/identity/proof-gate.tsx';

/** Asks the signed-in person of the cabinet to confirm that it is them. */
export function IdentityDialog({ onEnd }: ProofDialogProps) {
  const texts = useTexts().layout.identity;
  const { person } = useSession();
  return (
    <ProofDialog
      onEnd={onEnd}
      ways={waysOf(person)}
      lead={person.has_second_factor ? texts.leadByFactor : texts.lead}
      prove={async (way, values) => {
        await call('confirmIdentity', { body: await readProof(way, values) });
      }}
      byPhone={<CodeByPhone />}
    />
  );
}

/** The strongest first. With a second factor, the server takes nothing weaker. */
function waysOf(person: Session['person']): ProofWay[] {
  const ways: [ProofWay, boolean][] = person.has_second_factor
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

async function readProof(way: ProofWay, values: FormValues) {
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
