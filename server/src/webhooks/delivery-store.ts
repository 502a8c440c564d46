import type { EventType } from '@zhiber/contract/api/events.ts';
import {
  DELIVERY_STATES,
  type TryError,
  type TryOutcome,
  WEBHOOK_COUNTED_MAX,
} from '@zhiber/contract/cabinet/webhooks.ts';
import { callFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, lowestIdAt } from '../ids.ts';
import type { CallResult } from './call-endpoint.ts';
import { classOfDuration, DURATION_CLASSES } from './durations.ts';
import type { StoredEvent } from './event-body.ts';

/** Writes the events of some rows of the outbox. Returns how many rows there were. */
export async function expandOutbox(
  sql: Sql,
  limits: { rowsMax: number; eventsMax: number },
  shortLinkBase: string,
): Promise<number> {
  const rows = await callFunction<{ taken: number }>(
    sql,
    { name: 'expand_webhooks', columns: 'expand_webhooks as taken' },
    {
      p_rows_max: limits.rowsMax,
      p_events_max: limits.eventsMax,
      p_short_link_base: shortLinkBase,
    },
  );
  return rows[0]?.taken ?? 0;
}

export type Claim = {
  endpointId: number;
  eventId: string;
  claim: number;
  /** Before this one. */
  tries: number;
  /** The endpoint has just timed out. */
  isSlow: boolean;
};

/** Claims deliveries that are due, until the lease ends. */
export async function claimDeliveries(
  sql: Sql,
  limits: {
    max: number;
    slowMax: number;
    share: number;
    leaseSeconds: number;
    /** Endpoints that have their share already. */
    busy: readonly number[];
  },
): Promise<Claim[]> {
  return await callFunction<Claim>(
    sql,
    {
      name: 'claim_webhooks',
      columns: `endpoint_id as "endpointId", event_id as "eventId", claim, tries, is_slow as "isSlow"`,
    },
    {
      p_max: limits.max,
      p_slow_max: limits.slowMax,
      p_share: limits.share,
      p_lease_seconds: limits.leaseSeconds,
      p_busy: limits.busy,
    },
  );
}

/** What is needed to call an endpoint with an event. */
export type Outgoing = {
  endpointId: number;
  companyId: CompanyId;
  url: string;
  showsPhones: boolean;
  secret: Buffer;
  previousSecret: Buffer | null;
  event: StoredEvent;
};

const EVENT_COLUMNS = `v.id, v.type, v.at, v.is_test as "isTest", v.phone::text as phone, v.data`;

/** In the order of the claims; undefined where the endpoint or the event is gone. */
export async function readOutgoing(
  sql: Sql,
  claims: readonly Claim[],
): Promise<(Outgoing | undefined)[]> {
  type Row = Omit<Outgoing, 'event'> & StoredEvent & { n: number };
  const rows = await sql.query<Row>(
    `select i.n::integer as n, e.id as "endpointId", e.company_id as "companyId", e.url, e.shows_phones as "showsPhones",
       e.secret, case when e.previous_until > clock_timestamp() then e.previous_secret end as "previousSecret",
       ${EVENT_COLUMNS}
     from unnest($1::bigint[], $2::uuid[]) with ordinality as i(endpoint, event, n)
     join webhook_endpoint e on e.id = i.endpoint and e.deleted_at is null
     join webhook_event v on v.id = i.event and v.company_id = e.company_id`,
    [claims.map(({ endpointId }) => endpointId), claims.map(({ eventId }) => eventId)],
    'read-outgoing-webhooks',
  );
  const found: (Outgoing | undefined)[] = claims.map(() => undefined);
  for (const { n, id, type, at, isTest, phone, data, ...rest } of rows) {
    found[n - 1] = { ...rest, event: { id, type, at, isTest, phone, data } };
  }
  return found;
}

export type Try = Claim & {
  url: string;
  hasPhone: boolean;
  signedAt: number;
  signature: string;
  result: CallResult;
  /** Null when it is not tried again. */
  retrySeconds: number | null;
  /** The endpoint has asked for a pause. */
  pauseSeconds: number | null;
};

export type RecordedTry = {
  /** False when the lease had ended, and somebody else has claimed it. */
  isRecorded: boolean;
  failingSince: Date | null;
};

export const recordTries: GroupStatement<Try, RecordedTry> = {
  name: 'record webhook tries',
  itemsMax: 256,
  waitingMax: 4_096,
  async run(sql, tries) {
    const list = <Value>(read: (each: Try) => Value) => tries.map(read);
    return await callFunction<RecordedTry>(
      sql,
      {
        name: 'record_webhook_tries',
        columns: 'is_recorded as "isRecorded", failing_since as "failingSince"',
      },
      {
        p_endpoint: list(({ endpointId }) => endpointId),
        p_event: list(({ eventId }) => eventId),
        p_claim: list(({ claim }) => claim),
        p_url: list(({ url }) => url),
        p_has_phone: list(({ hasPhone }) => hasPhone),
        p_signed_at: list(({ signedAt }) => signedAt),
        p_signature: list(({ signature }) => signature),
        p_outcome: list(({ result }) => result.outcome),
        p_error: list(({ result }) => result.error),
        p_status: list(({ result }) => result.status),
        p_duration_ms: list(({ result }) => result.durationMs),
        p_duration_place: list(({ result }) =>
          result.status === null ? null : classOfDuration(result.durationMs),
        ),
        p_answer: list(({ result }) => result.answer),
        p_is_answer_cut: list(({ result }) => result.isAnswerCut),
        p_retry_seconds: list(({ retrySeconds }) => retrySeconds),
        p_pause_seconds: list(({ pauseSeconds }) => pauseSeconds),
        p_durations: DURATION_CLASSES,
      },
    );
  },
};

/** Gives claims back that were not tried to the end, so that the next worker takes them at once. */
export function releaseClaims(sql: Sql, claims: readonly Claim[]): Promise<void> {
  return endClaims(sql, claims, 'next_try_at = clock_timestamp()');
}

/** A delivery of something that is gone is not tried again. */
export function dropClaims(sql: Sql, claims: readonly Claim[]): Promise<void> {
  return endClaims(sql, claims, `state = 'failed', next_try_at = null`);
}

async function endClaims(sql: Sql, claims: readonly Claim[], change: string): Promise<void> {
  await sql.query(
    `update webhook_delivery d set ${change}, is_trying = false
     from unnest($1::bigint[], $2::uuid[], $3::integer[]) as i(endpoint, event, claim)
     where d.endpoint_id = i.endpoint and d.event_id = i.event and d.claim = i.claim and d.is_trying`,
    [
      claims.map(({ endpointId }) => endpointId),
      claims.map(({ eventId }) => eventId),
      claims.map(({ claim }) => claim),
    ],
  );
}

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type Delivery = {
  id: string;
  type: EventType;
  state: DeliveryState;
  at: Date;
  isTest: boolean;
  tries: number;
  lastTryAt: Date | null;
  outcome: TryOutcome | null;
  status: number | null;
  error: TryError | null;
  durationMs: number | null;
  nextTryAt: Date | null;
};

const DELIVERY_COLUMNS = `d.event_id as id, d.type, d.state, v.at, v.is_test as "isTest", d.tries,
  d.last_try_at as "lastTryAt", d.outcome, d.status, d.error, d.duration_ms as "durationMs",
  d.next_try_at as "nextTryAt"`;

export type DeliveryFilter = {
  state: DeliveryState | undefined;
  type: EventType | undefined;
  since: Date | undefined;
  /** The id of the last row of the page before. */
  before: string | undefined;
  limit: number;
};

/**
 * Newest first. Each combination of filters has an index that gives this order; of a type alone, one
 * order for each state.
 */
export async function findDeliveries(
  sql: Sql,
  endpointId: number,
  { state, type, since, before, limit }: DeliveryFilter,
): Promise<Delivery[]> {
  const values: unknown[] = [endpointId, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = [
    'd.endpoint_id = $1',
    ...(type === undefined ? [] : [`d.type = ${bind(type)}`]),
    ...(since === undefined ? [] : [`d.event_id >= ${bind(lowestIdAt(since.getTime()))}`]),
    ...(before === undefined ? [] : [`d.event_id < ${bind(before)}`]),
  ].join(' and ');
  const states = type === undefined || state !== undefined ? [state] : DELIVERY_STATES;
  const parts = states.map(
    (each) =>
      `(select * from webhook_delivery d where ${where}${each === undefined ? '' : ` and d.state = ${bind(each)}`}
        order by d.event_id desc limit $2)`,
  );
  return await sql.query<Delivery>(
    `select ${DELIVERY_COLUMNS} from (${parts.join(' union all ')}) d join webhook_event v on v.id = d.event_id
     order by d.event_id desc limit $2`,
    values,
  );
}

export async function findDelivery(
  sql: Sql,
  endpointId: number,
  eventId: string,
): Promise<(Delivery & { event: StoredEvent }) | undefined> {
  type Row = Delivery & { phone: StoredEvent['phone']; data: StoredEvent['data'] };
  const rows = await sql.query<Row>(
    `select ${DELIVERY_COLUMNS}, v.phone::text as phone, v.data
     from webhook_delivery d join webhook_event v on v.id = d.event_id
     where d.endpoint_id = $1 and d.event_id = $2`,
    [endpointId, eventId],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  const { phone, data, ...delivery } = row;
  const { id, type, at, isTest } = delivery;
  return { ...delivery, event: { id, type, at, isTest, phone, data } };
}

export type LoggedTry = {
  number: number;
  at: Date;
  url: string;
  hasPhone: boolean;
  signedAt: number;
  signature: string;
  outcome: TryOutcome;
  error: TryError | null;
  status: number | null;
  durationMs: number;
  answer: string | null;
  isAnswerCut: boolean;
};

const TRIES_SHOWN_MAX = 100;

/** Newest first. */
export async function findTries(
  sql: Sql,
  endpointId: number,
  eventId: string,
): Promise<LoggedTry[]> {
  return await sql.query<LoggedTry>(
    `select number, at, url, has_phone as "hasPhone", signed_at as "signedAt", signature, outcome, error, status,
       duration_ms as "durationMs", answer, is_answer_cut as "isAnswerCut"
     from webhook_try where endpoint_id = $1 and event_id = $2 order by number desc limit ${TRIES_SHOWN_MAX}`,
    [endpointId, eventId],
  );
}

export type ReplayFilter = { which: 'failed' | 'missed' | 'all'; since: Date };

/** What is under way or waits for its next try is not sent again. */
const REPLAYED: Readonly<Record<ReplayFilter['which'], string>> = {
  failed: `d.state = 'failed'`,
  missed: `d.state = 'missed'`,
  all: `d.state <> 'waiting'`,
};

export async function countReplayed(
  sql: Sql,
  endpointId: number,
  { which, since }: ReplayFilter,
): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from (select from webhook_delivery d
       where d.endpoint_id = $1 and d.event_id >= $2 and ${REPLAYED[which]}
       limit ${WEBHOOK_COUNTED_MAX + 1}) as d`,
    [endpointId, lowestIdAt(since.getTime())],
  );
  return (rows[0] as { count: number }).count;
}

const MADE_DUE = `state = 'waiting', tries = 0, next_try_at = clock_timestamp()`;

/** Makes at most so many due again, the oldest first. `after` is where the step before has ended. */
export async function makeDue(
  sql: Sql,
  endpointId: number,
  { which, since, after, limit }: ReplayFilter & { after: string | undefined; limit: number },
): Promise<{ count: number; last: string | null }> {
  const rows = await sql.query<{ count: number; last: string | null }>(
    `with chosen as materialized (
       select d.event_id from webhook_delivery d
       where d.endpoint_id = $1 and d.event_id >= $2 and ($3::uuid is null or d.event_id > $3)
         and ${REPLAYED[which]}
       order by d.event_id limit $4 for update
     ), due as (
       update webhook_delivery d set ${MADE_DUE} from chosen c
       where d.endpoint_id = $1 and d.event_id = c.event_id
     )
     select count(*)::integer as count, (array_agg(event_id order by event_id desc))[1] as last from chosen`,
    [endpointId, lowestIdAt(since.getTime()), after ?? null, limit],
  );
  return rows[0] as { count: number; last: string | null };
}

/** Makes these due again. Returns how many of them were not waiting already. */
export async function makeEventsDue(
  sql: Sql,
  endpointId: number,
  eventIds: readonly string[],
): Promise<number> {
  const rows = await sql.query(
    `update webhook_delivery d set ${MADE_DUE}
     where d.endpoint_id = $1 and d.event_id = any ($2) and ${REPLAYED.all} returning d.event_id`,
    [endpointId, eventIds],
  );
  return rows.length;
}

/** Of an endpoint that is off: at most so many of those that wait are missed. Returns how many. */
export async function markMissed(sql: Sql, endpointId: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `update webhook_delivery d set state = 'missed', next_try_at = null, is_trying = false
     from (select t.event_id from webhook_delivery t
       where t.endpoint_id = $1 and t.state = 'waiting' limit $2 for update skip locked) i
     where d.endpoint_id = $1 and d.event_id = i.event_id returning d.event_id`,
    [endpointId, limit],
  );
  return rows.length;
}

/** An event for one endpoint alone, whatever it subscribes to. */
export async function insertDueEvent(
  sql: Sql,
  event: { id: string; companyId: CompanyId; endpointId: number; type: EventType; data: object },
): Promise<void> {
  await sql.query(
    `with event as (
       insert into webhook_event (id, company_id, type, at, is_test, data)
       values ($1, $2, $3, clock_timestamp(), true, $4) returning id)
     insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, next_try_at)
     select $2, $5, id, $3, 'waiting', clock_timestamp() from event`,
    [event.id, event.companyId, event.type, event.data, event.endpointId],
  );
}

/** How many events of a type an endpoint has had within the last minute. */
export async function countRecent(sql: Sql, endpointId: number, type: EventType): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from webhook_delivery
     where endpoint_id = $1 and type = $2 and event_id >= uuid_at(clock_timestamp() - interval '1 minute')`,
    [endpointId, type],
  );
  return (rows[0] as { count: number }).count;
}
