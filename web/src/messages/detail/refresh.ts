import type { MessageState } from '@zhiber/contract/api/events.ts';

const PENDING_MS = 2_000;
const SLOW_MS = 15_000;
const YOUNG_MS = 10 * 60_000;

const PENDING: ReadonlySet<MessageState> = new Set(['queued', 'sending', 'sent']);

/**
 * The polling interval for a message. A pending one can change at any moment; a recent final one
 * may still be read, verified or clicked; an old pending one is polled slowly.
 */
export function refreshMs(
  message: { state: MessageState; at: string } | undefined,
  now: number,
): number | false {
  if (message === undefined) return false;
  const isYoung = now - Date.parse(message.at) < YOUNG_MS;
  if (PENDING.has(message.state)) return isYoung ? PENDING_MS : SLOW_MS;
  return isYoung ? SLOW_MS : false;
}
