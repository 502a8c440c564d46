import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, lowestIdAt } from '../ids.ts';

export type ChannelAttempts = { channel: Channel; attempts: number; failures: number };

const MESSAGES_JUDGED_MAX = 20_000;

/**
 * Recent attempts and failures per channel. Refused, unavailable, unknown and reported as failed
 * all count as failures. A missing receipt does not: it is often the fault of the number.
 */
export async function countRecentAttempts(
  sql: Sql,
  companyId: CompanyId,
  since: Date,
): Promise<ChannelAttempts[]> {
  return await sql.query<ChannelAttempts>(
    `with recent as materialized (
       select company_id, id, state, receipt, channel, attempt from message
       where company_id = $1 and id >= $2 and not is_test order by id desc limit $3
     )
     select channel, count(*)::integer as attempts, count(*) filter (where is_failure)::integer as failures
     from (
       select channel, state in ('failed', 'unknown') and coalesce(receipt, 'failed') < 'delivered'
         or receipt = 'failed' as is_failure
       from recent where attempt = 1 and channel is not null and state <> 'sending'
       union all
       select a.channel, a.state <> 'accepted' and coalesce(a.receipt, 'failed') < 'delivered'
         or a.receipt = 'failed'
       from recent r join attempt a on a.company_id = r.company_id and a.message_id = r.id
       where r.attempt > 1 and a.state <> 'sending'
     ) tried
     group by channel`,
    [companyId, lowestIdAt(since.getTime()), MESSAGES_JUDGED_MAX],
  );
}

/**
 * Active keys that have not been used since. Stored hours are checked too: they know of sends from
 * before uses were recorded.
 */
export async function listIdleKeys(
  sql: Sql,
  companyId: CompanyId,
  since: Date,
): Promise<{ id: number; name: string; idle_days: number }[]> {
  return await sql.query(
    `select k.id, k.name,
       floor(extract(epoch from clock_timestamp() - coalesce(u.used_at, k.created_at)) / 86400)::integer as idle_days
     from api_key k left join key_use u on u.key_id = k.id
     where k.company_id = $1 and k.revoked_at is null and not k.is_for_broadcasts and k.created_at < $2
       and (k.expires_at is null or k.expires_at > clock_timestamp())
       and (u.used_at is null or u.used_at < $2)
       and not exists (select from usage_hour h where h.company_id = k.company_id and h.key_id = k.id
         and h.hour >= $2)
     order by k.id`,
    [companyId, since],
  );
}

/** Keys that have ended and were used in their last month, and keys that will end soon. */
export async function listExpiringKeys(
  sql: Sql,
  companyId: CompanyId,
  warningDays: number,
): Promise<{ name: string; is_expired: boolean; days_left: number }[]> {
  return await sql.query(
    `select k.name, k.expires_at <= clock_timestamp() as is_expired,
       greatest(0, almaty_day(k.expires_at - interval '1 microsecond') - almaty_day(clock_timestamp())) as days_left
     from api_key k left join key_use u on u.key_id = k.id
     where k.company_id = $1 and k.revoked_at is null and not k.is_for_broadcasts
       and k.expires_at < clock_timestamp() + make_interval(days => $2)
       and (k.expires_at > clock_timestamp() or u.used_at > k.expires_at - interval '30 days')
     order by k.expires_at, k.id`,
    [companyId, warningDays],
  );
}

/**
 * Endpoints of webhooks whose tries have failed since then, or that were switched off because of
 * that. One that a person has switched off is no problem.
 */
export async function listFailingWebhooks(
  sql: Sql,
  companyId: CompanyId,
  since: Date,
): Promise<{ url: string; is_off: boolean; hours: number }[]> {
  return await sql.query(
    `select url, off_at is not null as is_off,
       floor(extract(epoch from clock_timestamp() - coalesce(off_at, failing_since)) / 3600)::integer as hours
     from webhook_endpoint
     where company_id = $1 and deleted_at is null
       and case when off_at is null then failing_since < $2 else off_reason <> 'person' end
     order by id`,
    [companyId, since],
  );
}

export type StepsDone = {
  has_test_send: boolean;
  has_verified: boolean;
  has_live_key: boolean;
  has_live_send: boolean;
  has_colleague: boolean;
};

const LOG_READ_MAX = 5_000;

/**
 * The onboarding steps of a company, by the stored hours. The caller adds the hours that are not
 * stored yet.
 */
export async function readSteps(sql: Sql, companyId: CompanyId, since: Date): Promise<StepsDone> {
  const hasSent = (isTest: boolean) => `exists (
    select from usage_hour h join api_key k on k.company_id = h.company_id and k.id = h.key_id
    where h.company_id = $1 and h.hour >= $2 and k.is_test = ${isTest})`;
  const rows = await sql.query<StepsDone>(
    `select ${hasSent(true)} as has_test_send,
       exists (
         select from (select path, status from request_log where company_id = $1 order by at desc limit $3) l
         where l.path = '/api/otp/verify' and l.status = 200) as has_verified,
       exists (select from api_key
         where company_id = $1 and not is_test and revoked_at is null and not is_for_broadcasts) as has_live_key,
       exists (select from entry where company_id = $1 and kind = 'charge') or ${hasSent(false)} as has_live_send,
       (select count(*) > 1 from member where company_id = $1) as has_colleague`,
    [companyId, since, LOG_READ_MAX],
  );
  return rows[0] as StepsDone;
}
