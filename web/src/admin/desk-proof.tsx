import { askForPasskey, canUsePasskeys } from '../passkeys.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ProofDialog, type ProofWay } from '../ui/identity/proof-dialog.tsx';
import { type ProofDialogProps, ProofGate } from '../ui/identity/proof-gate.tsx';
import { callDesk, onDeskRefusal } from './call.ts';
import { useOperator } from './session.ts';

/** Asks the operator again who is there, before something dangerous. */
export function DeskProof() {
  return <ProofGate onRefusal={onDeskRefusal} load={async () => DeskProofDialog} />;
}

function DeskProofDialog({ onEnd }: ProofDialogProps) {
  const texts = useTexts().layout.identity;
  const { person } = useOperator();
  const ways: ProofWay[] = ['recovery'];
  if (person.has_code_app) ways.unshift('app');
  if (person.has_passkey && canUsePasskeys) ways.unshift('passkey');
  return (
    <ProofDialog
      onEnd={onEnd}
      ways={ways}
      lead={texts.leadByFactor}
      prove={async (way, values) => {
        const body =
          way === 'passkey'
            ? { passkey: await askForPasskey((await callDesk('startPasskeyProof')).options) }
            : { code: values.text('code'), is_recovery_code: way === 'recovery' };
        await callDesk('confirmIdentity', { body });
      }}
    />
  );
}
