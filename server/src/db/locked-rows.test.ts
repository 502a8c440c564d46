import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLockedRows } from './locked-rows.ts';
import type { Sql } from './sql.ts';

const NO_SQL: Sql = { query: () => Promise.reject(new Error('not asked')) };

test('a row found locked while the others are asked about again stays refused', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<number[]>();
  let calls = 0;
  const rows = createLockedRows<number>(
    {
      rowOf: (item) => item,
      findLocked(_sql, wanted) {
        calls += 1;
        // The second call asks again about row 1.
        if (calls !== 2) return Promise.resolve([...wanted]);
        asked.resolve();
        return answer.promise;
      },
    },
    NO_SQL,
  );
  assert.deepEqual(await rows.find([1]), { isAnyLocked: true });
  await asked.promise;
  assert.deepEqual(await rows.find([2]), { isAnyLocked: true });
  answer.resolve([1]);
  await nextTurn();
  assert.deepEqual([rows.has(1), rows.has(2)], [true, true]);
});
