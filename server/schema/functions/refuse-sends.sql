-- Makes sends free whose callers were told of a failure while it was unknown what had been written about them. The row
-- is inserted under the message's own key, so it waits for a reservation whose commit is not visible yet, and refuses
-- one that comes later. What was held is released, what was charged is refunded. Not done while a fallback is under
-- way: that has to end first. The sealed copies of codes are for fallbacks, and are removed as well.
create or replace function refuse_sends(
  p_company bigint[], p_id uuid[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[],
  p_request text[], p_has_left boolean[], p_reason text, p_cause uuid
) returns table (ord integer, is_done boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer := cardinality(p_id);
  v_states message_state[] := (select array_agg(
      case when i.has_left then 'unknown' else 'failed' end::message_state order by i.n)
    from unnest(p_has_left) with ordinality as i(has_left, n));
  -- The sends that were charged or held money.
  f_companies bigint[];
  f_ids uuid[];
  f_amounts integer[];
begin
  insert into message (company_id, id, key_id, kind, is_test, recipient, state, created_at, settled_at, next_check_at,
    reason, request_id)
  select i.company, i.id, i.key, i.kind, i.is_test, i.recipient, i.state, v_now, v_now, v_now, p_reason, i.request
  from unnest(p_company, p_id, p_key, p_kind, p_is_test, p_recipient, p_request, v_states)
    as i(company, id, key, kind, is_test, recipient, request, state)
  order by i.company, i.id
  on conflict do nothing;

  perform settle(p_company => p_company, p_id => p_id, p_state => v_states,
    p_channel => array_fill(null::channel, array[v_count]), p_price => array_fill(0, array[v_count]),
    p_provider_id => array_fill(null::text, array[v_count]), p_reason => array_fill(p_reason, array[v_count]),
    p_route => array_fill(''::text, array[v_count]), p_attempt => array_fill(1, array[v_count]), p_attempts => null,
    p_cause => p_cause);

  -- A separate statement: the next one sees what was committed while this one waited.
  perform from unnest(p_company, p_id) as i(company, id)
  join message m on m.company_id = any (array[i.company]) and m.id = i.id
  order by i.company, i.id for update of m;

  with freed as (
    update message m set charged = 0, hold = 0, pending_price = null, state = 'unknown', route = '', reason = p_reason
    from unnest(p_company, p_id) as i(company, id)
    join message s on s.company_id = any (array[i.company]) and s.id = i.id
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sent' and not exists (
      select 1 from attempt a where a.company_id = any (array[m.company_id]) and a.message_id = m.id and a.number = m.attempt
        and a.state = 'sending')
    returning s.company_id, s.id, s.charged, s.hold
  ), sums as (
    select f.company_id, sum(f.charged) as charged, sum(f.hold) as held, count(*) filter (where f.charged > 0) as n
    from freed f where f.charged > 0 or f.hold > 0 group by f.company_id
    order by f.company_id
  ), repaid as (
    update account a set balance = a.balance + s.charged, held = a.held - s.held,
      entries = a.entries + (s.charged > 0)::integer
    from sums s where a.company_id = any (array[s.company_id])
    returning a.company_id, a.balance, a.entries, s.charged, s.n
  ), posted as (
    insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
    select r.company_id, r.entries, 'charge_moved', p_cause, r.charged, -r.n, r.balance, clock_timestamp()
    from repaid r where r.charged > 0
  )
  select array_agg(f.company_id), array_agg(f.id), array_agg(f.charged + f.hold)
  into f_companies, f_ids, f_amounts from freed f where f.charged > 0 or f.hold > 0;
  if f_ids is not null then
    perform move_key_spend(f_companies, f_ids, f_amounts, array_fill(0, array[cardinality(f_ids)]));
  end if;

  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id
    from unnest(p_company, p_id) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.state <> 'sent' and m.kind = 'otp'
    -- The lock order of verify.
    order by m.key_id, m.recipient, m.purpose
  ) m
  where c.key_id = any (array[m.key_id]) and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id
    and c.sealed is not null;

  return query
    select i.n::integer, m.state <> 'sent'
    from unnest(p_company, p_id) with ordinality as i(company, id, n)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    order by i.n;
end $$;
