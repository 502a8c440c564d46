import { QueryClient } from '@tanstack/react-query';
import { call, type EndpointName, type Endpoints } from './call.ts';
import { CallError } from './call-error.ts';
import { createQueries } from './typed-queries.ts';

export { rowsOf } from './typed-queries.ts';

const RETRIES_MAX = 2;
const STALE_AFTER_MS = 10_000;

/**
 * One cache for the whole app. Lost connections and 5xx are retried; other refusals are final. A
 * query waits while the connection is lost and keeps what it has; a change fails at once.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      retry: (failures, error) => failures < RETRIES_MAX && isTransient(error),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function isTransient(error: Error): boolean {
  return error instanceof CallError && (error.status === 0 || error.status >= 500);
}

/** Of the endpoints of the cabinet. */
export const { queryOf, pagesOf, invalidate, useAction } = createQueries<Endpoints>({
  call,
  client: queryClient,
  scope: [],
});

/** What a change of how a person signs in makes stale. */
export const SIGN_IN_QUERIES = [
  'session',
  'sessions',
  'securityEvents',
  'team',
] as const satisfies readonly EndpointName[];
