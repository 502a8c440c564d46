import { CallError } from '../../call.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorCard } from './error-card.tsx';

/** Why a part of a page is not there: the role may not see it, or it could not be fetched. */
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
