import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import { call } from '../call.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { canGrow, freshened, isUnsettled, newerThan } from './live-rows.ts';
import type { Filters } from './message-filters.tsx';
import { useNewCount } from './use-new-count.ts';

const POLL_MS = 15_000;
/** The polling interval while a shown message is pending. */
const UNSETTLED_MS = 5_000;

/**
 * The live list: shown rows are updated in place; new rows are only counted until the user asks for
 * them, so that the layout does not jump.
 */
export function useLiveList(filters: Filters) {
  const client = useQueryClient();
  const options = pagesOf('messages', filters);
  const list = useInfiniteQuery({
    ...options,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const rows = rowsOf<MessageRow>(list.data);
  const isLive = canGrow(filters) && rows !== undefined && !list.isPlaceholderData;
  const newestId = rows?.[0]?.id;
  const stream = useNewCount(filters, newestId, isLive);

  const isPolled = isLive && stream.state === 'broken';
  const hasUnsettled = isLive && rows.some((row) => isUnsettled(row, Date.now()));
  const newest = useQuery({
    queryKey: ['messages', 'newest', filters],
    queryFn: ({ signal }) => call('messages', { query: filters, signal }),
    enabled: isPolled || hasUnsettled,
    refetchInterval: hasUnsettled ? UNSETTLED_MS : POLL_MS,
    staleTime: 0,
    retry: false,
  });
  const isNewer = newest.dataUpdatedAt > list.dataUpdatedAt;
  const latest = isNewer ? newest.data?.rows : undefined;
  const polledCount = latest === undefined ? 0 : newerThan(latest, newestId).length;

  /** Refetches only the first page, however many were loaded. */
  const showNew = async () => {
    client.setQueryData(
      options.queryKey,
      (cached) =>
        cached && { pages: cached.pages.slice(0, 1), pageParams: cached.pageParams.slice(0, 1) },
    );
    stream.reset();
    await list.refetch();
  };
  return {
    list,
    rows: rows && freshened(rows, latest),
    newCount: isLive ? (isPolled ? polledCount : stream.count) : 0,
    isOffline: isPolled && newest.isError,
    showNew,
  };
}
