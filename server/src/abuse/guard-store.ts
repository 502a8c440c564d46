import { PUMPING_WINDOW_MINUTES } from '@zhiber/contract/api/limits.ts';
import type { GuardMode } from '../config/values.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { MinuteCount } from './pumping.ts';
import type { Concern, Stream } from './stream.ts';
import type { Codes } from './suspicion.ts';

/** Adds the counts of one node to the current minute. */
export async function addCounts(sql: Sql, counts: readonly (Stream & Codes)[]): Promise<void> {
  await sql.query(
    `insert into guard_count as c (minute, company_id, prefix, sent, verified)
     select date_trunc('minute', statement_timestamp()), i.company, i.prefix, i.sent, i.verified
     from unnest($1::bigint[], $2::text[], $3::integer[], $4::integer[])
       as i(company, prefix, sent, verified)
     -- Nodes that write at once take the rows in the same order.
     order by i.company, i.prefix
     on conflict (minute, company_id, prefix) do update set
       sent = c.sent + excluded.sent, verified = c.verified + excluded.verified`,
    [
      counts.map((item) => item.companyId),
      counts.map((item) => item.prefix),
      counts.map((item) => item.sent),
      counts.map((item) => item.verified),
    ],
    'add-guard-counts',
  );
}

type CountRow = {
  now: number;
  company_id: CompanyId | null;
  prefix: string;
  minute: number;
  sent: number;
  verified: number;
};

/** The counts of all nodes from a minute on, and the current minute. */
export async function readCounts(
  sql: Sql,
  fromMinute: number,
): Promise<{ now: number; counts: MinuteCount[] }> {
  const rows = await sql.query<CountRow>(
    `select n.now, c.company_id, c.prefix, floor(extract(epoch from c.minute) / 60)::bigint as minute,
       c.sent, c.verified
     from (select floor(extract(epoch from statement_timestamp()) / 60)::bigint as now) n
     left join guard_count c on c.minute >= to_timestamp($1::bigint * 60)
       and c.minute > statement_timestamp() - interval '${PUMPING_WINDOW_MINUTES} minutes'`,
    [fromMinute],
    'read-guard-counts',
  );
  const counts = rows.flatMap(({ company_id: companyId, prefix, minute, sent, verified }) =>
    companyId === null ? [] : [{ companyId, prefix, minute, sent, verified }],
  );
  return { now: rows[0]?.now ?? fromMinute, counts };
}

const ACTIONS: Readonly<Record<GuardMode, GuardAction>> = { record: 'recorded', block: 'blocked' };
export type GuardAction = 'recorded' | 'blocked';

/** One row per company, prefix and minute, however many sends and nodes it concerns. */
export async function addDecisions(sql: Sql, concerns: readonly Concern[]): Promise<void> {
  await sql.query(
    `insert into guard_decision as d
       (minute, company_id, prefix, sent, verified, bound, action, sends, probes)
     select date_trunc('minute', statement_timestamp()), i.company, i.prefix, i.sent, i.verified,
       i.bound, i.action::guard_action, i.sends, i.probes
     from unnest($1::bigint[], $2::text[], $3::integer[], $4::integer[], $5::float8[],
       $6::integer[], $7::integer[], $8::text[])
       as i(company, prefix, sent, verified, bound, sends, probes, action)
     order by i.company, i.prefix
     on conflict (minute, company_id, prefix) do update set
       sent = excluded.sent, verified = excluded.verified, bound = excluded.bound,
       action = excluded.action, sends = d.sends + excluded.sends,
       probes = d.probes + excluded.probes`,
    [
      concerns.map((item) => item.companyId),
      concerns.map((item) => item.prefix),
      concerns.map((item) => item.sent),
      concerns.map((item) => item.verified),
      concerns.map((item) => item.bound),
      concerns.map((item) => item.sends),
      concerns.map((item) => item.probes),
      concerns.map((item) => ACTIONS[item.mode]),
    ],
    'add-guard-decisions',
  );
}

export type GuardDecision = Codes & {
  company_id: CompanyId;
  prefix: string;
  window_from: Date;
  window_to: Date;
  bound: number;
  action: GuardAction;
  sends: number;
  probes: number;
};

/** Newest first, of one company or of all. */
export async function listDecisions(
  sql: Sql,
  { companyId, max }: { companyId: CompanyId | undefined; max: number },
): Promise<GuardDecision[]> {
  return await sql.query<GuardDecision>(
    `select company_id, prefix, minute - interval '${PUMPING_WINDOW_MINUTES - 1} minutes' as window_from,
       minute + interval '1 minute' as window_to, sent, verified, bound, action, sends, probes
     from guard_decision where $1::bigint is null or company_id = $1
     order by minute desc, company_id, prefix limit $2`,
    [companyId ?? null, max],
  );
}
