import { useParams } from '@tanstack/react-router';
import { CallError } from '../call-error.ts';
import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { BackLink } from '../ui/display/back-link.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { DraftPage } from './draft/draft-page.tsx';
import { useDraft } from './draft/use-draft.ts';
import BroadcastProgress from './live/broadcast-progress.tsx';

export function BroadcastPage() {
  const { id } = useParams({ from: '/app/broadcasts/$id' });
  return <OneBroadcast key={id} id={id} />;
}

/** Of another company, deleted, or no id at all. */
function isUnknown(error: Error): boolean {
  return error instanceof CallError && (error.status === 404 || error.status === 422);
}

/** A draft is worked on in steps; a started broadcast is watched. */
function OneBroadcast({ id }: { id: string }) {
  const texts = useBroadcastTexts();
  const draft = useDraft(id);
  const { broadcast } = draft;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/app/broadcasts">{texts.toList}</BackLink>
      {broadcast === undefined ? (
        <Page title={texts.title}>
          {draft.loadError === null ? (
            <SkeletonCard lines={6} />
          ) : isUnknown(draft.loadError) ? (
            <EmptyState kind="no-match" title={texts.unknown}>
              {texts.unknownAdvice}
            </EmptyState>
          ) : (
            <Failure error={draft.loadError} onRetry={draft.reload} />
          )}
        </Page>
      ) : broadcast.state === 'draft' ? (
        <DraftPage draft={{ ...draft, broadcast }} />
      ) : (
        <BroadcastProgress broadcast={broadcast} />
      )}
    </div>
  );
}
