/** Commits that wait for a standby show themselves long after everybody has given up on them. */
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';
import { isFull, underLoad } from './under-load.ts';

const ROUNDS = isFull ? 20 : 1;
const SERVED = 40;
const REFUSED = 24;
/** In full, longer than any lease; else just longer than anybody waits for a statement. */
const WAIT_MS = isFull ? 25_000 : 3_000;

let postgres: ReplicatedPostgres;
before(async () => {
  postgres = await openReplicated();
});
after(async () => {
  await postgres?.close();
});

test('commits that wait for a standby charge nobody for a failure', async () => {
  await underLoad(
    `${ROUNDS} times commits that wait ${WAIT_MS / 1_000} s`,
    async (rig) => {
      rig.start();
      await rig.healthy();
      for (let round = 0; round < ROUNDS; round++) {
        await rig.untilAnswered('ok', SERVED);
        postgres.stopStandby();
        try {
          await rig.untilAnswered('refused', REFUSED);
          await pause(WAIT_MS);
        } finally {
          await postgres.continueStandby();
        }
      }
      await rig.untilAnswered('ok', SERVED);
      await rig.kill();
      return undefined;
    },
    { connection: await postgres.newDatabase() },
  );
});
