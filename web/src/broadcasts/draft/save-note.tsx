import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import type { Draft } from './use-draft.ts';

/** Everything is saved as it is changed; this says so, or why it could not be. */
export function SaveNote({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  if (draft.isConflict) {
    return (
      <div
        role="alert"
        className="sticky top-16 z-10 flex flex-wrap items-center gap-3 rounded-card bg-warn-tint p-4 text-table text-warn"
      >
        <TriangleAlert aria-hidden="true" size={18} className="shrink-0" />
        <p className="min-w-0 grow basis-64">
          <strong>{texts.conflict}</strong> {texts.conflictNote}
        </p>
        <Button
          icon={<RefreshCw aria-hidden="true" size={16} />}
          onClick={() => void draft.reload()}
        >
          {texts.conflictReload}
        </Button>
      </div>
    );
  }
  if (draft.saveError !== null) {
    return (
      <div className="sticky top-16 z-10 rounded-card bg-bad-tint px-4 py-3">
        <Refusal error={draft.saveError} />
      </div>
    );
  }
  return (
    <p role="status" className="-mt-3 text-sm text-muted">
      {draft.isSaving ? texts.saving : texts.saved}
    </p>
  );
}
