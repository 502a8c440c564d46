import type { Sql } from '../db/sql.ts';
import type { ApiMessageKind, CompanyId, KeyId, MessageId } from '../ids.ts';

/** A filter of calls; its times are those of the calls. */
export type RequestQuery = {
  from: Date;
  to: Date;
  isOk: boolean | undefined;
  path: string | undefined;
  errorCode: string | undefined;
  keyId: number | undefined;
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
};

export type Scanned<Row> = { rows: (Row & Place)[] };
type Place = { place: number; is_match: boolean };

/** Rows scanned per statement at most, however rare the matches. */
export const WINDOW = 10_000;

const MICROS = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

/**
 * Calls that did not become a message, newest first. The last row of the window is always included.
 */
export async function scanLog(
  sql: Sql,
  companyId: CompanyId,
  query: RequestQuery,
  page: { after: LogPosition | undefined; rowsMax: number },
): Promise<Scanned<LoggedCall>> {
  const rows = await sql.query<LoggedCall & Place>(
    `with page as (
       select * from (
         select l.*, row_number() over (order by l.at desc, l.request_id desc) as place,
           ($6::boolean is null or (l.status < 400) = $6) and ($7::text is null or l.path = $7)
             and ($8::text is null or l.error_code = $8) and ($9::bigint is null or l.key_id = $9) as is_match
         from request_log l
         where l.company_id = $1 and l.at >= $2 and l.at < $3
           and ($4::bigint is null or l.at <= 'epoch'::timestamptz + $4 * interval '1 microsecond'
             and (l.at, l.request_id) < ('epoch'::timestamptz + $4 * interval '1 microsecond', $5))
           and ($10::text is null or l.request_id = $10)
         order by l.at desc, l.request_id desc limit $11
       ) l
       where l.is_match or l.place = $11
       order by l.at desc, l.request_id desc limit $12
     )
     select l.request_id, ${MICROS('l.at')} as micros, l.path, l.status, l.error_code, l.duration_ms, l.phone,
       l.channel, l.message_id, l.key_id, k.name as key_name, k.is_test, l.is_match, l.place
     from page l join api_key k on k.company_id = $1 and k.id = l.key_id
     order by l.at desc, l.request_id desc`,
    [
      companyId,
      query.from,
      query.to,
      page.after?.micros ?? null,
      page.after?.requestId ?? null,
      query.isOk ?? null,
      query.path ?? null,
      query.errorCode ?? null,
      query.keyId ?? null,
      query.requestId ?? null,
      WINDOW,
      page.rowsMax + 1,
    ],
  );
  return { rows };
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
    'keyId' | 'requestId'
  >,
  page: { after: MessageId | undefined; rowsMax: number },
): Promise<Scanned<AcceptedCall>> {
  const { toId } = query;
  const before = page.after === undefined || page.after > toId ? toId : page.after;
  const rows = await sql.query<AcceptedCall & Place>(
    `with page as (
       select * from (
         select m.*, row_number() over (order by m.id desc) as place,
           m.state = 'sent' and m.kind = any ($4::text[]::message_kind[]) and ($5::bigint is null or m.key_id = $5)
             and ($6::text is null or m.request_id = $6) as is_match
         from message m
         where m.company_id = $1 and m.id >= $2 and m.id < $3
         order by m.id desc limit $7
       ) m
       where m.is_match or m.place = $7
       order by m.id desc limit $8
     )
     select m.id, m.request_id, m.created_at, m.kind, m.recipient::text as recipient, m.channel, m.key_id,
       k.name as key_name, k.is_test, m.is_match, m.place,
       coalesce(case when m.attempt > 1 then (
         select min(a.settled_at) from attempt a
         where a.company_id = $1 and a.message_id = m.id and a.state = 'accepted') end, m.settled_at, m.created_at)
         as answered_at
     from page m join api_key k on k.company_id = $1 and k.id = m.key_id
     order by m.id desc`,
    [
      companyId,
      query.fromId,
      before,
      query.kinds,
      query.keyId ?? null,
      query.requestId ?? null,
      WINDOW,
      page.rowsMax + 1,
    ],
  );
  return { rows };
}
