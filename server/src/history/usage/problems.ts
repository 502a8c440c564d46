import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { OVERVIEW_ENDPOINTS } from '@zhiber/contract/cabinet/messages.ts';
import type { ChannelAttempts } from './overview-store.ts';

export type OverviewProblem = AnswerOf<typeof OVERVIEW_ENDPOINTS.overview>['problems'][number];

export type ProblemFacts = {
  /** What a send may still take. */
  available: number;
  smsPrice: number;
  daysLeft: number | null;
  /** Of the last hour. */
  channels: readonly ChannelAttempts[];
  /** Of the last day. */
  day: { sends: number; failed: number };
  idleKeys: readonly { name: string; idle_days: number }[];
};

/** Fewer than this say nothing about a channel. */
const ATTEMPTS_MIN = 10;
const CHANNEL_FAILURES_SHARE = 0.5;
const DAY_SENDS_MIN = 20;
const DAY_FAILURES_SHARE = 0.2;

/** Only what somebody should look at, the most urgent first. */
export function findProblems(facts: ProblemFacts): OverviewProblem[] {
  const { available, smsPrice, daysLeft, day } = facts;
  const problems: OverviewProblem[] = [];
  if (available < smsPrice || (daysLeft !== null && daysLeft < 1)) {
    problems.push({ kind: 'low_balance', object: null, count: available });
  }
  for (const { channel, attempts, failures } of facts.channels) {
    if (attempts >= ATTEMPTS_MIN && failures > attempts * CHANNEL_FAILURES_SHARE) {
      problems.push({ kind: 'channel_failing', object: CHANNEL_TITLES[channel], count: failures });
    }
  }
  if (day.sends >= DAY_SENDS_MIN && day.failed > day.sends * DAY_FAILURES_SHARE) {
    problems.push({ kind: 'many_failures', object: null, count: day.failed });
  }
  for (const { name, idle_days } of facts.idleKeys) {
    problems.push({ kind: 'key_idle', object: name, count: idle_days });
  }
  return problems;
}
