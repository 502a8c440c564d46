import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { useService } from '../harness.ts';
import { explore } from './explore.ts';
import { takeTimeOutOfJobs } from './job.ts';
import { openScenario, type Scenario } from './scenario.ts';
import type { World } from './world.ts';

export const TWO = ['whatsapp', 'sms'] as const;
const WORLDS_MAX = 3_000_000;

/**
 * Every interleaving of a send with whatever may happen to it, on the real functions: the service's
 * own code is replayed from call to call, and its statements run in the database.
 *
 * In each scenario: the sending process and any number of watches and receipts one after another, two
 * of them at work at any moment; each may die between any two calls, as often as it likes, or stand
 * still for as long as it likes; a provider accepts, refuses, accepts and its answer is lost, or is
 * never reached; time passes in steps. Receipts come at any moment after the acceptance, before the
 * message is settled too, twice, late, in any order, and contradict each other. The database commits
 * and its answer is lost, or it does not; the statement is run again where the service does so.
 *
 * Not in it: what happens inside a statement. Each locks the rows it changes (the account first, or
 * the message), so statements on one message come one after another; that they do is shown under real
 * concurrency elsewhere. One message at a time: its company sends no other.
 */
export function testInterleavings({
  always,
  inFull,
}: {
  always: Scenario[];
  inFull: Scenario[];
}): void {
  takeTimeOutOfJobs();
  const service = useService();
  const figures: Record<string, unknown>[] = [];
  let shortestDoubt: string[] | undefined;
  after(() => {
    console.table(figures);
    if (shortestDoubt === undefined) return;
    console.log(`charged, but told that the service is away:\n  ${shortestDoubt.join('\n  ')}`);
  });

  const isFull = process.env.ZHIBER_TEST_FULL === '1';
  for (const scenario of isFull ? [...always, ...inFull] : always) {
    test(`no interleaving breaks a promise: ${scenario.name}`, async () => {
      const { successors, prices, close } = await openScenario(service, scenario);
      let inDoubt = 0;
      let free = 0;
      const onWorld = (world: World, path: () => string[]) => {
        const charged = world.stored.rows.message[0]?.charged ?? 0;
        if (world.told === 'away' && charged > 0) {
          inDoubt += 1;
          shortestDoubt ??= path();
        }
        if (charged === 0 && world.asked.some((asked) => asked.isAccepted)) free += 1;
      };
      try {
        const options = { prices, worldsMax: WORLDS_MAX, onWorld };
        const { violations, ...counts } = await explore(successors, options);
        figures.push({
          scenario: scenario.name,
          worlds: counts.worlds,
          steps: counts.steps,
          'at rest': counts.atRest,
          statements: counts.statements,
          violations: violations.length,
          'told away, charged': inDoubt,
          seconds: Number(counts.seconds.toFixed(1)),
        });
        assert.deepEqual(violations, []);
        assert(free > 0, 'in some worlds a message is accepted and free');
      } finally {
        await close();
      }
    });
  }
}
