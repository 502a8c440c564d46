import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Right } from '@zhiber/contract/cabinet/rights.ts';
import type { Session } from '@zhiber/contract/cabinet/session.ts';
import { call } from './call.ts';
import { queryClient } from './queries.ts';

export type CurrentCompany = NonNullable<Session['company']>;

const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('session', { signal }),
});

/** Fetched once before a page of the cabinet opens, so that it is there for every component. */
export function loadSession(): Promise<Session> {
  return queryClient.ensureQueryData(sessionQuery);
}

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The company that the pages are about. */
export function useCompany(): CurrentCompany {
  const { company } = useSession();
  if (company === null) throw new Error('no page of a company opens without one');
  return company;
}

/** Whether the person may do it here. The server decides; a page only hides what would be refused. */
export function useRight(right: Right): boolean {
  return useSession().company?.rights.includes(right) ?? false;
}

/** Everything that was fetched belonged to somebody else or to another company. */
export async function forgetEverything(): Promise<void> {
  await queryClient.cancelQueries();
  queryClient.clear();
}
