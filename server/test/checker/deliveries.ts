/** The invariants of delivery: which channels were called, how often, and when. */
import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { type Acknowledgement, type ChannelCall, callsIn, isAccepted, type Logs } from './logs.ts';
import { messagesById } from './money.ts';

const GAP_MS = SEND_INTERVAL_SECONDS * 1_000;
/** A change of a key takes effect within a second, and calls in flight may still arrive. */
const KEY_CHANGE_MS = 3_000;
/** A fallback that was claimed before the receipt may still be in flight. */
const CLAIMED_BEFORE_MS = 5_000;

export function findRepeatedCalls(logs: Logs): string[] {
  const byName = Map.groupBy(callsIn(logs), ({ ref, channel }) => `${ref.messageId} ${channel}`);
  return [...byName]
    .filter(([, calls]) => calls.length > 1)
    .map(([name, calls]) => `${name} was called ${calls.length} times`);
}

type FirstAcceptance = { id: string; at: number; isKnown: boolean };

/** The first acceptance of each code, per company and phone, oldest first. */
function acceptancesByPhone(logs: Logs): FirstAcceptance[][] {
  const messages = messagesById(logs);
  const first = new Map<string, ChannelCall>();
  for (const call of callsIn(logs)) {
    const { messageId } = call.ref;
    if (!isAccepted(call) || !call.content.startsWith('code')) continue;
    if (call.at < (first.get(messageId)?.at ?? Number.POSITIVE_INFINITY))
      first.set(messageId, call);
  }
  const byPhone = Map.groupBy(first.values(), ({ ref, phone }) => `${ref.companyId} ${phone}`);
  return [...byPhone.values()].map((calls) =>
    calls
      .map(({ ref, at }) => ({
        id: ref.messageId as string,
        at,
        isKnown: messages.get(ref.messageId)?.state !== 'unknown',
      }))
      .toSorted((a, b) => a.at - b.at),
  );
}

/** Pairs of codes to one phone within a minute. `isKnown`: the outcome of the first was known. */
function findClosePairs(logs: Logs): { pair: string; isKnown: boolean }[] {
  return acceptancesByPhone(logs).flatMap((sends) =>
    sends.slice(1).flatMap((send, index) => {
      const before = sends[index] as FirstAcceptance;
      if (send.at - before.at >= GAP_MS) return [];
      const seconds = ((send.at - before.at) / 1_000).toFixed(1);
      return [
        { pair: `${before.id}, then ${send.id} ${seconds} s later`, isKnown: before.isKnown },
      ];
    }),
  );
}

/** By the clock of the channels. After an unknown outcome the limit counts from the request. */
export function findCodesWithinAMinute(logs: Logs): string[] {
  return findClosePairs(logs)
    .filter(({ isKnown }) => isKnown)
    .map(({ pair }) => pair);
}

export function countPairsAfterUnknown(logs: Logs): number {
  return findClosePairs(logs).filter(({ isKnown }) => !isKnown).length;
}

/**
 * The same limit as clients see it: two successes that span less than a minute in all. A call that
 * was repeated with its idempotency key may have been sent by the first try.
 */
export function findSuccessesWithinAMinute(logs: Logs): string[] {
  const tries = Map.groupBy(
    logs.clients,
    ({ keyId, idempotencyKey }) => `${keyId} ${idempotencyKey}`,
  );
  const firstTryAt = ({ keyId, idempotencyKey, startedAt }: Acknowledgement) =>
    idempotencyKey === null
      ? startedAt
      : Math.min(...(tries.get(`${keyId} ${idempotencyKey}`) ?? []).map((one) => one.startedAt));
  const successes = logs.clients.filter(
    ({ action, outcome }) => action === 'send_code' && outcome === 'ok',
  );
  const byMessage = Map.groupBy(successes, ({ messageId }) => messageId);
  const firstSuccesses = [...byMessage.values()].flatMap((acks) => acks.slice(0, 1));
  const byPhone = Map.groupBy(firstSuccesses, ({ companyId, phone }) => `${companyId} ${phone}`);
  return [...byPhone].flatMap(([phone, acks]) => {
    const ordered = acks.toSorted((a, b) => a.endedAt - b.endedAt);
    return ordered
      .slice(1)
      .filter((ack, index) => ack.endedAt - firstTryAt(ordered[index] as Acknowledgement) < GAP_MS)
      .map(({ messageId }) => `${phone}: ${messageId} was sent too soon`);
  });
}

export function findUnfinishedWork(logs: Logs): string[] {
  const { messages, attempts, earlyReceipts } = logs.database;
  return [
    ...messages.filter(({ state }) => state === 'sending').map(({ id }) => `message ${id}`),
    ...attempts
      .filter(({ state }) => state === 'sending')
      .map(({ message_id, number }) => `attempt ${number} of ${message_id}`),
    ...earlyReceipts.map(({ message_id }) => `an early receipt of ${message_id} was not applied`),
  ];
}

export function findCallsOfDisabledChannels(logs: Logs): string[] {
  const messages = messagesById(logs);
  return callsIn(logs).flatMap((call) => {
    const keyId = messages.get(call.ref.messageId)?.key_id;
    const settings = logs.setup.keys.filter((key) => key.keyId === keyId);
    const allowed = settings.filter(
      (key, index) =>
        key.since <= call.at &&
        (settings[index + 1]?.since ?? Number.POSITIVE_INFINITY) + KEY_CHANGE_MS > call.at,
    );
    if (settings.length === 0 || allowed.some((key) => key.channels.includes(call.channel))) {
      return [];
    }
    return [`${call.ref.messageId} was sent by ${call.channel}, which is disabled for its key`];
  });
}

/**
 * A request that got no answer from one channel goes on to the next without the database, so it
 * cannot know of the receipt.
 */
export function findCallsAfterDelivery(logs: Logs): string[] {
  const delivered = new Map<string, number>();
  for (const entry of logs.channels) {
    if (entry.event !== 'receipt' || entry.receipt === 'failed') continue;
    const { messageId } = entry.ref;
    delivered.set(messageId, Math.min(entry.at, delivered.get(messageId) ?? entry.at));
  }
  const messages = messagesById(logs);
  const requestEnds = new Map(logs.clients.map((ack) => [ack.requestId, ack.endedAt]));
  const requestEndOf = (messageId: string) =>
    requestEnds.get(messages.get(messageId)?.request_id ?? '') ?? 0;
  return callsIn(logs)
    .filter(({ ref, at }) => at > (delivered.get(ref.messageId) ?? at) + CLAIMED_BEFORE_MS)
    .filter(({ ref, at }) => at > requestEndOf(ref.messageId))
    .map(({ ref, channel }) => `${ref.messageId} was delivered, and then sent by ${channel}`);
}

/** The phones must show exactly the messages that the channels accepted. */
export function findPhoneMismatches(logs: Logs): string[] {
  const counts = new Map<string, number>();
  const count = (name: string, step: number) => counts.set(name, (counts.get(name) ?? 0) + step);
  for (const { phone, channel } of callsIn(logs).filter(isAccepted))
    count(`${phone} ${channel}`, 1);
  for (const { phone, channel } of logs.phones) count(`${phone} ${channel}`, -1);
  return [...counts].filter(([, n]) => n !== 0).map(([name, n]) => `${name}: ${n} not shown`);
}
