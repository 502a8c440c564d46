import { EVENT_TYPES } from '@zhiber/contract/api/events.ts';
import type { RunSql } from '../harness.ts';

/**
 * A log of an endpoint, of the last 20 days: nine of ten were delivered; `message.failed` never was,
 * and nothing else has failed. Inserts the events from a number to another, of `count` in all.
 */
export async function insertPastDeliveries(
  sql: RunSql,
  endpoint: { companyId: number; id: number },
  { from = 0, to, count = to }: { from?: number; to: number; count?: number },
): Promise<void> {
  await sql(
    `with made as materialized (
       select (left(uuid_at(at)::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, at, type, state
       from (
         select n, now() - interval '20 days' + interval '20 days' * (n::float8 / $6::integer) as at,
           ($5::text[])[1 + n % cardinality($5::text[])] as type
         from generate_series($3::integer + 1, $4::integer) as n) as planned
       cross join lateral (select (case when type = 'message.failed' then 'failed' when n % 100 = 7 then 'missed'
         else 'delivered' end)::webhook_delivery_state as state) as stated
     ), event as (
       insert into webhook_event (id, company_id, type, at, is_test, data)
       select id, $1, type, at, false, '{"message_id": "01a2b3", "channel": "sms"}' from made
     ), try as (
       insert into webhook_try (company_id, endpoint_id, event_id, number, at, url, has_phone, signed_at, signature,
         outcome, error, status, duration_ms, answer)
       select $1, $2, id, 1, at, 'https://shop.kz/hook', false, extract(epoch from at)::bigint,
         'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=', case state when 'delivered' then 'delivered' else 'refused' end,
         case state when 'delivered' then null else 'status' end, case state when 'delivered' then 204 else 500 end, 40, ''
       from made where state <> 'missed'
     )
     insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, tries, tries_ever, last_try_at,
       outcome, status, duration_ms)
     select $1, $2, id, type, state, 1, 1, at, case state when 'delivered' then 'delivered' else 'refused' end,
       case state when 'delivered' then 204 else 500 end, 40
     from made`,
    [endpoint.companyId, endpoint.id, from, to, EVENT_TYPES, count],
  );
}
