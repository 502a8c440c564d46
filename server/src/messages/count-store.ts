import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, type KeyId, lowestIdAt, type MessageId, timeOfId } from '../ids.ts';
import { FIRST_SLOT_MS, SLOTS, SLOTS_PER_DOUBLING } from './confirm-times.ts';
import type { HourSpan } from './stale-hours.ts';

/** Sends of one hour, key and channel, confirmed within the same slot of time. */
export type CountedSends = {
  /** Which hour of the span, from 0. */
  hour: number;
  key_id: KeyId;
  is_test: boolean;
  channel: Channel | null;
  /** Null for unconfirmed sends. */
  slot: number | null;
  sends: number;
  accepted: number;
  failed: number;
  charged: number;
};

/** Rows read per statement at most: a busy company sends millions of messages a day. */
export const ROWS_PER_STATEMENT = 25_000;

/**
 * Counts the messages of some hours from the message table. The hour is that of the id, because the
 * database can read messages in no other order. An hour that takes several statements has several
 * rows of each kind, to be added up.
 */
export async function countSends(
  sql: Sql,
  companyId: CompanyId,
  span: HourSpan,
): Promise<CountedSends[]> {
  const edges = span.map((edge) => lowestIdAt(edge.getTime()));
  const counted: CountedSends[] = [];
  let after = edges[0] as MessageId | null;
  while (after !== null) {
    const rows: (CountedSends & { last_id: MessageId | null })[] = await sql.query(
      `with page as materialized (
         select m.id, m.key_id, m.is_test, m.channel, m.state, m.receipt, m.charged, m.created_at, m.delivered_at
         from message m where m.company_id = $1 and m.id > $7 and m.id < $3
         order by m.id limit $8
       )
       select width_bucket(m.id, $2::uuid[]) - 1 as hour, m.key_id, m.is_test, m.channel,
         case when m.receipt >= 'delivered' and m.delivered_at is not null then
           least($6 - 1, greatest(0, floor($5 * ln(greatest(1,
             extract(epoch from m.delivered_at - m.created_at)::double precision * 1000) / $4)
             / ln(2::double precision))))::smallint end as slot,
         count(*)::integer as sends,
         count(*) filter (where m.state = 'sent')::integer as accepted,
         count(*) filter (where m.state = 'failed' or m.state = 'sent' and m.receipt = 'failed')::integer as failed,
         sum(m.charged) as charged,
         -- Null when the page is not full: there are no more.
         (select p.id from page p offset $8 - 1 limit 1) as last_id
       from page m
       group by 1, 2, 3, 4, 5`,
      [
        companyId,
        edges,
        edges.at(-1),
        FIRST_SLOT_MS,
        SLOTS_PER_DOUBLING,
        SLOTS,
        after,
        ROWS_PER_STATEMENT,
      ],
    );
    counted.push(...rows);
    after = rows[0]?.last_id ?? null;
  }
  return counted;
}

export type CountedCalls = {
  hour: number;
  key_id: KeyId;
  status: number;
  error_code: string | null;
  calls: number;
};

/** Counts the calls of some hours in the request log, also in several statements. */
export async function countCalls(
  sql: Sql,
  companyId: CompanyId,
  span: HourSpan,
): Promise<CountedCalls[]> {
  const counted: CountedCalls[] = [];
  let after: string | null = '-infinity';
  while (after !== null) {
    // Calls of one instant have no order, so a page includes all calls of its last instant.
    const rows: (CountedCalls & { last_at: string | null })[] = await sql.query(
      `with page as materialized (
         select l.at, l.key_id, l.status, l.error_code from request_log l
         where l.company_id = $1 and l.at >= ($2::timestamptz[])[1] and l.at < $3 and l.at > $4::timestamptz
         order by l.at fetch first ($5) rows with ties
       )
       select width_bucket(l.at, $2::timestamptz[]) - 1 as hour, l.key_id, l.status, l.error_code,
         count(*)::integer as calls,
         (select max(p.at)::text from page p having count(*) >= $5) as last_at
       from page l
       group by 1, 2, 3, 4`,
      [companyId, span, span.at(-1), after, ROWS_PER_STATEMENT],
    );
    counted.push(...rows);
    after = rows[0]?.last_at ?? null;
  }
  return counted;
}

/**
 * Counts sends between two instants, for a comparison to the minute. Without a mode, the index is
 * enough and no message is read.
 */
export async function countSendsBetween(
  sql: Sql,
  companyId: CompanyId,
  span: { from: Date; to: Date; isTest: boolean | undefined },
): Promise<number> {
  let sends = 0;
  let after = lowestIdAt(span.from.getTime()) as MessageId | null;
  while (after !== null) {
    const rows: { sends: number; last_id: MessageId | null }[] = await sql.query(
      `with page as materialized (
         select id${span.isTest === undefined ? '' : ', is_test'} from message
         where company_id = $1 and id > $2 and id < $3 order by id limit $4
       )
       select count(*)${span.isTest === undefined ? '' : ` filter (where is_test = ${span.isTest})`}::integer as sends,
         (select p.id from page p offset $4 - 1 limit 1) as last_id
       from page`,
      [companyId, after, lowestIdAt(span.to.getTime()), ROWS_PER_STATEMENT],
    );
    sends += rows[0]?.sends ?? 0;
    after = rows[0]?.last_id ?? null;
  }
  return sends;
}

/**
 * The time of the newest message or call before the last `rowsMax` ones; undefined when there are
 * no more than that.
 */
export async function findRowLimitTime(
  sql: Sql,
  companyId: CompanyId,
  span: { from: Date; to: Date; rowsMax: number },
): Promise<Date | undefined> {
  const messages = await sql.query<{ id: MessageId }>(
    `select id from message where company_id = $1 and id >= $2 and id < $3
     order by id desc offset $4 limit 1`,
    [companyId, lowestIdAt(span.from.getTime()), lowestIdAt(span.to.getTime()), span.rowsMax],
  );
  const calls = await sql.query<{ at: Date }>(
    `select at from request_log where company_id = $1 and at >= $2 and at < $3
     order by at desc offset $4 limit 1`,
    [companyId, span.from, span.to, span.rowsMax],
  );
  const times = [...messages.map(({ id }) => timeOfId(id)), ...calls.map(({ at }) => at)];
  return times.sort((a, b) => a.getTime() - b.getTime()).at(-1);
}
