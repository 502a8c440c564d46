import { useEffect, useState } from 'react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';

/** How many pages are fetched automatically before the user must continue the search. */
const STEPS_MAX = 25;

type SearchedPage = { searched_until: string | null };
type SearchedList = {
  data: readonly SearchedPage[] | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  error: Error | null;
  fetchNextPage: () => Promise<unknown>;
};

export type SearchOn = {
  /** How far back was searched; undefined when the search is finished. */
  until: string | undefined;
  isSearching: boolean;
  stop: () => void;
  goOn: () => void;
};

/**
 * The server ends a search for rare matches early, to meet its deadline. The page continues it
 * automatically for up to 25 pages, shows its progress, and can be stopped.
 */
export function useSearchOn(list: SearchedList, filters: unknown): SearchOn {
  const [progress, setProgress] = useState({ filterKey: '', stepsLeft: STEPS_MAX });
  const filterKey = JSON.stringify(filters);
  const stepsLeft = progress.filterKey === filterKey ? progress.stepsLeft : STEPS_MAX;
  const until = list.isPlaceholderData ? undefined : list.data?.at(-1)?.searched_until;
  const isUnfinished = until !== null && until !== undefined && list.hasNextPage;
  const isDue = isUnfinished && stepsLeft > 0 && list.error === null;
  const { isFetching, fetchNextPage } = list;
  useEffect(() => {
    if (!isDue || isFetching) return;
    setProgress({ filterKey, stepsLeft: stepsLeft - 1 });
    void fetchNextPage();
  }, [isDue, isFetching, fetchNextPage, filterKey, stepsLeft]);
  return {
    until: isUnfinished ? until : undefined,
    isSearching: isDue || (isUnfinished && isFetching),
    stop: () => setProgress({ filterKey, stepsLeft: 0 }),
    goOn: () => setProgress({ filterKey, stepsLeft: STEPS_MAX }),
  };
}

/** The progress of the search, with a button to stop or continue it. */
export function SearchOnBar({ search }: { search: SearchOn }) {
  const texts = useTexts().lists;
  const format = useFormat();
  const { until, isSearching } = search;
  if (until === undefined) return null;
  const reached = format.timeToMinute(until);
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 rounded-card bg-sunken px-4 py-3 text-table">
      <p role="status">{isSearching ? texts.searchingOn(reached) : texts.searchedUntil(reached)}</p>
      {isSearching ? (
        <Button onClick={search.stop}>{texts.stop}</Button>
      ) : (
        <Button onClick={search.goOn}>{texts.searchOn}</Button>
      )}
    </div>
  );
}
