import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../../../../simulators/frame/simulator.ts';
import type { AttemptRef, Outcome, OutgoingMessage } from '../../../src/channels/channel.ts';
import type { CallbackRequest, Provider, ReportReceipt } from '../../../src/channels/provider.ts';
import { type CompanyId, newId } from '../../../src/ids.ts';
import type { Phone } from '../../../src/phone.ts';

export const PHONE = '77010000001' as Phone;
export const LINK = 'https://zhiber.kz/s/Kd7mWq3x';

/** A plan that accepts a message and reports nothing about it. */
export const QUIET = { does: 'accept', receipts: [] } as const;

export function newRef(): AttemptRef {
  return { companyId: 17 as CompanyId, messageId: newId(Date.now()), attempt: 1 };
}

export function codeMessage(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    ref: newRef(),
    keyId: 1,
    isTest: false,
    to: { phone: PHONE },
    content: 'code',
    text: 'Жібер: код 482913. Никому его не сообщайте.',
    language: 'ru',
    code: '482913',
    ttlSeconds: 300,
    ...changes,
  };
}

export function linkMessage(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const text = `Ваша ссылка: ${LINK}`;
  return codeMessage({ content: 'text', text, link: LINK, code: undefined, ...changes });
}

export function groupMessage(group: string): OutgoingMessage {
  const text = 'Отчёт готов';
  return codeMessage({ content: 'group', to: { group }, text, code: undefined });
}

/** For a provider whose receipts the test does not look at. */
export const ignoreReports: ReportReceipt = async () => ({ isMatched: true });

/** The provider's id of a message, which must have been accepted. */
export function acceptedId(outcome: Outcome): string {
  if (outcome.result !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
  return outcome.providerId;
}

/** Asks for the status of a message. */
export function askStatus(
  provider: Provider,
  { ref = newRef(), providerId }: { ref?: AttemptRef; providerId?: string | undefined },
) {
  const question = { ref, providerId, to: PHONE, isTest: false, secondsAgo: 30 };
  return provider.readStatus?.(question, soon());
}

/** A callback with this body: a text as it is, anything else as JSON. */
export function posted(
  content: unknown,
  headers: CallbackRequest['headers'] = {},
): CallbackRequest {
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
  const body = Buffer.from(isRaw ? content : JSON.stringify(content));
  return { method: 'POST', headers, query: {}, body };
}

/** The same request with one bit of its body flipped. */
export function withFlippedBit(request: CallbackRequest, bit: number): CallbackRequest {
  const body = Buffer.from(request.body);
  body.writeUInt8(body.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return { ...request, body };
}

/** Long enough for every answer; shorter for what is never answered. */
export function soon(limitMs = 10_000): AbortSignal {
  return AbortSignal.timeout(limitMs);
}

/** The wait for an answer that never comes, once the simulator has the message. */
const PATIENCE_MS = 100;

/** Aborts a moment after the simulator has received the last of `calls`, however long that took. */
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

/** Waits until the condition holds, or fails. */
export async function until(isSo: () => boolean, limitMs = 20_000): Promise<void> {
  const startedAt = performance.now();
  while (!isSo()) {
    if (performance.now() - startedAt > limitMs) throw new Error(`not so in time: ${isSo}`);
    await pause(5);
  }
}
