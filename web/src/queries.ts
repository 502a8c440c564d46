import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  queryOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import { type Answer, type CallArgs, call, type EndpointName, type OptionalArgs } from './call.ts';
import { CallError } from './call-error.ts';

const RETRIES_MAX = 2;
const STALE_AFTER_MS = 10_000;

/** One cache for the whole app. Lost connections and 5xx are retried; other refusals are final. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      retry: (failures, error) => failures < RETRIES_MAX && isTransient(error),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function isTransient(error: Error): boolean {
  return error instanceof CallError && (error.status === 0 || error.status >= 500);
}

/** Options for `useQuery`: the answer of an endpoint, cached under its name. */
export function queryOf<Name extends EndpointName>(
  name: Name,
  ...rest: OptionalArgs<CallArgs<Name>>
) {
  return queryOptions<Answer<Name>, Error, Answer<Name>, QueryKey>({
    queryKey: queryKeyOf(name, rest[0]),
    queryFn: ({ signal }) =>
      call<Name>(name, ...([{ ...rest[0], signal }] as unknown as typeof rest)),
    placeholderData: keepPreviousData as never,
  });
}

/** The endpoints that answer with rows and a cursor for the next page. */
export type PagedName = {
  [Name in EndpointName]: Answer<Name> extends { rows: unknown[]; next: string | null }
    ? Name
    : never;
}[EndpointName];

/** Options for `useInfiniteQuery`: a list with a "show more" button. */
export function pagesOf<Name extends PagedName>(name: Name, query?: CallArgs<Name>['query']) {
  type Page = Answer<Name>;
  return infiniteQueryOptions<Page, Error, Page[], QueryKey, string | undefined>({
    queryKey: queryKeyOf(name, { query }),
    queryFn: ({ signal, pageParam: cursor }) =>
      call<Name>(
        name,
        ...([{ query: { ...query, cursor }, signal }] as unknown as OptionalArgs<CallArgs<Name>>),
      ),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    select: ({ pages }) => pages,
    placeholderData: keepPreviousData as never,
  });
}

/** The rows of all fetched pages. */
export function rowsOf<Row>(pages: readonly { rows: Row[] }[] | undefined): Row[] | undefined {
  return pages?.flatMap(({ rows }) => rows);
}

/** What a change of how a person signs in makes stale. */
export const SIGN_IN_QUERIES = [
  'session',
  'sessions',
  'securityEvents',
  'team',
] as const satisfies readonly EndpointName[];

/** Fetches the named queries again, those on the page at once. */
export function invalidate(names: readonly EndpointName[]): void {
  for (const name of names) void queryClient.invalidateQueries({ queryKey: [name] });
}

/**
 * A mutation that invalidates the named queries on success. A secret answer is removed from the
 * cache at `reset()` or unmount, not some minutes later.
 */
export function useAction<Name extends EndpointName>(
  name: Name,
  {
    invalidates = [],
    isSecret = false,
  }: { invalidates?: readonly EndpointName[]; isSecret?: boolean } = {},
): UseMutationResult<Answer<Name>, Error, CallArgs<Name>> {
  return useMutation({
    ...(isSecret && { gcTime: 0 }),
    mutationFn: (args: CallArgs<Name>) =>
      call<Name>(name, ...([args] as unknown as OptionalArgs<CallArgs<Name>>)),
    // Not awaited: a refetched list may unmount the row, which could then not report success.
    onSuccess: () => invalidate(invalidates),
  });
}

function queryKeyOf(name: EndpointName, args: unknown): QueryKey {
  return args === undefined ? [name] : [name, args];
}
