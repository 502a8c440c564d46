import type { Channel } from '@zhiber/contract/api/channel.ts';
import { type Outcome, WRONG_CODE_ERRORS } from '@zhiber/contract/cabinet/request-words.ts';
import type { Sql } from '../db/sql.ts';
import type { ApiMessageKind, CompanyId, KeyId, MessageId } from '../ids.ts';
import { maskPhone } from '../phone.ts';
import type { RequestSearch } from './request-search.ts';

/** A filter of calls; its times are those of the calls. */
export type RequestQuery = {
  from: Date;
  to: Date;
  search: RequestSearch | undefined;
  outcome: Outcome | undefined;
  path: string | undefined;
  errorCode: string | undefined;
  keyIds: readonly number[] | undefined;
  requestId: string | undefined;
};

/** Where a scan of the log continues. Calls of the same microsecond are ordered by request id. */
export type LogPosition = { micros: number; requestId: string };

export type LoggedCall = {
  request_id: string;
  micros: number;
  path: string;
  status: number;
  error_code: string | null;
  duration_ms: number;
  key_id: KeyId;
  key_name: string;
  is_test: boolean;
  phone: string | null;
  channel: string | null;
  message_id: string | null;
  /** Null in rows of an earlier release, and without a phone. */
  recipient: string | null;
  request_body: string | null;
  answer_body: string | null;
};

export type Scanned<Row> = { rows: (Row & Place)[] };
type Place = { place: number; is_match: boolean };

/** Rows scanned per statement at most, however rare the matches. */
export const WINDOW = 10_000;

const MICROS = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

type Value = (one: unknown) => string;

/** The same classes as `outcomeOf` of the contract. */
const OUTCOME = (codes: string) => `case when l.status < 400 then 'ok'
  when l.error_code = any (${codes}::text[]) then 'wrong_code'
  when l.status < 500 then 'refused' else 'failed' end`;

/**
 * Calls that did not become a message, newest first. The last row of the window is always included.
 */
export async function scanLog(
  sql: Sql,
  companyId: CompanyId,
  query: RequestQuery,
  page: { after: LogPosition | undefined; rowsMax: number },
): Promise<Scanned<LoggedCall>> {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const window = value(WINDOW);
  const after = page.after;
  const afterAt =
    after && `'epoch'::timestamptz + ${value(after.micros)}::bigint * interval '1 microsecond'`;
  const rows = await sql.query<LoggedCall & Place>(
    `with page as (
       select * from (
         select l.*, row_number() over (order by l.at desc, l.request_id desc) as place,
           ${allOf(logConditions(query, value))} as is_match
         from request_log l
         where l.company_id = ${value(companyId)} and l.at >= ${value(query.from)} and l.at < ${value(query.to)}
           and ${
             afterAt === undefined
               ? 'true'
               : `l.at <= ${afterAt} and (l.at, l.request_id) < (${afterAt}, ${value(after?.requestId)}::text)`
           }
           and ${allOf(indexedLogConditions(query, value))}
         order by l.at desc, l.request_id desc limit ${window}
       ) l
       where l.is_match or l.place = ${window}
       order by l.at desc, l.request_id desc limit ${value(page.rowsMax + 1)}
     )
     select l.request_id, ${MICROS('l.at')} as micros, l.path, l.status, l.error_code, l.duration_ms, l.phone,
       l.channel, l.message_id, l.recipient::text as recipient, l.request_body, l.answer_body, l.key_id,
       k.name as key_name, k.is_test, l.is_match, l.place
     from page l join api_key k on k.company_id = ${value(companyId)} and k.id = l.key_id
     order by l.at desc, l.request_id desc`,
    values,
  );
  return { rows };
}

function allOf(conditions: readonly (string | false | undefined)[]): string {
  const given = conditions.filter((condition) => typeof condition === 'string');
  return given.length === 0 ? 'true' : `(${given.join(' and ')})`;
}

/** What an index answers; all else is checked within the window. */
function indexedLogConditions({ search, requestId }: RequestQuery, value: Value) {
  return [
    requestId !== undefined && `l.request_id = ${value(requestId)}`,
    search && 'text' in search && `l.request_id = ${value(search.text)}`,
    // Rows of an earlier release have the masked phone alone.
    search &&
      'phone' in search &&
      `l.phone = ${value(maskPhone(search.phone))} and coalesce(l.recipient = ${value(search.phone)}, true)`,
  ];
}

function logConditions(query: RequestQuery, value: Value) {
  const { search } = query;
  return [
    query.outcome && `${OUTCOME(value(WRONG_CODE_ERRORS))} = ${value(query.outcome)}`,
    query.path !== undefined && `l.path = ${value(query.path)}`,
    query.errorCode !== undefined && `l.error_code = ${value(query.errorCode)}`,
    query.keyIds && `l.key_id = any (${value(query.keyIds)}::bigint[])`,
    search && 'status' in search && `l.status = ${value(search.status)}`,
    search && 'path' in search && `l.path = ${value(search.path)}`,
    search && 'errorCode' in search && `l.error_code = ${value(search.errorCode)}`,
    search && 'messageId' in search && `l.message_id = ${value(search.messageId)}`,
    search && 'lastDigits' in search && lastDigitsOfLog(search.lastDigits, value),
  ].map((condition) => condition && `coalesce(${condition}, false)`);
}

/** A masked phone ends with the last four digits. */
function lastDigitsOfLog(digits: string, value: Value): string {
  return `right(l.phone, 4) = ${value(digits.slice(-4))}
    and right(coalesce(l.recipient::text, l.phone), ${value(digits.length)}::integer) = ${value(digits)}`;
}

/** Keys whose name begins with a text, in any case. */
export async function findKeysByName(
  sql: Sql,
  companyId: CompanyId,
  text: string,
): Promise<KeyId[]> {
  const rows = await sql.query<{ id: KeyId }>(
    'select id from api_key where company_id = $1 and starts_with(lower(name), lower($2))',
    [companyId, text],
  );
  return rows.map(({ id }) => id);
}

export type AcceptedCall = {
  id: MessageId;
  request_id: string;
  created_at: Date;
  answered_at: Date;
  kind: ApiMessageKind;
  recipient: string;
  channel: string | null;
  key_id: KeyId;
  key_name: string;
  is_test: boolean;
};

/**
 * Sends that were answered with a success, newest first. A later fallback settles a message again,
 * so the time of the answer is that of the first accepted attempt.
 */
export async function scanAccepted(
  sql: Sql,
  companyId: CompanyId,
  query: { fromId: MessageId; toId: MessageId; kinds: readonly ApiMessageKind[] } & Pick<
    RequestQuery,
    'keyIds' | 'requestId' | 'search'
  >,
  page: { after: MessageId | undefined; rowsMax: number },
): Promise<Scanned<AcceptedCall>> {
  const { toId, search } = query;
  const before = page.after === undefined || page.after > toId ? toId : page.after;
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const window = value(WINDOW);
  const requestId = query.requestId ?? (search && 'text' in search ? search.text : undefined);
  const conditions = [
    `m.state = 'sent' and m.kind = any (${value(query.kinds)}::text[]::message_kind[])`,
    query.keyIds && `m.key_id = any (${value(query.keyIds)}::bigint[])`,
    requestId !== undefined && `m.request_id = ${value(requestId)}`,
    search &&
      'lastDigits' in search &&
      `m.kind <> 'group' and right(m.recipient::text, ${value(search.lastDigits.length)}::integer) = ${value(search.lastDigits)}`,
  ];
  const indexed = [
    search && 'messageId' in search && `m.id = ${value(search.messageId)}`,
    search && 'phone' in search && `m.recipient = ${value(search.phone)} and m.kind <> 'group'`,
  ];
  const rows = await sql.query<AcceptedCall & Place>(
    `with page as (
       select * from (
         select m.*, row_number() over (order by m.id desc) as place, ${allOf(conditions)} as is_match
         from message m
         where m.company_id = ${value(companyId)} and m.id >= ${value(query.fromId)} and m.id < ${value(before)}
           and ${allOf(indexed)}
         order by m.id desc limit ${window}
       ) m
       where m.is_match or m.place = ${window}
       order by m.id desc limit ${value(page.rowsMax + 1)}
     )
     select m.id, m.request_id, m.created_at, m.kind, m.recipient::text as recipient, m.channel, m.key_id,
       k.name as key_name, k.is_test, m.is_match, m.place,
       coalesce(case when m.attempt > 1 then (
         select min(a.settled_at) from attempt a
         where a.company_id = m.company_id and a.message_id = m.id and a.state = 'accepted') end, m.settled_at,
         m.created_at) as answered_at
     from page m join api_key k on k.company_id = m.company_id and k.id = m.key_id
     order by m.id desc`,
    values,
  );
  return { rows };
}

/** What a rebuilt call shows: the message, its link, and the attempt that answered it. */
export type SentCall = {
  purpose: string | null;
  body: string | null;
  slug: string | null;
  url: string | null;
  group_name: string | null;
  /** Still to be tried, separated by commas. */
  route: string;
  tried: Channel[] | null;
  channel: Channel;
  cost: number;
};

export async function readSentCall(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<SentCall> {
  const rows = await sql.query<SentCall>(
    `select m.purpose, m.body, m.slug, l.url, g.name as group_name, m.route, a.tried,
       coalesce(a.channel, m.channel) as channel,
       case when m.attempt = 1 then m.charged when m.is_test then 0 else coalesce(a.price, m.charged) end as cost
     from message m
     left join link l on l.slug_key = lower(m.slug) and l.company_id = m.company_id
     left join messenger_group g on m.kind = 'group' and g.company_id = m.company_id and g.id = m.recipient
     left join lateral (
       select array_agg(t.channel::text order by t.number) as tried,
         (array_agg(t.channel order by t.number) filter (where t.state = 'accepted'))[1] as channel,
         (array_agg(t.price order by t.number) filter (where t.state = 'accepted'))[1] as price
       from attempt t where t.company_id = m.company_id and t.message_id = m.id and m.attempt > 1
     ) a on true
     where m.company_id = $1 and m.id = $2`,
    [companyId, id],
  );
  return rows[0] as SentCall;
}
