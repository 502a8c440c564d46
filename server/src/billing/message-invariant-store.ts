import type { AuditScope } from './audit-scope-store.ts';

/**
 * Rules that each message keeps by itself, with its attempts. A month that is audited once keeps
 * them for ever.
 */
export const messageInvariants = ({ messages, since }: AuditScope) =>
  ({
    charged_but_not_sent: `
      select count(*) from message where charged > 0 and state <> 'sent' and ${messages('id')}`,

    // A send whose caller got an error, by the request log or the stored answer, is free. A clock may
    // be an hour off.
    charged_but_refused: `
      select count(*) from message m
      join (
        select company_id, message_id from request_log where status >= 500 and message_id is not null
          and at >= '${since}'::timestamptz - interval '1 hour'
        union
        select k.company_id, i.subject from idempotency i join api_key k on k.id = i.key_id
        where i.status >= 500
      ) refused on refused.company_id = m.company_id and refused.message_id = m.id
      where m.charged > 0 and ${messages('m.id')}`,

    test_message_took_money: `
      select count(*) from message where is_test and (charged > 0 or hold > 0) and ${messages('id')}`,

    // The charge is that of an accepted attempt, and more than that of the first only if it has
    // delivered, or reports no deliveries (then nothing is pending and there is no receipt).
    charged_differs_from_price: `
      select count(*) from message m
      where m.state = 'sent' and not m.is_test and m.attempt > 1 and ${messages('m.id')} and not exists (
        select 1 from attempt a where a.company_id = m.company_id and a.message_id = m.id
          and a.state = 'accepted' and a.price = m.charged
          and (m.charged <= (select f.price from attempt f where f.company_id = m.company_id
              and f.message_id = m.id and f.state = 'accepted' order by f.number limit 1)
            or a.receipt >= 'delivered' or a.receipt is null or a.receipt = 'unconfirmed'))`,

    // What is held for a pending price is exactly the difference.
    pending_price_is_not_held: `
      select count(*) from message where pending_price is not null
        and (state <> 'sent' or hold <> greatest(pending_price - charged, 0)) and ${messages('id')}`,

    hold_is_stale: `
      select count(*) from message m
      where m.hold > 0 and m.created_at < clock_timestamp() - interval '5 minutes' and ${messages('m.id')}
        and not exists
        (select from attempt a where a.company_id = m.company_id and a.message_id = m.id
          and a.started_at >= clock_timestamp() - interval '5 minutes')`,

    message_sending_is_stale: `
      select count(*) from message
      where state = 'sending' and created_at < clock_timestamp() - interval '5 minutes' and ${messages('id')}`,

    attempt_sending_is_stale: `
      select count(*) from attempt
      where state = 'sending' and started_at < clock_timestamp() - interval '5 minutes'
        and ${messages('message_id')}`,

    channel_accepted_twice: `
      select count(*) from (select 1 from attempt where state = 'accepted' and ${messages('message_id')}
        group by company_id, message_id, channel having count(*) > 1) a`,

    message_of_foreign_key: `
      select count(*) from message m left join api_key k on k.id = m.key_id
      where k.company_id is distinct from m.company_id and ${messages('m.id')}`,

    // Both are in the same month.
    attempt_without_message: `
      select count(*) from attempt a where ${messages('a.message_id')} and not exists
        (select from message m where m.company_id = a.company_id and m.id = a.message_id
          and ${messages('m.id')})`,
  }) as const;
