import type { EventType } from '@zhiber/contract/api/events.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import type {
  TrafficAttempt,
  TrafficCall,
  TrafficClick,
  TrafficCode,
  TrafficLink,
  TrafficMessage,
} from './traffic-rows.ts';

/** Rows of one statement at most: far below the statement timeout, even on a busy machine. */
const ROWS_PER_STATEMENT = 2_000;

/**
 * Takes the turn to fill the demo company until the transaction ends. False while somebody else is
 * doing it, on this node or another.
 */
export async function lockDemo(tx: Transaction): Promise<boolean> {
  const rows = await tx.query<{ is_ours: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('zhiber demo')) as is_ours`,
  );
  return rows[0]?.is_ours ?? false;
}

async function inSlices<Row>(
  rows: readonly Row[],
  insert: (json: string) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    await insert(JSON.stringify(rows.slice(from, from + ROWS_PER_STATEMENT)));
  }
}

/** Messages that have had all their receipts: nobody looks after them any more. */
export async function insertMessages(
  tx: Transaction,
  companyId: CompanyId,
  messages: readonly TrafficMessage[],
): Promise<void> {
  await inSlices(messages, (json) =>
    tx.query(
      `insert into message (company_id, id, key_id, kind, is_test, recipient, state, receipt, channel, attempt, charged,
         created_at, settled_at, receipt_at, delivered_at, next_check_at, purpose, reason, slug, body, request_id)
       select $1, m.id, m.key_id, m.kind, m.is_test, m.recipient, m.state, m.receipt, m.channel, m.attempt, m.charged,
         m.created_at, m.settled_at, m.receipt_at, m.delivered_at, 'infinity', m.purpose, m.reason, m.slug, m.body,
         m.request_id
       from jsonb_to_recordset($2) as m(id uuid, key_id bigint, kind message_kind, is_test boolean, recipient bigint,
         state message_state, receipt receipt, channel channel, attempt smallint, charged integer,
         created_at timestamptz, settled_at timestamptz, receipt_at timestamptz, delivered_at timestamptz,
         purpose text, reason text, slug text, body text, request_id text)`,
      [companyId, json],
    ),
  );
}

export async function insertAttempts(
  tx: Transaction,
  companyId: CompanyId,
  attempts: readonly TrafficAttempt[],
): Promise<void> {
  await inSlices(attempts, (json) =>
    tx.query(
      `insert into attempt (company_id, message_id, number, channel, state, reason, receipt, price, started_at,
         settled_at, receipt_at, delivered_at)
       select $1, a.* from jsonb_to_recordset($2) as a(message_id uuid, number smallint, channel channel,
         state attempt_state, reason text, receipt receipt, price integer, started_at timestamptz,
         settled_at timestamptz, receipt_at timestamptz, delivered_at timestamptz)`,
      [companyId, json],
    ),
  );
}

/** Codes that can be read and no longer be entered: nobody knows their digits. */
export async function putCodes(
  tx: Transaction,
  companyId: CompanyId,
  codes: readonly TrafficCode[],
): Promise<void> {
  await inSlices(codes, (json) =>
    tx.query(
      `insert into code (company_id, key_id, phone, purpose, message_id, expires_at, verified_at, wrong)
       select $1, c.* from jsonb_to_recordset($2) as c(key_id bigint, phone bigint, purpose text, message_id uuid,
         expires_at timestamptz, verified_at timestamptz, wrong smallint)
       on conflict (key_id, phone, purpose, company_id) do update set message_id = excluded.message_id,
         expires_at = excluded.expires_at, verified_at = excluded.verified_at, wrong = excluded.wrong
         where code.expires_at < excluded.expires_at`,
      [companyId, json],
    ),
  );
}

export async function insertCalls(
  tx: Transaction,
  companyId: CompanyId,
  calls: readonly TrafficCall[],
): Promise<void> {
  await inSlices(calls, (json) =>
    tx.query(
      `insert into request_log (company_id, at, key_id, request_id, path, status, error_code, duration_ms, phone,
         channel, message_id, recipient, request_body, answer_body)
       select $1, l.* from jsonb_to_recordset($2) as l(at timestamptz, key_id bigint, request_id text, path text,
         status smallint, error_code text, duration_ms integer, phone text, channel text, message_id uuid,
         recipient bigint, request_body text, answer_body text)`,
      [companyId, json],
    ),
  );
}

export async function insertLinks(
  tx: Transaction,
  companyId: CompanyId,
  links: readonly TrafficLink[],
): Promise<void> {
  await inSlices(links, (json) =>
    tx.query(
      `insert into link (slug_key, slug, company_id, url, message_id, recipient, created_at, expires_at)
       select lower(l.slug), l.slug, $1, l.url, l.message_id, l.recipient, l.created_at,
         case when l.message_id is not null then l.created_at + interval '90 days' end
       from jsonb_to_recordset($2) as l(slug text, url text, message_id uuid, recipient bigint,
         created_at timestamptz)
       on conflict (slug_key) do nothing`,
      [companyId, json],
    ),
  );
}

export async function insertClicks(
  tx: Transaction,
  companyId: CompanyId,
  clicks: readonly TrafficClick[],
): Promise<void> {
  await inSlices(clicks, (json) =>
    tx.query(
      `insert into click (slug_key, company_id, message_id, recipient, at, is_robot, is_scan,
         country, city, device, system, browser, referrer)
       select lower(c.slug), $1, c.message_id, c.recipient, c.at, c.is_robot, c.is_scan,
         c.country, c.city, c.device, c.system, c.browser, c.referrer
       from jsonb_to_recordset($2) as c(slug text, message_id uuid, recipient bigint, at timestamptz,
         is_robot boolean, is_scan boolean, country text, city text, device click_device,
         system click_system, browser click_browser, referrer text)`,
      [companyId, json],
    ),
  );
}

/** Hours and days that were counted before their messages were there are counted again. */
export async function forgetCounts(
  tx: Transaction,
  companyId: CompanyId,
  from: Date,
): Promise<void> {
  for (const table of ['counted_hour', 'usage_hour', 'call_hour', 'spend_hour']) {
    await tx.query(`delete from ${table} where company_id = $1 and hour >= $2`, [companyId, from]);
  }
  await tx.query(
    `delete from figure_count where day >= ($1::timestamptz at time zone 'Asia/Almaty')::date`,
    [from],
  );
}

export type DemoMember = { id: string; name: string; email: string; role: Role; joinedAt: Date };

/** People without a password: nobody can sign in as one of them. */
export async function insertTeam(
  tx: Transaction,
  companyId: CompanyId,
  members: readonly DemoMember[],
): Promise<void> {
  await tx.query(
    `with people as (
       select * from jsonb_to_recordset($2) as p(id text, name text, email text, role text, "joinedAt" timestamptz)
     ), added as (
       insert into person (id, name, email, created_at) select id, name, email, "joinedAt" from people
       on conflict do nothing returning id
     )
     insert into member (company_id, person_id, role, joined_at)
     select $1, p.id, p.role, p."joinedAt" from people p join added a on a.id = p.id`,
    [companyId, JSON.stringify(members)],
  );
}

export async function setKeyAge(
  tx: Transaction,
  key: { keyId: KeyId; createdAt: Date; usedAt: Date },
): Promise<void> {
  await tx.query('update api_key set created_at = $2 where id = $1', [key.keyId, key.createdAt]);
  await tx.query(
    `insert into key_use as u (company_id, key_id, used_at)
     select company_id, id, $2::timestamptz from api_key where id = $1
     on conflict (key_id) do update set used_at = greatest(u.used_at, excluded.used_at)`,
    [key.keyId, key.usedAt],
  );
}

/** The group has been there since the company came; the documentation posts to it by its name. */
export async function setGroupAge(
  tx: Transaction,
  companyId: CompanyId,
  { createdAt, postedAt }: { createdAt: Date; postedAt: Date },
): Promise<{ id: number; name: string } | undefined> {
  const rows = await tx.query<{ id: number; name: string }>(
    `update messenger_group set created_at = $2, posted_at = greatest(posted_at, $3)
     where id = (select min(id) from messenger_group where company_id = $1) returning id, name`,
    [companyId, createdAt, postedAt],
  );
  return rows[0];
}

export async function findDemoGroup(
  tx: Transaction,
  companyId: CompanyId,
): Promise<number | undefined> {
  const rows = await tx.query<{ id: number }>(
    'select min(id) as id from messenger_group where company_id = $1 having min(id) is not null',
    [companyId],
  );
  return rows[0]?.id;
}

export type PastEvent = {
  id: string;
  type: EventType;
  at: Date;
  isTest: boolean;
  phone: string | null;
  data: Readonly<Record<string, unknown>>;
};
export type PastTry = {
  eventId: string;
  number: number;
  at: Date;
  signedAt: number;
  signature: string;
  outcome: 'delivered' | 'refused';
  status: number;
  durationMs: number;
  answer: string;
};

/** Events of an endpoint that it has got, with every try. */
export async function insertDeliveries(
  tx: Transaction,
  { companyId, endpointId, url }: { companyId: CompanyId; endpointId: number; url: string },
  { events, tries }: { events: readonly PastEvent[]; tries: readonly PastTry[] },
): Promise<void> {
  await inSlices(events, (json) =>
    tx.query(
      `insert into webhook_event (id, company_id, type, at, is_test, phone, data)
       select e.id, $1, e.type, e.at, e."isTest", e.phone, e.data
       from jsonb_to_recordset($2) as e(id uuid, type text, at timestamptz, "isTest" boolean, phone bigint,
         data jsonb)`,
      [companyId, json],
    ),
  );
  await inSlices(tries, (json) =>
    tx.query(
      `insert into webhook_try (company_id, endpoint_id, event_id, number, at, url, has_phone, signed_at, signature,
         outcome, status, duration_ms, answer)
       select $1, $2, t."eventId", t.number, t.at, $3, false, t."signedAt", t.signature, t.outcome, t.status,
         t."durationMs", t.answer
       from jsonb_to_recordset($4) as t("eventId" uuid, number smallint, at timestamptz, "signedAt" bigint,
         signature text, outcome text, status smallint, "durationMs" integer, answer text)`,
      [companyId, endpointId, url, json],
    ),
  );
  await tx.query(
    `insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, tries, tries_ever, last_try_at,
       outcome, status, duration_ms)
     select $1, $2, e.id, e.type, 'delivered', t.number, t.number, t.at, t.outcome, t.status, t.duration_ms
     from webhook_event e join lateral (select * from webhook_try w
       where w.endpoint_id = $2 and w.event_id = e.id order by w.number desc limit 1) t on true
     where e.id = any ($3)`,
    [companyId, endpointId, events.map(({ id }) => id)],
  );
}

export type PastEndpointHour = {
  hour: Date;
  delivered: number;
  refused: number;
  durations: number[];
};

export async function insertEndpointHours(
  tx: Transaction,
  { companyId, endpointId }: { companyId: CompanyId; endpointId: number },
  hours: readonly PastEndpointHour[],
): Promise<void> {
  await tx.query(
    `insert into webhook_hour (company_id, endpoint_id, hour, delivered, refused, durations)
     select $1, $2, h.hour, h.delivered, h.refused, h.durations
     from jsonb_to_recordset($3) as h(hour timestamptz, delivered integer, refused integer, durations integer[])`,
    [companyId, endpointId, JSON.stringify(hours)],
  );
}

export async function setEndpointAge(
  tx: Transaction,
  { endpointId, createdAt }: { endpointId: number; createdAt: Date },
): Promise<void> {
  await tx.query('update webhook_endpoint set created_at = $2 where id = $1', [
    endpointId,
    createdAt,
  ]);
}

export async function readDemoStart(tx: Transaction, companyId: CompanyId): Promise<Date> {
  const rows = await tx.query<{ created_at: Date }>(
    'select created_at from company where id = $1',
    [companyId],
  );
  return (rows[0] as { created_at: Date }).created_at;
}
