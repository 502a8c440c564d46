import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { IS_FULL } from '../is-full.ts';
import { surviveUnderLoad } from './under-load.ts';

const RANDOM_KILLS = IS_FULL ? 20 : 3;
const LIFE_MS_MAX = 2_000;

test('kill -9 at random moments loses and repeats nothing', async () => {
  await surviveUnderLoad(`kill -9 at ${RANDOM_KILLS} random moments`, async (rig) => {
    const killTimes: number[] = [];
    for (let kills = 0; kills < RANDOM_KILLS; kills++) {
      rig.start();
      await rig.waitUntilHealthy();
      await pause(randomInt(100, LIFE_MS_MAX));
      await rig.kill();
      killTimes.push(rig.clock.now());
    }
    return killTimes;
  });
});
