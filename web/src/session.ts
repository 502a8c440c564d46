import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Right } from '@zhiber/contract/cabinet/rights.ts';
import type { Session } from '@zhiber/contract/cabinet/session.ts';
import { call } from './call.ts';
import { forgetHandedKey } from './handed-key.ts';
import { queryClient } from './queries.ts';

export type CurrentCompany = NonNullable<Session['company']>;

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('session', { signal }),
  // The first page cannot wait for it without a frame: it says what is wrong.
  networkMode: 'always',
});

/** Fetched once before a page of the cabinet opens, so that every component can use it. */
export function loadSession(): Promise<Session> {
  return queryClient.ensureQueryData(sessionQuery);
}

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The current company. */
export function useCompany(): CurrentCompany {
  const { company } = useSession();
  if (company === null) throw new Error('no page of a company opens without one');
  return company;
}

/** Whether the person has a right. The server enforces it; pages only hide what it would refuse. */
export function useRight(right: Right): boolean {
  return useSession().company?.rights.includes(right) ?? false;
}

/** Fetches the session again: its company may have been suspended, or need a second factor. */
export function reloadSession(): void {
  void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** Clears the cache when the person or the company changes. */
export async function clearCache(): Promise<void> {
  forgetHandedKey();
  await queryClient.cancelQueries();
  queryClient.clear();
}
