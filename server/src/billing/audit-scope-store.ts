import type { Sql } from '../db/sql.ts';

/** A table that grows without end, and is audited by months. */
export type AuditedTable = 'message' | 'entry';

/** A month as its first day: `2026-09-01`. */
export type AuditedMonth = { table_name: AuditedTable; month: string };

/** What one audit reads of the tables that grow. */
export type AuditScope = {
  /** A condition on a column with the id of a message. */
  messages(column: string): string;
  /** The same, for the cause of an entry. */
  entries(column: string): string;
  /** No message in the scope is older; of what a message leaves elsewhere, the audit reads no older. */
  since: string;
};

/** Beside the months whose sums are stored: all others. */
export async function readOpenScope(sql: Sql): Promise<AuditScope> {
  const audited = await listAuditedMonths(sql);
  const monthsOf = (table: AuditedTable) =>
    audited.filter(({ table_name }) => table_name === table).map(({ month }) => month);
  const [row] = await sql.query<{ since: string }>(
    `select coalesce(min(partition_month(c.relname))::text, '-infinity') as since
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'message'::regclass and partition_month(c.relname)::text <> all ($1::text[])`,
    [monthsOf('message')],
  );
  const [messages, entries] = [monthsOf('message'), monthsOf('entry')];
  return {
    messages: (column) => `not ${inMonths(column, messages)}`,
    entries: (column) => `not ${inMonths(column, entries)}`,
    since: messages.length === 0 ? '-infinity' : (row?.since ?? '-infinity'),
  };
}

/** One month of messages alone. */
export function scopeOfMonth(month: string): AuditScope {
  return {
    messages: (column) => inMonths(column, [month]),
    entries: () => 'false',
    since: month,
  };
}

/**
 * Literals, by which the planner leaves out the partitions of other months. Months that follow on
 * each other are one range: every row that is read is compared with all of them.
 */
export function inMonths(column: string, months: readonly string[]): string {
  const ranges = joinMonths(months).map(
    ({ first, end }) =>
      `${column} >= uuid_at('${first} 00:00Z') and ${column} < uuid_at('${end} 00:00Z')`,
  );
  return ranges.length === 0 ? '(false)' : `(${ranges.map((range) => `(${range})`).join(' or ')})`;
}

/** Both are first days of months; the end is the month after the last one. */
type MonthRange = { first: string; end: string };

function joinMonths(months: readonly string[]): MonthRange[] {
  const ranges: MonthRange[] = [];
  for (const month of months) {
    const last = ranges.at(-1);
    if (last?.end === month) last.end = monthAfter(month);
    else ranges.push({ first: month, end: monthAfter(month) });
  }
  return ranges;
}

function monthAfter(month: string): string {
  const date = new Date(month);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return date.toISOString().slice(0, 10);
}

/** Months whose stored sums hold, oldest first. */
export async function listAuditedMonths(sql: Sql): Promise<AuditedMonth[]> {
  return await sql.query<AuditedMonth>(
    `select table_name, month::text as month from audited_month where audited_changes = changes
     order by month, table_name`,
  );
}
