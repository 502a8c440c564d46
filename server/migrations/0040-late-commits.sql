-- A refusal looks for a fallback under way only once it holds the message. In one statement it waited for the message, then
-- read the message as it had become, but its attempts as they had been: a fallback that was claimed meanwhile was not
-- seen, the refusal gave the charge back, and the fallback charged again.
--
-- The sealed copies of codes are for fallbacks, and go with the refusal. The watch, which removes them otherwise, may have
-- passed a message before its reservation was visible.

create or replace function refuse_sends(
  p_company bigint[], p_id uuid[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[],
  p_request text[], p_has_left boolean[], p_reason text, p_cause uuid
) returns table (ord integer, is_done boolean)
language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer := cardinality(p_id);
  v_states message_state[] := (select array_agg(
      case when i.has_left then 'unknown' else 'failed' end::message_state order by i.n)
    from unnest(p_has_left) with ordinality as i(has_left, n));
begin
  insert into message (company_id, id, key_id, kind, is_test, recipient, state, created_at, settled_at, look_at,
    reason, request_id)
  select i.company, i.id, i.key, i.kind, i.is_test, i.recipient, i.state, v_now, v_now, v_now, p_reason, i.request
  from unnest(p_company, p_id, p_key, p_kind, p_is_test, p_recipient, p_request, v_states)
    as i(company, id, key, kind, is_test, recipient, request, state)
  order by i.company, i.id
  on conflict do nothing;

  perform settle(p_company, p_id, v_states, array_fill(null::channel, array[v_count]), array_fill(0, array[v_count]),
    array_fill(null::text, array[v_count]), array_fill(p_reason, array[v_count]), array_fill(''::text, array[v_count]),
    array_fill(1, array[v_count]), null, p_cause);

  -- A statement of its own: the next one sees what was committed while this one waited.
  perform from unnest(p_company, p_id) as i(company, id)
  join message m on m.company_id = i.company and m.id = i.id
  order by m.company_id, m.id for update of m;

  with freed as (
    update message m set charged = 0, state = 'unknown', route = '', reason = p_reason
    from unnest(p_company, p_id) as i(company, id)
    join message s on s.company_id = i.company and s.id = i.id
    where m.company_id = i.company and m.id = i.id and m.state = 'sent' and m.hold = 0 and not exists (
      select 1 from attempt a where a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
        and a.state = 'sending')
    returning s.company_id, s.charged
  ), sums as (
    select f.company_id, sum(f.charged) as charged, count(*) as n from freed f where f.charged > 0 group by f.company_id
    order by f.company_id
  ), repaid as (
    update account a set balance = a.balance + s.charged
    from sums s where a.company_id = s.company_id
    returning a.company_id, a.balance, s.charged, s.n
  )
  insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
  select r.company_id, 'charge_moved', p_cause, r.charged, -r.n, r.balance, clock_timestamp() from repaid r;

  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id
    from unnest(p_company, p_id) as i(company, id)
    join message m on m.company_id = i.company and m.id = i.id
    where m.state <> 'sent' and m.kind = 'otp'
    -- As verify goes through them.
    order by m.key_id, m.recipient, m.purpose
  ) m
  where c.key_id = m.key_id and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id
    and c.sealed is not null;

  return query
    select i.n::integer, m.state <> 'sent'
    from unnest(p_company, p_id) with ordinality as i(company, id, n)
    join message m on m.company_id = i.company and m.id = i.id
    order by i.n;
end $$;

alter function refuse_sends set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan;

-- The sealed copies of codes that the watch has passed without seeing them are found by the second round as well.

create or replace function sweep_missed(p_limit integer) returns table (missed integer, has_more boolean)
language plpgsql as $$
declare
  v_watch watch;
  v_to timestamptz;
  v_has_more boolean;
  v_missed integer;
begin
  select * into v_watch from watch for update skip locked;
  if not found or pg_snapshot_xmin(pg_current_snapshot()) < v_watch.sweep_after then
    return query select 0, false;
    return;
  end if;

  select m.look_at into v_to from message m
  where m.look_at > v_watch.swept_until and m.look_at <= v_watch.sweep_to
  order by m.look_at offset p_limit limit 1;
  v_has_more := found;
  v_to := coalesce(v_to, v_watch.sweep_to);

  -- The same messages that take_due would have taken, or whose codes it would have unsealed.
  update message m set look_at = clock_timestamp() + interval '5 seconds'
  where m.look_at > v_watch.swept_until and m.look_at <= v_to
    and (m.state = 'sending'
      or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '')
      or m.hold > 0
      or m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id
        and a.message_id = m.id and a.number = m.attempt and a.state = 'sending')
      or m.kind = 'otp' and exists (select 1 from code c where c.key_id = m.key_id and c.phone = m.recipient
        and c.purpose = m.purpose and c.message_id = m.id and c.sealed is not null));
  get diagnostics v_missed = row_count;

  update watch set swept_until = v_to;
  if not v_has_more then
    -- A minute behind the cursor: look_at is read from the clock a moment before its transaction gets a number.
    update watch set sweep_to = greatest(looked_until - interval '1 minute', v_to),
      sweep_after = pg_snapshot_xmax(pg_current_snapshot());
  end if;
  return query select v_missed, v_has_more;
end $$;

alter function sweep_missed set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
