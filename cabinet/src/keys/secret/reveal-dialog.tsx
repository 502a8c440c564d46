import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { KeyReveal, type Secret } from './key-reveal.tsx';

/**
 * A dialog with two faces: what is asked, and then the key, shown this once. Whoever leaves without
 * having saved it is asked whether they mean it. The text of the key lives in the props alone.
 */
export function RevealDialog(props: {
  title: ReactNode;
  revealedTitle: ReactNode;
  secret: Secret | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, revealedTitle, secret, onClose, children } = props;
  const navigate = useNavigate();
  const [isSaved, setSaved] = useState(false);
  const [leave, setLeave] = useState<{ go: () => void }>();
  const close = (go: () => void) => {
    if (secret === undefined || isSaved) go();
    else setLeave({ go });
  };
  const tryOut = () => {
    onClose();
    void navigate({ to: '/app/playground', search: { key_id: String(secret?.id) } });
  };
  return (
    <>
      <Dialog
        title={secret === undefined ? title : revealedTitle}
        size={secret === undefined ? 'small' : 'large'}
        onClose={() => close(onClose)}
      >
        {secret === undefined ? (
          children
        ) : (
          <KeyReveal
            secret={secret}
            isSaved={isSaved}
            onSaved={setSaved}
            onTry={() => close(tryOut)}
            onDone={onClose}
          />
        )}
      </Dialog>
      {leave !== undefined && <LeaveDialog onLeave={leave.go} onStay={() => setLeave(undefined)} />}
    </>
  );
}

function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const texts = useTexts().keys.reveal;
  return (
    <ConfirmDialog
      title={texts.leaveTitle}
      action={texts.leave}
      onConfirm={onLeave}
      onClose={onStay}
    >
      <p>{texts.leaveLead}</p>
    </ConfirmDialog>
  );
}
