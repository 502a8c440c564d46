import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { ConfirmDialog } from '../overlays/confirm-dialog.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { KeyReveal, type Secret } from './key-reveal.tsx';

/**
 * A dialog in two steps: the form, then the new key, shown once. Closing it before the key is saved
 * needs a confirmation. The key is only in the props, never in a cache.
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
  const [pendingClose, setPendingClose] = useState<{ go: () => void }>();
  const close = (go: () => void) => {
    if (secret === undefined || isSaved) go();
    else setPendingClose({ go });
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
      {pendingClose !== undefined && (
        <LeaveDialog onLeave={pendingClose.go} onStay={() => setPendingClose(undefined)} />
      )}
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
