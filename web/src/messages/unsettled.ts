import type { MessageState } from '@zhiber/contract/api/events.ts';

/** What a message in this state costs is not known yet: it is charged when a channel takes it. */
export function isUnsettledState(state: MessageState): boolean {
  return state === 'queued' || state === 'sending';
}
