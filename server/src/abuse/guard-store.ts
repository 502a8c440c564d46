import { PUMPING_WINDOW_MINUTES } from '@zhiber/contract/api/limits.ts';
import type { GuardMode } from '../config/values.ts';
import type { Transaction } from '../db/database.ts';
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

/** Adds the codes of customers to the sums of a day in Almaty, `2026-11-15`. */
export async function addCodesOfDay(
  sql: Sql,
  day: string,
  counts: readonly (Stream & Codes)[],
): Promise<void> {
  await sql.query(
    `insert into code_day as d (day, prefix, sent, verified)
     select $1, i.prefix, sum(i.sent), sum(i.verified)
     from unnest($2::bigint[], $3::text[], $4::integer[], $5::integer[])
       as i(company, prefix, sent, verified)
     where i.company is distinct from (select value::bigint from installation where name = 'system_company')
     group by i.prefix order by i.prefix
     on conflict (day, prefix) do update set
       sent = d.sent + excluded.sent, verified = d.verified + excluded.verified`,
    [
      day,
      counts.map((item) => item.companyId),
      counts.map((item) => item.prefix),
      counts.map((item) => item.sent),
      counts.map((item) => item.verified),
    ],
    'add-codes-of-day',
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

const DECISION = `d.company_id, d.prefix, d.minute - interval '${PUMPING_WINDOW_MINUTES - 1} minutes' as window_from,
  d.minute + interval '1 minute' as window_to, d.sent, d.verified, d.bound, d.action, d.sends, d.probes`;

/** Newest first, of one company or of all. */
export async function listDecisions(
  sql: Sql,
  { companyId, max }: { companyId: CompanyId | undefined; max: number },
): Promise<GuardDecision[]> {
  return await sql.query<GuardDecision>(
    `select ${DECISION} from guard_decision d where $1::bigint is null or d.company_id = $1
     order by d.minute desc, d.company_id, d.prefix limit $2`,
    [companyId ?? null, max],
  );
}

export type ShownDecision = GuardDecision & {
  company_name: string;
  /** While an operator lets the stream pass. */
  pardoned_until: Date | null;
};

/** As `listDecisions`, with what the desk shows beside them. */
export async function listShownDecisions(
  sql: Sql,
  { companyId, max }: { companyId: CompanyId | undefined; max: number },
): Promise<ShownDecision[]> {
  return await sql.query<ShownDecision>(
    `select ${DECISION}, c.name as company_name, p.until as pardoned_until
     from guard_decision d join company c on c.id = d.company_id
     left join guard_pardon p on p.company_id = d.company_id and p.prefix = d.prefix and p.until > clock_timestamp()
     where $1::bigint is null or d.company_id = $1
     order by d.minute desc, d.company_id, d.prefix limit $2`,
    [companyId ?? null, max],
  );
}

/** The streams that operators let pass now. */
export async function listPardoned(sql: Sql): Promise<Stream[]> {
  return await sql.query<Stream>(
    'select company_id as "companyId", prefix from guard_pardon where until > clock_timestamp()',
    [],
    'list-pardoned',
  );
}

export type Pardon = Stream & {
  companyName: string;
  until: Date;
  reason: string;
  setBy: string | null;
};

/** Those that hold now, the longest first. */
export async function listPardons(sql: Sql): Promise<Pardon[]> {
  return await sql.query<Pardon>(
    `select p.company_id as "companyId", c.name as "companyName", p.prefix, p.until, p.reason, p.set_by as "setBy"
     from guard_pardon p join company c on c.id = p.company_id
     where p.until > clock_timestamp() order by p.until desc, p.company_id, p.prefix`,
  );
}

/** In place of an earlier one. Undefined when there is no such company. */
export async function putPardon(
  tx: Transaction,
  pardon: Stream & { hours: number; reason: string; by: string | undefined },
): Promise<Date | undefined> {
  const rows = await tx.query<{ until: Date }>(
    `insert into guard_pardon (company_id, prefix, until, reason, set_by)
     select id, $2, clock_timestamp() + make_interval(hours => $3), $4, $5 from company where id = $1
     on conflict (company_id, prefix) do update
       set until = excluded.until, reason = excluded.reason, set_by = excluded.set_by
     returning until`,
    [pardon.companyId, pardon.prefix, pardon.hours, pardon.reason, pardon.by ?? null],
  );
  return rows[0]?.until;
}

/** False when none holds. */
export async function deletePardon(
  tx: Transaction,
  { companyId, prefix }: Stream,
): Promise<boolean> {
  const rows = await tx.query<{ held: boolean }>(
    `delete from guard_pardon where company_id = $1 and prefix = $2
     returning until > clock_timestamp() as held`,
    [companyId, prefix],
  );
  return rows[0]?.held ?? false;
}
