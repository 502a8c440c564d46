import type { Channel } from '@zhiber/contract/api/channel.ts';

/** The plan of one block of load. Plain values, because it is sent to the client process. */
export type LoadPlan = {
  port: number;
  connections: number;
  seconds: number;
  /** Not counted: connections are being opened, and all of them send at the same moment. */
  leadInSeconds?: number;
  /** Open loop: requests per second, independent of the answers. Absent: a closed loop. */
  ratePerSecond?: number;
  calls: readonly Calls[];
};

/** Calls of one kind. Numbers counted up from `from` make each call different. */
export type Calls = {
  kind: 'send' | 'verify' | 'shorten' | 'redirect' | 'message';
  from: number;
  keys: readonly string[];
  /** Slugs to open, for redirects only. */
  slugs?: readonly string[];
  /** The channel of a send or a message; absent: the service chooses. */
  channel?: Channel;
  /** Signs a `message`, which goes directly to a provider. */
  secret?: string;
};

/** The results of the calls of one kind. Times in milliseconds. */
export type LoadResult = {
  kind: Calls['kind'];
  /** Calls sent in total. */
  callsSent: number;
  /** Counted calls that were not refused for overload. */
  good: number;
  /** Answers by status; 0 is a broken connection. */
  statuses: Record<string, number>;
  perSecond: number;
  p50: number;
  p99: number;
  max: number;
  /** The latency of refusals; absent when there were none. */
  refusedP99?: number;
};

/** The valid code of every prepared phone. */
export const PREPARED_CODE = '314159';

/** A different Kazakh mobile number for each number below a billion. */
export function phoneAt(index: number): string {
  return `+77${String(index).padStart(9, '0')}`;
}
