import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { together, until, useService } from '../harness.ts';
import { signedIn } from './signed-in.ts';

const service = useService();
const { person, as } = signedIn(service);

const ACTIVE_KEYS_MAX = 100;
const CALLERS = 6;

test('a company never gets more keys than it may have, however many are asked for at once', async () => {
  const owner = await person({ role: 'owner' });
  const { companyId } = owner;
  await together(ACTIVE_KEYS_MAX - 1, () => service.key({ companyId: companyId as never }));

  // Every new key counts itself in this row. While it is held, all callers come as far as they can.
  const client = await service.ctx.db.pool.connect();
  await client.query('begin');
  await client.query('select from key_version for update');
  const making = together(CALLERS, () =>
    as(owner).call(KEY_ENDPOINTS.createKey, { body: { name: 'Сайт', mode: 'test' } }),
  );
  await until('all of them wait', async () => {
    const waiting = await service.sql(`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting.length === CALLERS;
  });
  await client.query('rollback');
  client.release();

  const statuses = (await making).map(({ status }) => status);
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
