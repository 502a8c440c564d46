import type { EventType } from '@zhiber/contract/api/events.ts';
import { type TryError, WEBHOOK_COUNTED_MAX } from '@zhiber/contract/cabinet/webhooks.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** What a company may set on an endpoint. */
export type EndpointSettings = {
  url: string;
  events: EventType[];
  description: string;
  showsPhones: boolean;
};

export type OffReason = 'person' | 'failing' | 'gone';

export type Endpoint = EndpointSettings & {
  id: number;
  companyId: CompanyId;
  createdAt: Date;
  offAt: Date | null;
  offReason: OffReason | null;
  failingSince: Date | null;
  /** Set while the previous secret signs as well. */
  previousUntil: Date | null;
  lastError: TryError | null;
  lastErrorAt: Date | null;
  lastStatus: number | null;
};

export type EndpointRef = { companyId: CompanyId; id: number };

const COLUMNS = `e.id, e.company_id as "companyId", e.url, e.events, e.description, e.shows_phones as "showsPhones",
  e.created_at as "createdAt", e.off_at as "offAt", e.off_reason as "offReason", e.failing_since as "failingSince",
  case when e.previous_until > clock_timestamp() then e.previous_until end as "previousUntil",
  e.last_error as "lastError", e.last_error_at as "lastErrorAt", e.last_status as "lastStatus"`;

export async function insertEndpoint(
  tx: Transaction,
  endpoint: EndpointSettings & {
    companyId: CompanyId;
    secret: Buffer;
    createdBy: PersonId | undefined;
  },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into webhook_endpoint (company_id, url, events, description, shows_phones, secret, created_by)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [
      endpoint.companyId,
      endpoint.url,
      endpoint.events,
      endpoint.description,
      endpoint.showsPhones,
      endpoint.secret,
      endpoint.createdBy ?? null,
    ],
  );
  return (rows[0] as { id: number }).id;
}

export type ListedEndpoint = Endpoint & { createdBy: string | null };

/** All of a company, or one, the oldest first. */
export async function listEndpoints(
  sql: Sql,
  companyId: CompanyId,
  id?: number,
): Promise<ListedEndpoint[]> {
  return await sql.query<ListedEndpoint>(
    `select ${COLUMNS}, p.name as "createdBy" from webhook_endpoint e left join person p on p.id = e.created_by
     where e.company_id = $1 and e.deleted_at is null and e.listener_until is null and ($2::bigint is null or e.id = $2) order by e.id`,
    [companyId, id ?? null],
  );
}

/** How many deliveries of an endpoint are in these states; counts stop past the maximum. */
export async function countDeliveries(
  sql: Sql,
  endpointId: number,
): Promise<{ waiting: number; missed: number }> {
  const counted = (state: string) =>
    `(select count(*)::integer from (select from webhook_delivery
      where endpoint_id = $1 and state = '${state}' limit ${WEBHOOK_COUNTED_MAX + 1}) as d)`;
  const rows = await sql.query<{ waiting: number; missed: number }>(
    `select ${counted('waiting')} as waiting, ${counted('missed')} as missed`,
    [endpointId],
  );
  return rows[0] as { waiting: number; missed: number };
}

/** Endpoints are changed one at a time per company, so that their number can be limited. */
export async function lockEndpoints(tx: Transaction, companyId: CompanyId): Promise<number> {
  await tx.query('select from company where id = $1 for no key update', [companyId]);
  const rows = await tx.query<{ count: number }>(
    `select count(*)::integer as count from webhook_endpoint where company_id = $1 and deleted_at is null
       and listener_until is null`,
    [companyId],
  );
  return (rows[0] as { count: number }).count;
}

export async function findEndpoint(
  sql: Sql,
  { companyId, id }: EndpointRef,
): Promise<Endpoint | undefined> {
  const rows = await sql.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoint e where e.company_id = $1 and e.id = $2 and e.deleted_at is null and e.listener_until is null`,
    [companyId, id],
  );
  return rows[0];
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(
  tx: Transaction,
  { companyId, id }: EndpointRef,
): Promise<Endpoint | undefined> {
  const rows = await tx.query<Endpoint>(
    `select ${COLUMNS} from webhook_endpoint e where e.company_id = $1 and e.id = $2 and e.deleted_at is null and e.listener_until is null
     for no key update`,
    [companyId, id],
  );
  return rows[0];
}

export async function updateEndpoint(
  tx: Transaction,
  { companyId, id }: EndpointRef,
  settings: EndpointSettings,
): Promise<void> {
  await tx.query(
    `update webhook_endpoint set url = $3, events = $4, description = $5, shows_phones = $6
     where company_id = $1 and id = $2`,
    [companyId, id, settings.url, settings.events, settings.description, settings.showsPhones],
  );
}

/** Turned on, it starts with a clean record. */
export async function setSwitch(
  tx: Transaction,
  { companyId, id }: EndpointRef,
  offReason: OffReason | null,
): Promise<void> {
  await tx.query(
    `update webhook_endpoint set off_reason = $3, off_at = case when $3::text is not null then clock_timestamp() end,
       failing_since = case when $3::text is not null then failing_since end,
       has_timed_out = false, paused_until = null
     where company_id = $1 and id = $2`,
    [companyId, id, offReason],
  );
}

/** Its secrets are forgotten at once; its deliveries with time. */
export async function setDeleted(tx: Transaction, { companyId, id }: EndpointRef): Promise<void> {
  await tx.query(
    `update webhook_endpoint set deleted_at = clock_timestamp(), secret = null, previous_secret = null
     where company_id = $1 and id = $2`,
    [companyId, id],
  );
}

export async function replaceSecret(
  tx: Transaction,
  { companyId, id }: EndpointRef,
  change: { secret: Buffer; overlapHours: number },
): Promise<Date> {
  const rows = await tx.query<{ until: Date }>(
    `update webhook_endpoint set secret = $3, previous_secret = secret,
       previous_until = clock_timestamp() + make_interval(hours => $4)
     where company_id = $1 and id = $2 returning previous_until as until`,
    [companyId, id, change.secret, change.overlapHours],
  );
  return (rows[0] as { until: Date }).until;
}

export async function readSecret(
  sql: Sql,
  { companyId, id }: EndpointRef,
): Promise<{ secret: Buffer; previousUntil: Date | null }> {
  const rows = await sql.query<{ secret: Buffer; previousUntil: Date | null }>(
    `select secret, case when previous_until > clock_timestamp() then previous_until end as "previousUntil"
     from webhook_endpoint where company_id = $1 and id = $2 and deleted_at is null`,
    [companyId, id],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`webhook ${id} has no secret`);
  return row;
}

export type EndpointHour = {
  endpointId: number;
  at: Date;
  delivered: number;
  refused: number;
  timed_out: number;
  unreachable: number;
  blocked: number;
  durations: number[];
};

/** The figures of whole hours since then, the oldest first. */
export async function readHours(
  sql: Sql,
  endpointIds: readonly number[],
  since: Date,
): Promise<EndpointHour[]> {
  return await sql.query<EndpointHour>(
    `select endpoint_id as "endpointId", hour as at, delivered, refused, timed_out, unreachable, blocked, durations
     from webhook_hour where endpoint_id = any ($1) and hour >= $2 order by endpoint_id, hour`,
    [endpointIds, since],
  );
}

export type EndpointMember = { email: string; language: string };

/** Whom to write about an endpoint: members with these roles who have an address. */
export async function listEndpointMembers(
  sql: Sql,
  companyId: CompanyId,
  roles: readonly string[],
): Promise<EndpointMember[]> {
  return await sql.query<EndpointMember>(
    `select p.email, c.language from member m join person p on p.id = m.person_id join company c on c.id = m.company_id
     where m.company_id = $1 and m.role = any ($2) and p.email is not null order by m.joined_at, p.id`,
    [companyId, roles],
  );
}

export async function readCompanyName(sql: Sql, companyId: CompanyId): Promise<string> {
  const rows = await sql.query<{ name: string }>('select name from company where id = $1', [
    companyId,
  ]);
  return (rows[0] as { name: string }).name;
}
