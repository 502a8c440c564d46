import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Run, type Runs, withRun } from './runs.ts';

const RUNS = ['playground-runs'];

/**
 * The runs lie with the answers of the server: in memory alone, and gone as soon as somebody signs
 * out or goes to another company.
 */
export function useCabinetRuns(): Runs {
  const client = useQueryClient();
  const { data: runs = [] } = useQuery<readonly Run[]>({
    queryKey: RUNS,
    queryFn: () => client.getQueryData<readonly Run[]>(RUNS) ?? [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const addRun = (run: Run) =>
    client.setQueryData<readonly Run[]>(RUNS, (before = []) => withRun(before, run));
  return { runs, addRun };
}
