import type { Operation } from '@zhiber/contract/cabinet/playground.ts';
import type { RequestFields } from '../snippets/request-body.ts';

const RUNS_MAX = 20;

/** A call that was made here. The code that was typed is no part of it. */
export type Run = {
  id: string;
  at: string;
  operation: Operation;
  fields: RequestFields;
  status: number;
  ms: number;
};

/** The last calls of this tab, newest first. */
export type Runs = { runs: readonly Run[]; addRun: (run: Run) => void };

export function withRun(before: readonly Run[], run: Run): readonly Run[] {
  return [run, ...before].slice(0, RUNS_MAX);
}
