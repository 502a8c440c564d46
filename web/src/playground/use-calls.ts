import type { Operation } from '@zhiber/contract/cabinet/playground.ts';
import { useRef, useState } from 'react';
import { type RequestFields, requestOf } from '../snippets/request-body.ts';
import type { Outcome, PlaygroundBackend, PlaygroundKey } from './backend.ts';
import type { Runs } from './runs.ts';

/** The last call that ended. */
export type EndedCall = { path: string; outcome: Outcome };
/** The call under way; the time is that of `performance.now()`. */
export type RunningCall = { operation: Operation; startedAt: number };

/** Makes calls, one at a time: a second press while one is under way does nothing. */
export function useCalls(backend: PlaygroundBackend, addRun: Runs['addRun']) {
  const [running, setRunning] = useState<RunningCall>();
  const [ended, setEnded] = useState<EndedCall>();
  const isBusy = useRef(false);

  const run = async (
    apiKey: PlaygroundKey,
    operation: Operation,
    fields: RequestFields,
  ): Promise<Outcome | undefined> => {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    setRunning({ operation, startedAt: performance.now() });
    const request = requestOf(operation, fields);
    try {
      const outcome = await backend.run(apiKey, operation, request);
      setEnded({ path: request.path, outcome });
      if (outcome.kind === 'answered') {
        const { requestId, status, ms } = outcome;
        const at = new Date().toISOString();
        addRun({ id: requestId ?? at, at, operation, fields: { ...fields, code: '' }, status, ms });
      }
      return outcome;
    } finally {
      isBusy.current = false;
      setRunning(undefined);
    }
  };

  return { run, running, ended };
}
