import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryConflicts, retryWhileDatabaseAway } from './retry-conflicts.ts';

/** A database that fails so many times with this SQLSTATE, then answers. */
function failing(code: string, times: number) {
  let runs = 0;
  const sql = retryConflicts({
    async query<Row>(): Promise<Row[]> {
      runs += 1;
      if (runs <= times) throw Object.assign(new Error('failed'), { code });
      return [{ runs } as Row];
    },
  });
  return { sql, runs: () => runs };
}

for (const code of ['40P01', '40001']) {
  test(`a conflict (${code}) is run again, up to three times in all`, async () => {
    assert.deepEqual(await failing(code, 2).sql.query('select 1'), [{ runs: 3 }]);
  });

  test(`a conflict (${code}) that does not end fails after the third time`, async () => {
    const { sql, runs } = failing(code, Number.POSITIVE_INFINITY);
    await assert.rejects(sql.query('select 1'), { code });
    assert.equal(runs(), 3);
  });
}

for (const code of ['23505', '57P01', '57014']) {
  test(`any other failure (${code}) is not run again`, async () => {
    const { sql, runs } = failing(code, 1);
    await assert.rejects(sql.query('select 1'), { code });
    assert.equal(runs(), 1);
  });
}

test('a database that is away for a moment is retried, any other failure is not', async () => {
  const away = failing('57P01', 2);
  assert.deepEqual(await retryWhileDatabaseAway(() => away.sql.query('select 1')), [{ runs: 3 }]);
  const bad = failing('23505', 1);
  await assert.rejects(
    retryWhileDatabaseAway(() => bad.sql.query('select 1')),
    { code: '23505' },
  );
  assert.equal(bad.runs(), 1);
});
