import type { Sql } from '../db/sql.ts';
import { lowestIdAt } from '../ids.ts';

export type WebhookMinute = { minute: Date; good: number; bad: number };

/** A first try later than this after its event is late. */
const LATE_SECONDS = 60;
/** Enough to judge some minutes by. */
const EVENTS_JUDGED_MAX = 5_000;

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
       select e.at, d.tries_ever > 0 as is_tried
       from (select * from webhook_event where id >= $1::uuid and id < $2::uuid order by id limit $3) e
       join webhook_delivery d on d.event_id = e.id and d.state <> 'missed'
       join webhook_endpoint p on p.id = d.endpoint_id and p.deleted_at is null and p.off_at is null
         and p.failing_since is null and p.paused_until is null and not p.has_timed_out
       union all
       -- Nobody has taken these yet.
       select o.at, false from webhook_outbox o where o.at >= $4 and o.at < $5
     )
     select date_trunc('minute', at) as minute, count(*) filter (where is_tried)::integer as good,
       count(*) filter (where not is_tried and at < clock_timestamp() - make_interval(secs => $6))::integer as bad
     from recent group by 1 order by 1`,
    [
      lowestIdAt(from.getTime()),
      lowestIdAt(until.getTime()),
      EVENTS_JUDGED_MAX,
      from,
      until,
      LATE_SECONDS,
    ],
  );
}
