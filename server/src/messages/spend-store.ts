import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, lowestIdAt, type MessageId, type MessageKind } from '../ids.ts';
import { ROWS_PER_STATEMENT } from './count-store.ts';
import type { HourSpan } from './stale-hours.ts';

/** What messages cost. A null purpose stands for links and groups, and for the rest of the codes. */
export type SpendSum = { kind: MessageKind; purpose: string | null; charged: number };
export type SpendHour = SpendSum & { hour: Date };

/**
 * A purpose is any text that a caller of the API chose. Of each hour the largest are counted apart,
 * so that a different purpose with every message does not fill the table.
 */
export const PURPOSES_PER_HOUR_MAX = 50;

/** Sums the charges of the messages of some hours, by purpose; `hour` is which hour, from 0. */
export async function countSpend(
  sql: Sql,
  companyId: CompanyId,
  span: HourSpan,
): Promise<(SpendSum & { hour: number })[]> {
  const edges = span.map((edge) => lowestIdAt(edge.getTime()));
  const counted: (SpendSum & { hour: number })[] = [];
  let after = edges[0] as MessageId | null;
  while (after !== null) {
    const rows: (SpendSum & { hour: number; last_id: MessageId | null })[] = await sql.query(
      `with page as materialized (
         select m.id, m.kind, m.purpose, m.charged from message m
         where m.company_id = $1 and m.id > $4 and m.id < $3 order by m.id limit $5
       ), sums as (
         select width_bucket(m.id, $2::uuid[]) - 1 as hour, m.kind, m.purpose, sum(m.charged) as charged
         from page m group by 1, 2, 3
       ), ranked as (
         select s.*, row_number() over (partition by s.hour, s.kind order by s.charged desc) as place from sums s
       )
       select hour, kind, case when place <= $6 then purpose end as purpose, sum(charged)::bigint as charged,
         -- Null when the page is not full: there are no more.
         (select p.id from page p offset $5 - 1 limit 1) as last_id
       from ranked group by 1, 2, 3`,
      [companyId, edges, edges.at(-1), after, ROWS_PER_STATEMENT, PURPOSES_PER_HOUR_MAX],
    );
    counted.push(...rows.filter(({ charged }) => charged > 0));
    after = rows[0]?.last_id ?? null;
  }
  return counted;
}

export async function insertSpend(
  tx: Transaction,
  companyId: CompanyId,
  rows: readonly SpendHour[],
): Promise<void> {
  await tx.query(
    `insert into spend_hour (company_id, hour, kind, purpose, charged)
     select $1, s.* from jsonb_to_recordset($2) as s(hour timestamptz, kind message_kind, purpose text, charged bigint)`,
    [companyId, JSON.stringify(rows)],
  );
}

export async function sumSpend(
  sql: Sql,
  companyId: CompanyId,
  span: { from: Date; until: Date },
): Promise<SpendSum[]> {
  return await sql.query<SpendSum>(
    `select kind, purpose, sum(charged)::bigint as charged from spend_hour
     where company_id = $1 and hour >= $2 and hour < $3 group by 1, 2`,
    [companyId, span.from, span.until],
  );
}
