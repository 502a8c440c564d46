import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { IS_FULL } from '../is-full.ts';
import { surviveUnderLoad } from './under-load.ts';

/** The committing statements of a send, a verification, a link and the watch. */
const STATEMENTS = [
  'claim-keys',
  'reserve',
  'settle',
  'keep-answer',
  'verify',
  'record-receipts',
  'claim-fallback',
  'settle-fallback',
  'shorten',
  'take-due',
  'end-watch',
];
/** In flight: the statement was sent, and the process dies before its answer. */
const MOMENTS = IS_FULL ? ['before', 'in flight', 'after'] : ['before', 'after'];
const POINTS = [
  ...STATEMENTS.flatMap((name) => MOMENTS.map((when) => `${name}: ${when}`)),
  ...['call', 'fallback call'].flatMap((name) => [`${name}: before`, `${name}: after`]),
];

test('kill -9 at every named point loses and repeats nothing', async () => {
  await surviveUnderLoad(`kill -9 at ${POINTS.length} named points`, async (rig) => {
    for (const point of POINTS) {
      rig.start({ CRASH_AT: `${point}#${randomInt(1, 4)}` });
      await rig.waitForCrash(point);
    }
  });
});
