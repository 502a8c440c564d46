/** What must be true of messages on their way: who was asked, how often, and when. */
import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { type ChannelCall, callsIn, isAccepted, type Logs } from './logs.ts';
import { messagesById } from './money.ts';

const GAP_MS = SEND_INTERVAL_SECONDS * 1_000;
/** A changed key works within a second, and a call that was under way then still arrives. */
const KEY_CHANGE_MS = 3_000;
/** A fallback that was claimed before the receipt came may still be on its way to the channel. */
const CLAIMED_BEFORE_MS = 5_000;

export function askedTwice(logs: Logs): string[] {
  const byName = Map.groupBy(callsIn(logs), ({ ref, channel }) => `${ref.messageId} ${channel}`);
  return [...byName]
    .filter(([, calls]) => calls.length > 1)
    .map(([name, calls]) => `${name} was asked ${calls.length} times`);
}

type FirstAcceptance = { id: string; at: number; isSure: boolean };

/** The first acceptance of each code, per company and phone, in the order of time. */
function acceptancesByPhone(logs: Logs): FirstAcceptance[][] {
  const messages = messagesById(logs);
  const first = new Map<string, ChannelCall>();
  for (const call of callsIn(logs)) {
    const { messageId } = call.ref;
    if (!isAccepted(call) || !call.load.startsWith('code')) continue;
    if (call.at < (first.get(messageId)?.at ?? Number.POSITIVE_INFINITY))
      first.set(messageId, call);
  }
  const byPhone = Map.groupBy(first.values(), ({ ref, phone }) => `${ref.companyId} ${phone}`);
  return [...byPhone.values()].map((calls) =>
    calls
      .map(({ ref, at }) => ({
        id: ref.messageId as string,
        at,
        isSure: messages.get(ref.messageId)?.state !== 'unknown',
      }))
      .toSorted((a, b) => a.at - b.at),
  );
}

function closePairs(logs: Logs): { pair: string; isSure: boolean }[] {
  return acceptancesByPhone(logs).flatMap((sends) =>
    sends.slice(1).flatMap((send, index) => {
      const before = sends[index] as FirstAcceptance;
      if (send.at - before.at >= GAP_MS) return [];
      const seconds = ((send.at - before.at) / 1_000).toFixed(1);
      return [{ pair: `${before.id}, then ${send.id} ${seconds} s later`, isSure: before.isSure }];
    }),
  );
}

/** By the clock of the channels. After an unknown outcome the minute counts from the request. */
export function twoCodesInAMinute(logs: Logs): string[] {
  return closePairs(logs)
    .filter(({ isSure }) => isSure)
    .map(({ pair }) => pair);
}

export function countPairsAfterUnknown(logs: Logs): number {
  return closePairs(logs).filter(({ isSure }) => !isSure).length;
}

/** The same gate as the clients saw it: two successes whose whole span is under a minute. */
export function twoSuccessesInAMinute(logs: Logs): string[] {
  const told = logs.clients.filter(
    ({ action, outcome }) => action === 'send_code' && outcome === 'ok',
  );
  const firstTold = [...Map.groupBy(told, ({ messageId }) => messageId).values()].flatMap((acks) =>
    acks.slice(0, 1),
  );
  const byPhone = Map.groupBy(firstTold, ({ companyId, phone }) => `${companyId} ${phone}`);
  return [...byPhone].flatMap(([phone, acks]) => {
    const inOrder = acks.toSorted((a, b) => a.endedAt - b.endedAt);
    return inOrder
      .slice(1)
      .filter((ack, index) => ack.endedAt - (inOrder[index]?.startedAt ?? 0) < GAP_MS)
      .map(({ messageId }) => `${phone}: ${messageId} came too soon`);
  });
}

export function stillUnderWay(logs: Logs): string[] {
  const { messages, attempts, earlyReceipts } = logs.database;
  return [
    ...messages.filter(({ state }) => state === 'sending').map(({ id }) => `message ${id}`),
    ...attempts
      .filter(({ state }) => state === 'sending')
      .map(({ message_id, number }) => `attempt ${number} of ${message_id}`),
    ...earlyReceipts.map(({ message_id }) => `a receipt of ${message_id} waits`),
  ];
}

/** A channel was asked that the key of the message does not have. */
export function askedDisabled(logs: Logs): string[] {
  const messages = messagesById(logs);
  return callsIn(logs).flatMap((call) => {
    const keyId = messages.get(call.ref.messageId)?.key_id;
    const settings = logs.arrangement.keys.filter((key) => key.keyId === keyId);
    const allowed = settings.filter(
      (key, index) =>
        key.since <= call.at &&
        (settings[index + 1]?.since ?? Number.POSITIVE_INFINITY) + KEY_CHANGE_MS > call.at,
    );
    if (settings.length === 0 || allowed.some((key) => key.channels.includes(call.channel))) {
      return [];
    }
    return [`${call.ref.messageId} went by ${call.channel}, which its key does not have`];
  });
}

/** A second message went out although the first was known to have arrived. */
export function askedAfterDelivery(logs: Logs): string[] {
  const delivered = new Map<string, number>();
  for (const entry of logs.channels) {
    if (entry.event !== 'receipt' || entry.receipt === 'failed') continue;
    const { messageId } = entry.ref;
    delivered.set(messageId, Math.min(entry.at, delivered.get(messageId) ?? entry.at));
  }
  return callsIn(logs)
    .filter(({ ref, at }) => at > (delivered.get(ref.messageId) ?? at) + CLAIMED_BEFORE_MS)
    .map(({ ref, channel }) => `${ref.messageId} had arrived, and went by ${channel} as well`);
}

/** What the channels accepted and what the phones show is the same. */
export function phonesDisagree(logs: Logs): string[] {
  const counts = new Map<string, number>();
  const count = (name: string, step: number) => counts.set(name, (counts.get(name) ?? 0) + step);
  for (const { phone, channel } of callsIn(logs).filter(isAccepted))
    count(`${phone} ${channel}`, 1);
  for (const { phone, channel } of logs.phones) count(`${phone} ${channel}`, -1);
  return [...counts].filter(([, n]) => n !== 0).map(([name, n]) => `${name}: ${n} not shown`);
}
