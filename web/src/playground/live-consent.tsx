import { type ReactNode, useState } from 'react';
import { useCompany, useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';

/** The company for which somebody has agreed in this tab to send in earnest. */
let agreedFor: number | undefined;

/** Asks once before the first message goes to a real phone. */
export function useLiveConsent(): { withConsent: (send: () => void) => void; dialog: ReactNode } {
  const texts = useTexts().playground.live;
  const { id } = useCompany();
  const { is_sandbox: isSandbox } = useSession();
  const [waiting, setWaiting] = useState<{ send: () => void }>();
  const withConsent = (send: () => void) => (agreedFor === id ? send() : setWaiting({ send }));
  const agree = () => {
    agreedFor = id;
    setWaiting(undefined);
    waiting?.send();
  };
  const dialog = waiting && (
    <ConfirmDialog
      title={texts.title}
      action={texts.agree}
      onConfirm={agree}
      onClose={() => setWaiting(undefined)}
    >
      <p className="text-table">{isSandbox ? texts.sandboxLead : texts.lead}</p>
    </ConfirmDialog>
  );
  return { withConsent, dialog };
}
