import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Answer } from '../call.ts';

export type Bucket = Answer<'overview'>['buckets'][number];

export function sendsOf({ sends }: Pick<Bucket, 'sends'>): number {
  return CHANNELS.reduce((sum, channel) => sum + sends[channel], 0);
}

/** The confirmed share of the sends; null, not 0, where nothing was sent. */
export function shareConfirmed(buckets: readonly Pick<Bucket, 'sends' | 'confirmed'>[]) {
  const sends = sum(buckets.map(sendsOf));
  return sends === 0 ? null : Math.min(1, sum(buckets.map(({ confirmed }) => confirmed)) / sends);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The minimum and maximum of the known values. */
export function spread(values: readonly (number | null)[]): [min: number, max: number] | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : [Math.min(...known), Math.max(...known)];
}

/** The relative change; undefined when there is nothing to compare with. */
export function growth(now: number, then: number): number | undefined {
  return then === 0 ? undefined : (now - then) / then;
}
