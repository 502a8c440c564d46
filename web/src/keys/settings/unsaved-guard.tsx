import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../../texts/use-texts.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

/** Asks for confirmation before edits are lost by navigation or by closing the tab. */
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
