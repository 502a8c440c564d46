import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDatabaseState } from '../../src/cli/doctor/state-store.ts';
import { until, useService } from '../harness.ts';

const service = useService();

test('the doctor sees who holds the oldest snapshot of the database', async () => {
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    await tx.query(`set local application_name = 'a forgotten report'`);
    await tx.query('select count(*) from account');
    // Jobs of the service that began earlier end soon.
    await until('it is the oldest', async () => {
      const { oldestSnapshot } = await readDatabaseState(service.ctx.db);
      assert.equal(oldestSnapshot?.minutes, 0);
      return oldestSnapshot.holder === 'a forgotten report';
    });
  });
});
