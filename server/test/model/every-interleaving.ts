import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { useService } from '../harness.ts';
import { IS_FULL } from '../is-full.ts';
import { explore } from './explore.ts';
import { disableTimeouts } from './job.ts';
import { openScenario, type Scenario } from './scenario.ts';
import type { World } from './world.ts';

export const TWO = ['whatsapp', 'sms'] as const;
const WORLDS_MAX = 3_000_000;

/**
 * Checks every interleaving of a send with the events that may happen to it. It runs the real code:
 * the service is replayed from call to call, and its statements run in the database.
 *
 * Each scenario has the sending process and any number of watches and receipts, at most two of them
 * at a time. Each process may die between any two calls or pause for any time. A provider accepts,
 * refuses, accepts with a lost answer, or is never reached. Time passes in steps. Receipts arrive
 * at any moment after the acceptance, also before the message is settled, twice, late, in any order
 * and contradicting each other. The database commits and its answer is lost, or it does not commit;
 * the service retries the statement where it does so in production.
 *
 * The model does not split statements. Each statement locks the rows it changes, so statements on
 * one message run one after another, which other tests prove under real concurrency. There is one
 * message, and its company sends no other.
 */
export function testInterleavings({
  always,
  inFull,
}: {
  always: Scenario[];
  inFull: Scenario[];
}): void {
  disableTimeouts();
  const service = useService();
  const figures: Record<string, unknown>[] = [];
  let shortestUnavailable: string[] | undefined;
  after(() => {
    console.table(figures);
    if (shortestUnavailable === undefined) return;
    console.log(`charged, but answered as unavailable:\n  ${shortestUnavailable.join('\n  ')}`);
  });

  for (const scenario of IS_FULL ? [...always, ...inFull] : always) {
    test(`no interleaving violates an invariant: ${scenario.name}`, async () => {
      const { successors, prices, close } = await openScenario(service, scenario);
      let unavailable = 0;
      let free = 0;
      const onWorld = (world: World, path: () => string[]) => {
        const charged = world.stored.rows.message[0]?.charged ?? 0;
        if (world.clientAnswer === 'unavailable' && charged > 0) {
          unavailable += 1;
          shortestUnavailable ??= path();
        }
        if (charged === 0 && world.calls.some((call) => call.isAccepted)) free += 1;
      };
      try {
        const options = { prices, worldsMax: WORLDS_MAX, onWorld };
        const { violations, ...counts } = await explore(successors, options);
        figures.push({
          scenario: scenario.name,
          worlds: counts.worlds,
          steps: counts.steps,
          idle: counts.idle,
          statements: counts.statements,
          violations: violations.length,
          'unavailable, charged': unavailable,
          seconds: Number(counts.seconds.toFixed(1)),
        });
        assert.deepEqual(violations, []);
        assert(free > 0, 'in some worlds an accepted message is free');
      } finally {
        await close();
      }
    });
  }
}
