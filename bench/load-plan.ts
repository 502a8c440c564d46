import type { Channel } from '@zhiber/contract/api/channel.ts';

/** What one block of load asks for. Plain values, because the client is a process of its own. */
export type LoadPlan = {
  port: number;
  connections: number;
  seconds: number;
  /** Answers of this first part are not counted: connections open, and all of them ask at once. */
  leadInSeconds?: number;
  /** Requests a second, sent when they are due whatever the answers do; absent: a closed loop. */
  ratePerSecond?: number;
  calls: readonly Calls[];
};

/** Calls of one kind; the numbers from `from` on make each of them different. */
export type Calls = {
  kind: 'send' | 'verify' | 'shorten' | 'redirect' | 'message';
  from: number;
  keys: readonly string[];
  /** Slugs to open; only a redirect has them. */
  slugs?: readonly string[];
  /** The channel that a send or a message asks for; none is the service's own choice. */
  channel?: Channel;
  /** Signs a message, which goes straight to a provider. */
  secret?: string;
};

/** What came of the calls of one kind. Times in milliseconds. */
export type LoadResult = {
  kind: Calls['kind'];
  /** How many were asked in all. */
  asked: number;
  /** How many of those that count were not refused for want of room. */
  good: number;
  /** Answers by status; 0 is a broken connection. */
  statuses: Record<string, number>;
  perSecond: number;
  p50: number;
  p99: number;
  max: number;
  /** The slowest percent of the refusals; absent when there were none. */
  refusedP99?: number;
};

/** The code that every prepared phone waits for. */
export const PREPARED_CODE = '314159';

/** A different Kazakh mobile number for each number below a billion. */
export function phoneAt(index: number): string {
  return `+77${String(index).padStart(9, '0')}`;
}
