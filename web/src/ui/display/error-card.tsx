import { RefreshCw, TriangleAlert } from 'lucide-react';
import { CallError } from '../../call-error.ts';
import { ErrorText } from '../../texts/error-text.tsx';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { EmptyState } from './empty-state.tsx';

/** A failed request: the error, the request id for support, and a retry button. */
export function ErrorCard({
  error,
  onRetry,
}: {
  error: Error;
  onRetry?: (() => unknown) | undefined;
}) {
  const texts = useTexts().ui;
  const requestId = error instanceof CallError ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-2 rounded-card border border-hairline bg-surface p-5"
    >
      <p className="flex gap-2 font-medium">
        <TriangleAlert aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-bad" />
        <span>
          <ErrorText error={error} />
        </span>
      </p>
      {requestId !== undefined && (
        <p className="flex flex-wrap items-center gap-1 text-sm text-muted">
          {texts.requestId} <code className="font-mono break-all">{requestId}</code>
          <CopyButton isIcon text={requestId} label={texts.copyRequestId} />
        </p>
      )}
      {onRetry !== undefined && (
        <Button icon={<RefreshCw aria-hidden="true" size={16} />} onClick={() => void onRetry()}>
          {texts.retry}
        </Button>
      )}
    </div>
  );
}

/** Replaces a part of a page that failed to load, or that the role has no right to see. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => unknown }) {
  const texts = useTexts().ui;
  if (error instanceof CallError && error.code === 'no_right') {
    return (
      <EmptyState kind="no-right" title={texts.noRight}>
        {texts.noRightAdvice}
      </EmptyState>
    );
  }
  return <ErrorCard error={error} onRetry={onRetry} />;
}
