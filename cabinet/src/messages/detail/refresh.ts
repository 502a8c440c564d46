import type { MessageState } from '@zhiber/contract/api/events.ts';

const PENDING_MS = 2_000;
const LATER_MS = 15_000;
const YOUNG_MS = 10 * 60_000;

const PENDING: ReadonlySet<MessageState> = new Set(['queued', 'sending', 'sent']);

/**
 * How soon to look at a message again. One on its way changes any moment; a final one may still be
 * read, verified or clicked for a while; an old one that was never confirmed is looked at now and
 * then.
 */
export function refreshMs(
  message: { state: MessageState; at: string } | undefined,
  now: number,
): number | false {
  if (message === undefined) return false;
  const isYoung = now - Date.parse(message.at) < YOUNG_MS;
  if (PENDING.has(message.state)) return isYoung ? PENDING_MS : LATER_MS;
  return isYoung ? LATER_MS : false;
}
