/** What the answers of a provider mean for a message. */
import { isLocalHost } from '../../config/local-host.ts';
import { isSuccess, type NoAnswer, type ProviderAnswer } from '../../runtime/provider-client.ts';
import type { Outcome } from '../channel.ts';
import { unavailable, unknown } from '../failed-outcome.ts';
import type { ProviderCheck } from '../provider.ts';

/** The outcome of a send that got no answer. */
export function outcomeWithoutAnswer({ kind }: NoAnswer): Outcome {
  return kind === 'not_sent'
    ? unavailable('Провайдер недоступен')
    : unknown('Провайдер не ответил');
}

/** An answer that neither accepts nor refuses: the message may have been sent. */
export const UNCLEAR_ANSWER = unknown('Провайдер ответил непонятно');

const WRONG_CREDENTIALS = unavailable('Провайдер не принял учётные данные сервиса');

/** The only statuses that mean, whatever the body, that nothing was sent. */
const DEFINITE_STATUSES: Readonly<Record<number, Outcome>> = {
  401: WRONG_CREDENTIALS,
  403: WRONG_CREDENTIALS,
  429: unavailable('Провайдер просит отправлять реже'),
};

/** The outcome of a send whose answer has no readable body. */
export function outcomeWithoutBody(answer: ProviderAnswer): Outcome {
  if (answer.kind !== 'answer') return outcomeWithoutAnswer(answer);
  return DEFINITE_STATUSES[answer.status] ?? UNCLEAR_ANSWER;
}

const ERROR_TEXT_LENGTH_MAX = 200;

/** A failed check; `errorText` is the provider's own message, if there is one. */
export function failedCheck(
  provider: string,
  answer: ProviderAnswer,
  errorText?: string | undefined,
): ProviderCheck {
  return { ok: false, detail: `${provider} ${describeFailure(answer, errorText)}.` };
}

function describeFailure(answer: ProviderAnswer, errorText: string | undefined): string {
  switch (answer.kind) {
    case 'not_sent':
      return `could not be reached (${answer.why})`;
    case 'broken':
      return `did not answer (${answer.why})`;
    case 'answer':
      return `answered with the HTTP status ${answer.status}${suffixFor(answer.status, errorText)}`;
  }
}

function suffixFor(status: number, errorText: string | undefined): string {
  if (errorText !== undefined) return `: ${errorText.slice(0, ERROR_TEXT_LENGTH_MAX)}`;
  return isSuccess(status) ? ' and nothing readable; the address may be wrong' : '';
}

/** Whether an address is on this machine: a simulator, or a proxy of ours. */
export function isLoopback(url: string): boolean {
  return isLocalHost(new URL(url).hostname);
}
