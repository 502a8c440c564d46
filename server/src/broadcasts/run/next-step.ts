import {
  FAILURE_SHARE_MAX,
  FAILURE_WINDOW,
  type PauseReason,
  START_LATE_HOURS_MAX,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import { nextSendingTime } from '@zhiber/contract/quiet-hours.ts';
import type { StoredBroadcast } from './broadcast-store.ts';

/** What is known of a broadcast beside its row. */
export type BroadcastFacts = {
  isAnyWaiting: boolean;
  /** A channel is being asked about a message. */
  isWithChannels: boolean;
  isSuspended: boolean;
  /** Tokens of the company that are neither held nor owed. */
  free: number;
  cheapest: number;
  /** Of the last messages with an outcome, since it was last resumed. */
  recent: { count: number; failed: number; reason: string | null };
};

export type Step =
  | { does: 'stay' }
  | { does: 'run' }
  | { does: 'pause'; reason: PauseReason; detail?: string; resumeAt?: Date }
  | { does: 'end' };

const STAY: Step = { does: 'stay' };

/** Decides what happens to a broadcast next. Only a person ends the other pauses. */
export function nextStep(broadcast: StoredBroadcast, facts: BroadcastFacts): Step {
  const { state, now } = broadcast;
  if (state === 'scheduled') {
    const startAt = broadcast.startAt ?? now;
    if (startAt > now) return STAY;
    const lateMs = now.getTime() - startAt.getTime();
    if (lateMs > START_LATE_HOURS_MAX * 3_600_000) return { does: 'pause', reason: 'late' };
    return runUnlessBarred(broadcast, facts);
  }
  if (state !== 'running' && state !== 'paused') return STAY;
  if (!facts.isAnyWaiting && broadcast.startedAt !== null) {
    return facts.isWithChannels ? STAY : { does: 'end' };
  }
  if (state === 'paused') {
    return endsByItself(broadcast, facts) ? runUnlessBarred(broadcast, facts) : STAY;
  }
  const barred = findBar(broadcast, facts);
  if (barred !== undefined) return barred;
  const { count, failed, reason } = facts.recent;
  if (count >= FAILURE_WINDOW && failed / count > FAILURE_SHARE_MAX) {
    return { does: 'pause', reason: 'failures', ...(reason !== null && { detail: reason }) };
  }
  return STAY;
}

function endsByItself(
  { pauseReason, resumeAt, now, held }: StoredBroadcast,
  { free, cheapest }: BroadcastFacts,
): boolean {
  // It paused at a recipient that was too dear, and without new money would pause there again.
  if (pauseReason === 'money') return free > 0 && held + free >= cheapest;
  const isTimed = pauseReason === 'quiet' || pauseReason === 'channel';
  return isTimed && resumeAt !== null && resumeAt <= now;
}

function runUnlessBarred(broadcast: StoredBroadcast, facts: BroadcastFacts): Step {
  return findBar(broadcast, facts) ?? { does: 'run' };
}

function findBar(broadcast: StoredBroadcast, { isSuspended }: BroadcastFacts): Step | undefined {
  if (isSuspended) return { does: 'pause', reason: 'suspended' };
  const allowedAt = nextSendingTime(broadcast.now, broadcast);
  return allowedAt > broadcast.now
    ? { does: 'pause', reason: 'quiet', resumeAt: allowedAt }
    : undefined;
}
