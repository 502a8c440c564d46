import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Operation } from '@zhiber/contract/cabinet/playground.ts';
import type { RequestFields } from './request/fields.ts';

const RUNS_MAX = 20;
const RUNS = ['playground-runs'];

/** A call that was made here. The code that was typed is no part of it. */
export type Run = {
  requestId: string;
  at: string;
  keyId: number;
  operation: Operation;
  fields: Omit<RequestFields, 'code'>;
  status: number;
  ms: number;
};

/**
 * The last calls of this tab, newest first. They lie with the answers of the server: in memory
 * alone, and gone as soon as somebody signs out or goes to another company.
 */
export function useRuns(): { runs: readonly Run[]; addRun: (run: Run) => void } {
  const client = useQueryClient();
  const { data: runs = [] } = useQuery<readonly Run[]>({
    queryKey: RUNS,
    queryFn: () => client.getQueryData<readonly Run[]>(RUNS) ?? [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const addRun = (run: Run) =>
    client.setQueryData<readonly Run[]>(RUNS, (before = []) => [run, ...before].slice(0, RUNS_MAX));
  return { runs, addRun };
}

export function withoutCode({ code: _code, ...fields }: RequestFields): Run['fields'] {
  return fields;
}
