import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import { call } from '../call.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { canGrow, freshened, isUnsettled, newerThan } from './live-rows.ts';
import type { Filters } from './message-filters.tsx';
import { useNewCount } from './use-new-count.ts';

const POLL_MS = 15_000;
/** While a message is on its way, its row is worth a look this often. */
const UNSETTLED_MS = 5_000;

/**
 * The list and what happens while it is looked at: states of its rows change in their places, and
 * new rows are counted but wait until they are asked for, so that nothing jumps.
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
  const isWatched = canGrow(filters) && rows !== undefined && !list.isPlaceholderData;
  const newestId = rows?.[0]?.id;
  const stream = useNewCount(filters, newestId, isWatched);

  const isPolled = isWatched && stream.state === 'broken';
  const isAnyUnsettled = isWatched && rows.some((row) => isUnsettled(row, Date.now()));
  const newest = useQuery({
    queryKey: ['messages', 'newest', filters],
    queryFn: ({ signal }) => call('messages', { query: filters, signal }),
    enabled: isPolled || isAnyUnsettled,
    refetchInterval: isAnyUnsettled ? UNSETTLED_MS : POLL_MS,
    staleTime: 0,
    retry: false,
  });
  const isNewer = newest.dataUpdatedAt > list.dataUpdatedAt;
  const latest = isNewer ? newest.data?.rows : undefined;
  const polled = latest === undefined ? 0 : newerThan(latest, newestId).length;

  /** From the top again: only the first page is fetched, however many were shown. */
  const showNew = async () => {
    client.setQueryData(
      options.queryKey,
      (shown) =>
        shown && { pages: shown.pages.slice(0, 1), pageParams: shown.pageParams.slice(0, 1) },
    );
    stream.reset();
    await list.refetch();
  };
  return {
    list,
    rows: rows && freshened(rows, latest),
    newCount: isWatched ? (isPolled ? polled : stream.count) : 0,
    isOffline: isPolled && newest.isError,
    showNew,
  };
}
