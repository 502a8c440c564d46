import type { Context } from '../../context.ts';
import { beginTally, countSlice, storeTally, type Tally } from './count-progress.ts';
import { countAgain, takeDueCounts } from './count-store.ts';
import type { Run } from './run-store.ts';

/**
 * Counting 100,000 recipients takes most of a second of the processor. In one go that would be felt
 * by the codes sent meanwhile, so it is done in slices of a few milliseconds, with a pause ten times
 * as long after each.
 */
const SLICE_ROWS = 500;
export const SLICE_PAUSE_MS = 40;
/** They take turns, so that a small one does not wait for a large one. */
const TALLIES_MAX = 5;
/** Longer than so many large ones take. */
const LEASE_SECONDS = 60;
const LOOK_PAUSE_MS = 500;
/** While it is paused only receipts come. */
const AGAIN_SECONDS = { running: 1.5, paused: 10 };
/** Clicks change slowly, and take as long again. */
const CLICKS_EVERY_MS = 20_000;

/** Counts one slice of a broadcast under way, each time it is called. The next follows after a pause. */
export function createRecount({ bulk }: Pick<Context, 'bulk'>): () => Promise<false> {
  const tallies: Tally[] = [];
  let lookAtMs = 0;

  const takeDue = async () => {
    const limit = TALLIES_MAX - tallies.length;
    if (limit === 0 || performance.now() < lookAtMs) return;
    lookAtMs = performance.now() + LOOK_PAUSE_MS;
    for (const id of await takeDueCounts(bulk, { limit, leaseSeconds: LEASE_SECONDS }))
      tallies.push(await beginTally(bulk, id, chooseClicks));
  };

  return async () => {
    await takeDue();
    const tally = tallies.shift();
    if (tally === undefined) return false;
    if (await countSlice(bulk, tally, SLICE_ROWS)) {
      tallies.push(tally);
      return false;
    }
    await storeTally(bulk, tally);
    await countAgain(bulk, tally.run.id, AGAIN_SECONDS);
    return false;
  };
}

/** Clicks are counted with the first count of each period. */
function chooseClicks({ counted_at, now }: Run): { withClicks: boolean } {
  const periodOf = (at: Date | null) => Math.floor((at?.getTime() ?? 0) / CLICKS_EVERY_MS);
  return { withClicks: periodOf(counted_at) !== periodOf(now) };
}
