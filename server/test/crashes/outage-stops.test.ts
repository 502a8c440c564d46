/** A stop in good order comes in the middle of an outage: the server leaves what it could not finish. */
import { after, before, test } from 'node:test';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';
import { isFull, underLoad } from './under-load.ts';

const ROUNDS = isFull ? 20 : 1;
/** So many callers have been answered in the good times before, and refused in the outage. */
const SERVED = 40;
const REFUSED = 12;

let postgres: ReplicatedPostgres;
before(async () => {
  postgres = await openReplicated();
});
after(async () => {
  await postgres?.close();
});

/** How the database goes away while the server stops, and how it comes back afterwards. */
const OUTAGES = [
  { name: 'hangs', goAway: () => postgres.hang(), comeBack: async () => postgres.goOn() },
  { name: 'is killed', goAway: () => postgres.kill(), comeBack: () => postgres.restart() },
  {
    name: 'has commits that wait',
    goAway: () => postgres.stopStandby(),
    comeBack: () => postgres.continueStandby(),
  },
];

for (const { name, goAway, comeBack } of OUTAGES) {
  test(`a stop while the database ${name} charges nobody for a failure`, async () => {
    await underLoad(
      `${ROUNDS} stops while the database ${name}`,
      async (rig) => {
        for (let round = 0; round < ROUNDS; round++) {
          rig.start();
          await rig.healthy();
          await rig.untilAnswered('ok', SERVED);
          goAway();
          try {
            await rig.untilAnswered('refused', REFUSED);
            await rig.stop();
          } finally {
            await comeBack();
          }
        }
        return undefined;
      },
      { connection: await postgres.newDatabase() },
    );
  });
}
