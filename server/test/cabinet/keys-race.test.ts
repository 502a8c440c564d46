import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { countLockWaiters, runConcurrently, until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';

const service = useService();
const { person, as } = createCabinetClient(service);

const ACTIVE_KEYS_MAX = 100;
const CALLERS = 6;

/** Starts calls that change keys, and releases them when all are waiting for the same row lock. */
async function runAtOneLock<T>(calls: (() => Promise<T>)[]): Promise<T[]> {
  // Every change of a key updates this row.
  const client = await service.ctx.db.pool.connect();
  await client.query('begin');
  await client.query('select from key_version for update');
  const answers = Promise.all(calls.map((call) => call()));
  await until(
    'all calls wait for the lock',
    async () => (await countLockWaiters(service.sql)) === calls.length,
  );
  await client.query('rollback');
  client.release();
  return await answers;
}

const newKey = { body: { name: 'Сайт', mode: 'test' } } as const;

test('concurrent calls never create more keys than a company may have', async () => {
  const owner = await person({ role: 'owner' });
  const { companyId } = owner;
  await runConcurrently(ACTIVE_KEYS_MAX - 1, () => service.key({ companyId: companyId as never }));

  const call = () => as(owner).call(KEY_ENDPOINTS.createKey, newKey);
  const made = await runAtOneLock(Array.from({ length: CALLERS }, () => call));
  const statuses = made.map(({ status }) => status);
  const [counted] = await service.sql<{ count: number }>(
    'select count(*)::integer as count from api_key where company_id = $1 and revoked_at is null',
    [companyId],
  );
  assert.equal(counted?.count, ACTIVE_KEYS_MAX);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array.from({ length: CALLERS - 1 }, () => 422)],
  );
});

test('creating, rotating and revoking keys concurrently does not deadlock', async () => {
  const owner = await person({ role: 'owner' });
  const { call } = as(owner);
  const [first, second] = [
    (await call(KEY_ENDPOINTS.createKey, newKey)).ok(),
    (await call(KEY_ENDPOINTS.createKey, newKey)).ok(),
  ];
  const statuses = await runAtOneLock<number>([
    async () =>
      (
        await call(KEY_ENDPOINTS.rotateKey, {
          params: { id: first.id },
          body: { overlap_hours: 24 },
        })
      ).status,
    async () => (await call(KEY_ENDPOINTS.createKey, newKey)).status,
    async () =>
      (await call(KEY_ENDPOINTS.revokeKey, { params: { id: second.id }, body: {} })).status,
  ]);
  assert.deepEqual(statuses, [200, 200, 200]);
});
