import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Sql } from '../db/sql.ts';
import { lowestIdAt } from '../ids.ts';

/** Read of each company at most: a sample that one statement can afford, however much is sent. */
export const MESSAGES_PER_COMPANY_MAX = 1_000;
const REASONS_MAX = 5;

/**
 * The newest live attempts of every customer. Refused, unavailable, unknown and reported as failed
 * all count as failures. A missing receipt does not: it is often the fault of the number.
 */
const TRIED = `recent as materialized (
    select m.* from company c cross join lateral (
      select company_id, id, state, receipt, channel, attempt, reason, created_at, delivered_at from message
      where company_id = c.id and id >= $1 and not is_test order by id desc limit $2
    ) m
    where c.id is distinct from (select value::bigint from installation where name = 'system_company')
  ), tried as (
    select channel, reason, receipt >= 'delivered' as is_confirmed, delivered_at - created_at as took,
      state in ('failed', 'unknown') and coalesce(receipt, 'failed') < 'delivered' or receipt = 'failed' as is_failure
    from recent where attempt = 1 and channel is not null and state <> 'sending'
    union all
    select a.channel, a.reason, a.receipt >= 'delivered', a.delivered_at - a.started_at,
      a.state <> 'accepted' and coalesce(a.receipt, 'failed') < 'delivered' or a.receipt = 'failed'
    from recent r join attempt a on a.company_id = r.company_id and a.message_id = r.id
    where r.attempt > 1 and a.state <> 'sending'
  )`;

export type ChannelQuality = {
  channel: Channel;
  messages: number;
  confirmed: number;
  failed: number;
  confirmMsP95: number | null;
};

export async function measureChannels(sql: Sql, since: Date): Promise<ChannelQuality[]> {
  return await sql.query<ChannelQuality>(
    `with ${TRIED}
     select channel, count(*)::integer as messages, count(*) filter (where is_confirmed)::integer as confirmed,
       count(*) filter (where is_failure)::integer as failed,
       round(extract(epoch from percentile_disc(0.95) within group (order by took)
         filter (where is_confirmed and took is not null)) * 1000)::integer as "confirmMsP95"
     from tried group by channel`,
    [lowestIdAt(since.getTime()), MESSAGES_PER_COMPANY_MAX],
  );
}

export type ProviderDeliveries = {
  provider: string;
  /** The first four digits of the phones. */
  prefix: string;
  accepted: number;
  delivered: number;
};

/**
 * What SMS providers accepted of the newest live messages of every customer, and what of it was
 * delivered. The newest minutes are left out: most of their receipts are still to come.
 */
export async function measureSmsProviders(
  sql: Sql,
  { since, until }: { since: Date; until: Date },
): Promise<ProviderDeliveries[]> {
  return await sql.query<ProviderDeliveries>(
    `with recent as materialized (
       select m.* from company c cross join lateral (
         select company_id, id, recipient, state, receipt, channel, attempt, provider_id from message
         where company_id = c.id and id >= $1 and id < $2 and not is_test order by id desc limit $3
       ) m
       where c.id is distinct from (select value::bigint from installation where name = 'system_company')
     ), sent as (
       select provider_id, recipient, receipt from recent
       where attempt = 1 and channel = 'sms' and state = 'sent'
       union all
       select a.provider_id, r.recipient, a.receipt
       from recent r join attempt a on a.company_id = r.company_id and a.message_id = r.id
       where r.attempt > 1 and a.channel = 'sms' and a.state = 'accepted'
     )
     select substring(provider_id from '^([a-z][a-z0-9-]*):') as provider, left(recipient::text, 4) as prefix,
       count(*)::integer as accepted, count(*) filter (where receipt >= 'delivered')::integer as delivered
     from sent where provider_id is not null group by 1, 2`,
    [lowestIdAt(since.getTime()), lowestIdAt(until.getTime()), MESSAGES_PER_COMPANY_MAX],
  );
}

export type FailureReason = { channel: Channel; reason: string; count: number };

/** The most frequent reasons of each channel, the first ones first. */
export async function listFailureReasons(sql: Sql, since: Date): Promise<FailureReason[]> {
  return await sql.query<FailureReason>(
    `with ${TRIED}
     select channel, reason, count from (
       select channel, reason, count(*)::integer as count,
         row_number() over (partition by channel order by count(*) desc, reason) as place
       from tried where is_failure and reason is not null group by channel, reason
     ) counted where place <= $3 order by channel, place`,
    [lowestIdAt(since.getTime()), MESSAGES_PER_COMPANY_MAX, REASONS_MAX],
  );
}
