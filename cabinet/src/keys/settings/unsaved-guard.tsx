import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../../texts/use-texts.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

/** Asks before edits are lost, whether a link is followed or the tab is closed. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const texts = useTexts().keys;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={texts.unsaved}
      action={texts.leaveUnsaved}
      onConfirm={proceed}
      onClose={reset}
    >
      <p className="text-table">{texts.unsavedLead}</p>
    </ConfirmDialog>
  );
}
