/**
 * A histogram of the times to a confirmation, in slots that grow by a fixed factor. Histograms of
 * several hours can be added up, and a percentile of any number of them is right to within one
 * slot, a fifth.
 */
export type ConfirmTimes = readonly number[];

export const SLOTS = 80;
export const SLOTS_PER_DOUBLING = 4;
/** Faster times are in the first slot; the last slot begins after twelve hours. */
export const FIRST_SLOT_MS = 50;

/** Adds up histograms. Slots missing at the end of one count as empty. */
export function addTimes(all: readonly ConfirmTimes[]): number[] {
  const sum = new Array<number>(SLOTS).fill(0);
  for (const times of all) {
    for (const [slot, count] of times.entries()) sum[slot] = (sum[slot] ?? 0) + count;
  }
  return sum;
}

/** The time within which this share was confirmed, in whole milliseconds; null when none was. */
export function percentile(times: ConfirmTimes, share: number): number | null {
  const total = times.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [slot, count] of times.entries()) {
    if (count > 0 && below + count >= rank) {
      const part = (rank - below) / count;
      return Math.round(FIRST_SLOT_MS * 2 ** ((slot + part) / SLOTS_PER_DOUBLING));
    }
    below += count;
  }
  return null;
}
