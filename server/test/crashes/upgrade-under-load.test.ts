/**
 * The release before serves while this version migrates its database, and beside a node of this
 * version, which then takes over: nothing acknowledged is lost or repeated, and no call fails for it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHome } from '../start/serve-harness.ts';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';
import type { Rig } from './rig.ts';
import { surviveUnderLoad } from './under-load.ts';

const SERVED = 60;
const SERVER_FAULTS = ['service_unavailable', 'internal_error'];

let postgres: ReplicatedPostgres;
before(async () => {
  postgres = await openReplicated();
});
after(async () => {
  await postgres?.close();
});

test('the release before goes on while its database is migrated, and beside a node of this version', async () => {
  const connection = await postgres.createTestDatabase();
  await surviveUnderLoad(
    'an upgrade',
    async (rig) => {
      rig.start();
      await rig.waitUntilHealthy();
      await rig.waitForAnswers('ok', SERVED);

      const startedAt = rig.clock.now();
      assert.ok((await migrate(rig)) > 0, 'there is something to migrate');
      await rig.waitForAnswers('ok', SERVED);
      rig.use('current');
      await rig.startSecondNode();
      await rig.waitForAnswers('ok', SERVED);
      const failed = rig.clients.entries.filter(
        ({ endedAt, outcome, errorCode }) =>
          endedAt > startedAt &&
          (outcome === 'unknown' || SERVER_FAULTS.includes(errorCode as string)),
      );
      assert.deepEqual(failed, [], 'no call fails for it');

      await rig.stop();
      rig.start();
      await rig.waitUntilHealthy();
      await rig.waitForAnswers('ok', SERVED);
      await rig.kill();
      return undefined;
    },
    { connection, version: 'previous' },
  );
});

/** How many files of the schema were applied. */
async function migrate(rig: Rig): Promise<number> {
  const home = createHome();
  const { code, out, err } = await home.run(['migrate', '--json'], rig.settings);
  await home.remove();
  assert.equal(code, 0, err);
  return (JSON.parse(out) as { applied: number }).applied;
}
