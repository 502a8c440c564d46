import { onRefusal } from '../call.ts';
import { ProofGate } from '../ui/identity/proof-gate.tsx';
import { importPart } from './lazy-page.tsx';

export const loadIdentityDialog = () =>
  importPart(() => import('./identity-dialog.tsx'), 'IdentityDialog');

/** Asks the signed-in person to confirm that it is them when a call needs it. */
export function IdentityGate() {
  return <ProofGate onRefusal={onRefusal} load={loadIdentityDialog} />;
}
