import type { ProviderAnswer } from '../http/provider-client.ts';
import type { ProviderCheck } from '../provider.ts';

const SAID_LENGTH_MAX = 200;

/** A check that came to nothing; `said` is what Telegram had to say, where it said something. */
export function failedCheck(answer: ProviderAnswer, said: string | undefined): ProviderCheck {
  switch (answer.kind) {
    case 'not_sent':
      return { ok: false, detail: `Telegram was not reached: ${answer.why}.` };
    case 'broken':
      return { ok: false, detail: `Telegram did not answer: ${answer.why}.` };
    case 'answer': {
      const words = said?.slice(0, SAID_LENGTH_MAX) ?? 'nothing readable';
      return { ok: false, detail: `Telegram answered with ${answer.status}: ${words}.` };
    }
  }
}
