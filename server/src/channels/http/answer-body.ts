/**
 * For providers that answer 200 to everything and say in the body what they mean: the body, or what
 * can be said without one.
 */

import type { Outcome } from '../channel.ts';
import type { ProviderCheck } from '../provider.ts';
import { readObject } from './json-object.ts';
import { outcomeWithoutAnswer, type ProviderAnswer } from './provider-client.ts';

export type AnswerBody = Record<string, unknown>;

/** Undefined unless the call was answered with 2xx and an object. */
export function readAnswerBody(answer: ProviderAnswer): AnswerBody | undefined {
  return answer.kind === 'answer' && isSuccess(answer.status) ? readObject(answer.text) : undefined;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** An answer that neither accepts nor refuses: the message may have gone out. */
export const UNCLEAR_ANSWER: Outcome = { result: 'unknown', reason: 'Провайдер ответил непонятно' };

/** The only statuses that say, whatever the body, that nothing was sent. */
const DEFINITE_STATUSES: Readonly<Record<number, Outcome>> = {
  401: { result: 'unavailable', reason: 'Провайдер не принял учётные данные сервиса' },
  403: { result: 'unavailable', reason: 'Провайдер не принял учётные данные сервиса' },
  429: { result: 'unavailable', reason: 'Провайдер просит отправлять реже' },
};

/** What a send comes to when its answer has no body to read. */
export function outcomeWithoutBody(answer: ProviderAnswer): Outcome {
  const isAnswer = answer.kind === 'answer';
  const outcome = isAnswer ? DEFINITE_STATUSES[answer.status] : outcomeWithoutAnswer(answer);
  return outcome ?? UNCLEAR_ANSWER;
}

/** What a check comes to when its answer has no body to read. */
export function checkWithoutBody(provider: string, answer: ProviderAnswer): ProviderCheck {
  return { ok: false, detail: `${provider} ${troubleWith(answer)}.` };
}

function troubleWith(answer: ProviderAnswer): string {
  if (answer.kind === 'not_sent') return `could not be reached (${answer.why})`;
  if (answer.kind === 'broken') return 'did not answer';
  if (isSuccess(answer.status)) return 'answered with no JSON object: is the address right?';
  return `answered with the HTTP status ${answer.status}`;
}
