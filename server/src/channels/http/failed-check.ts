import type { ProviderCheck } from '../provider.ts';
import { isSuccess } from './http-status.ts';
import type { ProviderAnswer } from './provider-client.ts';

const SAID_LENGTH_MAX = 200;

/** A check that came to nothing; `said` is what the provider had to say, where it said something. */
export function failedCheck(
  provider: string,
  answer: ProviderAnswer,
  said?: string | undefined,
): ProviderCheck {
  return { ok: false, detail: `${provider} ${troubleWith(answer, said)}.` };
}

function troubleWith(answer: ProviderAnswer, said: string | undefined): string {
  switch (answer.kind) {
    case 'not_sent':
      return `could not be reached (${answer.why})`;
    case 'broken':
      return `did not answer (${answer.why})`;
    case 'answer':
      return `answered with the HTTP status ${answer.status}${wordsOf(answer.status, said)}`;
  }
}

function wordsOf(status: number, said: string | undefined): string {
  if (said !== undefined) return `: ${said.slice(0, SAID_LENGTH_MAX)}`;
  return isSuccess(status) ? ' and nothing readable; the address may be wrong' : '';
}
