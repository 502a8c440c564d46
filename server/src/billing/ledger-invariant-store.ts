import type { AuditScope } from './audit-scope-store.ts';

/** Rules of the ledger, and of what is summed over messages. */
export const ledgerInvariants = ({ messages, entries, since }: AuditScope) => {
  // The ledger in pieces that follow on each other: an entry each, and a run of an audited month.
  const pieces = `
    select company_id, first_number, last_number, opening, closing, charged from audited_entries
    where month in (select month from audited_month
      where table_name = 'entry' and audited_changes = changes)
    union all
    select company_id, number, number, balance_after - amount, balance_after,
      case when kind in ('charge', 'charge_moved') then amount else 0 end
    from entry where ${entries('cause')}`;
  return {
    balance_is_not_sum_of_entries: `
      select count(*) from account a
      left join (select company_id, sum(closing - opening) as total from (${pieces}) p group by company_id) e
        using (company_id)
      where a.balance <> coalesce(e.total, 0)`,

    account_is_negative: `
      select count(*) from account where balance < 0 or held < 0 or held > balance`,

    // Every opening balance of an entry is the closing balance of another one, except for the initial
    // zero and the current balance. The counts must cancel out. They need no order of the entries,
    // which would be wrong if the clock was ever set back.
    balance_chain_is_broken: `
      with pieces as materialized (${pieces})
      select count(distinct company_id) from (
        select company_id from (
          select company_id, closing as balance, 1 as step from pieces
          union all select company_id, opening, -1 from pieces
          union all select company_id, 0, 1 from account
          union all select company_id, balance, -1 from account
        ) steps
        group by company_id, balance having sum(step) <> 0
      ) broken`,

    // In the order of their numbers, which have no gaps, each entry starts from where the one before it
    // ended. The ledger is shown and exported in this order.
    entries_are_out_of_order: `
      select count(distinct company_id) from (
        select a.company_id, a.entries, p.first_number, p.opening,
          lag(p.last_number, 1, 0::bigint) over company as last_before,
          lag(p.closing, 1, 0::bigint) over company as closed_before,
          coalesce(sum(p.last_number - p.first_number + 1) over (partition by a.company_id), 0) as count
        from account a left join (${pieces}) p on p.company_id = a.company_id
        window company as (partition by a.company_id order by p.first_number)
      ) chain
      where entries <> count or first_number <> last_before + 1 or opening <> closed_before`,

    charge_entries_differ_from_messages: `
      select count(*) from
        (select company_id, -sum(charged) as total from (${pieces}) p group by company_id) e
      full join (select company_id, sum(charged) as total from (
          select company_id, charged from message where ${messages('id')}
          union all select company_id, charged from audited_messages
            where month in (select month from audited_month
              where table_name = 'message' and audited_changes = changes)
          union all select company_id, charged from removed_month) charges
        group by company_id) m using (company_id)
      where coalesce(e.total, 0) <> coalesce(m.total, 0)`,

    // Nothing is held in an audited month.
    held_is_not_sum_of_holds: `
      select count(*) from account a
      full join (
        select company_id, sum(hold) as total from (
          select company_id, hold from message where ${messages('id')}
          union all select company_id, held from broadcast
        ) h group by company_id
      ) h using (company_id)
      where coalesce(a.held, 0) <> coalesce(h.total, 0)`,

    // What keys with a cap have spent. Without the rows whose earlier spending is still being added. A
    // month of Almaty begins some hours before that of the ids.
    key_spend_is_not_sum_of_messages: `
      select count(*) from key_spend s
      left join (
        select company_id, key_id, almaty_month(created_at) as month, sum(charged + hold) as total
        from message where key_id in (select key_id from key_spend)
          and id >= uuid_at(greatest('${since}', '1970-01-02')::timestamptz - interval '6 hours')
        group by 1, 2, 3
      ) m using (company_id, key_id, month)
      where s.is_counted and s.month >= '${since}' and s.spent <> coalesce(m.total, 0)`,

    key_day_spend_is_not_sum_of_messages: `
      select count(*) from key_day_spend s
      left join (
        select company_id, key_id, almaty_day(created_at) as day, sum(charged + hold) as total
        from message where key_id in (select key_id from key_day_spend)
          and id >= uuid_at(greatest('${since}', '1970-01-02')::timestamptz - interval '6 hours')
        group by 1, 2, 3
      ) m using (company_id, key_id, day)
      where s.is_counted and s.day >= '${since}' and s.spent <> coalesce(m.total, 0)`,

    // Of months in the scope, and of those whose act was made after their audit.
    act_differs_from_ledger: `
      select count(*) from act a cross join lateral (select a.content::jsonb as c) j
      where (a.month >= '${since}' or a.created_at >= (select max(audited_at) from audited_month))
        and (c->>'total')::bigint <> -coalesce((select sum(e.amount) from entry e where e.company_id = a.company_id
        and e.kind in ('charge', 'charge_moved') and e.created_at >= (c->>'from')::timestamptz
        and e.created_at < (c->>'to')::timestamptz), 0)`,

    entry_without_account: `
      select count(*) from (${pieces}) e where not exists
        (select from account a where a.company_id = e.company_id)`,

    // The sums of audited months are those of their rows.
    audited_sums_were_changed: `
      select count(*) from audited_month a
      where a.audited_changes = a.changes and a.row_count <> case a.table_name
        when 'message' then (select coalesce(sum(messages), 0) from audited_messages m where m.month = a.month)
        else (select coalesce(sum(last_number - first_number + 1), 0) from audited_entries e where e.month = a.month) end`,
  } as const;
};
