import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Sql } from '../../db/group-commit.ts';
import { type CompanyId, type KeyId, lowestIdAt } from '../../ids.ts';
import { FIRST_SLOT_MS, SLOTS, SLOTS_PER_DOUBLING } from './confirm-times.ts';
import type { HourSpan } from './stale-hours.ts';

/** Sends of one hour by one key over one channel, with those confirmed in the same slot of time. */
export type CountedSends = {
  /** Which hour of the span, from 0. */
  hour: number;
  key_id: KeyId;
  is_test: boolean;
  channel: Channel | null;
  /** Null for those that were not confirmed. */
  slot: number | null;
  sends: number;
  accepted: number;
  failed: number;
  charged: number;
};

/**
 * Counts the messages of some hours, from the messages themselves. An hour is that of the id: it is
 * the one order that the database can read them in.
 */
export async function countSends(
  sql: Sql,
  companyId: CompanyId,
  span: HourSpan,
): Promise<CountedSends[]> {
  const edges = span.map((edge) => lowestIdAt(edge.getTime()));
  return await sql.query<CountedSends>(
    `select width_bucket(m.id, $2::uuid[]) - 1 as hour, m.key_id, m.is_test, m.channel,
       case when m.receipt >= 'delivered' and m.delivered_at is not null then
         least($6 - 1, greatest(0, floor($5 * ln(greatest(1,
           extract(epoch from m.delivered_at - m.created_at)::double precision * 1000) / $4)
           / ln(2::double precision))))::smallint end as slot,
       count(*)::integer as sends,
       count(*) filter (where m.state = 'sent')::integer as accepted,
       count(*) filter (where m.state = 'failed' or m.state = 'sent' and m.receipt = 'failed')::integer as failed,
       sum(m.charged) as charged
     from message m
     where m.company_id = $1 and m.id >= ($2::uuid[])[1] and m.id < $3
     group by 1, 2, 3, 4, 5`,
    [companyId, edges, edges.at(-1), FIRST_SLOT_MS, SLOTS_PER_DOUBLING, SLOTS],
  );
}

export type CountedCalls = {
  hour: number;
  key_id: KeyId;
  status: number;
  error_code: string | null;
  calls: number;
};

/** Counts the calls of some hours that are in the request log. */
export async function countCalls(
  sql: Sql,
  companyId: CompanyId,
  span: HourSpan,
): Promise<CountedCalls[]> {
  return await sql.query<CountedCalls>(
    `select width_bucket(l.at, $2::timestamptz[]) - 1 as hour, l.key_id, l.status, l.error_code,
       count(*)::integer as calls
     from request_log l
     where l.company_id = $1 and l.at >= ($2::timestamptz[])[1] and l.at < $3
     group by 1, 2, 3, 4`,
    [companyId, span, span.at(-1)],
  );
}

/** Sends between two instants within an hour, for a comparison to the minute. */
export async function countSendsBetween(
  sql: Sql,
  companyId: CompanyId,
  span: { from: Date; to: Date; isTest: boolean | undefined },
): Promise<number> {
  const rows = await sql.query<{ sends: number }>(
    `select count(*)::integer as sends from message
     where company_id = $1 and id >= $2 and id < $3 and ($4::boolean is null or is_test = $4)`,
    [
      companyId,
      lowestIdAt(span.from.getTime()),
      lowestIdAt(span.to.getTime()),
      span.isTest ?? null,
    ],
  );
  return rows[0]?.sends ?? 0;
}
