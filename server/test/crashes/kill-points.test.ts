import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { isFull, underLoad } from './under-load.ts';

/** Each commit of a send, of a verification, of a link and of the watch. */
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
/** Under way: the statement has left, and its answer will find nobody. */
const MOMENTS = isFull ? ['before', 'under way', 'after'] : ['before', 'after'];
const POINTS = [
  ...STATEMENTS.flatMap((name) => MOMENTS.map((when) => `${name}: ${when}`)),
  ...['call', 'fallback call'].flatMap((name) => [`${name}: before`, `${name}: after`]),
];

test('no crash at any named point of a send loses or doubles anything', async () => {
  await underLoad(`kill -9 at ${POINTS.length} named points`, async (rig) => {
    for (const point of POINTS) {
      rig.start({ CRASH_AT: `${point}#${randomInt(1, 4)}` });
      await rig.crashed(point);
    }
  });
});
