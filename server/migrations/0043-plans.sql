-- No plan of the hot path reads a whole table, whatever the statistics say. Where a table was analysed while it was empty, a
-- join to a list of rows began with the table, and stayed so while it grew: until the next analysis a check of codes read all
-- codes, and a batch of receipts all messages. A plan can begin with a table because an index gives its rows in an order
-- that a join or a sort could use. So the first column of the index is now compared by `= any (array[x])`, by which rows can be
-- looked up but not ordered, and sorting is by the columns of the list.

create or replace function pass_on_receipts(p_provider_id text[])
 returns table (provider_id text, may_fall_back boolean)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_ids text[];
  v_companies bigint[];
  v_messages uuid[];
  v_attempts integer[];
  v_receipts receipt[];
  v_reasons text[];
begin
  -- So that of two parts at once the second sees the first. Materialized, here and below: otherwise the index of parts
  -- would do as well as the ids while it is small, and be read whole.
  perform from (
    with named as materialized (
      select f.company_id, f.message_id, f.parts from provider_ref f where f.provider_id = any (p_provider_id))
    select n.company_id, n.message_id from named n where n.parts > 1
  ) n
  join message m on m.company_id = any (array[n.company_id]) and m.id = n.message_id
  order by n.company_id, n.message_id for update of m;

  with named as materialized (
    select f.* from provider_ref f where f.provider_id = any (p_provider_id)
  ), news as (
    select n.provider_id, n.company_id, n.message_id, n.attempt, n.receipt, n.reason
    from named n
    where n.parts = 1 and n.message_id is not null and n.receipt is not null
    union all
    select n.provider_id, n.company_id, n.message_id, n.attempt, w.receipt, w.reason
    from named n
    join lateral (
      select case when bool_or(o.receipt = 'failed') then 'failed'
          when bool_and(o.receipt is not null) and count(*) = n.parts then min(o.receipt) end as receipt,
        max(o.reason) as reason
      from provider_ref o
      where o.message_id = n.message_id and o.attempt = n.attempt and o.parts > 1
    ) w on w.receipt is not null
    where n.parts > 1 and n.message_id is not null
  )
  select array_agg(n.provider_id order by n.message_id), array_agg(n.company_id order by n.message_id),
    array_agg(n.message_id order by n.message_id), array_agg(n.attempt::integer order by n.message_id),
    array_agg(n.receipt order by n.message_id), array_agg(n.reason order by n.message_id)
  into v_ids, v_companies, v_messages, v_attempts, v_receipts, v_reasons
  from news n;
  if v_ids is null then
    return;
  end if;

  return query
    select v_ids[c.ord], c.may_fall_back
    from record_receipts(v_companies, v_messages, v_attempts, v_receipts, v_reasons) c;
end $$;

create or replace function record_plain_receipts(p_company bigint[], p_id uuid[], p_receipt receipt[], p_reason text[])
 returns table (ord integer, may_fall_back boolean)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    update message m set receipt = i.receipt, receipt_at = clock_timestamp(), reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, clock_timestamp()) end
    from (
      select u.* from unnest(p_company, p_id, p_receipt, p_reason)
        with ordinality as u(company, id, receipt, reason, n)
      -- Messages are locked in this order wherever several are.
      order by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
      and m.state <> 'sending' and m.attempt = 1
    returning i.n::integer, m.receipt = 'failed' and m.state = 'sent' and m.route <> '';
end $$;

create or replace function record_provider_receipts(p_provider_id text[], p_receipt receipt[], p_reason text[])
 returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  insert into provider_ref as f (provider_id, receipt, reason)
  select i.provider_id, max(i.receipt), (array_agg(i.reason order by i.receipt desc))[1]
  from unnest(p_provider_id, p_receipt, p_reason) as i(provider_id, receipt, reason)
  group by i.provider_id
  order by i.provider_id
  on conflict (provider_id) do update set
    receipt = greatest(f.receipt, excluded.receipt),
    reason = case when excluded.receipt > f.receipt or f.receipt is null then excluded.reason else f.reason end;
  return query
    select i.n::integer, f.company_id, f.message_id, coalesce(w.may_fall_back, false)
    from unnest(p_provider_id) with ordinality as i(provider_id, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id])
    left join pass_on_receipts(p_provider_id) w on w.provider_id = i.provider_id
    order by i.n;
end $$;

create or replace function record_receipts(p_company bigint[], p_id uuid[], p_attempt integer[], p_receipt receipt[], p_reason text[])
 returns table (ord integer, is_known boolean, is_new boolean, may_fall_back boolean)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_id);
  -- The message of each receipt as it was found; null when there is none.
  v_states message_state[] := array_fill(null::message_state, array[v_count]);
  v_latest smallint[] := array_fill(null::smallint, array[v_count]);
  v_is_new boolean[] := array_fill(false, array[v_count]);
  v_may_fall_back boolean[] := array_fill(false, array[v_count]);
  r record;
begin
  for r in
    select u.n, m.state, m.attempt
    from unnest(p_company, p_id) with ordinality as u(company, id, n)
    join message m on m.company_id = any (array[u.company]) and m.id = u.id
    order by u.company, u.id for update of m
  loop
    v_states[r.n] := r.state;
    v_latest[r.n] := r.attempt;
    v_is_new[r.n] := r.state = 'sending';
  end loop;
  v_now := clock_timestamp();

  if 'sending' = any (v_states) then
    insert into early_receipt (company_id, message_id, attempt, receipt, reason, at)
    select i.company, i.id, i.attempt, i.receipt, i.reason, v_now
    from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states)
      as i(company, id, attempt, receipt, reason, state)
    where i.state = 'sending';
  end if;

  -- Attempts have rows of their own from the second on.
  if 1 < any (v_latest) then
    update attempt a set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, a.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(a.delivered_at, v_now) end
    from (
      select u.company, u.id, u.attempt, max(u.receipt) as receipt,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason) as u(company, id, attempt, receipt, reason)
      group by u.company, u.id, u.attempt
    ) i
    where a.company_id = any (array[i.company]) and a.message_id = i.id and a.number = i.attempt
      and (a.receipt is null or a.receipt < i.receipt);
  end if;

  -- A failure counts for the message only if it is about the attempt it stands on; good news always counts.
  for r in
    update message m set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, v_now) end
    from (
      select u.company, u.id, max(u.receipt) as receipt, array_agg(u.n) as places,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states, v_latest)
        with ordinality as u(company, id, attempt, receipt, reason, state, latest, n)
      where u.state <> 'sending'
        and (u.receipt >= 'delivered' or u.attempt = standing_attempt(u.company, u.id, u.latest))
      group by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
    returning i.places, m.receipt = 'failed' and m.state = 'sent' and m.route <> '' as may_fall_back
  loop
    for k in 1 .. cardinality(r.places) loop
      v_is_new[r.places[k]] := true;
      v_may_fall_back[r.places[k]] := r.may_fall_back;
    end loop;
  end loop;

  return query
    select i.n::integer, i.state is not null, i.is_new, i.may_fall_back
    from unnest(v_states, v_is_new, v_may_fall_back)
      with ordinality as i(state, is_new, may_fall_back, n)
    order by i.n;
end $$;

create or replace function refuse_sends(p_company bigint[], p_id uuid[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[], p_request text[], p_has_left boolean[], p_reason text, p_cause uuid)
 returns table (ord integer, is_done boolean)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
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
  join message m on m.company_id = any (array[i.company]) and m.id = i.id
  order by i.company, i.id for update of m;

  with freed as (
    update message m set charged = 0, state = 'unknown', route = '', reason = p_reason
    from unnest(p_company, p_id) as i(company, id)
    join message s on s.company_id = any (array[i.company]) and s.id = i.id
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sent' and m.hold = 0 and not exists (
      select 1 from attempt a where a.company_id = any (array[m.company_id]) and a.message_id = m.id and a.number = m.attempt
        and a.state = 'sending')
    returning s.company_id, s.charged
  ), sums as (
    select f.company_id, sum(f.charged) as charged, count(*) as n from freed f where f.charged > 0 group by f.company_id
    order by f.company_id
  ), repaid as (
    update account a set balance = a.balance + s.charged
    from sums s where a.company_id = any (array[s.company_id])
    returning a.company_id, a.balance, s.charged, s.n
  )
  insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
  select r.company_id, 'charge_moved', p_cause, r.charged, -r.n, r.balance, clock_timestamp() from repaid r;

  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id
    from unnest(p_company, p_id) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.state <> 'sent' and m.kind = 'otp'
    -- As verify goes through them.
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

create or replace function remember_provider_ids(p_provider_id text[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[])
 returns table (ord integer, is_ours boolean)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_early text[];
begin
  with kept as (
    insert into provider_ref as f (provider_id, company_id, message_id, attempt, parts)
    select distinct on (i.provider_id) i.provider_id, i.company, i.id, i.attempt, i.parts
    from unnest(p_provider_id, p_company, p_id, p_attempt, p_parts)
      as i(provider_id, company, id, attempt, parts)
    order by i.provider_id
    on conflict on constraint provider_ref_pkey do update set
      company_id = excluded.company_id, message_id = excluded.message_id, attempt = excluded.attempt,
      parts = excluded.parts
    where f.company_id is null
    returning f.provider_id, f.receipt
  )
  select array_agg(k.provider_id) into v_early from kept k where k.receipt is not null;
  if v_early is not null then
    perform pass_on_receipts(v_early);
  end if;
  return query
    select i.n::integer, f.company_id = i.company and f.message_id = i.id and f.attempt = i.attempt
    from unnest(p_provider_id, p_company, p_id, p_attempt)
      with ordinality as i(provider_id, company, id, attempt, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id])
    order by i.n;
end $$;

create or replace function reserve(p_id uuid[], p_company bigint[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[], p_prices text[], p_dearest integer[], p_request text[], p_look_seconds integer[], p_body text[], p_gap_seconds integer[], p_gap_max integer[], p_hour_max integer[], p_day_max integer[], p_purpose text[], p_mac bytea[], p_sealed bytea[], p_ttl_seconds integer[], p_slug text[], p_url text[], p_link_ttl_seconds integer[], p_route text[], p_others_seconds integer, p_others_max integer, p_others_day_max integer)
 returns table (ord integer, verdict text, held integer, available bigint, wait_seconds integer)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_id);
  v_verdict text[] := array_fill(null::text, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_available bigint[] := array_fill(null::bigint, array[v_count]);
  v_wait integer[] := array_fill(null::integer, array[v_count]);
  v_company bigint;
  v_left bigint;
  v_kind message_kind;
  v_recipient bigint;
  v_last timestamptz;
  v_added integer;
  v_until timestamptz;
  v_price integer;
  v_crowded bigint[];
  r record;
begin
  perform 1 from account a where a.company_id = any (p_company) order by a.company_id for update;
  v_now := clock_timestamp();

  -- The few phones that may be past a cap over all companies; about the others nothing more is asked.
  select array_agg(c.recipient) into v_crowded
  from (
    select s.recipient
    from (
      select i.recipient, 1 as sends from unnest(p_recipient) as i(recipient)
      union all
      select g.recipient, cardinality(g.recent) from gate g where g.recipient = any (p_recipient)
    ) s
    group by s.recipient having sum(s.sends) > p_others_max
  ) c;

  for r in
    select i.*, a.balance - a.held as company_available, g.last_message,
      w.in_gap, w.in_hour, w.in_day, w.gap_from, w.hour_from, w.day_from, w.last
    from unnest(p_id, p_company, p_kind, p_recipient, p_prices, p_dearest,
        p_gap_seconds, p_gap_max, p_hour_max, p_day_max)
      with ordinality as i(id, company, kind, recipient, prices, dearest,
        gap_seconds, gap_max, hour_max, day_max, n)
    join account a on a.company_id = any (array[i.company])
    left join gate g on g.company_id = i.company and g.recipient = any (array[i.recipient]) and g.kind = i.kind
      and coalesce(i.gap_max, i.day_max) is not null
    left join lateral (
      select count(*) as in_day, min(t) as day_from, max(t) as last,
        count(*) filter (where t > v_now - interval '1 hour') as in_hour,
        min(t) filter (where t > v_now - interval '1 hour') as hour_from,
        count(*) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as in_gap,
        min(t) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as gap_from
      -- A time ahead of now comes from a clock that was set back; it must not lock a phone.
      from unnest(g.recent) as t where t > v_now - interval '1 day' and t <= v_now
    ) w on g.recent is not null
    order by i.company, i.kind, i.recipient, i.n
  loop
    if r.company is distinct from v_company then
      v_company := r.company;
      v_left := r.company_available;
      v_kind := null;
    end if;
    if r.kind is distinct from v_kind or r.recipient <> v_recipient then
      v_kind := r.kind;
      v_recipient := r.recipient;
      v_last := null;
      v_added := 0;
    end if;
    if v_last is null and r.last is not null then
      v_last := r.last;
      if r.gap_max = 1 then
        -- The minute is counted from the acceptance; while the last send is under way it has not begun to end.
        select case m.state when 'sent' then m.settled_at when 'sending' then v_now else m.created_at end
        into v_last
        from message m where m.company_id = r.company and m.id = r.last_message;
        v_last := coalesce(v_last, r.last);
      end if;
    end if;

    v_until := null;
    if v_last is not null or v_added > 0 then
      if r.gap_max = 1 then
        v_until := case when v_added > 0 then v_now else v_last end
          + make_interval(secs => r.gap_seconds);
      elsif coalesce(r.in_gap, 0) + v_added >= r.gap_max then
        v_until := coalesce(r.gap_from, v_now) + make_interval(secs => r.gap_seconds);
      end if;
      if v_until > v_now then
        v_verdict[r.n] := 'too_soon';
        v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
        continue;
      end if;
      if coalesce(r.in_day, 0) + v_added >= r.day_max then
        v_until := coalesce(r.day_from, v_now) + interval '1 day';
      elsif coalesce(r.in_hour, 0) + v_added >= r.hour_max then
        v_until := coalesce(r.hour_from, v_now) + interval '1 hour';
      else
        v_until := null;
      end if;
      if v_until > v_now then
        v_verdict[r.n] := 'too_many';
        v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
        continue;
      end if;
    end if;

    if r.recipient = any (v_crowded) and r.kind <> 'group' and not p_is_test[r.n] then
      v_until := phone_free_at(r.recipient, r.company, v_now,
        p_company, p_kind, p_is_test, p_recipient, v_verdict,
        p_others_seconds, p_others_max, p_others_day_max);
      if v_until is not null then
        v_verdict[r.n] := 'too_many';
        v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
        continue;
      end if;
    end if;

    -- The dearest channel of the route that can be paid.
    v_available[r.n] := v_left;
    if r.dearest <= v_left then
      v_hold[r.n] := r.dearest;
      v_verdict[r.n] := 'reserved';
    else
      foreach v_price in array string_to_array(r.prices, ',')::integer[] loop
        if v_price <= v_left and (v_verdict[r.n] is null or v_price > v_hold[r.n]) then
          v_hold[r.n] := v_price;
          v_verdict[r.n] := 'reserved';
        end if;
      end loop;
      if v_verdict[r.n] is null then
        v_verdict[r.n] := 'short';
        continue;
      end if;
    end if;
    v_left := v_left - v_hold[r.n];
    v_added := v_added + (coalesce(r.gap_max, r.day_max) is not null)::integer;
  end loop;

  update account a set held = a.held + h.hold
  from (
    select i.company, sum(i.hold) as hold
    from unnest(p_company, v_hold, v_verdict) as i(company, hold, verdict)
    where i.verdict = 'reserved' and i.hold > 0
    group by i.company
  ) h
  where a.company_id = any (array[h.company]);

  -- Microseconds keep the sends of one batch apart, so that a failed one can be taken out of its gate alone.
  insert into gate as g (company_id, recipient, kind, recent, last_message, is_test)
  select i.company, i.recipient, i.kind,
    array_agg(v_now + i.n * interval '1 microsecond' order by i.n), (array_agg(i.id order by i.n desc))[1],
    bool_and(i.is_test)
  from unnest(p_id, p_company, p_kind, p_is_test, p_recipient, p_gap_max, p_day_max, v_verdict)
    with ordinality as i(id, company, kind, is_test, recipient, gap_max, day_max, verdict, n)
  where i.verdict = 'reserved' and coalesce(i.gap_max, i.day_max) is not null
  group by i.company, i.recipient, i.kind
  order by i.company, i.recipient, i.kind
  on conflict (company_id, recipient, kind) do update set
    -- A group is limited by the minute alone, and may get thousands of posts a day.
    recent = array(
        select t from unnest(g.recent) as t
        where t > v_now - case g.kind when 'group' then interval '1 minute' else interval '1 day' end
          and t <= v_now)
      || excluded.recent,
    last_message = excluded.last_message, is_test = g.is_test and excluded.is_test;

  insert into code as c (key_id, phone, purpose, company_id, message_id, mac, sealed, expires_at)
  select distinct on (i.key, i.recipient, i.purpose)
    i.key, i.recipient, i.purpose, i.company, i.id, i.mac, i.sealed,
    v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_id, p_company, p_key, p_recipient, p_purpose, p_mac, p_sealed, p_ttl_seconds, v_verdict)
    with ordinality as i(id, company, key, recipient, purpose, mac, sealed, ttl_seconds, verdict, n)
  where i.verdict = 'reserved' and i.mac is not null
  order by i.key, i.recipient, i.purpose, i.n desc
  on conflict (key_id, phone, purpose) do update set
    message_id = excluded.message_id, mac = excluded.mac, sealed = excluded.sealed,
    expires_at = excluded.expires_at, verified_at = null, verified_by = null, wrong = 0;

  if cardinality(array_remove(p_slug, null)) > 0 then
    insert into link (folded, slug, company_id, url, message_id, recipient, created_at, expires_at)
    select lower(i.slug), i.slug, i.company, i.url, i.id, case when i.kind <> 'group' then i.recipient end,
      v_now, v_now + make_interval(secs => i.ttl_seconds)
    from unnest(p_id, p_company, p_kind, p_recipient, p_slug, p_url, p_link_ttl_seconds, v_verdict)
      as i(id, company, kind, recipient, slug, url, ttl_seconds, verdict)
    where i.verdict = 'reserved' and i.slug is not null;
  end if;

  insert into message (company_id, id, key_id, kind, is_test, recipient, state, hold, created_at,
    look_at, purpose, slug, body, request_id, route)
  select i.company, i.id, i.key, i.kind, i.is_test, i.recipient, 'sending', i.hold,
    v_now + i.n * interval '1 microsecond', v_now + make_interval(secs => i.look_seconds),
    i.purpose, i.slug, i.body, i.request, i.route
  from unnest(p_id, p_company, p_key, p_kind, p_is_test, p_recipient, v_hold, p_look_seconds,
      p_purpose, p_slug, p_body, p_request, p_route, v_verdict)
    with ordinality as i(id, company, key, kind, is_test, recipient, hold, look_seconds,
      purpose, slug, body, request, route, verdict, n)
  where i.verdict = 'reserved';

  return query
    select i.n::integer, i.verdict, i.hold, i.available, i.wait_seconds
    from unnest(v_verdict, v_hold, v_available, v_wait)
      with ordinality as i(verdict, hold, available, wait_seconds, n)
    order by i.n;
end $$;

create or replace function settle(p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[], p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid)
 returns table (ord integer, moved boolean, state message_state, charged integer, balance bigint)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer := cardinality(p_id);
  -- What came of each send, in the order of the batch.
  v_moved boolean[] := array_fill(false, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_charged integer[] := array_fill(0, array[v_count]);
  v_state message_state[] := array_fill(null::message_state, array[v_count]);
  e_companies bigint[];
  e_ids uuid[];
  e_attempts integer[];
  e_receipts receipt[];
  e_reasons text[];
  r record;
begin
  for r in
    update message m set
      state = i.state, channel = i.channel, provider_id = i.provider_id, reason = i.reason, route = i.route,
      attempt = i.attempt, hold = 0, charged = case when i.state = 'sent' then i.price else 0 end,
      settled_at = v_now
    from (
      select u.*, h.hold as held
      from unnest(p_company, p_id, p_state, p_channel, p_price, p_provider_id, p_reason, p_route, p_attempt)
        with ordinality as u(company, id, state, channel, price, provider_id, reason, route, attempt, n)
      join message h on h.company_id = any (array[u.company]) and h.id = u.id
      -- Messages are gone through in this order wherever several are locked.
      order by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sending'
    returning i.n, i.held, m.charged, m.state
  loop
    v_moved[r.n] := true;
    v_hold[r.n] := r.held;
    v_charged[r.n] := r.charged;
    v_state[r.n] := r.state;
  end loop;

  with sums as (
    select i.company, sum(i.held) as held, sum(i.charged) as charged, count(*) filter (where i.charged > 0) as n
    from unnest(p_company, v_hold, v_charged) as i(company, held, charged)
    group by i.company
    -- Accounts are gone through in this order wherever several are locked.
    order by i.company
  ), paid as (
    update account a set held = a.held - s.held, balance = a.balance - s.charged
    from sums s where a.company_id = any (array[s.company]) and (s.held > 0 or s.charged > 0)
    returning a.company_id, a.balance, s.charged, s.n
  )
  insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
  select p.company_id, 'charge', p_cause, -p.charged, p.n, p.balance, clock_timestamp()
  from paid p where p.charged > 0;

  -- Sends that asked more than one channel have a row per attempt.
  if p_attempts is not null then
    insert into attempt (company_id, message_id, number, channel, state, reason, provider_id, price,
      started_at, settled_at)
    select t.company_id, t.message_id, t.number, t.channel, t.state, t.reason, t.provider_id, t.price,
      v_now - make_interval(secs => t.started_ago), v_now - make_interval(secs => t.settled_ago)
    from jsonb_to_recordset(p_attempts) as t(company_id bigint, message_id uuid, number smallint,
      channel channel, state attempt_state, reason text, provider_id text, price integer,
      started_ago double precision, settled_ago double precision)
    where exists (select 1 from unnest(p_id, v_moved) as i(id, moved) where i.id = t.message_id and i.moved);
  end if;

  -- A send that every channel refused gives the phone its minute back and leaves no code behind.
  if 'failed' = any (v_state) then
    -- Gates and codes in the orders in which reserve and verify go through them.
    update gate g set recent = array_remove(g.recent, i.created_at), last_message = null
    from (
      select m.company_id, m.recipient, m.kind, m.created_at
      from unnest(p_company, p_id, v_state) as u(company, id, state)
      join message m on m.company_id = any (array[u.company]) and m.id = u.id
      where u.state = 'failed'
      order by u.company, m.recipient, m.kind
    ) i
    where g.company_id = i.company_id and g.recipient = any (array[i.recipient]) and g.kind = i.kind;
    update code c set mac = null, sealed = null
    from (
      select m.key_id, m.recipient, m.purpose, m.id
      from unnest(p_company, p_id, v_state) as u(company, id, state)
      join message m on m.company_id = any (array[u.company]) and m.id = u.id
      where u.state = 'failed' and m.kind = 'otp'
      order by m.key_id, m.recipient, m.purpose
    ) i
    where c.key_id = any (array[i.key_id]) and c.phone = i.recipient and c.purpose = i.purpose and c.message_id = i.id;
  end if;

  -- Receipts that came first can be counted now. A failure need not wait for the fallback time.
  if exists (select 1 from early_receipt) then
    with parked as (
      delete from early_receipt e using unnest(p_company, p_id, v_moved) as i(company, id, moved)
      where i.moved and e.company_id = any (array[i.company]) and e.message_id = i.id
      returning e.*
    )
    select array_agg(p.company_id), array_agg(p.message_id), array_agg(p.attempt::integer),
      array_agg(p.receipt), array_agg(p.reason)
    into e_companies, e_ids, e_attempts, e_receipts, e_reasons
    from parked p;
    if e_ids is not null then
      perform record_receipts(e_companies, e_ids, e_attempts, e_receipts, e_reasons);
      update message m set look_at = v_now + interval '5 seconds'
      from unnest(e_companies, e_ids) as i(company, id)
      where m.company_id = any (array[i.company]) and m.id = i.id and m.receipt = 'failed' and m.route <> '';
    end if;
  end if;

  -- Somebody else was first: the answer is what they wrote.
  if false = any (v_moved) then
    for r in
      select i.n, m.state, m.charged
      from unnest(p_company, p_id, v_moved) with ordinality as i(company, id, moved, n)
      join message m on m.company_id = any (array[i.company]) and m.id = i.id
      where not i.moved
    loop
      v_state[r.n] := r.state;
      v_charged[r.n] := r.charged;
    end loop;
  end if;

  -- Each send is told the balance as it stood after its own charge.
  return query
    select i.n::integer, i.moved, i.state, i.charged,
      a.balance + sum(i.paid) over (partition by i.company order by i.n desc)::bigint - i.paid
    from (
      select u.*, case when u.moved then u.charged else 0 end as paid
      from unnest(p_company, v_moved, v_state, v_charged) with ordinality as u(company, moved, state, charged, n)
    ) i
    join account a on a.company_id = any (array[i.company])
    order by i.n;
end $$;

create or replace function shorten(p_slug text[], p_company bigint[], p_url text[], p_ttl_seconds integer[])
 returns table (ord integer, is_made boolean, slug text, expires_seconds integer)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  -- A company may take its own expired name again; nobody else ever can.
  update link l set url = i.url, slug = i.slug, created_at = v_now, message_id = null, recipient = null,
    expires_at = v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_slug, p_company, p_url, p_ttl_seconds) as i(slug, company, url, ttl_seconds)
  where l.folded = any (array[lower(i.slug)]) and (l.company_id = i.company) is true and l.expires_at <= v_now
    and l.disabled_at is null;

  insert into link (folded, slug, company_id, url, created_at, expires_at)
  select lower(i.slug), i.slug, i.company, i.url, v_now, v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_slug, p_company, p_url, p_ttl_seconds) with ordinality
    as i(slug, company, url, ttl_seconds, n)
  order by lower(i.slug), i.n
  on conflict (folded) do nothing;

  return query
    select i.n::integer, coalesce(l.company_id = i.company and l.url = i.url and l.disabled_at is null
      and (l.expires_at is null or l.expires_at > v_now), false),
      l.slug, ceil(extract(epoch from l.expires_at - v_now))::integer
    from unnest(p_slug, p_company, p_url) with ordinality as i(slug, company, url, n)
    left join link l on l.folded = any (array[lower(i.slug)])
    order by i.n;
end $$;

create or replace function take_due(p_limit integer, p_lease_seconds integer)
 returns table (company_id bigint, id uuid, key_id bigint, kind message_kind, is_test boolean, recipient bigint, state message_state, receipt receipt, channel channel, route text, attempt smallint, hold integer, charged integer, slug text, body text, purpose text, age_seconds double precision, settled_seconds double precision, open_attempt_seconds double precision, standing_attempt smallint)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_from timestamptz;
  v_now timestamptz;
  v_until timestamptz;
  v_companies bigint[];
  v_ids uuid[];
begin
  select w.looked_until into v_from from watch w for update skip locked;
  if not found then
    return;
  end if;
  v_now := clock_timestamp();

  -- Ties stay together: a batch of sends shares one look_at, and the cursor moves past all of it.
  select array_agg(d.company_id order by d.company_id, d.id), array_agg(d.id order by d.company_id, d.id),
    max(d.look_at)
  into v_companies, v_ids, v_until
  from (
    select m.company_id, m.id, m.look_at from message m
    where m.look_at > v_from and m.look_at <= v_now
    order by m.look_at
    fetch first p_limit rows with ties
  ) d;
  update watch set looked_until =
    case when v_ids is null or cardinality(v_ids) < p_limit then greatest(v_from, v_now) else v_until end;
  if v_ids is null then
    return;
  end if;

  return query
    update message m set look_at = v_now + make_interval(secs => p_lease_seconds)
    from unnest(v_companies, v_ids) as i(company, id)
    where m.company_id = any (array[i.company]) and m.id = i.id
      and (m.state = 'sending'
        or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '' or m.hold > 0)
        or m.hold > 0
        or m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id
          and a.message_id = m.id and a.number = m.attempt and a.state = 'sending'))
    returning m.company_id, m.id, m.key_id, m.kind, m.is_test, m.recipient, m.state, m.receipt, m.channel,
      m.route, m.attempt, m.hold, m.charged, m.slug, m.body, m.purpose,
      extract(epoch from v_now - m.created_at)::double precision,
      extract(epoch from v_now - m.settled_at)::double precision,
      (select extract(epoch from v_now - a.started_at)::double precision from attempt a
        where a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
          and a.state = 'sending'),
      standing_attempt(m.company_id, m.id, m.attempt);

  -- The sealed copy of a code is for a later fallback alone: it goes when there can be none. One whose process died on it
  -- is still to be taken up, also on the last channel. After the messages, which may have waited for a receipt.
  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id,
      m.receipt >= 'delivered' as has_arrived,
      m.route = '' or m.state in ('failed', 'unknown') as is_over,
      m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id and a.message_id = m.id
        and a.number = m.attempt and a.state = 'sending') as is_falling_back
    from unnest(v_companies, v_ids) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.kind = 'otp' and m.state <> 'sending'
    -- As verify goes through them.
    order by m.key_id, m.recipient, m.purpose
  ) m
  where c.key_id = any (array[m.key_id]) and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id
    and c.sealed is not null
    and (c.expires_at <= v_now or m.has_arrived or m.is_over and not m.is_falling_back);
end $$;

create or replace function verify(p_key bigint[], p_phone bigint[], p_purpose text[], p_mac bytea[], p_claim uuid[], p_per_code integer, p_per_hour integer, p_in_row integer)
 returns table (ord integer, verdict text, attempts_left integer, wait_seconds integer)
 language plpgsql
 set enable_seqscan = off
 set enable_hashjoin = off
 set enable_mergejoin = off
 set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_key);
  v_verdict text[] := array_fill(null::text, array[v_count]);
  v_left integer[] := array_fill(null::integer, array[v_count]);
  v_wait integer[] := array_fill(null::integer, array[v_count]);
  -- The codes this batch changes, as parallel arrays.
  c_key bigint[] := '{}';
  c_phone bigint[] := '{}';
  c_purpose text[] := '{}';
  c_wrong integer[] := '{}';
  c_added integer[] := '{}';
  c_row integer[] := '{}';
  c_is_verified boolean[] := '{}';
  c_claim uuid[] := '{}';
  k integer := 0;
  r record;
begin
  perform from unnest(p_key, p_phone, p_purpose) as i(key, phone, purpose)
  join code c on c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
  order by i.key, i.phone, i.purpose for update of c;
  v_now := clock_timestamp();

  for r in
    select i.*, c.mac as code_mac, c.verified_at, c.expires_at, c.wrong, c.failed_in_row,
      f.in_hour, f.hour_from, f.last
    from unnest(p_key, p_phone, p_purpose, p_mac, p_claim)
      with ordinality as i(key, phone, purpose, mac, claim, n)
    left join code c on c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
    left join lateral (
      select count(*) as in_hour, min(t) as hour_from, max(t) as last
      from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now
    ) f on true
    order by i.key, i.phone, i.purpose, i.n
  loop
    if r.code_mac is null then
      v_verdict[r.n] := 'not_found';
      continue;
    end if;
    if k = 0 or c_key[k] <> r.key or c_phone[k] <> r.phone or c_purpose[k] <> r.purpose then
      k := k + 1;
      c_key[k] := r.key;
      c_phone[k] := r.phone;
      c_purpose[k] := r.purpose;
      c_wrong[k] := r.wrong;
      c_added[k] := 0;
      c_row[k] := r.failed_in_row;
      c_is_verified[k] := false;
      c_claim[k] := null;
    end if;

    if r.verified_at is not null or c_is_verified[k] then
      v_verdict[r.n] := 'already_used';
    elsif c_row[k] >= p_in_row and (c_added[k] > 0 or r.last is not null) then
      v_verdict[r.n] := 'locked';
      v_wait[r.n] := ceil(extract(epoch from coalesce(r.last, v_now) + interval '1 hour' - v_now));
    elsif r.in_hour + c_added[k] >= p_per_hour then
      v_verdict[r.n] := 'locked';
      v_wait[r.n] := ceil(extract(epoch from coalesce(r.hour_from, v_now) + interval '1 hour' - v_now));
    elsif c_wrong[k] >= p_per_code then
      v_verdict[r.n] := 'locked';
    elsif r.expires_at <= v_now then
      v_verdict[r.n] := 'expired';
    elsif r.mac = r.code_mac then
      v_verdict[r.n] := 'right';
      c_is_verified[k] := true;
      c_claim[k] := r.claim;
    else
      c_wrong[k] := c_wrong[k] + 1;
      c_added[k] := c_added[k] + 1;
      c_row[k] := c_row[k] + 1;
      v_verdict[r.n] := 'wrong';
      v_left[r.n] := least(p_per_code - c_wrong[k], p_per_hour - r.in_hour - c_added[k]);
    end if;
  end loop;

  update code c set
    wrong = i.wrong,
    verified_at = case when i.is_verified then v_now end,
    verified_by = i.claim,
    sealed = case when not i.is_verified then c.sealed end,
    failed_in_row = case when i.is_verified then 0 else i.in_row end,
    failed_at = case when i.is_verified then '{}' else
      array(select t from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now)
      || array_fill(v_now, array[i.added]) end
  from unnest(c_key, c_phone, c_purpose, c_wrong, c_added, c_row, c_is_verified, c_claim)
    as i(key, phone, purpose, wrong, added, in_row, is_verified, claim)
  where c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
    and (i.is_verified or i.added > 0);

  return query
    select i.n::integer, i.verdict, i.attempts_left, i.wait_seconds
    from unnest(v_verdict, v_left, v_wait) with ordinality as i(verdict, attempts_left, wait_seconds, n)
    order by i.n;
end $$;

-- Opening links is part of it: a plan that was made for a handful of links read all of them later.
create function find_links(p_names text[])
 returns table (folded text, company_id bigint, url text, message_id uuid, recipient bigint, is_open boolean,
  expires_ms double precision)
 language plpgsql stable
 set enable_seqscan = off
 set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    select l.folded, l.company_id, l.url, l.message_id, l.recipient,
      l.disabled_at is null and (l.expires_at is null or l.expires_at > clock_timestamp()),
      (extract(epoch from l.expires_at - clock_timestamp()) * 1000)::double precision
    from link l where l.folded = any (p_names);
end $$;
