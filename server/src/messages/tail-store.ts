import type { Sql } from '../db/sql.ts';
import { type CompanyId, lowestIdAt } from '../ids.ts';

/** A call that became a message, or one that did not. */
export type TailRow = {
  id: string;
  at: Date;
  path: string;
  /** The state of the message, or the status of the call. */
  result: string;
  isFailed: boolean;
  detail: string | null;
  phone: string | null;
  channel: string | null;
};

const ROWS_MAX = 1_000;

/** What a company has called since then, the oldest first; the newest rows if there are many. */
export async function readTail(
  sql: Sql,
  companyId: CompanyId,
  { since, keyId }: { since: Date; keyId: number | undefined },
): Promise<TailRow[]> {
  const rows = await sql.query<TailRow>(
    `(select m.id::text as id, m.created_at as at, m.kind::text as path,
        coalesce(nullif(m.receipt::text, 'unconfirmed'), m.state::text) as result,
        m.state in ('failed', 'unknown') or m.receipt is not distinct from 'failed' as "isFailed", m.reason as detail,
        case when m.kind <> 'group' then '+' || overlay(m.recipient::text placing '***' from
          length(m.recipient::text) - 6 for 3) end as phone, m.channel::text as channel
      from message m where m.company_id = $1 and m.id >= $2 and ($4::bigint is null or m.key_id = $4)
      order by m.id desc limit ${ROWS_MAX})
     union all
     (select l.request_id, l.at, l.path, l.status::text, l.status >= 400, l.error_code, l.phone, l.channel
      from request_log l where l.company_id = $1 and l.at >= $3 and ($4::bigint is null or l.key_id = $4)
      order by l.at desc limit ${ROWS_MAX})
     order by at`,
    [companyId, lowestIdAt(since.getTime()), since, keyId ?? null],
  );
  return rows;
}
