import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Merged, mergeStreams, type StreamPage } from './merge-streams.ts';

type Entry = { timeMs: number; name: string; isMatch: boolean };

/** A page as the database gives it: limited matches out of a limited window. */
function pageOf(
  entries: readonly Entry[],
  after: number | undefined,
  limits: { rowsMax: number; window: number },
): StreamPage<string, number> {
  const start = after === undefined ? 0 : after + 1;
  const read = entries.slice(start, start + limits.window);
  const matches = read
    .map((entry, i) => ({ row: entry.name, timeMs: entry.timeMs, position: start + i, entry }))
    .filter(({ entry }) => entry.isMatch);
  const last = read.at(-1);
  const isCut = matches.length <= limits.rowsMax && read.length === limits.window;
  return {
    items: matches.slice(0, limits.rowsMax + 1),
    stopped:
      isCut && last !== undefined
        ? { timeMs: last.timeMs, position: start + read.length - 1 }
        : undefined,
  };
}

const entries = (name: string) =>
  fc
    .array(fc.record({ timeMs: fc.integer({ min: 0, max: 30 }), isMatch: fc.boolean() }))
    .map((made) =>
      made
        .sort((x, y) => y.timeMs - x.timeMs)
        .map((entry, i) => ({ ...entry, name: `${name}${i}` })),
    );

test('pages of two streams, one after the other, hold everything once and in order', () => {
  const limits = fc.record({
    rowsMax: fc.integer({ min: 1, max: 5 }),
    window: fc.integer({ min: 1, max: 7 }),
  });
  fc.assert(
    fc.property(entries('a'), entries('b'), limits, (a, b, { rowsMax, window }) => {
      const shown: string[] = [];
      let from: { a: number | undefined; b: number | undefined } | undefined = {
        a: undefined,
        b: undefined,
      };
      for (let pages = 0; from !== undefined; pages++) {
        assert(pages <= a.length + b.length + 2, 'the pages never end');
        const merged: Merged<string, number, number> = mergeStreams(
          from,
          pageOf(a, from.a, { rowsMax, window }),
          pageOf(b, from.b, { rowsMax, window }),
          rowsMax,
        );
        shown.push(...merged.rows);
        from = merged.next;
      }
      const all = [...a, ...b].filter((entry) => entry.isMatch);
      assert.deepEqual([...shown].sort(), all.map(({ name }) => name).sort());
      const times = new Map(all.map(({ name, timeMs }) => [name, timeMs]));
      const shownTimes = shown.map((name) => times.get(name) as number);
      assert.deepEqual(
        shownTimes,
        [...shownTimes].sort((x, y) => y - x),
      );
    }),
    { numRuns: 2_000 },
  );
});
