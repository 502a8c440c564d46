import { useQuery } from '@tanstack/react-query';
import type { RequestRow } from '@zhiber/contract/cabinet/requests.ts';
import { call } from '../call.ts';
import { newCalls } from './new-calls.ts';
import type { Filters } from './request-filters.tsx';

const POLL_MS = 10_000;

/**
 * Counts the calls that came after the newest one shown; they are shown on demand, so that the table
 * does not jump. Nothing is asked for while the page is in the background.
 */
export function useNewCalls(
  filters: Filters,
  rows: readonly RequestRow[] | undefined,
  shownAt: number,
): number {
  const canGrow = filters.range !== 'yesterday' && filters.to === undefined;
  const newest = useQuery({
    queryKey: ['requests', 'newest', filters],
    queryFn: ({ signal }) => call('requests', { query: filters, signal }),
    enabled: canGrow && rows !== undefined,
    refetchInterval: POLL_MS,
    staleTime: POLL_MS,
    retry: false,
  });
  if (!canGrow || rows === undefined || newest.dataUpdatedAt <= shownAt) return 0;
  return newCalls(newest.data?.rows ?? [], rows).length;
}
