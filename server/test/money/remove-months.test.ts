import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Audit, auditIn } from '../../src/billing/invariant-store.ts';
import { recordReceipts } from '../../src/delivery/receipt-store.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import { closeMonth, reopenMonth } from '../../src/installation/month-store.ts';
import { removeOutdated } from '../../src/jobs/remove-outdated.ts';
import { readClickCounts } from '../../src/links/click-store.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { type TestKey, useService } from '../harness.ts';

const service = useService();
const never = new AbortController().signal;

/** Two months that ended more than 400 days ago, which is how long messages are kept. */
const OLD = [2, 1].map((months) => monthsBefore(400, months));
const MESSAGES = 40;

function monthsBefore(days: number, months: number): Date {
  const then = new Date(Date.now() - days * 86_400_000);
  return new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() - months, 1));
}

const partitionName = (table: string, month: Date) =>
  `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;

async function makeMonth(month: Date): Promise<void> {
  for (const [table, isById] of Object.entries({
    message: true,
    attempt: true,
    click: false,
    request_log: false,
  })) {
    await service.sql('select make_partition($1, $2, $3, 80)', [table, month, isById]);
  }
}

/** Inserts charged messages in the middle of a month, one in four with a second attempt. */
async function fillMonth(key: TestKey, month: Date): Promise<void> {
  const hours = (Date.now() - month.getTime()) / 3_600_000 - 240;
  await insertPastMessages(service.sql, {
    ...key,
    count: MESSAGES,
    fromHours: hours,
    toHours: hours - 48,
    columns: { charged: '3', attempt: 'case when n % 4 = 0 then 2 else 1 end' },
  });
  await service.sql(
    `insert into attempt (company_id, message_id, number, channel, state, price, started_at)
     select company_id, id, k, (array['whatsapp', 'sms'])[k]::channel, 'accepted', 3, created_at
     from ${partitionName('message', month)}, generate_series(1, 2) as k where attempt = 2 and company_id = $1`,
    [key.companyId],
  );
  await service.sql(
    `insert into request_log (company_id, at, key_id, request_id, path, status, duration_ms)
     values ($1, $2, $3, 'req_old', '/api/otp/verify', 200, 5)`,
    [key.companyId, new Date(month.getTime() + 86_400_000), key.keyId],
  );
}

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await service.sql<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  );
  return rows.map(({ name }) => name);
}

async function audit(): Promise<Audit['totals']> {
  const { violations, totals } = await auditIn(service.ctx.db);
  const broken = Object.entries(violations).filter(([, count]) => count > 0);
  assert.deepEqual(broken, []);
  return totals;
}

/** A company with two outdated months of messages and a recent one. */
async function createOldCompany(): Promise<TestKey> {
  const key = await service.key({ balance: 1_000 });
  for (const month of OLD) {
    await makeMonth(month);
    await fillMonth(key, month);
  }
  const sent = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.equal(sent.status, 200);
  return key;
}

async function assertRemoved(): Promise<void> {
  for (const table of ['message', 'attempt', 'click', 'request_log']) {
    const left = await partitionsOf(table);
    for (const month of OLD) {
      const name = partitionName(table, month);
      assert(!left.includes(name), name);
    }
    assert(left.length >= 3, 'the current months stay');
  }
}

test('outdated months are dropped whole, and the ledger still matches the charged messages', async () => {
  const key = await createOldCompany();
  const before = await audit();
  const removed = await removeOutdated(service.ctx, never);
  assert.deepEqual(
    [removed.message, removed.click, removed.request_log],
    [2, 2, 2],
    'two months each of messages with attempts, of clicks and of the request log',
  );
  await assertRemoved();
  assert.deepEqual(await audit(), before, 'the totals include removed months');
  const months = await service.sql(
    `select month::text as month, messages, charged from removed_month where company_id = $1 order by month`,
    [key.companyId],
  );
  assert.deepEqual(
    months,
    OLD.map((month) => ({
      month: month.toISOString().slice(0, 10),
      messages: MESSAGES,
      charged: MESSAGES * 3,
    })),
  );
  assert.equal((await removeOutdated(service.ctx, never)).message, 0);
});

test('the audit detects a ledger that differs from removed months', async () => {
  const key = await createOldCompany();
  await removeOutdated(service.ctx, never);
  const rollback = new Error('rolls the planted fault back');
  const planting = service.ctx.db.transaction(async (tx) => {
    await tx.query('update removed_month set charged = charged + 1 where company_id = $1', [
      key.companyId,
    ]);
    const { violations } = await auditIn(tx);
    assert.equal(violations.charge_entries_differ_from_messages, 1);
    throw rollback;
  });
  await assert.rejects(planting, rollback);
});

test('a month with an unsettled message stays until the message is settled', async () => {
  const key = await createOldCompany();
  const name = partitionName('message', OLD[0] as Date);
  const some = `company_id = ${key.companyId} and id = (select min(id::text)::uuid from ${name})`;
  await service.sql(`update account set held = 3 where company_id = $1`, [key.companyId]);
  await service.sql(`update message set state = 'sending', hold = 3, charged = 0 where ${some}`);
  await assert.rejects(removeOutdated(service.ctx, never), /rows were left in message$/);
  assert((await partitionsOf('message')).includes(name));
  await service.sql(`update account set held = 0 where company_id = $1`, [key.companyId]);
  await service.sql(`update message set state = 'sent', hold = 0, charged = 3 where ${some}`);
  await removeOutdated(service.ctx, never);
  await assertRemoved();
  await audit();
});

test('while a transaction reads messages, the month stays and sends still work', async () => {
  const key = await createOldCompany();
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('select count(*) from message');
    const removing = assert.rejects(removeOutdated(service.ctx, never), /left in message$/);
    const sent = await service.call('/otp/send', { phone: service.phone() }, key);
    assert.equal(sent.status, 200);
    await removing;
  });
  await audit();
  await removeOutdated(service.ctx, never);
  await assertRemoved();
  await audit();
});

test('a late receipt for a month under removal does not affect other receipts of its batch', async () => {
  const key = await createOldCompany();
  const [month] = OLD as [Date];
  const closed = { name: partitionName('message', month), month: month.toISOString() };
  await closeMonth(service.ctx.db, closed);
  const [old] = await service.sql<{ id: MessageId }>(`select id from ${closed.name} limit 1`);
  const sent = await service.call('/otp/send', { phone: service.phone() }, key);
  const ids = [old?.id as MessageId, sent.body.message_id as MessageId];
  const recorded = await recordReceipts.run(
    service.ctx.db,
    ids.map((messageId) => ({
      ref: { companyId: key.companyId, messageId, attempt: 1 },
      receipt: 'read' as const,
    })),
  );
  assert.deepEqual(
    recorded.map(({ isNew }) => isNew),
    [false, true],
  );
  await reopenMonth(service.ctx.db, closed);
  await removeOutdated(service.ctx, never);
});

test('click counts include removed months', async () => {
  const key = await service.key();
  for (const month of OLD) await makeMonth(month);
  const slug_key = `old-${newId(Date.now())}`;
  await service.sql(
    `insert into link (slug_key, slug, company_id, url, created_at) values ($1, $1, $2, 'https://a.kz', $3)`,
    [slug_key, key.companyId, OLD[0]],
  );
  for (const at of [...OLD, new Date(Date.now() - 60_000)]) {
    await service.sql(
      `insert into click (slug_key, company_id, at, is_robot)
       select $1, $2, $3::timestamptz + n * interval '1 second', n = 3 from generate_series(1, 3) as n`,
      [slug_key, key.companyId, at],
    );
  }
  const count = async () => {
    const [row] = await readClickCounts(service.ctx.db, key.companyId, {
      names: [slug_key],
      from: undefined,
    });
    return { people: row?.people, robots: row?.robots, first: row?.first_at, last: row?.last_at };
  };
  const before = await count();
  assert.equal(before.people, 6);
  assert.equal(before.robots, 3);
  await removeOutdated(service.ctx, never);
  await assertRemoved();
  assert.deepEqual(await count(), before);
});
