/** The server is shut down during a database outage and leaves work unfinished. */
import { after, before, test } from 'node:test';
import { IS_FULL } from '../is-full.ts';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';
import { surviveUnderLoad } from './under-load.ts';

const ROUNDS = IS_FULL ? 20 : 1;
/** How many requests succeed before the outage, and are refused during it. */
const SERVED = 40;
const REFUSED = 12;

let postgres: ReplicatedPostgres;
before(async () => {
  postgres = await openReplicated();
});
after(async () => {
  await postgres?.close();
});

/** How the database fails while the server shuts down, and how it recovers afterwards. */
const OUTAGES = [
  { name: 'hangs', fail: () => postgres.hang(), recover: async () => postgres.resume() },
  { name: 'is killed', fail: () => postgres.kill(), recover: () => postgres.restart() },
  {
    name: 'has commits that wait',
    fail: () => postgres.suspendStandby(),
    recover: () => postgres.resumeStandby(),
  },
];

for (const { name, fail, recover } of OUTAGES) {
  test(`a shutdown while the database ${name} charges no failed send`, async () => {
    await surviveUnderLoad(
      `${ROUNDS} shutdowns while the database ${name}`,
      async (rig) => {
        for (let round = 0; round < ROUNDS; round++) {
          rig.start();
          await rig.waitUntilHealthy();
          await rig.waitForAnswers('ok', SERVED);
          fail();
          try {
            await rig.waitForAnswers('refused', REFUSED);
            await rig.stop();
          } finally {
            await recover();
          }
        }
        return undefined;
      },
      { connection: await postgres.createTestDatabase() },
    );
  });
}
