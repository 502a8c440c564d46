import { CallError } from '../../call.ts';
import { NoRightState } from './empty-state.tsx';
import { ErrorCard } from './error-card.tsx';

/** Why a part of a page is not there: the role may not see it, or it could not be fetched. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => unknown }) {
  if (error instanceof CallError && error.code === 'no_right') return <NoRightState />;
  return <ErrorCard error={error} onRetry={onRetry} />;
}
