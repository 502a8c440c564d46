import { RefreshCw, TriangleAlert } from 'lucide-react';
import { CallError } from '../../call-error.ts';
import { ErrorText } from '../../texts/error-text.tsx';
import { useLang, useTexts } from '../../texts/use-texts.tsx';
import { AnchorButton } from '../controls/anchor-button.tsx';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { EmptyState } from './empty-state.tsx';
import { useSameFailure } from './same-failures.tsx';

/**
 * A failed request: the error, the request id for support, and a retry button. What another part of
 * the page has said already is said in two words.
 */
export function ErrorCard({
  error,
  onRetry,
}: {
  error: Error;
  onRetry?: (() => unknown) | undefined;
}) {
  const { ui: texts, layout } = useTexts();
  const { lang } = useLang();
  const { code, requestId, status } =
    error instanceof CallError ? error : { code: 'crash', requestId: undefined, status: 0 };
  const { isSaid, retry } = useSameFailure(code, onRetry);
  if (isSaid) {
    return (
      <p className="rounded-card border border-dashed border-hairline p-5 text-table text-muted">
        {texts.notLoaded}
      </p>
    );
  }
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
      <div className="flex flex-wrap gap-2 empty:hidden">
        {retry !== undefined && (
          <Button icon={<RefreshCw aria-hidden="true" size={16} />} onClick={retry}>
            {texts.retry}
          </Button>
        )}
        {status >= 500 && (
          <AnchorButton href={`/status?lang=${lang}`}>{layout.helpStatus}</AnchorButton>
        )}
      </div>
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
