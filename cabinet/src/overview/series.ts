import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Answer } from '../call.ts';

export type Bucket = Answer<'overview'>['buckets'][number];

export function sendsOf({ sends }: Pick<Bucket, 'sends'>): number {
  return CHANNELS.reduce((sum, channel) => sum + sends[channel], 0);
}

/** What part of the sends was confirmed; null where nothing was sent, which is not nought. */
export function shareConfirmed(buckets: readonly Pick<Bucket, 'sends' | 'confirmed'>[]) {
  const sends = sum(buckets.map(sendsOf));
  return sends === 0 ? null : Math.min(1, sum(buckets.map(({ confirmed }) => confirmed)) / sends);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The least and the greatest of the known values. */
export function spread(values: readonly (number | null)[]): [min: number, max: number] | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : [Math.min(...known), Math.max(...known)];
}

/** By how much today differs from then, as a share; undefined when there is nothing to compare. */
export function growth(now: number, then: number): number | undefined {
  return then === 0 ? undefined : (now - then) / then;
}
