import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import {
  type Answer,
  type CallArgs,
  CallError,
  call,
  type EndpointName,
  type OptionalArgs,
} from './call.ts';

const RETRIES_MAX = 2;
const FRESH_MS = 10_000;

/** One store of answers for the whole app. A refusal is final; a lost connection is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function isPassing(error: Error): boolean {
  return error instanceof CallError && (error.status === 0 || error.status >= 500);
}

/** For `useQuery`: the answer of an endpoint, kept under its name. */
export function queryOf<Name extends EndpointName>(
  name: Name,
  ...rest: OptionalArgs<CallArgs<Name>>
) {
  return queryOptions<Answer<Name>, Error, Answer<Name>, QueryKey>({
    queryKey: keyOf(name, rest[0]),
    queryFn: ({ signal }) =>
      call<Name>(name, ...([{ ...rest[0], signal }] as unknown as typeof rest)),
    placeholderData: keepPreviousData as never,
  });
}

/** The endpoints that answer with rows and with where the next ones begin. */
export type PagedName = {
  [Name in EndpointName]: Answer<Name> extends { rows: unknown[]; next: string | null }
    ? Name
    : never;
}[EndpointName];

/** For `useInfiniteQuery`: a list that grows by "show more". */
export function pagesOf<Name extends PagedName>(name: Name, query?: CallArgs<Name>['query']) {
  type Page = Answer<Name>;
  return infiniteQueryOptions<Page, Error, Page[], QueryKey, string | undefined>({
    queryKey: keyOf(name, { query }),
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

/** The rows of all pages that have been fetched. */
export function rowsOf<Row>(pages: readonly { rows: Row[] }[] | undefined): Row[] | undefined {
  return pages?.flatMap(({ rows }) => rows);
}

/**
 * For `useMutation`: a change, and the lists that are no longer true after it. An answer that is
 * secret is forgotten at `reset()` or with the component, not some minutes later.
 */
export function useAction<Name extends EndpointName>(
  name: Name,
  {
    outdates = [],
    isSecret = false,
  }: { outdates?: readonly EndpointName[]; isSecret?: boolean } = {},
): UseMutationResult<Answer<Name>, Error, CallArgs<Name>> {
  const client = useQueryClient();
  return useMutation({
    ...(isSecret && { gcTime: 0 }),
    mutationFn: (args: CallArgs<Name>) =>
      call<Name>(name, ...([args] as unknown as OptionalArgs<CallArgs<Name>>)),
    // Nobody waits for the lists: a row that they take away could not say any more that it went well.
    onSuccess: () => {
      for (const other of outdates) void client.invalidateQueries({ queryKey: [other] });
    },
  });
}

function keyOf(name: EndpointName, args: unknown): QueryKey {
  return args === undefined ? [name] : [name, args];
}
