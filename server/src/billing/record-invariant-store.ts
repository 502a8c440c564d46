/** Rules of what grows with companies and payments, and not with sends; each is asked in whole. */
export const RECORD_INVARIANTS = {
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

  code_kept_past_its_life: `
    select count(*) from code
    where sealed is not null and expires_at < clock_timestamp() - interval '2 minutes'`,

  link_without_company: `
    select count(*) from link l where not exists (select from company c where c.id = l.company_id)`,
} as const;
