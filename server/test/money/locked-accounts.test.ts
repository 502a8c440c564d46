import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { accountLocks } from '../../src/billing/ledger-store.ts';
import { hasLockWaiter, until, useService } from '../harness.ts';

// After a lock timeout the sends of companies with a locked account are refused. An account that a
// running statement locks for a moment must not count as locked.
const service = useService();

async function connect(t: { after(work: () => Promise<void>): void }): Promise<pg.Client> {
  const client = new pg.Client(service.ctx.db.pool.options as pg.ClientConfig);
  await client.connect();
  t.after(() => client.end());
  return client;
}

const LOCK = 'select from account where company_id = $1 for update nowait';

async function findLocked(client: pg.Client, companies: number[], lockTimeout: string) {
  await client.query(`set lock_timeout = '${lockTimeout}'`);
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Row[];
  return (await accountLocks.findLocked({ query }, companies)).map(Number);
}

test('an account that stays locked is found, and the others are not locked meanwhile', async (t) => {
  const [free, locked, alsoLocked] = [
    (await service.key()).companyId,
    (await service.key()).companyId,
    (await service.key()).companyId,
  ];
  const [holder, prober, client] = [await connect(t), await connect(t), await connect(t)];
  await holder.query('begin');
  await holder.query(LOCK, [locked]);
  await holder.query(LOCK, [alsoLocked]);
  const found = findLocked(client, [free, locked, alsoLocked], '8s');
  await until('the locked account is waited for', () => hasLockWaiter(service.sql));
  await prober.query(LOCK, [free]);
  assert.deepEqual(await found, [locked, alsoLocked]);
  await holder.query('rollback');
  assert.deepEqual(await findLocked(client, [free, locked, alsoLocked], '8s'), []);
});

test('an account that is released while it is waited for is free', async (t) => {
  const { companyId } = await service.key();
  const [holder, client] = [await connect(t), await connect(t)];
  await holder.query('begin');
  await holder.query(LOCK, [companyId]);
  const found = findLocked(client, [companyId], '240s');
  await until('the account is waited for', () => hasLockWaiter(service.sql));
  await holder.query('rollback');
  assert.deepEqual(await found, []);
});
