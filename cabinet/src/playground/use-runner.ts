import type { Operation } from '@zhiber/contract/cabinet/playground.ts';
import { useState } from 'react';
import { requestOf } from '../../../server/src/http/pages/assets/client/request-body.ts';
import type { Answer, EndpointName } from '../call.ts';
import { useAction } from '../queries.ts';
import type { RunAnswer } from './answer/answer-card.tsx';
import type { RequestFields } from './request/fields.ts';
import { useRuns, withoutCode } from './runs.ts';

/** A call may cost tokens and leaves its trace on these pages. */
const OUTDATED = [
  'session',
  'messages',
  'requests',
  'overview',
  'message',
] as const satisfies readonly EndpointName[];

/** Makes calls with a key, keeps the last answer, and notes each of them. */
export function useRunner(keyId: number) {
  const action = useAction('runOperation', { outdates: OUTDATED, isSecret: true });
  const { addRun } = useRuns();
  const [answer, setAnswer] = useState<RunAnswer>();
  const run = (
    operation: Operation,
    fields: RequestFields,
    onAnswer: (answer: Answer<'runOperation'>) => void,
  ) => {
    const { path, body } = requestOf(operation, fields);
    const noteRun = (said: Answer<'runOperation'>) => {
      setAnswer({ ...said, path });
      addRun({
        requestId: said.request_id,
        at: new Date().toISOString(),
        keyId,
        operation,
        fields: withoutCode(fields),
        status: said.status,
        ms: said.duration_ms,
      });
      onAnswer(said);
    };
    action.mutate({ body: { key_id: keyId, operation, body } }, { onSuccess: noteRun });
  };
  const running = action.isPending ? action.variables.body.operation : undefined;
  return { run, running, answer, error: action.error };
}
