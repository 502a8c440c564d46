import type { EventType } from '@zhiber/contract/api/events.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { StoredEvent } from './event-body.ts';

/** A terminal that has not asked for this long listens no more. */
const LISTENS_SECONDS = 60;

/** One terminal per company listens. Returns its endpoint. */
export async function keepListening(
  sql: Sql,
  companyId: CompanyId,
  events: readonly EventType[],
): Promise<number> {
  const rows = await sql.query<{ id: number }>(
    `insert into webhook_endpoint (company_id, url, events, off_at, off_reason, listener_until)
     values ($1, '', $2, clock_timestamp(), 'person', clock_timestamp() + interval '${LISTENS_SECONDS} seconds')
     on conflict (company_id) where listener_until is not null and deleted_at is null
       do update set events = excluded.events, listener_until = excluded.listener_until
     returning id`,
    [companyId, events],
  );
  return (rows[0] as { id: number }).id;
}

/** Takes what has happened since. Whoever dies with them in hand has lost them: it is a terminal. */
export async function takeListened(
  sql: Sql,
  endpointId: number,
  { limit, onlyTest }: { limit: number; onlyTest: boolean },
): Promise<StoredEvent[]> {
  return await sql.query<StoredEvent>(
    `with taken as (
       delete from webhook_delivery where endpoint_id = $1 and event_id in (
         select event_id from webhook_delivery where endpoint_id = $1 order by event_id limit $2)
       returning event_id)
     select v.id, v.type, v.at, v.is_test as "isTest", v.phone::text as phone, v.data
     from taken t join webhook_event v on v.id = t.event_id
     where v.is_test or not $3 order by v.id`,
    [endpointId, limit, onlyTest],
  );
}

/** An event that did not happen, for every endpoint of the company that wants its type. */
export async function insertSample(
  sql: Sql,
  sample: { id: string; companyId: CompanyId; type: EventType; phone: string | null; data: object },
): Promise<number> {
  const rows = await sql.query(
    `with event as (
       insert into webhook_event (id, company_id, type, at, is_test, phone, data)
       values ($1, $2, $3, clock_timestamp(), true, $4, $5) returning id)
     insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, next_try_at)
     select $2, w.id, e.id, $3, case when w.off_at is null then 'waiting' else 'missed' end::webhook_delivery_state,
       case when w.off_at is null then clock_timestamp() end
     from event e join webhook_endpoint w on w.company_id = $2 and w.deleted_at is null and $3 = any (w.events)
       and (w.listener_until is null or w.listener_until > clock_timestamp())
     returning endpoint_id`,
    [sample.id, sample.companyId, sample.type, sample.phone, sample.data],
  );
  return rows.length;
}
