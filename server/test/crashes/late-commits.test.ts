/**
 * Commits that wait for a synchronous standby become visible long after their clients timed out.
 */
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { IS_FULL } from '../is-full.ts';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';
import { surviveUnderLoad } from './under-load.ts';

const ROUNDS = IS_FULL ? 20 : 1;
const SERVED = 40;
const REFUSED = 24;
/** In a full run longer than any lease, otherwise just longer than the statement timeout. */
const WAIT_MS = IS_FULL ? 25_000 : 3_000;

let postgres: ReplicatedPostgres;
before(async () => {
  postgres = await openReplicated();
});
after(async () => {
  await postgres?.close();
});

test('commits that wait for a standby charge no failed send', async () => {
  await surviveUnderLoad(
    `${ROUNDS} times commits delayed by ${WAIT_MS / 1_000} s`,
    async (rig) => {
      rig.start();
      await rig.waitUntilHealthy();
      for (let round = 0; round < ROUNDS; round++) {
        await rig.waitForAnswers('ok', SERVED);
        postgres.suspendStandby();
        try {
          await rig.waitForAnswers('refused', REFUSED);
          await pause(WAIT_MS);
        } finally {
          await postgres.resumeStandby();
        }
      }
      await rig.waitForAnswers('ok', SERVED);
      await rig.kill();
      return undefined;
    },
    { connection: await postgres.createTestDatabase() },
  );
});
