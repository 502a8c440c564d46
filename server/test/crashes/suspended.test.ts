/**
 * A process is suspended for a minute, so that another node treats it as dead, and then resumes.
 */
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { globalSetup, globalTeardown } from '../database-server.ts';
import { IS_FULL } from '../is-full.ts';
import { cloneTemplate } from '../test-database.ts';
import { surviveUnderLoad } from './under-load.ts';

const ROUNDS = IS_FULL ? 20 : 1;
const SERVED = 40;
const SUSPENDED_SECONDS = 60;
/** Time for a few rounds of the watch of the other node. */
const WATCH_ROUNDS_MS = 1_500;

before(globalSetup);
after(globalTeardown);

test('a process suspended for a minute repeats nothing and charges no failed send', async () => {
  await surviveUnderLoad(
    `${ROUNDS} suspensions of ${SUSPENDED_SECONDS} s`,
    async (rig) => {
      rig.start();
      await rig.waitUntilHealthy();
      await rig.startSecondNode();
      for (let round = 0; round < ROUNDS; round++) {
        await rig.waitForAnswers('ok', SERVED);
        rig.suspend();
        try {
          // A full run waits the minute. Otherwise the clock of the database is moved.
          if (IS_FULL) await pause(SUSPENDED_SECONDS * 1_000);
          else await rig.passTime(SUSPENDED_SECONDS);
          await pause(WATCH_ROUNDS_MS);
        } finally {
          rig.resume();
        }
      }
      await rig.waitForAnswers('ok', SERVED);
      await rig.kill();
      return undefined;
    },
    { connection: await cloneTemplate('suspended') },
  );
});
