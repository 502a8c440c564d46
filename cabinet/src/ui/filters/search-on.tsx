import { useEffect, useState } from 'react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';

/** So many times the search goes on by itself before it asks. */
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
  /** Until when was searched, when the search stopped before it found enough. */
  until: string | undefined;
  isSearching: boolean;
  stop: () => void;
  goOn: () => void;
};

/**
 * The server stops to look for rare matches in order to answer in time. The page goes on by itself
 * for a while, says how far it came, and can be stopped.
 */
export function useSearchOn(list: SearchedList, filters: unknown): SearchOn {
  const [round, setRound] = useState({ of: '', stepsLeft: STEPS_MAX });
  const asked = JSON.stringify(filters);
  const stepsLeft = round.of === asked ? round.stepsLeft : STEPS_MAX;
  const until = list.isPlaceholderData ? undefined : list.data?.at(-1)?.searched_until;
  const isUnfinished = until !== null && until !== undefined && list.hasNextPage;
  const isDue = isUnfinished && stepsLeft > 0 && list.error === null;
  const { isFetching, fetchNextPage } = list;
  useEffect(() => {
    if (!isDue || isFetching) return;
    setRound({ of: asked, stepsLeft: stepsLeft - 1 });
    void fetchNextPage();
  }, [isDue, isFetching, fetchNextPage, asked, stepsLeft]);
  return {
    until: isUnfinished ? until : undefined,
    isSearching: isDue || (isUnfinished && isFetching),
    stop: () => setRound({ of: asked, stepsLeft: 0 }),
    goOn: () => setRound({ of: asked, stepsLeft: STEPS_MAX }),
  };
}

/** How far the search came, with a button to stop it or to go on. */
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
