import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditIn, type Invariant } from '../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { openSystemCompany } from '../../src/installation/system-company.ts';
import { useService } from '../harness.ts';

const service = useService();
let companyId: CompanyId;
let messageId: string;

const ago = (minutes: number) => `clock_timestamp() - interval '${minutes} minutes'`;
const entry = (kind: string, amount: number, company: number) =>
  `insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
   select ${company}, count(*) + 1, '${kind}', '${newId(Date.now())}', ${amount}, 1000, clock_timestamp()
   from entry where company_id = ${company}`;
const attempt = (
  number: number,
  state: string,
  more: { price?: number; minutesAgo?: number } = {},
) =>
  `insert into attempt (company_id, message_id, number, channel, state, price, started_at)
   values (${companyId}, '${messageId}', ${number}, 'whatsapp', '${state}', ${more.price ?? 3},
     ${ago(more.minutesAgo ?? 0)})`;
const message = (change: string) => `update message set ${change} where id = '${messageId}'`;
const account = (change: string) => `update account set ${change} where company_id = ${companyId}`;
const insertAuditRecord = (object: string) =>
  `insert into audit_record (company_id, at, action, object)
   values (${companyId}, clock_timestamp(), 'key.created', '${object}')`;
const insertOperatorAct = (object: string) =>
  `insert into operator_audit (at, action, object) values (clock_timestamp(), 'operator.created', '${object}')`;
const payment = (more: { order?: string; receipt?: number } = {}) =>
  `insert into payment (id, company_id, order_id, provider, provider_payment_id, amount, paid_at, credited_at,
     receipt_number)
   values ('${newId(Date.now())}', ${companyId}, ${more.order === undefined ? 'null' : `'${more.order}'`}, 'terminal',
     gen_random_uuid(), 1000, clock_timestamp(), clock_timestamp(),
     ${more.receipt ?? `(select last + 1 from paper_number where kind = 'receipt')`})`;
const numberTaken = `update paper_number set last = last + 1 where kind = 'receipt'`;
const order = (id: string, state: string, company: number) =>
  `insert into payment_order (id, company_id, reference, provider, amount, payer_name, state, created_at, expires_at)
   values ('${id}', ${company}, 'ZB-AUDIT22', 'transfer', 1000, 'Плательщик', '${state}', clock_timestamp(),
     clock_timestamp())`;
const refund = (change: { taken: number; owed: number }) =>
  `insert into refund (id, payment_id, company_id, amount, taken, owed, state, reason, asked_at)
   select '${newId(Date.now())}', p.id, p.company_id, 1000, ${change.taken}, ${change.owed}, 'done', 'проверка',
     clock_timestamp()
   from payment p where p.company_id = ${companyId}`;
/** Of the whole year 2026, in which the company has sent one message for 3 ₸. */
const act = (number: number, total: number, closing = 100 - total) =>
  `insert into act (company_id, month, number, content, hash, created_at)
   values (${companyId}, '2026-01-01', ${number},
     '{"total": ${total}, "from": "2026-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z",
       "balance": {"opening": 70, "moves": {"topup": 40, "refund": -10}, "closing": ${closing}}}',
     '', clock_timestamp())`;
const dropConstraint = (table: string, constraint: string) =>
  `alter table ${table} drop constraint ${constraint}`;

/** How to break each invariant. The type requires an entry for every invariant. */
const BREAKAGES: Record<Invariant, () => string[]> = {
  balance_is_not_sum_of_entries: () => [account('balance = balance + 1')],
  account_is_negative: () => [
    dropConstraint('account', 'account_check'),
    account('held = balance + 1'),
  ],
  balance_chain_is_broken: () => [
    entry('correction', 7, companyId),
    account('balance = balance + 7'),
  ],
  entries_are_out_of_order: () => [
    `select post_entry(${companyId}, 'correction', 7, '${newId(Date.now())}')`,
    `select post_entry(${companyId}, 'correction', -3, '${newId(Date.now())}')`,
    'alter table entry disable trigger user',
    // The last two change places.
    `update entry e set number = case when e.number = a.entries then a.entries - 1 else a.entries end
     from account a where a.company_id = e.company_id and e.company_id = ${companyId} and e.number > a.entries - 2`,
  ],
  charge_entries_differ_from_messages: () => [message('charged = charged + 1')],
  held_is_not_sum_of_holds: () => [account('held = 1')],
  key_spend_is_not_sum_of_messages: () => [
    `insert into key_spend (company_id, key_id, month, spent)
     select company_id, key_id, almaty_month(created_at), charged + 1 from message where id = '${messageId}'`,
  ],
  key_day_spend_is_not_sum_of_messages: () => [
    `insert into key_day_spend (company_id, key_id, day, spent)
     select company_id, key_id, almaty_day(created_at), charged + 1 from message where id = '${messageId}'`,
  ],
  charged_but_not_sent: () => [message(`state = 'unknown'`)],
  charged_but_refused: () => [
    `insert into request_log (company_id, at, key_id, request_id, path, status, duration_ms, message_id)
     values (${companyId}, clock_timestamp(), 1, 'r', '/api/otp/send', 504, 1, '${messageId}')`,
  ],
  test_message_took_money: () => [message('is_test = true')],
  charged_differs_from_price: () => [message('attempt = 2'), attempt(1, 'accepted', { price: 8 })],
  pending_price_is_not_held: () => [message('pending_price = charged + 5')],
  audit_record_was_changed: () => [
    ...['one', 'two'].map(insertAuditRecord),
    'alter table audit_record disable trigger audit_is_final',
    `update audit_record set object = 'other' where company_id = ${companyId} and object = 'one'`,
  ],
  operator_audit_was_changed: () => [
    ...['one', 'two'].map(insertOperatorAct),
    'alter table operator_audit disable trigger operator_audit_is_final',
    `delete from operator_audit where object = 'one'`,
  ],
  correction_differs_from_its_entry: () => [
    `insert into person (id, name) values ('audited', 'Оператор')`,
    `insert into operator (person_id) values ('audited')`,
    `insert into correction_request (id, request_id, company_id, amount, reason, asked_by, cause)
     values ('${newId(Date.now())}', 'r', ${companyId}, 7, 'Сбой', 'audited', '${newId(Date.now())}')`,
  ],
  welcome_bonus_twice: () => [entry('welcome_bonus', 50, companyId)],
  first_topup_bonus_twice: () => [1, 2].map(() => entry('first_topup_bonus', 1000, companyId)),
  first_topup_bonus_without_topup: () => [entry('first_topup_bonus', 1000, companyId)],
  topup_entries_differ_from_payments: () => [numberTaken, payment({ receipt: 1 })],
  refund_entries_differ_from_refunds: () => [
    payment(),
    refund({ taken: 1000, owed: 0 }),
    'update payment set refunded = 1000',
  ],
  debt_is_not_what_is_owed: () => [account('debt = debt + 5')],
  refunded_is_not_sum_of_refunds: () => [payment(), 'update payment set refunded = 1'],
  receipt_number_is_missing: () => [numberTaken, numberTaken, payment({ receipt: 2 })],
  act_number_is_missing: () => [
    `update paper_number set last = last + 2 where kind = 'act'`,
    act(2, 3),
  ],
  act_balance_does_not_add_up: () => [
    `update paper_number set last = last + 1 where kind = 'act'`,
    act(1, 3, 96),
  ],
  act_differs_from_ledger: () => [
    `update paper_number set last = last + 1 where kind = 'act'`,
    act(1, 4),
  ],
  order_state_differs_from_payments: () => [order(newId(Date.now()), 'paid', companyId)],
  payment_of_foreign_order: () => {
    const id = newId(Date.now());
    return [
      `insert into company (name) values ('Чужая')`,
      order(id, 'paid', 0).replace('0, ', `(select max(id) from company), `),
      payment({ order: id }),
    ];
  },
  common_price_is_missing: () => [
    'alter table price_version disable trigger price_version_is_final',
    `update price_version set valid_from = clock_timestamp() where item = 'sms'`,
  ],
  price_was_withdrawn_after_it_held: () => [
    `insert into price_version (item, company_id, tokens, valid_from) values ('sms', ${companyId}, 5, ${ago(1)})`,
    'insert into price_withdrawal (version_id) select max(id) from price_version',
  ],
  sender_name_is_not_registered: () => [
    dropConstraint('company', 'company_sender_name_fkey'),
    `update company set sender_name = 'Nobody' where id = ${companyId}`,
  ],
  hold_is_stale: () => [message(`hold = 3, created_at = ${ago(6)}`)],
  message_sending_is_stale: () => [message(`state = 'sending', created_at = ${ago(6)}`)],
  attempt_sending_is_stale: () => [attempt(2, 'sending', { minutesAgo: 6 })],
  channel_accepted_twice: () => [attempt(1, 'accepted'), attempt(2, 'accepted')],
  code_kept_past_its_life: () => [`update code set sealed = 'x', expires_at = ${ago(3)}`],
  link_without_company: () => [
    `insert into link (slug_key, slug, company_id, url) values ('lost', 'lost', 0, 'https://a.kz')`,
  ],
  audited_sums_were_changed: () => [
    `insert into audited_month (table_name, month, audited_changes, row_count) values ('message', '2001-01-01', 0, 7)`,
  ],
  entry_without_account: () => [entry('topup', 1000, 0)],
  message_of_foreign_key: () => [message('key_id = 0')],
  attempt_without_message: () => [attempt(1, 'refused').replace(messageId, newId(Date.now()))],
};

test('a record of the operators can be neither changed nor deleted', async () => {
  await service.sql(insertOperatorAct('kept'));
  for (const text of [
    `update operator_audit set object = 'other'`,
    'delete from operator_audit',
    'truncate operator_audit',
  ]) {
    await assert.rejects(service.sql(text), /never changed/);
  }
});

test('the hash of a record of the operators covers everything in it', async () => {
  const rollback = new Error('rolls the changes back');
  const changing = service.ctx.db.transaction(async (tx) => {
    await tx.query(`insert into person (id, name) values ('hashed', 'Оператор')`);
    await tx.query(`insert into company (name) values ('Чужая')`);
    await tx.query(insertOperatorAct('first'));
    await tx.query('alter table operator_audit disable trigger operator_audit_is_final');
    for (const [column, other] of Object.entries({
      at: "clock_timestamp() + interval '1 second'",
      person_id: "'hashed'",
      person_name: "'Другой'",
      action: "'operator.removed'",
      object: "'second'",
      company_id: '(select min(id) from company)',
      before: `'{"a": 1}'`,
      after: `'{"a": 1}'`,
      address: "'10.0.0.1'",
      device: "'Test'",
      request_id: "'req_1'",
    })) {
      await tx.query('savepoint unchanged');
      await tx.query(`update operator_audit set ${column} = ${other} where object = 'first'`);
      const { violations } = await auditIn(tx);
      assert.equal(violations.operator_audit_was_changed, 1, column);
      await tx.query('rollback to unchanged');
    }
    throw rollback;
  });
  await assert.rejects(changing, rollback);
});

test('an audit record can be neither changed nor deleted', async () => {
  const key = await service.key();
  companyId = key.companyId;
  await service.sql(insertAuditRecord('one'));
  for (const text of [
    `update audit_record set object = 'other'`,
    'delete from audit_record',
    'truncate audit_record',
  ]) {
    await assert.rejects(service.sql(text), /never changed/);
  }
});

test('an ordinary send breaks no invariant', async () => {
  const key = await service.key();
  const sent = await service.call('/otp/send', { phone: service.phone() }, key);
  companyId = key.companyId;
  messageId = String(sent.body.message_id);
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
});

test('the money of the installation itself is in no total', async () => {
  const before = (await auditIn(service.ctx.db)).totals;
  // It has a thousand million.
  await openSystemCompany(service.ctx);
  const { balance, held } = (await auditIn(service.ctx.db)).totals;
  assert.deepEqual([balance, held], [before.balance, before.held]);
  assert(balance > 0);
});

for (const [name, statements] of Object.entries(BREAKAGES)) {
  test(`the audit detects ${name.replaceAll('_', ' ')}`, async () => {
    const rollback = new Error('rolls the planted fault back');
    const planting = service.ctx.db.transaction(async (tx) => {
      for (const statement of statements()) await tx.query(statement);
      const { violations } = await auditIn(tx);
      assert.equal(violations[name as Invariant], 1);
      throw rollback;
    });
    await assert.rejects(planting, rollback);
  });
}
