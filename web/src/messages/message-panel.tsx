import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CallError } from '../call-error.ts';
import { queryOf } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { MessageStory } from './detail/message-story.tsx';
import { refreshMs } from './detail/refresh.ts';
import { StepButtons, useNeighbours } from './neighbours.tsx';

/** One message: beside the list on a wide screen, full screen on a small one. */
export function MessagePanel() {
  const texts = useTexts().messages;
  const format = useFormat();
  const navigate = useNavigate();
  const { id } = useParams({ from: '/app/messages/$id' });
  const message = useQuery({
    ...queryOf('message', { params: { id } }),
    // The previous message must not be shown while this one is loading.
    placeholderData: () => undefined,
    refetchInterval: ({ state }) => refreshMs(state.data, Date.now()),
  });
  const title = message.data === undefined ? texts.one : format.phone(message.data.phone);
  useEffect(() => {
    document.title = `${title} — Zhiber`;
    return () => {
      document.title = `${texts.title} — Zhiber`;
    };
  }, [title, texts.title]);
  const close = () => void navigate({ to: '/app/messages', search: true, resetScroll: false });
  const { step, rowOf } = useNeighbours(id);
  return (
    <Dialog
      place="side"
      title={title}
      onClose={close}
      focusAtEnd={() => rowOf(id)}
      actions={<StepButtons onStep={step} />}
    >
      {message.data !== undefined ? (
        <MessageStory message={message.data} />
      ) : message.error !== null ? (
        <NoMessage error={message.error} onRetry={message.refetch} onClose={close} />
      ) : (
        <SkeletonCard lines={6} />
      )}
    </Dialog>
  );
}

function NoMessage(props: { error: Error; onRetry: () => unknown; onClose: () => void }) {
  const texts = useTexts().messages;
  const { error, onRetry, onClose } = props;
  const isUnknown = error instanceof CallError && (error.status === 404 || error.status === 422);
  if (!isUnknown) return <Failure error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      kind="no-match"
      title={texts.notFound}
      action={<Button onClick={onClose}>{texts.searchByPhone}</Button>}
    >
      {texts.notFoundAdvice}
    </EmptyState>
  );
}
