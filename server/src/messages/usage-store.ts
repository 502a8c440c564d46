import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, KeyId } from '../ids.ts';

/** When each hour was last counted. */
export async function listCountedHours(
  sql: Sql,
  companyId: CompanyId,
  from: Date,
): Promise<{ hour: Date; counted_at: Date }[]> {
  return await sql.query(
    'select hour, counted_at from counted_hour where company_id = $1 and hour >= $2',
    [companyId, from],
  );
}

/** No message of a company is older than this. */
export async function readCompanyStart(sql: Sql, companyId: CompanyId): Promise<Date> {
  const rows = await sql.query<{ created_at: Date }>(
    'select created_at from company where id = $1',
    [companyId],
  );
  return (rows[0] as { created_at: Date }).created_at;
}

export type UsageHour = {
  hour: Date;
  key_id: KeyId;
  channel: Channel | null;
  sends: number;
  accepted: number;
  confirmed: number;
  failed: number;
  charged: number;
};

export type CallHour = {
  hour: Date;
  key_id: KeyId;
  status: number;
  error_code: string | null;
  calls: number;
};

export type HourTimes = { hour: Date; live_times: number[]; test_times: number[] };

/** Lets one node at a time store the hours of a company. False when another node is doing it. */
export async function lockStoring(tx: Transaction, companyId: CompanyId): Promise<boolean> {
  const rows = await tx.query<{ is_ours: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('zhiber usage', $1)) as is_ours`,
    [companyId],
  );
  return rows[0]?.is_ours ?? false;
}

/** Replaces the stored hours; the new counts are inserted in the same transaction. */
export async function replaceHours(
  tx: Transaction,
  companyId: CompanyId,
  hours: readonly HourTimes[],
  countedAt: Date,
): Promise<void> {
  await tx.query(
    `with gone_usage as (delete from usage_hour where company_id = $1 and hour = any ($2::timestamptz[])),
       gone_calls as (delete from call_hour where company_id = $1 and hour = any ($2::timestamptz[])),
       gone_spend as (delete from spend_hour where company_id = $1 and hour = any ($2::timestamptz[]))
     insert into counted_hour as c (company_id, hour, counted_at, live_times, test_times)
     select $1, h.hour, $3, h.live_times, h.test_times
     from jsonb_to_recordset($4) as h(hour timestamptz, live_times integer[], test_times integer[])
     on conflict (company_id, hour) do update set counted_at = excluded.counted_at,
       live_times = excluded.live_times, test_times = excluded.test_times`,
    [companyId, hours.map(({ hour }) => hour), countedAt, JSON.stringify(hours)],
  );
}

export async function insertUsage(
  tx: Transaction,
  companyId: CompanyId,
  rows: readonly UsageHour[],
): Promise<void> {
  await tx.query(
    `insert into usage_hour (company_id, hour, key_id, channel, sends, accepted, confirmed, failed, charged)
     select $1, u.* from jsonb_to_recordset($2) as u(hour timestamptz, key_id bigint, channel channel,
       sends integer, accepted integer, confirmed integer, failed integer, charged bigint)`,
    [companyId, JSON.stringify(rows)],
  );
}

export async function insertCalls(
  tx: Transaction,
  companyId: CompanyId,
  rows: readonly CallHour[],
): Promise<void> {
  await tx.query(
    `insert into call_hour (company_id, hour, key_id, status, error_code, calls)
     select $1, c.* from jsonb_to_recordset($2) as c(hour timestamptz, key_id bigint, status smallint,
       error_code text, calls integer)`,
    [companyId, JSON.stringify(rows)],
  );
}

/** Which hours and which keys, of one company. */
export type UsageFilter = {
  /** One more than there are buckets. */
  edges: readonly Date[];
  /** Stored hours are read up to here; later ones are counted. */
  until: Date;
  keyIds?: readonly KeyId[] | undefined;
  isTest?: boolean | undefined;
};

const OF_BUCKETS = `h.company_id = $1 and h.hour >= ($2::timestamptz[])[1] and h.hour < $3
  and ($4::bigint[] is null or h.key_id = any ($4)) and ($5::boolean is null or k.is_test = $5)`;

function valuesOf(companyId: CompanyId, filter: UsageFilter): unknown[] {
  const { edges, until, keyIds, isTest } = filter;
  const end = edges.at(-1) as Date;
  return [companyId, edges, end < until ? end : until, keyIds ?? null, isTest ?? null];
}

export type UsageSum = Omit<UsageHour, 'hour'> & { bucket: number };

export async function sumUsage(
  sql: Sql,
  companyId: CompanyId,
  filter: UsageFilter,
): Promise<UsageSum[]> {
  return await sql.query<UsageSum>(
    `select width_bucket(h.hour, $2::timestamptz[]) - 1 as bucket, h.key_id, h.channel,
       sum(h.sends)::bigint as sends, sum(h.accepted)::bigint as accepted,
       sum(h.confirmed)::bigint as confirmed, sum(h.failed)::bigint as failed,
       sum(h.charged)::bigint as charged
     from usage_hour h join api_key k on k.company_id = h.company_id and k.id = h.key_id
     where ${OF_BUCKETS}
     group by 1, 2, 3`,
    valuesOf(companyId, filter),
  );
}

export type CallSum = Omit<CallHour, 'hour'> & { bucket: number };

export async function sumCalls(
  sql: Sql,
  companyId: CompanyId,
  filter: UsageFilter,
): Promise<CallSum[]> {
  return await sql.query<CallSum>(
    `select width_bucket(h.hour, $2::timestamptz[]) - 1 as bucket, h.key_id, h.status, h.error_code,
       sum(h.calls)::bigint as calls
     from call_hour h join api_key k on k.company_id = h.company_id and k.id = h.key_id
     where ${OF_BUCKETS}
     group by 1, 2, 3, 4`,
    valuesOf(companyId, filter),
  );
}

export async function listTimes(
  sql: Sql,
  companyId: CompanyId,
  span: { from: Date; until: Date },
): Promise<HourTimes[]> {
  return await sql.query<HourTimes>(
    `select hour, live_times, test_times from counted_hour
     where company_id = $1 and hour >= $2 and hour < $3`,
    [companyId, span.from, span.until],
  );
}
