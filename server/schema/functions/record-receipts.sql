-- The standing attempt of a message: the newest accepted one. With a single attempt that is the message itself.
create or replace function standing_attempt(p_company bigint, p_id uuid, p_latest smallint)
returns smallint language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  if p_latest = 1 then
    return 1;
  end if;
  return coalesce((select max(a.number) from attempt a
    where a.company_id = p_company and a.message_id = p_id and a.state = 'accepted'), p_latest);
end $$;

-- Whether a receipt comes from the provider that made the attempt: the id of an attempt begins with the name of its
-- provider. Receipts of the sandbox name no provider.
create or replace function is_of_provider(p_provider_id text, p_provider text) returns boolean language sql immutable
as $$
  select p_provider is null or p_provider_id is null or starts_with(p_provider_id, p_provider || ':')
$$;

-- The usual receipt is new, for a settled message with a single attempt: it is written without a look-up first. Every
-- other one (a repeat, an early one, one of a later attempt, one of an unknown message) is left to record_receipts.
-- Each message may be named once.
--
-- The update is joined to a sorted list, and the settings leave only a plan that follows that list and probes an index
-- for each message. Locking the messages in a statement before would cost every receipt a third more.
create or replace function record_plain_receipts(
  p_company bigint[], p_id uuid[], p_receipt receipt[], p_reason text[], p_provider text[]
) returns table (ord integer, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  -- What is told of the messages that move; nothing is gathered while no company wants to hear of it.
  v_is_told boolean := exists (select 1 from webhook_endpoint w
    where w.company_id = any (p_company) and w.deleted_at is null);
  t_company bigint[] := '{}';
  t_id uuid[] := '{}';
  t_type text[] := '{}';
  t_channel text[] := '{}';
  t_cost integer[] := '{}';
  t_reason text[] := '{}';
  r record;
begin
  for r in
    update message m set receipt = i.receipt, receipt_at = clock_timestamp(), reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, clock_timestamp()) end
    from (
      select u.* from unnest(p_company, p_id, p_receipt, p_reason, p_provider)
        with ordinality as u(company, id, receipt, reason, provider, n)
      -- The lock order of messages, everywhere.
      order by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
      and m.state <> 'sending' and m.attempt = 1 and is_of_provider(m.provider_id, i.provider)
    returning i.n::integer, m.receipt = 'failed' and m.state = 'sent' and m.route <> '' as may_fall_back,
      m.company_id, m.id, m.receipt, m.state, m.channel, m.charged, m.reason
  loop
    ord := r.n;
    may_fall_back := r.may_fall_back;
    return next;
    if v_is_told then
      t_company := t_company || r.company_id;
      t_id := t_id || r.id;
      t_type := t_type || receipt_event(r.receipt, r.state, r.may_fall_back, true);
      t_channel := t_channel || r.channel::text;
      t_cost := t_cost || r.charged;
      t_reason := t_reason || r.reason;
    end if;
  end loop;
  if v_is_told then
    perform add_message_events(t_company, t_id, t_type, t_channel, t_cost, t_reason);
  end if;
end $$;

-- The first delivery of messages whose fallback left a price pending: by the fallback's channel, the charge moves there;
-- by an earlier one, it stays. Either way it is final, and the hold for the difference is released.
create or replace function charge_deliveries(p_company bigint[], p_id uuid[], p_by_fallback boolean[])
returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_companies bigint[];
  v_ids uuid[];
  v_holds integer[];
  v_extras integer[];
begin
  with priced as (
    update message m set hold = 0, pending_price = null,
      charged = case when i.by_fallback then s.pending_price else s.charged end
    from unnest(p_company, p_id, p_by_fallback) as i(company, id, by_fallback)
    join message s on s.company_id = any (array[i.company]) and s.id = i.id
    where m.company_id = any (array[i.company]) and m.id = i.id and s.pending_price is not null
    returning m.company_id, m.id, s.hold, m.charged - s.charged as extra
  ), sums as (
    select p.company_id, sum(p.hold) as held, sum(p.extra) as extra from priced p group by p.company_id
    -- The lock order of accounts, everywhere.
    order by p.company_id
  ), paid as (
    update account a set held = a.held - s.held, balance = a.balance - s.extra,
      entries = a.entries + (s.extra <> 0)::integer
    from sums s where a.company_id = any (array[s.company_id])
    returning a.company_id, a.balance, a.entries, s.extra
  ), posted as (
    insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
    select p.company_id, p.entries, 'charge_moved', new_id(), -p.extra, p.balance, clock_timestamp()
    from paid p where p.extra <> 0
  )
  select array_agg(p.company_id), array_agg(p.id), array_agg(p.hold), array_agg(p.extra)
  into v_companies, v_ids, v_holds, v_extras from priced p;
  perform move_key_spend(v_companies, v_ids, v_holds, v_extras);
end $$;

-- Records many receipts in one statement. They may come twice, late or out of order: the order of the `receipt` type
-- decides, and none moves a message back. Money moves only with the first delivery after a fallback, and never more
-- than was held for it. The messages are locked by company and id, in a statement that sorts them first: `order by`
-- determines the lock order only where the rows are locked above the sort.
create or replace function record_receipts(
  p_company bigint[], p_id uuid[], p_attempt integer[], p_receipt receipt[], p_reason text[], p_provider text[]
) returns table (ord integer, is_known boolean, is_new boolean, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_id);
  -- The message of each receipt as it was found; null when there is none, or the receipt is another provider's.
  v_states message_state[] := array_fill(null::message_state, array[v_count]);
  v_latest smallint[] := array_fill(null::smallint, array[v_count]);
  v_is_new boolean[] := array_fill(false, array[v_count]);
  v_may_fall_back boolean[] := array_fill(false, array[v_count]);
  -- Delivered messages with a pending price.
  d_company bigint[] := '{}';
  d_id uuid[] := '{}';
  d_by_fallback boolean[] := '{}';
  -- Messages that have moved, the event of each, and the attempt whose receipt moved it.
  t_company bigint[] := '{}';
  t_id uuid[] := '{}';
  t_type text[] := '{}';
  t_attempt integer[] := '{}';
  r record;
  v_attempt record;
begin
  for r in
    select u.n, m.state, m.attempt, m.provider_id
    from unnest(p_company, p_id) with ordinality as u(company, id, n)
    join message m on m.company_id = any (array[u.company]) and m.id = u.id
    order by u.company, u.id for update of m
  loop
    if r.state <> 'sending' and p_provider[r.n] is not null then
      if r.attempt = 1 then
        continue when not is_of_provider(r.provider_id, p_provider[r.n]);
      else
        -- With several attempts each has a row, and the message shows the standing one.
        select a.state, a.provider_id into v_attempt from attempt a
        where a.company_id = p_company[r.n] and a.message_id = p_id[r.n] and a.number = p_attempt[r.n];
        continue when not found or not is_of_provider(v_attempt.provider_id, p_provider[r.n]);
        -- The provider of a fallback is not known while it is under way, so the receipt waits like an early one.
        if v_attempt.state = 'sending' then
          r.state := 'sending';
        end if;
      end if;
    end if;
    v_states[r.n] := r.state;
    v_latest[r.n] := r.attempt;
    v_is_new[r.n] := r.state = 'sending';
  end loop;
  v_now := clock_timestamp();

  if 'sending' = any (v_states) then
    insert into early_receipt (company_id, message_id, attempt, receipt, reason, at, provider)
    select i.company, i.id, i.attempt, i.receipt, i.reason, v_now, i.provider
    from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, p_provider, v_states)
      as i(company, id, attempt, receipt, reason, provider, state)
    where i.state = 'sending';
  end if;

  -- Attempts have rows of their own from the second on.
  if 1 < any (v_latest) then
    update attempt a set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, a.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(a.delivered_at, v_now) end
    from (
      select u.company, u.id, u.attempt, max(u.receipt) as receipt,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states)
        as u(company, id, attempt, receipt, reason, state)
      where u.state <> 'sending'
      group by u.company, u.id, u.attempt
    ) i
    where a.company_id = any (array[i.company]) and a.message_id = i.id and a.number = i.attempt
      and (a.receipt is null or a.receipt < i.receipt);
  end if;

  -- A failure counts for the message only if it is about the standing attempt; a delivery always counts.
  for r in
    update message m set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, v_now) end
    from (
      select u.company, u.id, max(u.receipt) as receipt, array_agg(u.n) as places,
        bool_and(u.attempt = u.latest) filter (where u.receipt >= 'delivered') as by_fallback,
        (array_agg(u.reason order by u.receipt desc))[1] as reason,
        (array_agg(u.attempt order by u.receipt desc))[1] as attempt
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states, v_latest)
        with ordinality as u(company, id, attempt, receipt, reason, state, latest, n)
      where u.state <> 'sending'
        and (u.receipt >= 'delivered' or u.attempt = standing_attempt(u.company, u.id, u.latest))
      group by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
    returning i.places, m.receipt = 'failed' and m.state = 'sent' and m.route <> '' as may_fall_back,
      i.company, i.id, i.by_fallback, m.pending_price, i.attempt,
      receipt_event(m.receipt, m.state, m.route <> '', m.attempt = i.attempt) as event
  loop
    t_company := t_company || r.company;
    t_id := t_id || r.id;
    t_type := t_type || r.event;
    t_attempt := t_attempt || r.attempt;
    if r.pending_price is not null and r.by_fallback is not null then
      d_company := d_company || r.company;
      d_id := d_id || r.id;
      d_by_fallback := d_by_fallback || r.by_fallback;
    end if;
    for k in 1 .. cardinality(r.places) loop
      v_is_new[r.places[k]] := true;
      v_may_fall_back[r.places[k]] := r.may_fall_back;
    end loop;
  end loop;

  if d_id <> '{}' then
    perform charge_deliveries(d_company, d_id, d_by_fallback);
  end if;

  -- The guard of add_message_events. The charge is read after it has moved, and the channel is that of the receipt.
  if exists (select 1 from webhook_endpoint w where w.company_id = any (t_company) and w.deleted_at is null) then
    perform add_message_events(array_agg(i.company), array_agg(i.id), array_agg(i.type),
      array_agg(coalesce(a.channel, m.channel)::text), array_agg(m.charged), array_agg(m.reason))
    from unnest(t_company, t_id, t_type, t_attempt) as i(company, id, type, attempt)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    left join attempt a on a.company_id = any (array[i.company]) and a.message_id = i.id and a.number = i.attempt;
  end if;

  return query
    select i.n::integer, i.state is not null, i.is_new, i.may_fall_back
    from unnest(v_states, v_is_new, v_may_fall_back)
      with ordinality as i(state, is_new, may_fall_back, n)
    order by i.n;
end $$;
