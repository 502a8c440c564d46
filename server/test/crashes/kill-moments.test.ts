import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isFull, underLoad } from './under-load.ts';

const RANDOM_KILLS = isFull ? 20 : 8;
const LIFE_MS_MAX = 2_000;

test('no kill at a random moment loses or doubles anything', async () => {
  await underLoad(`kill -9 at ${RANDOM_KILLS} random moments`, async (rig) => {
    const deaths: number[] = [];
    for (let kills = 0; kills < RANDOM_KILLS; kills++) {
      rig.start();
      await rig.healthy();
      await pause(randomInt(100, LIFE_MS_MAX));
      await rig.kill();
      deaths.push(rig.clock.now());
    }
    return deaths;
  });
});
