/** A process stands still for a minute, is taken for dead by another node, and goes on. */
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { globalSetup, globalTeardown } from '../database-server.ts';
import { newDatabase } from './new-database.ts';
import { isFull, underLoad } from './under-load.ts';

const ROUNDS = isFull ? 20 : 1;
const SERVED = 40;
const FROZEN_SECONDS = 60;
/** The other node's watch has had its rounds by then. */
const ROUNDS_OF_WATCH_MS = 1_500;

before(globalSetup);
after(globalTeardown);

test('a process frozen for a minute doubles nothing and charges nobody for a failure', async () => {
  await underLoad(
    `${ROUNDS} times frozen for ${FROZEN_SECONDS} s`,
    async (rig) => {
      rig.start();
      await rig.healthy();
      await rig.startBeside();
      for (let round = 0; round < ROUNDS; round++) {
        await rig.untilAnswered('ok', SERVED);
        rig.freeze();
        try {
          // In full the minute passes; else time is put forward for everybody else.
          if (isFull) await pause(FROZEN_SECONDS * 1_000);
          else await rig.passTime(FROZEN_SECONDS);
          await pause(ROUNDS_OF_WATCH_MS);
        } finally {
          rig.thaw();
        }
      }
      await rig.untilAnswered('ok', SERVED);
      await rig.kill();
      return undefined;
    },
    { connection: await newDatabase('frozen') },
  );
});
