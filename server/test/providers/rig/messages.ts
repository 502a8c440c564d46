import type { Simulator } from '../../../../simulators/frame/http-simulator.ts';
import type { AttemptRef, OutgoingMessage } from '../../../src/channels/channel.ts';
import { type CompanyId, newId } from '../../../src/ids.ts';
import type { Phone } from '../../../src/phone.ts';

export const PHONE = '77010000001' as Phone;
export const LINK = 'https://zhiber.kz/s/Kd7mWq3x';

export function newRef(): AttemptRef {
  return { companyId: 17 as CompanyId, messageId: newId(Date.now()), attempt: 1 };
}

export function codeMessage(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    ref: newRef(),
    keyId: 1,
    isTest: false,
    to: { phone: PHONE },
    load: 'code',
    text: 'Жібер: код 482913. Никому его не сообщайте.',
    language: 'ru',
    code: '482913',
    ttlSeconds: 300,
    ...changes,
  };
}

export function linkMessage(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const text = `Ваша ссылка: ${LINK}`;
  return codeMessage({ load: 'text', text, link: LINK, code: undefined, ...changes });
}

/** Long enough for anything that answers; shorter for what never does. */
export function soon(limitMs = 10_000): AbortSignal {
  return AbortSignal.timeout(limitMs);
}

/** What never answers is waited for so long once it has the message. */
const PATIENCE_MS = 100;

/**
 * For calls that are never answered: ends a moment after the simulator has the last of them, however
 * long that took.
 */
export function whenReached({ plans }: Pick<Simulator, 'plans'>, calls = 1): AbortSignal {
  const over = new AbortController();
  const take = plans.take;
  let left = calls;
  plans.take = (to) => {
    left -= 1;
    if (left === 0) setTimeout(() => over.abort(), PATIENCE_MS);
    return take(to);
  };
  return AbortSignal.any([over.signal, soon()]);
}
