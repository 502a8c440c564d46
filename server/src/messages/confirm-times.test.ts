import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addTimes, FIRST_SLOT_MS, percentile, SLOTS, SLOTS_PER_DOUBLING } from './confirm-times.ts';

/** Puts a time into its slot as the database does. */
function slotOf(ms: number): number {
  const slot = Math.floor(Math.log2(ms / FIRST_SLOT_MS) * SLOTS_PER_DOUBLING);
  return Math.min(Math.max(slot, 0), SLOTS - 1);
}

function counted(times: readonly number[]): number[] {
  const slots = new Array<number>(SLOTS).fill(0);
  for (const ms of times) slots[slotOf(ms)] = (slots[slotOf(ms)] ?? 0) + 1;
  return slots;
}

test('a percentile of added hours is right to within a slot', () => {
  const hours = fc.array(fc.array(fc.integer({ min: 60, max: 40_000_000 })), { minLength: 1 });
  fc.assert(
    fc.property(hours, fc.constantFrom(0.5, 0.95), (times, share) => {
      const all = times.flat().sort((a, b) => a - b);
      const found = percentile(addTimes(times.map(counted)), share);
      if (all.length === 0) return assert.equal(found, null);
      const right = all[Math.ceil(share * all.length) - 1] as number;
      const factor = 2 ** (1 / SLOTS_PER_DOUBLING) * 1.01;
      assert((found as number) <= right * factor && (found as number) >= right / factor);
    }),
  );
});
