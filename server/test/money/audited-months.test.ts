import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMonths } from '../../src/billing/audit-scope-store.ts';
import { auditMonthsAgain } from '../../src/billing/audited-month-store.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import type { MessageId } from '../../src/ids.ts';
import { auditMonths } from '../../src/jobs/audit-months.ts';
import { removeOutdated } from '../../src/jobs/remove-outdated.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { hasLockWaiter, type TestKey, until, useService } from '../harness.ts';
import { connectionOf } from './two-nodes.ts';

const service = useService();
const MESSAGES = 40;

/** The first day of the month so many months ago. */
const monthAgo = (months: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
};
const [OLD, NEWER] = [monthAgo(4), monthAgo(3)] as [Date, Date];
const textOf = (month: Date) => month.toISOString().slice(0, 10);
const partition = (table: string, month: Date) =>
  `${table}_${textOf(month).slice(0, 7).replace('-', '_')}`;
let key: TestKey;

/** A company whose sends of two past months are charged in the ledger, with a receipt on each. */
async function makeHistory(): Promise<void> {
  key = await service.key({ balance: 1_000 });
  for (const month of [OLD, NEWER]) {
    for (const table of ['message', 'attempt', 'sms_attempt', 'entry']) {
      await service.sql('select make_partition($1, $2, true, 80)', [table, month]);
    }
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
       from ${partition('message', month)}, generate_series(1, 2) as k where attempt = 2`,
    );
    // The charge is posted now, and belongs to the month of its messages.
    await service.sql('alter table entry disable trigger user');
    await service.sql(
      `update entry set cause = (select max(id::text)::uuid from ${partition('message', month)})
       where company_id = $1 and kind = 'charge' and cause >= uuid_at(now() - interval '1 hour')`,
      [key.companyId],
    );
    await service.sql('alter table entry enable trigger user');
  }
}

async function violations(): Promise<Record<string, number>> {
  const audit = await auditIn(service.ctx.db);
  return Object.fromEntries(Object.entries(audit.violations).filter(([, count]) => count > 0));
}

const audited = async () =>
  (await auditMonths(service.ctx)).map(({ table_name, month }) => `${table_name} ${month}`);
const again = async () =>
  (await auditMonthsAgain(connectionOf(service), undefined)).flatMap(({ broken }) => broken);
const anId = async (month: Date): Promise<MessageId> => {
  const [row] = await service.sql<{ id: MessageId }>(
    `select id from ${partition('message', month)} where attempt = 1 order by id limit 1`,
  );
  return row?.id as MessageId;
};
const ALL = [OLD, NEWER].flatMap((month) => [`entry ${textOf(month)}`, `message ${textOf(month)}`]);

test('months that have ended are audited once, and the totals stay', async () => {
  await makeHistory();
  assert.deepEqual(await violations(), {});
  const before = (await auditIn(service.ctx.db)).totals;
  const first = await audited();
  for (const month of ALL) assert(first.includes(month), month);
  assert.deepEqual(await audited(), []);
  assert.deepEqual(await violations(), {});
  assert.deepEqual((await auditIn(service.ctx.db)).totals, before);
  assert.deepEqual(await again(), []);
});

test('an audit does not read the rows of audited months', async () => {
  // Behind the back of the triggers, as no program of ours writes.
  const id = await anId(OLD);
  await service.sql(`alter table ${partition('message', OLD)} disable trigger user`);
  await service.sql(`update message set charged = 5 where id = $1`, [id]);
  assert.deepEqual(await violations(), {});
  assert.deepEqual(await again(), ['audited_month_was_changed']);
  await service.sql(`update message set charged = 3 where id = $1`, [id]);
  await service.sql(`alter table ${partition('message', OLD)} enable trigger user`);
  assert.deepEqual(await again(), []);
});

test('a condition on months takes whole ones, and none that is between them', async () => {
  const months = inMonths('uuid_at(at)', ['2026-01-01', '2026-03-01', '2025-12-01', '2026-04-01']);
  const inside = await service.sql<{ at: string }>(
    `select at from unnest($1::timestamptz[]) as at where ${months}`,
    [
      [
        '2025-11-30T23:59:59.999Z',
        '2025-12-01T00:00:00.000Z',
        '2025-12-31T23:59:59.999Z',
        '2026-01-01T00:00:00.000Z',
        '2026-01-31T23:59:59.999Z',
        '2026-02-01T00:00:00.000Z',
        '2026-02-28T23:59:59.999Z',
        '2026-03-01T00:00:00.000Z',
        '2026-04-30T23:59:59.999Z',
        '2026-05-01T00:00:00.000Z',
      ],
    ],
  );
  assert.deepEqual(
    inside.map(({ at }) => new Date(at).toISOString()),
    [
      '2025-12-01T00:00:00.000Z',
      '2025-12-31T23:59:59.999Z',
      '2026-01-01T00:00:00.000Z',
      '2026-01-31T23:59:59.999Z',
      '2026-03-01T00:00:00.000Z',
      '2026-04-30T23:59:59.999Z',
    ],
  );
});

test('two changes that leave every sum as it was are found by auditing the month again', async () => {
  const name = partition('message', NEWER);
  await service.sql(`alter table ${name} disable trigger user`);
  const swap = (by: number) =>
    service.sql(
      `update message m set charged = charged + case when m.id = s.low then $1::integer else -$1::integer end
       from (select min(id::text)::uuid as low, max(id::text)::uuid as high from ${name} where attempt = 1) s
       where m.id in (s.low, s.high)`,
      [by],
    );
  await swap(1);
  assert.deepEqual(await violations(), {});
  assert.deepEqual(await again(), ['audited_month_was_changed']);
  await swap(-1);
  await service.sql(`alter table ${name} enable trigger user`);
  assert.deepEqual(await again(), []);
});

test('a change opens its month again, and the next audit reads it', async () => {
  const id = await anId(OLD);
  await service.sql(`update message set charged = 4 where id = $1`, [id]);
  assert.deepEqual(await violations(), { charge_entries_differ_from_messages: 1 });
  await service.sql(`update message set charged = 3 where id = $1`, [id]);
  assert.deepEqual(await violations(), {});
  assert.deepEqual(await audited(), [`message ${textOf(OLD)}`]);
});

test('a late receipt changes nothing that an audit would have to know', async () => {
  await service.sql(`update message set receipt = 'read', receipt_at = now() where id = $1`, [
    await anId(OLD),
  ]);
  assert.deepEqual(await audited(), []);
});

test('a row that is added to an audited month opens it', async () => {
  for (const table of ['attempt', 'message']) {
    const inserted = `insert into ${table} select (x).* from (select jsonb_populate_record(t,
      ${table === 'attempt' ? `'{"number": 9, "state": "refused"}'` : `jsonb_build_object('id', overlay(t.id::text placing '0' from 36), 'charged', 0)`}) as x
      from ${partition(table, OLD)} t limit 1) one`;
    await service.sql(inserted);
    assert.deepEqual(await audited(), [`message ${textOf(OLD)}`], table);
  }
  assert.deepEqual(await violations(), {});
});

test('a month with a broken rule, or with something under way, is not closed', async () => {
  const id = await anId(OLD);
  for (const [change, back] of [
    [`state = 'unknown'`, `state = 'sent'`],
    [`hold = 1`, `hold = 0`],
    [`key_id = 0`, `key_id = ${key.keyId}`],
  ] as const) {
    await service.sql(`update message set ${change} where id = $1`, [id]);
    assert.deepEqual(await audited(), [], change);
    assert.notDeepEqual(await violations(), {});
    await service.sql(`update message set ${back} where id = $1`, [id]);
    assert.deepEqual(await audited(), [`message ${textOf(OLD)}`], back);
  }
});

test('a change that is not committed while the sums are stored opens the month when it is', async () => {
  const id = await anId(OLD);
  // The month is open, so that the next run stores its sums.
  await service.sql(`update message set charged = 4 where id = $1`, [id]);
  await service.sql(`update message set charged = 3 where id = $1`, [id]);
  await service.ctx.db.transaction(async (tx) => {
    await tx.query(`update message set charged = 5 where id = $1`, [id]);
    assert.deepEqual(await audited(), []);
  });
  assert.deepEqual(await violations(), { charge_entries_differ_from_messages: 1 });
  await service.sql(`update message set charged = 3 where id = $1`, [id]);
  assert.deepEqual(await audited(), [`message ${textOf(OLD)}`]);
});

test('a change that is committed between the sums and their storing opens the month', async () => {
  const id = await anId(OLD);
  await service.sql(`update message set charged = 4 where id = $1`, [id]);
  await service.sql(`update message set charged = 3 where id = $1`, [id]);
  let auditing: Promise<string[]> | undefined;
  await service.ctx.db.transaction(async (tx) => {
    await tx.query(`update message set charged = 5 where id = $1`, [id]);
    auditing = audited();
    await until('the audit waits for the change', () => hasLockWaiter(service.sql));
  });
  assert.deepEqual(await auditing, []);
  assert.deepEqual(await violations(), { charge_entries_differ_from_messages: 1 });
  await service.sql(`update message set charged = 3 where id = $1`, [id]);
  assert.deepEqual(await audited(), [`message ${textOf(OLD)}`]);
});

test('entries whose numbers and months are not in one order make more than one run', async () => {
  const late = await anId(OLD);
  await service.sql(`select post_entry($1, 'correction', 7, $2)`, [key.companyId, late]);
  assert.deepEqual(await violations(), {});
  assert.deepEqual(await audited(), [`entry ${textOf(OLD)}`]);
  assert.deepEqual(await violations(), {});
  const runs = await service.sql(
    `select first_number, last_number from audited_entries where month = $1 and company_id = $2 order by 1`,
    [OLD, key.companyId],
  );
  assert.equal(runs.length, 2);
  assert.deepEqual(await again(), []);
});

test('faults of the ledger in open months are found beside audited ones', async () => {
  const rollback = new Error('rolls the planted fault back');
  for (const [change, name] of [
    ['update account set balance = balance + 1', 'balance_is_not_sum_of_entries'],
    ['update account set entries = entries + 1', 'entries_are_out_of_order'],
    [
      'update audited_entries set opening = opening + 1, closing = closing + 1',
      'balance_chain_is_broken',
    ],
    ['update audited_messages set charged = charged + 1', 'charge_entries_differ_from_messages'],
    ['update audited_messages set messages = messages + 1', 'audited_sums_were_changed'],
  ] as const) {
    const planting = service.ctx.db.transaction(async (tx) => {
      await tx.query(
        `${change} where company_id = $1 and ${change.includes('audited') ? 'month = $2' : '$2::date is not null'}`,
        [key.companyId, OLD],
      );
      const audit = await auditIn(tx);
      assert.equal(audit.violations[name], 1);
      throw rollback;
    });
    await assert.rejects(planting, rollback);
  }
});

test('a removed month takes its sums along', async () => {
  const before = (await auditIn(service.ctx.db)).totals;
  const config = {
    ...service.ctx.config,
    keepDays: { ...service.ctx.config.keepDays, messages: 35 },
  };
  await removeOutdated({ ...service.ctx, config }, new AbortController().signal);
  const left = await service.sql(
    `select from audited_month where table_name = 'message' and month = any ($1::date[])`,
    [[OLD, NEWER]],
  );
  assert.deepEqual(left, []);
  assert.deepEqual(await violations(), {});
  assert.deepEqual((await auditIn(service.ctx.db)).totals, before);
});
