import type { Sql } from '../db/sql.ts';
import { lowestIdAt } from '../ids.ts';

export type InstallationCounts = {
  companies: number;
  suspendedCompanies: number;
  balance: number;
  held: number;
  debt: number;
  sendsToday: number;
  ordersToConfirm: number;
  refundsUnderWay: number;
  unhandledNotices: number;
};

/**
 * Counts over all companies but that of the installation itself. Messages are counted company by
 * company: their index begins with it, and this month has many more rows than this day.
 */
export async function countInstallation(sql: Sql, today: Date): Promise<InstallationCounts> {
  const [row] = await sql.query<InstallationCounts>(
    `with customer as (
       select c.id, c.suspended_at, a.balance, a.held, a.debt from company c join account a on a.company_id = c.id
       where c.id is distinct from (select value::bigint from installation where name = 'system_company')
     ), total as (
       select count(*) as companies, count(suspended_at) as suspended, coalesce(sum(balance), 0) as balance,
         coalesce(sum(held), 0) as held, coalesce(sum(debt), 0) as debt
       from customer
     )
     select companies::integer, suspended::integer as "suspendedCompanies", balance::double precision,
       held::double precision, debt::double precision,
       (select coalesce(sum(sends), 0) from customer c cross join lateral (
          select count(*) as sends from message m where m.company_id = c.id and m.id >= $1 and not m.is_test
        ) today)::integer as "sendsToday",
       (select count(*) from payment_order where state = 'manual')::integer as "ordersToConfirm",
       (select count(*) from refund where state = 'asked')::integer as "refundsUnderWay",
       (select count(*) from payment_notice where handled_at is null)::integer as "unhandledNotices"
     from total`,
    [lowestIdAt(today.getTime())],
  );
  return row as InstallationCounts;
}
