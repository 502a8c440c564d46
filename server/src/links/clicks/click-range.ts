import { almatyDays, type BucketRange, bucketEdges } from '../../almaty.ts';

export type ClickRange = BucketRange | 'all';

/** Where a range begins: on the hour, or with a day of Almaty; undefined for all there is. */
export function startOf(range: ClickRange, now: Date): Date | undefined {
  return range === 'all' ? undefined : bucketEdges(range, now)[0];
}

/** Where the columns of its chart begin; those of all there is are days since the given instant. */
export function columnStarts(
  range: ClickRange,
  { since, now }: { since: Date; now: Date },
): Date[] {
  return range === 'all' ? almatyDays(since, now) : bucketEdges(range, now).slice(0, -1);
}
