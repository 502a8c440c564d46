import type { Connection } from '../db/database.ts';
import { inSnapshot } from '../db/snapshot.ts';
import type { Sql } from '../db/sql.ts';

/**
 * What must always be true, as questions whose right answer is 0. Each counts the rows that break
 * its rule, at one moment and with the server running; a send under way is accounted for by its
 * hold.
 */
const INVARIANTS = {
  balance_is_not_sum_of_entries: `
    select count(*) from account a
    left join (select company_id, sum(amount) as total from entry group by company_id) e using (company_id)
    where a.balance <> coalesce(e.total, 0)`,

  account_is_negative: `
    select count(*) from account where balance < 0 or held < 0 or held > balance`,

  // Every opening balance of an entry is the closing balance of another one, except for the initial
  // zero and the current balance. The counts must cancel out. They need no order of the entries,
  // which would be wrong if the clock was ever set back.
  balance_chain_is_broken: `
    select count(distinct company_id) from (
      select company_id from (
        select company_id, balance_after as balance, 1 as step from entry
        union all select company_id, balance_after - amount, -1 from entry
        union all select company_id, 0, 1 from account
        union all select company_id, balance, -1 from account
      ) steps
      group by company_id, balance having sum(step) <> 0
    ) broken`,

  // In the order of their numbers, which have no gaps, each entry starts from where the one before it
  // ended. The ledger is shown and exported in this order.
  entries_are_out_of_order: `
    select count(distinct company_id) from (
      select a.company_id, a.entries, e.number, e.balance_after - e.amount as balance_before,
        lag(e.balance_after, 1, 0) over company as previous, row_number() over company as place,
        count(e.number) over (partition by a.company_id) as count
      from account a left join entry e on e.company_id = a.company_id
      window company as (partition by a.company_id order by e.number)
    ) chain
    where entries <> count or number <> place or balance_before <> previous`,

  charge_entries_differ_from_messages: `
    select count(*) from
      (select company_id, -sum(amount) as total from entry
        where kind in ('charge', 'charge_moved') group by company_id) e
    full join (select company_id, sum(charged) as total from (
        select company_id, charged from message
        union all select company_id, charged from removed_month) charges
      group by company_id) m using (company_id)
    where coalesce(e.total, 0) <> coalesce(m.total, 0)`,

  held_is_not_sum_of_holds: `
    select count(*) from account a
    full join (
      select company_id, sum(hold) as total from (
        select company_id, hold from message union all select company_id, held from broadcast
      ) h group by company_id
    ) h using (company_id)
    where coalesce(a.held, 0) <> coalesce(h.total, 0)`,

  // What keys with a cap have spent. Without the rows whose earlier spending is still being added.
  key_spend_is_not_sum_of_messages: `
    select count(*) from key_spend s
    left join (
      select company_id, key_id, almaty_month(created_at) as month, sum(charged + hold) as total
      from message where key_id in (select key_id from key_spend) group by 1, 2, 3
    ) m using (company_id, key_id, month)
    where s.is_counted and s.spent <> coalesce(m.total, 0)`,

  key_day_spend_is_not_sum_of_messages: `
    select count(*) from key_day_spend s
    left join (
      select company_id, key_id, almaty_day(created_at) as day, sum(charged + hold) as total
      from message where key_id in (select key_id from key_day_spend) group by 1, 2, 3
    ) m using (company_id, key_id, day)
    where s.is_counted and s.spent <> coalesce(m.total, 0)`,

  charged_but_not_sent: `
    select count(*) from message where charged > 0 and state <> 'sent'`,

  // A send whose caller got an error, by the request log or the stored answer, is free.
  charged_but_refused: `
    select count(*) from message m
    join (
      select company_id, message_id from request_log where status >= 500 and message_id is not null
      union
      select k.company_id, i.subject from idempotency i join api_key k on k.id = i.key_id
      where i.status >= 500
    ) refused on refused.company_id = m.company_id and refused.message_id = m.id
    where m.charged > 0`,

  test_message_took_money: `
    select count(*) from message where is_test and (charged > 0 or hold > 0)`,

  // The charge is that of an accepted attempt, and more than that of the first only if it has
  // delivered, or reports no deliveries (then nothing is pending and there is no receipt).
  charged_differs_from_price: `
    select count(*) from message m
    where m.state = 'sent' and not m.is_test and m.attempt > 1 and not exists (
      select 1 from attempt a where a.company_id = m.company_id and a.message_id = m.id
        and a.state = 'accepted' and a.price = m.charged
        and (m.charged <= (select f.price from attempt f where f.company_id = m.company_id
            and f.message_id = m.id and f.state = 'accepted' order by f.number limit 1)
          or a.receipt >= 'delivered' or a.receipt is null or a.receipt = 'unconfirmed'))`,

  // What is held for a pending price is exactly the difference.
  pending_price_is_not_held: `
    select count(*) from message where pending_price is not null
      and (state <> 'sent' or hold <> greatest(pending_price - charged, 0))`,

  // Editing a record, or deleting one between others, breaks the hash chain.
  audit_record_was_changed: `
    select count(*) from (
      select a as record, lag(a.hash) over company as before, row_number() over company as place
      from audit_record a window company as (partition by company_id order by id)
    ) chain
    where (record).id <> place or (record).hash <> audit_hash(coalesce(before, ''::bytea), record)`,

  operator_audit_was_changed: `
    select count(*) from (
      select a as record, lag(a.hash) over (order by id) as before, row_number() over (order by id) as place
      from operator_audit a
    ) chain
    where (record).id <> place or (record).hash <> operator_audit_hash(coalesce(before, ''::bytea), record)`,

  // A correction of the desk that counts as applied has its entry, and one that waits has none.
  correction_differs_from_its_entry: `
    select count(*) from correction_request r
    left join entry e on e.company_id = r.company_id and e.kind = 'correction' and e.cause = r.cause
    where (case when r.cause is null then 0 else r.amount end) <> coalesce(e.amount, 0)`,

  welcome_bonus_twice: `
    select count(*) from (select company_id from entry where kind = 'welcome_bonus'
      group by company_id having count(*) > 1) e`,

  first_topup_bonus_twice: `
    select count(*) from (select company_id from entry where kind = 'first_topup_bonus'
      group by company_id having count(*) > 1) e`,

  first_topup_bonus_without_topup: `
    select count(*) from entry b where b.kind = 'first_topup_bonus' and not exists
      (select from entry t where t.company_id = b.company_id and t.kind = 'topup')`,

  // Every payment has its entries, and the other way round.
  topup_entries_differ_from_payments: `
    select count(*) from
      (select company_id, sum(amount) filter (where kind = 'topup') as paid,
        sum(amount) filter (where kind = 'first_topup_bonus') as bonus
        from entry where kind in ('topup', 'first_topup_bonus') group by company_id) e
    full join (select company_id, sum(amount) as paid, sum(bonus) as bonus from payment group by company_id) p
      using (company_id)
    where coalesce(e.paid, 0) <> coalesce(p.paid, 0) or coalesce(e.bonus, 0) <> coalesce(p.bonus, 0)`,

  // The amount of a refund and the bonus with it left the balance, or are owed.
  refund_entries_differ_from_refunds: `
    select count(*) from
      (select company_id, -coalesce(sum(amount) filter (where kind <> 'refund_refused'), 0) as taken,
        coalesce(sum(amount) filter (where kind = 'refund_refused'), 0) as returned
        from entry where kind in ('refund', 'bonus_taken_back', 'refund_refused') group by company_id) e
    full join (select company_id, sum(taken) as taken,
        coalesce(sum(amount + bonus - debt_cancelled) filter (where state = 'refused'), 0) as returned
        from refund group by company_id) r
      using (company_id)
    where coalesce(e.taken, 0) <> coalesce(r.taken, 0) or coalesce(e.returned, 0) <> coalesce(r.returned, 0)`,

  debt_is_not_what_is_owed: `
    select count(*) from account a
    left join (select company_id, sum(owed - debt_cancelled) as owed from refund group by company_id) r using (company_id)
    left join (select company_id, -sum(amount) as paid from entry where kind = 'debt_paid' group by company_id) e
      using (company_id)
    where a.debt <> coalesce(r.owed, 0) - coalesce(e.paid, 0)`,

  refunded_is_not_sum_of_refunds: `
    select count(*) from payment p
    left join (select payment_id, sum(amount) as total from refund where state <> 'refused' group by payment_id) r
      on r.payment_id = p.id
    where p.refunded <> coalesce(r.total, 0)`,

  receipt_number_is_missing: `
    select n.last - count(p.*) filter (where p.receipt_number <= n.last)
      + count(p.*) filter (where p.receipt_number > n.last) as count
    from paper_number n left join payment p on true where n.kind = 'receipt' group by n.last`,

  act_number_is_missing: `
    select n.last - count(a.*) filter (where a.number <= n.last) + count(a.*) filter (where a.number > n.last) as count
    from paper_number n left join act a on true where n.kind = 'act' group by n.last`,

  // From the opening balance of an act its rows lead to the closing one.
  act_balance_does_not_add_up: `
    select count(*) from act a cross join lateral (select a.content::jsonb as c) j
    where (c->'balance'->>'opening')::bigint - (c->>'total')::bigint + coalesce((select sum(value::bigint)
      from jsonb_each_text(c->'balance'->'moves')), 0) <> (c->'balance'->>'closing')::bigint`,

  // An act of a month says what the ledger has charged in it.
  act_differs_from_ledger: `
    select count(*) from act a cross join lateral (select a.content::jsonb as c) j
    where (c->>'total')::bigint <> -coalesce((select sum(e.amount) from entry e where e.company_id = a.company_id
      and e.kind in ('charge', 'charge_moved') and e.created_at >= (c->>'from')::timestamptz
      and e.created_at < (c->>'to')::timestamptz), 0)`,

  order_state_differs_from_payments: `
    select count(*) from payment_order o
    where (o.state = 'paid') <> exists (select from payment p where p.order_id = o.id)`,

  payment_of_foreign_order: `
    select count(*) from payment p join payment_order o on o.id = p.order_id where o.company_id <> p.company_id`,

  // Every moment has a price for everything.
  common_price_is_missing: `
    select count(*) from unnest(array['whatsapp', 'telegram', 'sms', 'group']) as priced(item)
    where not exists (select from price_version v where v.item = priced.item and v.company_id is null
      and v.valid_from <= 'epoch' and not exists (select from price_withdrawal w where w.version_id = v.id))`,

  price_was_withdrawn_after_it_held: `
    select count(*) from price_withdrawal w join price_version v on v.id = w.version_id
    where w.withdrawn_at >= v.valid_from`,

  sender_name_is_not_registered: `
    select count(*) from company c where c.sender_name is not null and not exists
      (select from sender_name s where s.name = c.sender_name)`,

  hold_is_stale: `
    select count(*) from message m
    where m.hold > 0 and m.created_at < clock_timestamp() - interval '5 minutes' and not exists
      (select from attempt a where a.company_id = m.company_id and a.message_id = m.id
        and a.started_at >= clock_timestamp() - interval '5 minutes')`,

  message_sending_is_stale: `
    select count(*) from message
    where state = 'sending' and created_at < clock_timestamp() - interval '5 minutes'`,

  attempt_sending_is_stale: `
    select count(*) from attempt
    where state = 'sending' and started_at < clock_timestamp() - interval '5 minutes'`,

  channel_accepted_twice: `
    select count(*) from (select 1 from attempt where state = 'accepted'
      group by company_id, message_id, channel having count(*) > 1) a`,

  code_kept_past_its_life: `
    select count(*) from code
    where sealed is not null and expires_at < clock_timestamp() - interval '2 minutes'`,

  link_without_company: `
    select count(*) from link l where not exists (select from company c where c.id = l.company_id)`,

  entry_without_account: `
    select count(*) from entry e where not exists
      (select from account a where a.company_id = e.company_id)`,

  message_of_foreign_key: `
    select count(*) from message m left join api_key k on k.id = m.key_id
    where k.company_id is distinct from m.company_id`,

  attempt_without_message: `
    select count(*) from attempt a where not exists
      (select from message m where m.company_id = a.company_id and m.id = a.message_id)`,
} as const;

// The installation's own company pays for sign-ins; its balance is no customer's. The driver returns a
// bigint as text. Sums of tokens stay far below what a double holds exactly.
const TOTALS = `
  select (select count(*) from company)::double precision as companies,
    ((select count(*) from message)
      + (select coalesce(sum(messages), 0) from removed_month))::double precision as messages,
    ((select coalesce(sum(charged), 0) from message)
      + (select coalesce(sum(charged), 0) from removed_month))::double precision as charged,
    (select coalesce(sum(balance), 0) from account where company_id is distinct from own.id)::double precision as balance,
    (select coalesce(sum(held), 0) from account where company_id is distinct from own.id)::double precision as held,
    (select coalesce(sum(debt), 0) from account)::double precision as debt,
    (select coalesce(sum(amount - refunded), 0) from payment)::double precision as paid
  from (select (select value::bigint from installation where name = 'system_company') as id) own`;

export type Invariant = keyof typeof INVARIANTS;
export type AuditTotals = {
  companies: number;
  messages: number;
  charged: number;
  balance: number;
  held: number;
  /** Owed by companies after refunds. */
  debt: number;
  /** Payments without what was refunded. */
  paid: number;
};
export type Audit = { violations: Record<Invariant, number>; totals: AuditTotals };

/** Counts the violations of each invariant, all in one snapshot. */
export async function readAudit(connection: Connection): Promise<Audit> {
  return await inSnapshot(connection, async (sql) => {
    // Blocks the removal of old months meanwhile: removed rows vanish from a snapshot as well.
    await sql.query('lock table message, attempt in access share mode');
    return await auditIn(sql);
  });
}

/** The same, inside a transaction that is already open. */
export async function auditIn(sql: Sql): Promise<Audit> {
  const violations: Partial<Record<Invariant, number>> = {};
  for (const [name, question] of Object.entries(INVARIANTS)) {
    const rows = await sql.query<{ count: string }>(question);
    violations[name as Invariant] = Number(rows[0]?.count);
  }
  const [totals] = await sql.query<AuditTotals>(TOTALS);
  return { violations: violations as Record<Invariant, number>, totals: totals as AuditTotals };
}
