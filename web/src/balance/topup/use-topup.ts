import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Answer } from '../../call.ts';
import { queryClient, queryOf } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';

export type Topup = Answer<'topup'>;

/** While a payment can arrive at any moment. */
const SOON_MS = 1_000;
/** Where a person or a bank statement decides. */
const LATER_MS = 3_000;

/**
 * An order as it is now. It is read again and again, from whichever node answers, and only while
 * the page is in sight; whoever comes back from their bank's app sees the news at once.
 */
export function useTopup(id: string): UseQueryResult<Topup> {
  const query = useQuery({
    ...queryOf('topup', { params: { id } }),
    // An answer about another order must not stand in for this one.
    placeholderData: () => undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : pauseFor(data)),
  });
  useNews(query.data);
  return query;
}

function pauseFor({ state, is_typed: isTyped }: Topup): number {
  const isSoon = state === 'checking' || (state === 'pending' && !isTyped);
  return isSoon ? SOON_MS : LATER_MS;
}

/** Tells a screen reader about a new state, and the rest of the pages about new money. */
function useNews(topup: Topup | undefined): void {
  const { states } = useTexts().topup;
  const { announce } = useToasts();
  const known = useRef(topup);
  useEffect(() => {
    const before = known.current;
    known.current = topup;
    if (topup === undefined || before === undefined) return;
    if (topup.state !== before.state) announce(states[topup.state]);
    // The balance is shown on many pages.
    if (topup.payments.length > before.payments.length) void queryClient.invalidateQueries();
  }, [topup, states, announce]);
}
