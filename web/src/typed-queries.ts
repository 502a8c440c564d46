import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import type { AnswerIn, ArgsIn, Call, Contract, NameIn, OptionalArgs } from './typed-call.ts';

/** The endpoints that answer with rows and a cursor for the next page. */
type PagedIn<Endpoints extends Contract> = {
  [Name in NameIn<Endpoints>]: AnswerIn<Endpoints, Name> extends {
    rows: unknown[];
    next: string | null;
  }
    ? Name
    : never;
}[NameIn<Endpoints>];

/** Queries and mutations of one contract. The key of a query begins with `scope`. */
export function createQueries<Endpoints extends Contract>({
  call,
  client,
  scope,
}: {
  call: Call<Endpoints>;
  client: QueryClient;
  scope: readonly string[];
}) {
  type Name = NameIn<Endpoints>;
  const keyOf = (name: Name, args: unknown): QueryKey =>
    args === undefined ? [...scope, name] : [...scope, name, args];

  /** Options for `useQuery`: the answer of an endpoint, cached under its name. */
  const queryOf = <Of extends Name>(name: Of, ...rest: OptionalArgs<ArgsIn<Endpoints, Of>>) =>
    queryOptions<AnswerIn<Endpoints, Of>, Error, AnswerIn<Endpoints, Of>, QueryKey>({
      queryKey: keyOf(name, rest[0]),
      queryFn: ({ signal }) =>
        call<Of>(name, ...([{ ...(rest[0] as object), signal }] as unknown as typeof rest)),
      placeholderData: keepPreviousData as never,
    });

  /** Options for `useInfiniteQuery`: a list with a "show more" button. */
  const pagesOf = <Of extends PagedIn<Endpoints>>(
    name: Of,
    query?: ArgsIn<Endpoints, Of>['query'],
    params?: ArgsIn<Endpoints, Of>['params'],
  ) => {
    type Page = AnswerIn<Endpoints, Of>;
    return infiniteQueryOptions<Page, Error, Page[], QueryKey, string | undefined>({
      queryKey: keyOf(name, { query, params }),
      queryFn: ({ signal, pageParam: cursor }) =>
        call<Of>(
          name,
          ...([{ params, query: { ...query, cursor }, signal }] as unknown as OptionalArgs<
            ArgsIn<Endpoints, Of>
          >),
        ),
      initialPageParam: undefined,
      getNextPageParam: (page) => (page as { next: string | null }).next ?? undefined,
      select: ({ pages }) => pages,
      placeholderData: keepPreviousData as never,
    });
  };

  /** Fetches the named queries again, those on the page at once. */
  const invalidate = (names: readonly Name[]): void => {
    for (const name of names) void client.invalidateQueries({ queryKey: [...scope, name] });
  };

  /**
   * A mutation that invalidates the named queries on success. A secret answer is removed from the
   * cache at `reset()` or unmount, not some minutes later.
   */
  const useAction = <Of extends Name>(
    name: Of,
    {
      invalidates = [],
      isSecret = false,
    }: { invalidates?: readonly Name[]; isSecret?: boolean } = {},
  ): UseMutationResult<AnswerIn<Endpoints, Of>, Error, ArgsIn<Endpoints, Of>> =>
    useMutation({
      ...(isSecret && { gcTime: 0 }),
      mutationFn: (args: ArgsIn<Endpoints, Of>) =>
        call<Of>(name, ...([args] as unknown as OptionalArgs<ArgsIn<Endpoints, Of>>)),
      // Not awaited: a refetched list may unmount the row, which could then not report success.
      onSuccess: () => invalidate(invalidates),
    });

  return { queryOf, pagesOf, invalidate, useAction };
}

/** The rows of all fetched pages. */
export function rowsOf<Row>(pages: readonly { rows: Row[] }[] | undefined): Row[] | undefined {
  return pages?.flatMap(({ rows }) => rows);
}
