/**
 * What a search over all companies reads. A phone is looked up in each company by an index that is
 * there anyway, message_recipient (company_id, recipient, id): one short descent per company and
 * month, some 10 ms for thousands of companies. `recent_sends` begins with the phone and would name
 * its companies at once, but it forgets failed sends, which are the ones that people ask about, and
 * everything that is older than a day. A message is found by its id in the same way, by the primary
 * key. No index by phone alone, or by request id, is on the path of a send.
 */
import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId, MessageKind } from '../ids.ts';
import type { Phone } from '../phone.ts';

export type MessageRef = { company_id: CompanyId; id: MessageId };
type IdRange = { fromId: MessageId; toId: MessageId; rowsMax: number };

/** Messages to a phone by any company, newest first. */
export async function findMessagesTo(
  sql: Sql,
  { phone, fromId, toId, rowsMax }: IdRange & { phone: Phone },
): Promise<MessageRef[]> {
  return await sql.query<MessageRef>(
    `select m.company_id, m.id from company c cross join lateral (
       select m.company_id, m.id from message m
       where m.company_id = c.id and m.recipient = $1 and m.id >= $2 and m.id < $3 and m.kind <> 'group'
       order by m.id desc limit $4) m
     order by m.id desc limit $4`,
    [phone, fromId, toId, rowsMax],
  );
}

/** The company that a message belongs to. */
export async function findCompanyOfMessage(
  sql: Sql,
  id: MessageId,
): Promise<CompanyId | undefined> {
  const rows = await sql.query<{ company_id: CompanyId }>(
    `select m.company_id from company c join message m on m.company_id = c.id and m.id = $1`,
    [id],
  );
  return rows[0]?.company_id;
}

/**
 * Messages that a request made. Nothing is indexed by request id, so every message of the range is
 * read, along the primary key of each company: ask for a short range.
 */
export async function findMessagesByRequest(
  sql: Sql,
  { requestId, fromId, toId, rowsMax }: IdRange & { requestId: string },
): Promise<MessageRef[]> {
  return await sql.query<MessageRef>(
    `select m.company_id, m.id from company c cross join lateral (
       select m.company_id, m.id from message m
       where m.company_id = c.id and m.id >= $2 and m.id < $3 and m.request_id = $1 limit $4) m
     order by m.id desc limit $4`,
    [requestId, fromId, toId, rowsMax],
  );
}

/** A call that did not become a message: refused, or a verification. */
export type FoundCall = {
  company_id: CompanyId;
  at: Date;
  request_id: string;
  path: string;
  status: number;
  error_code: string | null;
  /** Masked. */
  phone: string | null;
  message_id: MessageId | null;
  is_test: boolean;
};

const CALL = `select l.company_id, l.at, l.request_id, l.path, l.status, l.error_code, l.phone, l.message_id,
  k.is_test from request_log l join api_key k on k.id = l.key_id`;

/** Calls about a phone, by its masked form, of any company; newest first. */
export async function findCallsAbout(
  sql: Sql,
  query: {
    masked: string;
    from: Date;
    to: Date;
    companyId?: CompanyId | undefined;
    rowsMax: number;
  },
): Promise<FoundCall[]> {
  return await sql.query<FoundCall>(
    `${CALL} where l.phone = $1 and l.at >= $2 and l.at < $3 and ($4::bigint is null or l.company_id = $4)
     order by l.at desc limit $5`,
    [query.masked, query.from, query.to, query.companyId ?? null, query.rowsMax],
  );
}

/** Calls with a request id, of any company; newest first. */
export async function findCallsByRequest(
  sql: Sql,
  query: { requestId: string; from: Date; to: Date; rowsMax: number },
): Promise<FoundCall[]> {
  return await sql.query<FoundCall>(
    `select l.* from company c cross join lateral (
       ${CALL} where l.company_id = c.id and l.request_id = $1 and l.at >= $2 and l.at < $3) l
     order by l.at desc limit $4`,
    [query.requestId, query.from, query.to, query.rowsMax],
  );
}

export type CountedSend = { created_at: Date; settled_at: Date | null };

/** The sends of a company to a phone that its limits count at a moment, newest first. */
export async function findCountedSends(
  sql: Sql,
  query: IdRange & {
    companyId: CompanyId;
    phone: Phone;
    kind: MessageKind;
    isTest: boolean;
    before: Date;
  },
): Promise<CountedSend[]> {
  return await sql.query<CountedSend>(
    `select created_at, settled_at from message
     where company_id = $1 and recipient = $2 and id >= $3 and id < $4 and kind = $5::message_kind
       and is_test = $6 and state <> 'failed' and created_at < $7
     order by id desc limit $8`,
    [
      query.companyId,
      query.phone,
      query.fromId,
      query.toId,
      query.kind,
      query.isTest,
      query.before,
      query.rowsMax,
    ],
  );
}

/** Minutes in which the pumping guard kept SMS of these companies from numbers like this one. */
export async function findBlockedMinutes(
  sql: Sql,
  query: { companies: readonly CompanyId[]; phone: Phone; from: Date; to: Date },
): Promise<{ company_id: CompanyId; minute: Date; prefix: string }[]> {
  return await sql.query(
    `select company_id, minute, prefix from guard_decision
     where company_id = any ($1::bigint[]) and $2::text like prefix || '%' and action = 'blocked'
       and minute >= date_trunc('minute', $3::timestamptz) and minute < $4
     order by minute desc limit 100`,
    [query.companies, query.phone, query.from, query.to],
  );
}

export async function findCompanyNames(
  sql: Sql,
  ids: readonly CompanyId[],
): Promise<Map<CompanyId, string>> {
  const rows = await sql.query<{ id: CompanyId; name: string }>(
    'select id, name from company where id = any ($1::bigint[])',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
