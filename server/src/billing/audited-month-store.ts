import type { Connection } from '../db/connection.ts';
import type { Transaction } from '../db/database.ts';
import { inSnapshot } from '../db/snapshot.ts';
import type { Sql } from '../db/sql.ts';
import {
  type AuditedMonth,
  type AuditedTable,
  inMonths,
  listAuditedMonths,
  scopeOfMonth,
} from './audit-scope-store.ts';
import { countEach } from './invariant-store.ts';
import { messageInvariants } from './message-invariant-store.ts';

/** Months that ended so many days ago and have no stored sums that hold, oldest first. */
export async function listMonthsToAudit(sql: Sql, days: number): Promise<AuditedMonth[]> {
  return await sql.query<AuditedMonth>(
    `select p.table_name, p.month::text as month
     from (select i.inhparent::regclass::text as table_name, partition_month(c.relname) as month
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent in ('message'::regclass, 'entry'::regclass)) p
     left join audited_month a on a.table_name = p.table_name and a.month = p.month
     where (p.month + interval '1 month')::timestamp at time zone 'UTC' <= now() - make_interval(days => $1)
       and a.audited_changes is distinct from coalesce(a.changes, 0)
     order by p.month, p.table_name`,
    [days],
  );
}

/** From now on every change of the month is counted. */
export async function watchMonth(sql: Sql, { table_name, month }: AuditedMonth): Promise<void> {
  await sql.query('select watch_month(p_table => $1, p_month => $2)', [table_name, month]);
}

/**
 * Checks a watched month and stores its sums, in a transaction that sees one moment. A change that
 * commits meanwhile makes it fail: both write the row of the month. Returns the rules that the month
 * breaks; then nothing is stored, and audits go on reading its rows.
 */
export async function storeAudited(tx: Transaction, audited: AuditedMonth): Promise<string[]> {
  const { table_name, month } = audited;
  await tx.query('set transaction isolation level repeatable read');
  const [lock] = await tx.query<{ is_free: boolean }>(
    'select pg_try_advisory_xact_lock(hashtext($1)) as is_free',
    ['zhiber audited months'],
  );
  if (lock?.is_free !== true) return ['audited_by_another_node'];
  const broken = await breaksOf(tx, audited);
  if (broken.length > 0) return broken;
  const { sumsInto, sums, rows } = PARTS[table_name];
  await tx.query(`delete from ${sumsInto} where month = $1`, [month]);
  await tx.query(`insert into ${sumsInto} ${sums(month)}`);
  await tx.query(
    `update audited_month a set audited_changes = changes, audited_at = clock_timestamp(), row_count = r.row_count,
       hash = r.hash
     from (${rows(month)}) r where a.table_name = $1 and a.month = $2`,
    [table_name, month],
  );
  return [];
}

export type MonthAudit = AuditedMonth & { broken: string[] };

/** Audits the rows of months again whose sums are stored: each in a snapshot of its own. */
export async function auditMonthsAgain(
  connection: Connection,
  month: string | undefined,
): Promise<MonthAudit[]> {
  const all = await inSnapshot(connection, listAuditedMonths);
  const done: MonthAudit[] = [];
  for (const audited of all.filter((one) => month === undefined || one.month === month)) {
    const broken = await inSnapshot(connection, (sql) => auditAgain(sql, audited));
    done.push({ ...audited, broken });
  }
  return done;
}

/** The rules of single messages, which need no look at other months; and whether anything is under way. */
async function breaksOf(sql: Sql, { table_name, month }: AuditedMonth): Promise<string[]> {
  if (table_name === 'entry') return [];
  const counts = await countEach(sql, {
    ...messageInvariants(scopeOfMonth(month)),
    message_is_open: `select count(*) from message where (hold > 0 or state = 'sending')
      and ${inMonths('id', [month])}`,
  });
  return Object.keys(counts).filter((name) => counts[name as keyof typeof counts] > 0);
}

/** What is wrong with an audited month, from its rows; empty when they are what was audited. */
async function auditAgain(sql: Sql, audited: AuditedMonth): Promise<string[]> {
  const { table_name, month } = audited;
  const { sumsInto, sums, rows } = PARTS[table_name];
  const [row] = await sql.query<{ is_same: boolean }>(
    `select (a.row_count, a.hash) is not distinct from (r.row_count, r.hash)
       and not exists ((${sums(month)}) except select * from ${sumsInto} where month = a.month)
       and not exists (select * from ${sumsInto} where month = a.month except (${sums(month)})) as is_same
     from audited_month a, (${rows(month)}) r where a.table_name = $1 and a.month = $2`,
    [table_name, month],
  );
  const broken = await breaksOf(sql, audited);
  return row?.is_same === true ? broken : [...broken, 'audited_month_was_changed'];
}

/** A number for a row, the same on every machine and version; the sum does not depend on the order. */
const hashOf = (...columns: string[]) =>
  `coalesce(sum(('x' || left(md5(concat_ws(' ', ${columns.join(', ')})), 15))::bit(60)::bigint), 0)`;

type Parts = {
  sumsInto: string;
  /** Per company, in the columns of `sumsInto`. */
  sums(month: string): string;
  rows(month: string): string;
};

const PARTS: Readonly<Record<AuditedTable, Parts>> = {
  message: {
    sumsInto: 'audited_messages',
    sums: (month) =>
      `select '${month}'::date, company_id, count(*)::bigint, sum(charged)::bigint
     from message where ${inMonths('id', [month])} group by company_id`,
    rows: (month) =>
      `select count(*) as row_count, ${hashOf(
        'company_id',
        'id',
        'key_id',
        'recipient',
        'is_test',
        'state',
        'attempt',
        'charged',
        `coalesce(pending_price, -1)`,
        'extract(epoch from created_at)',
      )} as hash from message where ${inMonths('id', [month])}`,
  },
  entry: {
    sumsInto: 'audited_entries',
    // A run ends where a number or a balance does not follow.
    sums: (month) =>
      `select '${month}'::date, company_id, min(number), max(number),
       max(balance_after - amount) filter (where is_start),
       max(balance_after - amount) filter (where is_start) + sum(amount)::bigint,
       coalesce(sum(amount) filter (where kind in ('charge', 'charge_moved')), 0)::bigint
     from (
       select *, count(*) filter (where is_start) over (partition by company_id order by number) as run
       from (
         select company_id, number, kind, amount, balance_after,
           (number = lag(number) over company + 1 and balance_after - amount = lag(balance_after) over company)
             is not true as is_start
         from entry where ${inMonths('cause', [month])} window company as (partition by company_id order by number)
       ) placed
     ) runs group by company_id, run`,
    rows: (month) =>
      `select count(*) as row_count, ${hashOf(
        'company_id',
        'number',
        'kind',
        'cause',
        'amount',
        'messages',
        'balance_after',
        'extract(epoch from created_at)',
      )} as hash from entry where ${inMonths('cause', [month])}`,
  },
};
