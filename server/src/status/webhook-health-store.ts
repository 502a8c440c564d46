import type { Sql } from '../db/sql.ts';
import { lowestIdAt } from '../ids.ts';

export type WebhookMinute = { minute: Date; good: number; bad: number };

/** A first try later than this after its event is late. */
const LATE_SECONDS = 60;
/** Enough to judge some minutes by. */
const EVENTS_JUDGED_MAX = 20_000;
const EVENTS_OF_ENDPOINT_MAX = 1_000;

/**
 * Events by the minute in which they happened: good when a first try to deliver them was made, bad
 * when none was made in time. An endpoint that fails, hangs or has asked for a pause is not counted:
 * a receiver that does not answer is no fault of ours.
 */
export async function readWebhookHealth(
  sql: Sql,
  { from, until }: { from: Date; until: Date },
): Promise<WebhookMinute[]> {
  return await sql.query<WebhookMinute>(
    `with recent as (
       (select v.at, d.tries_ever > 0 as is_tried
       from webhook_endpoint p
       cross join lateral (select event_id, tries_ever from webhook_delivery
         where endpoint_id = p.id and event_id >= $1::uuid and event_id < $2::uuid and state <> 'missed'
         order by event_id limit ${EVENTS_OF_ENDPOINT_MAX}) d
       join webhook_event v on v.id = d.event_id
       where p.deleted_at is null and p.off_at is null and p.failing_since is null
       limit ${EVENTS_JUDGED_MAX})
       union all
       -- Nobody has taken these yet.
       select o.at, false from webhook_outbox o where o.at >= $3 and o.at < $4
     )
     select date_trunc('minute', at) as minute, count(*) filter (where is_tried)::integer as good,
       count(*) filter (where not is_tried and at < clock_timestamp() - make_interval(secs => $5))::integer as bad
     from recent group by 1 order by 1`,
    [lowestIdAt(from.getTime()), lowestIdAt(until.getTime()), from, until, LATE_SECONDS],
  );
}
