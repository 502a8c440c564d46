import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import { type Pages, tidsOf } from './upkeep-store.ts';

/** A monthly partition; its name ends with the month, as `make_partition` gives it. */
export type Month = { name: string; month: string };

/** The months of a table that ended more than so many days ago, oldest first. */
export async function listOldMonths(sql: Sql, table: string, days: number): Promise<Month[]> {
  return await sql.query<Month>(
    `select name, month::text as month
     from (select c.relname::text as name, partition_month(c.relname) as month
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass) months
     where (month + interval '1 month')::timestamp at time zone 'UTC' <= now() - make_interval(days => $2)
     order by month`,
    [table, days],
  );
}

/** Makes the messages of this month read-only: see keep_month_closed. */
export async function closeMonth(sql: Sql, { name }: Month): Promise<void> {
  await sql.query(`create or replace trigger month_is_closed before insert or update or delete
    on ${name} for each row execute function keep_month_closed()`);
}

export async function reopenMonth(sql: Sql, { name }: Month): Promise<void> {
  await sql.query(`drop trigger month_is_closed on ${name}`);
}

export type MonthSum = {
  company_id: CompanyId;
  messages: number;
  charged: number;
  /** Messages that are still being sent, or have tokens on hold. */
  open: number;
};

/** The cost of the messages on some pages of a month, per company. */
export async function sumMessages(sql: Sql, { name }: Month, pages: Pages): Promise<MonthSum[]> {
  return await sql.query<MonthSum>(
    `select company_id, count(*)::bigint as messages, sum(charged)::bigint as charged,
       count(*) filter (where hold > 0 or state = 'sending')::bigint as open
     from ${name} where ctid >= $1::tid and ctid < $2::tid group by company_id`,
    tidsOf(pages),
  );
}

/**
 * Drops a month of messages with its attempts, and records what it cost. Every send waits for these
 * table locks, so nothing else is done here.
 */
export async function dropMessages(
  tx: Transaction,
  { name, month }: Month,
  sums: readonly MonthSum[],
): Promise<void> {
  await tx.query('lock table message, attempt, sms_attempt in access exclusive mode');
  await tx.query(
    `insert into removed_month (company_id, month, messages, charged)
     select s.company_id, $1, s.messages, s.charged
     from jsonb_to_recordset($2) as s(company_id bigint, messages bigint, charged bigint)`,
    [month, JSON.stringify(sums)],
  );
  // What the audits of the month have stored is now in removed_month.
  await tx.query('delete from audited_messages where month = $1', [month]);
  await tx.query(`delete from audited_month where table_name = 'message' and month = $1`, [month]);
  const partitionOf = (table: string) => name.replace('message', table);
  // A month before the first SMS attempts were kept has no partition of them.
  await tx.query(`drop table if exists ${partitionOf('sms_attempt')}`);
  await tx.query(`drop table ${name}, ${partitionOf('attempt')}`);
}

export async function dropMonth(sql: Sql, { name }: Month): Promise<void> {
  await sql.query(`drop table ${name}`);
}

export type ClickedLink = { company_id: CompanyId; slug_key: string };

/**
 * Links with clicks in a month, in order, after a cursor; and whether the clicks of the month are
 * already added up.
 */
export async function listClickedLinks(
  sql: Sql,
  { name, month }: Month,
  page: { after: ClickedLink | undefined; rowsMax: number },
): Promise<(ClickedLink & { is_added_up: boolean })[]> {
  return await sql.query(
    `select c.company_id, c.slug_key,
       coalesce(l.clicks_until >= ($4::date + interval '1 month')::timestamp at time zone 'UTC', false)
         as is_added_up
     from (select company_id, slug_key from ${name} where (company_id, slug_key) > ($1, $2)
       group by company_id, slug_key order by company_id, slug_key limit $3) as c
     left join link l on l.slug_key = c.slug_key
     order by c.company_id, c.slug_key`,
    [page.after?.company_id ?? 0, page.after?.slug_key ?? '', page.rowsMax, month],
  );
}
