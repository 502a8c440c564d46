import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Sql } from '../db/sql.ts';
import type { StoredMessage } from '../delivery/message-store.ts';
import { type CompanyId, type KeyId, lowestIdAt, type MessageId, timeOfId } from '../ids.ts';
import type { MessageQuery, Search } from './message-query.ts';
import { SHOWN_STATE, type StoredAttempt } from './message-store.ts';

/** A message as lists and files show it. */
export type ListedMessage = Pick<
  StoredMessage,
  | 'id'
  | 'kind'
  | 'is_test'
  | 'recipient'
  | 'state'
  | 'receipt'
  | 'channel'
  | 'charged'
  | 'reason'
  | 'slug'
  | 'request_id'
  | 'created_at'
  | 'settled_at'
  | 'receipt_at'
  | 'delivered_at'
> & {
  purpose: string | null;
  key_id: KeyId;
  key_name: string;
  /** Null for phones, and for groups that were unlinked. */
  group_name: string | null;
  /** Null for a message with a single attempt, which the message itself records. */
  attempts: Pick<StoredAttempt, 'channel' | 'state' | 'receipt'>[] | null;
};

export type Scan = {
  /** Newest first. */
  rows: ListedMessage[];
  /** Where the window ended, if it held too few matches. */
  stoppedAt: MessageId | undefined;
};

/** Messages scanned per statement at most, however rare the matches. */
export const WINDOW = 20_000;
/** Fewer when each message may need a look-up among the attempts. */
const TRIED_WINDOW = 8_000;
/** Two or three months are read first: a statement over years is planned longer than it runs. */
const FIRST_SPAN_MS = 62 * 86_400_000;

/**
 * Matching messages, newest first. The window is read along the primary key, or along the index of
 * a phone, and reading ends when enough is found. The last row of the window is where the next scan
 * continues.
 */
export async function scanMessages(
  sql: Sql,
  companyId: CompanyId,
  query: MessageQuery,
  { before = query.toId, rowsMax }: { before?: MessageId | undefined; rowsMax: number },
): Promise<Scan> {
  const span = { before: before > query.toId ? query.toId : before, from: query.fromId, rowsMax };
  const newestMs = Math.min(timeOfId(span.before).getTime(), query.nowMs);
  const middle = lowestIdAt(newestMs - FIRST_SPAN_MS);
  if (query.search !== undefined || middle <= span.from) {
    return await scanSpan(sql, companyId, query, span);
  }
  const newer = await scanSpan(sql, companyId, query, { ...span, from: middle });
  const missing = rowsMax - newer.rows.length;
  if (newer.stoppedAt !== undefined || missing === 0) return newer;
  const rest = { before: middle, from: span.from, rowsMax: missing };
  const older = await scanSpan(sql, companyId, query, rest);
  return { rows: [...newer.rows, ...older.rows], stoppedAt: older.stoppedAt };
}

async function scanSpan(
  sql: Sql,
  companyId: CompanyId,
  query: MessageQuery,
  span: { before: MessageId; from: MessageId; rowsMax: number },
): Promise<Scan> {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const windowRows = query.tried === undefined ? WINDOW : TRIED_WINDOW;
  const window = value(windowRows);
  const rows = await sql.query<ListedMessage & { place: number; is_match: boolean }>(
    `with page as (
       select m.*, ${conditionsOf(query, value)} as is_match from (
         select m.*, row_number() over (order by m.id desc) as place from message m
         where m.company_id = ${value(companyId)} and m.id < ${value(span.before)} and m.id >= ${value(span.from)}
           and ${searchOf(query, value)}
         order by m.id desc limit ${window}
       ) m
       where ${conditionsOf(query, value)} or m.place = ${window}
       order by m.id desc limit ${value(span.rowsMax + 1)}
     )
     select m.id, m.kind, m.is_test, m.recipient::text as recipient, m.state, m.receipt, m.channel, m.charged,
       m.reason, m.slug, m.purpose, m.request_id, m.created_at, m.settled_at, m.receipt_at, m.delivered_at,
       m.key_id, k.name as key_name, g.name as group_name, m.is_match, m.place, case when m.attempt > 1 then (
         select json_agg(json_build_object('channel', a.channel, 'state', a.state, 'receipt', a.receipt)
           order by a.number)
         from attempt a where a.company_id = m.company_id and a.message_id = m.id) end as attempts
     from page m
     join api_key k on k.company_id = m.company_id and k.id = m.key_id
     left join messenger_group g on m.kind = 'group' and g.company_id = m.company_id and g.id = m.recipient
     order by m.id desc`,
    values,
  );
  const matches = rows.filter((row) => row.is_match).slice(0, span.rowsMax);
  const last = rows.at(-1);
  const isEnough = matches.length === span.rowsMax;
  const isCut = !isEnough && last?.place === windowRows;
  return { rows: matches, stoppedAt: isCut ? last.id : undefined };
}

/** The filter of a page, and the newest message it shows. */
export type ShownList = { query: MessageQuery; after: MessageId };

export type News = {
  /** For each page: how many of the messages read match and are not shown yet. */
  counts: number[];
  /** Of those, the messages up to the bound. */
  boundCounts: number[];
  /** The last message read, when there may be more. */
  lastId: MessageId | null;
};

/** Counts the next messages of a company for any number of pages, reading them once for all. */
export async function countNewMessages(
  sql: Sql,
  companyId: CompanyId,
  pages: readonly ShownList[],
  span: { after: MessageId; until?: MessageId; bound: MessageId; rowsMax: number },
): Promise<News> {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const rowsMax = value(span.rowsMax);
  const bound = value(span.bound);
  const counts = pages.map(({ query, after }) => {
    const { fromId, toId } = query;
    return `m.id > ${value(after)} and m.id >= ${value(fromId)} and m.id < ${value(toId)}
      and ${searchOf(query, value)} and ${conditionsOf(query, value)}`;
  });
  const countAll = (condition: string) =>
    counts.map((one) => `count(*) filter (where ${one} and ${condition})`).join(', ');
  const rows = await sql.query<{
    counts: number[];
    bound_counts: number[];
    last_id: MessageId | null;
  }>(
    `with recent as materialized (
       select m.* from message m where m.company_id = ${value(companyId)} and m.id > ${value(span.after)}
         and m.id <= ${value(span.until ?? lowestIdAt(Number.POSITIVE_INFINITY))}
       order by m.id limit ${rowsMax}
     )
     select array[${countAll('true')}]::integer[] as counts,
       array[${countAll(`m.id <= ${bound}`)}]::integer[] as bound_counts,
       (select r.id from recent r offset ${rowsMax} - 1 limit 1) as last_id
     from recent m`,
    values,
  );
  const [row] = rows as [(typeof rows)[number]];
  return { counts: row.counts, boundCounts: row.bound_counts, lastId: row.last_id };
}

type Value = (one: unknown) => string;

/** The condition that an index serves. All others are checked within the window. */
function searchOf({ search }: MessageQuery, value: Value): string {
  if (search === undefined) return 'true';
  if ('id' in search) return `m.id = ${value(search.id)}`;
  if ('phone' in search) return `m.recipient = ${value(search.phone)} and m.kind <> 'group'`;
  return 'true';
}

function conditionsOf(query: MessageQuery, value: Value): string {
  const { search, tried } = query;
  const conditions = [
    search && 'requestId' in search && requestOrTail(search, value),
    query.states && `${SHOWN_STATE} = any (${value(query.states)})`,
    query.channels && `m.channel = any (${channels(query.channels, value)})`,
    query.kinds && `m.kind = any (${value(query.kinds)}::text[]::message_kind[])`,
    query.keyId !== undefined && `m.key_id = ${value(query.keyId)}`,
    query.purpose !== undefined && `m.purpose = ${value(query.purpose)}`,
    query.isTest !== undefined && `m.is_test = ${value(query.isTest)}`,
    query.isCharged !== undefined && `(m.charged > 0) = ${value(query.isCharged)}`,
    // The most expensive condition comes last: it is checked only when the others match.
    tried &&
      `(m.channel = any (${channels(tried, value)}) or m.attempt > 1 and exists (
         select from attempt a where a.company_id = m.company_id and a.message_id = m.id
           and a.channel = any (${channels(tried, value)})))`,
  ].filter((condition) => typeof condition === 'string');
  return conditions.length === 0 ? 'true' : `(${conditions.join(' and ')})`;
}

/** No index begins with the last digits, so they are compared within the window like all the rest. */
function requestOrTail(search: Extract<Search, { requestId: string }>, value: Value): string {
  const isRequest = `m.request_id = ${value(search.requestId)}`;
  if (!('tail' in search)) return isRequest;
  const { tail } = search;
  const endsSo = `m.recipient % ${value(10 ** tail.length)}::bigint = ${value(tail)}::bigint`;
  return `(m.kind <> 'group' and ${endsSo} or ${isRequest})`;
}

function channels(names: readonly Channel[], value: Value): string {
  return `${value(names)}::text[]::channel[]`;
}
