/** The primary is killed under load and its standby is promoted: the service finds it by itself. */
import { after, before, test } from 'node:test';
import { until } from '../harness.ts';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';
import { surviveUnderLoad } from './under-load.ts';

const SERVED = 60;
const REFUSED = 12;

let postgres: ReplicatedPostgres;
before(async () => {
  postgres = await openReplicated();
});
after(async () => {
  await postgres?.close();
});

test('a promoted standby has everything that was acknowledged, and is found by two hosts in DATABASE_URL', async () => {
  const connection = { ...(await postgres.createTestDatabase()), host: postgres.hosts };
  await surviveUnderLoad(
    'a promoted standby',
    async (rig) => {
      rig.start();
      await rig.waitUntilHealthy();
      await rig.waitForAnswers('ok', SERVED);
      const killedAt = rig.clock.now();
      postgres.kill();
      await rig.waitForAnswers('refused', REFUSED);
      await postgres.promoteStandby();
      const promotedAt = rig.clock.now();
      await rig.waitForAnswers('ok', SERVED);
      const first = rig.clients.entries.find(
        (ack) => ack.outcome === 'ok' && ack.startedAt >= promotedAt,
      );
      console.log(
        `the first success began ${(first?.startedAt ?? 0) - promotedAt} ms after the promotion, and took ${(first?.endedAt ?? 0) - (first?.startedAt ?? 0)} ms`,
      );
      await until('the test has found it as well', () =>
        rig.sql('select').then(
          () => true,
          () => false,
        ),
      );
      await rig.kill();
      return [killedAt];
    },
    { connection },
  );
});
