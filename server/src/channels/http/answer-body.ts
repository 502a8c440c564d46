/**
 * For providers that answer 200 to everything and say in the body what they mean: the body, or what
 * can be said without one.
 */

import type { Outcome } from '../channel.ts';
import { unavailable, unknown } from '../verdict.ts';
import { isSuccess } from './http-status.ts';
import { type JsonObject, readObject } from './json-object.ts';
import { outcomeWithoutAnswer, type ProviderAnswer } from './provider-client.ts';

/** Undefined unless the call was answered with 2xx and an object. */
export function readAnswerBody(answer: ProviderAnswer): JsonObject | undefined {
  return answer.kind === 'answer' && isSuccess(answer.status) ? readObject(answer.text) : undefined;
}

/** An answer that neither accepts nor refuses: the message may have gone out. */
export const UNCLEAR_ANSWER = unknown('Провайдер ответил непонятно');

const WRONG_CREDENTIALS = unavailable('Провайдер не принял учётные данные сервиса');

/** The only statuses that say, whatever the body, that nothing was sent. */
const DEFINITE_STATUSES: Readonly<Record<number, Outcome>> = {
  401: WRONG_CREDENTIALS,
  403: WRONG_CREDENTIALS,
  429: unavailable('Провайдер просит отправлять реже'),
};

/** What a send comes to when its answer has no body to read. */
export function outcomeWithoutBody(answer: ProviderAnswer): Outcome {
  if (answer.kind !== 'answer') return outcomeWithoutAnswer(answer);
  return DEFINITE_STATUSES[answer.status] ?? UNCLEAR_ANSWER;
}
