-- Writes the events of a batch to the outbox: one row per company and type. A null type is no event. Callers ask first
-- whether any of their companies has an endpoint, so that without one nothing is computed:
--   exists (select 1 from webhook_endpoint w where w.company_id = any (p_company) and w.deleted_at is null)
create or replace function add_message_events(
  p_company bigint[], p_id uuid[], p_type text[], p_channel text[], p_cost integer[], p_detail text[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into webhook_outbox (id, company_id, type, message_ids, channels, costs, details)
  select new_id(), g.company, g.type, g.ids, g.channels, g.costs, g.details
  from (
    select i.company, i.type, array_agg(i.id) as ids, array_agg(i.channel) as channels, array_agg(i.cost) as costs,
      array_agg(i.detail) as details
    from unnest(p_company, p_id, p_type, p_channel, p_cost, p_detail) as i(company, id, type, channel, cost, detail)
    where i.type is not null
    group by i.company, i.type
  ) g
  where exists (select 1 from webhook_endpoint w
    where w.company_id = any (array[g.company]) and w.deleted_at is null and g.type = any (w.events));
end $$;

-- The same for an event that is about no message.
create or replace function add_company_event(p_company bigint, p_type text, p_data jsonb) returns void language plpgsql
as $$
begin
  insert into webhook_outbox (id, company_id, type, data)
  select new_id(), p_company, p_type, p_data
  where exists (select 1 from webhook_endpoint w
    where w.company_id = p_company and w.deleted_at is null and p_type = any (w.events));
end $$;

-- The event of a receipt that has moved a message. A failure is told once it is final: no other channel is left, and none
-- is being tried.
create or replace function receipt_event(
  p_receipt receipt, p_state message_state, p_has_route boolean, p_is_latest boolean
) returns text language sql immutable
as $$
  select case
    when p_receipt = 'delivered' then 'message.delivered'
    when p_receipt = 'read' then 'message.read'
    when p_receipt = 'failed' and p_state <> 'failed' and not p_has_route and p_is_latest then 'message.failed'
  end
$$;

-- The id of an event follows from its row of the outbox and its place in it. It begins with the time of the row, as every
-- UUIDv7 does.
create or replace function webhook_event_id(p_outbox uuid, p_place bigint) returns uuid language sql immutable
as $$
  select (substr(o.hex, 1, 12) || '7' || substr(o.hash, 1, 3) || '8' || substr(o.hash, 4, 15))::uuid
  from (select replace(p_outbox::text, '-', '') as hex, md5(p_outbox::text || ' ' || p_place) as hash) o
$$;

-- Takes rows of the outbox and writes their events, with a delivery for each endpoint that wants them. Whoever dies in
-- between has written nothing, and the rows are there for the next. An endpoint that is off misses the event, and can
-- catch up later. Returns how many rows were taken: at most p_rows_max, and no more after p_events_max events, so that the
-- statement stays far below its time limit. A row holds 2,048 events at most.
--
-- There is no cursor: a commit may become visible at any later time, and a cursor would have passed its row.
create or replace function expand_webhooks(p_rows_max integer, p_events_max integer, p_short_link_base text)
returns integer language plpgsql
as $$
declare
  v_ids uuid[];
begin
  select array_agg(s.id) into v_ids
  from (
    select l.id, sum(l.events) over (order by l.id) - l.events as events_before
    from (
      select o.id, coalesce(cardinality(o.message_ids), 1) as events from webhook_outbox o
      order by o.id limit p_rows_max for update skip locked
    ) l
  ) s
  where s.events_before < p_events_max;
  if v_ids is null then
    return 0;
  end if;
  with taken as (
    delete from webhook_outbox o where o.id = any (v_ids) returning o.*
  ), items as (
    select t.id as outbox, t.company_id, t.type, t.at, t.data, coalesce(u.n, 1) as n, u.message_id, u.channel, u.cost,
      u.detail
    from taken t left join lateral unnest(t.message_ids, t.channels, t.costs, t.details)
      with ordinality as u(message_id, channel, cost, detail, n) on true
  ), events as (
    insert into webhook_event (id, company_id, type, at, is_test, phone, data)
    select webhook_event_id(i.outbox, i.n), i.company_id, i.type, i.at, coalesce(m.is_test, false),
      case when m.kind <> 'group' then m.recipient end,
      case
        when i.type = 'link.clicked' then jsonb_strip_nulls(jsonb_build_object('slug', l.slug,
          'short_url', p_short_link_base || '/' || l.slug, 'message_id', i.message_id))
        when i.type = 'otp.verified' then jsonb_build_object('message_id', i.message_id, 'purpose', m.purpose)
        when i.message_id is null then i.data
        else jsonb_build_object('channel', i.channel) || jsonb_strip_nulls(jsonb_build_object(
          'message_id', i.message_id, 'kind', m.kind, 'purpose', m.purpose, 'cost', i.cost,
          'group_id', case when m.kind = 'group' then m.recipient end,
          'broadcast_id', case when m.kind = 'broadcast' then m.request_id end,
          'state', case when i.type = 'message.fallback' then 'sent' else split_part(i.type, '.', 2) end,
          'from_channel', case when i.type = 'message.fallback' then i.detail end,
          'reason', case when i.type = 'message.failed' then i.detail end))
      end
    from items i
    left join message m on m.company_id = i.company_id and m.id = i.message_id
    left join link l on i.type = 'link.clicked' and l.slug_key = i.detail
    -- A message whose month was removed meanwhile has nothing left to be told.
    where i.message_id is null or m.id is not null
    returning id, company_id, type
  )
  insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, next_try_at)
  select e.company_id, w.id, e.id, e.type, case when w.off_at is null then 'waiting' else 'missed' end::webhook_delivery_state,
    case when w.off_at is null then clock_timestamp() end
  from events e join webhook_endpoint w
    on w.company_id = e.company_id and w.deleted_at is null and e.type = any (w.events)
      and (w.listener_until is null or w.listener_until > clock_timestamp());
  return cardinality(v_ids);
end $$;

-- Claims deliveries that are due, at most p_share at a time per endpoint over all nodes, and one of an endpoint that has
-- just timed out. Those are counted apart (p_slow_max), so that however many endpoints hang, the others have room. The
-- lock of the endpoint makes two nodes take turns. A claim whose lease has ended is due again.
--
-- p_busy are endpoints that the caller knows to have their share already: fifty that hang would each be looked at again,
-- whenever anything of the others is claimed.
create or replace function claim_webhooks(
  p_max integer, p_slow_max integer, p_share integer, p_lease_seconds integer, p_busy bigint[]
) returns table (endpoint_id bigint, event_id uuid, claim integer, tries smallint, is_slow boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_left integer := p_max;
  v_slow_left integer := p_slow_max;
  v_room integer;
  v_taken integer;
  v_endpoint record;
  r record;
begin
  for r in
    -- The endpoints that have anything waiting, each found by one look into the index, and what has waited longest first.
    with recursive waiting as (
      (select d.endpoint_id, d.next_try_at from webhook_delivery d
        where d.state = 'waiting' order by d.endpoint_id, d.next_try_at limit 1)
      union all
      select n.endpoint_id, n.next_try_at from waiting w cross join lateral (
        select d.endpoint_id, d.next_try_at from webhook_delivery d
        where d.state = 'waiting' and d.endpoint_id > w.endpoint_id order by d.endpoint_id, d.next_try_at limit 1
      ) n
    )
    select w.endpoint_id from waiting w where w.next_try_at <= v_now and w.endpoint_id <> all (p_busy)
    order by w.next_try_at
  loop
    exit when v_left <= 0 and v_slow_left <= 0;
    select e.has_timed_out into v_endpoint from webhook_endpoint e
    where e.id = r.endpoint_id and e.off_at is null and e.deleted_at is null
      and (e.paused_until is null or e.paused_until <= v_now)
    for no key update skip locked;
    continue when not found;
    v_room := case when v_endpoint.has_timed_out then least(1, v_slow_left) else least(p_share, v_left) end
      - (select count(*) from webhook_delivery t
        where t.endpoint_id = r.endpoint_id and t.is_trying and t.next_try_at > v_now);
    continue when v_room <= 0;
    return query
      update webhook_delivery d set is_trying = true, claim = d.claim + 1,
        next_try_at = v_now + make_interval(secs => p_lease_seconds)
      from (
        select t.event_id from webhook_delivery t
        where t.endpoint_id = r.endpoint_id and t.state = 'waiting' and t.next_try_at <= v_now
        order by t.next_try_at limit v_room for update skip locked
      ) i
      where d.endpoint_id = r.endpoint_id and d.event_id = i.event_id
      returning d.endpoint_id, d.event_id, d.claim, d.tries, v_endpoint.has_timed_out;
    get diagnostics v_taken = row_count;
    if v_endpoint.has_timed_out then
      v_slow_left := v_slow_left - v_taken;
    else
      v_left := v_left - v_taken;
    end if;
  end loop;
end $$;

-- Records tries: the log, what becomes of the deliveries, the figures of the hour and the health of the endpoints. A try
-- whose claim another worker has taken over meanwhile is not recorded. p_retry_seconds is null when there is no further
-- try, p_pause_seconds unless the endpoint asks for a pause. Returns for each try since when its endpoint has been failing.
create or replace function record_webhook_tries(
  p_endpoint bigint[], p_event uuid[], p_claim integer[], p_url text[], p_has_phone boolean[], p_signed_at bigint[],
  p_signature text[], p_outcome text[], p_error text[], p_status integer[], p_duration_ms integer[], p_duration_place integer[],
  p_answer text[], p_is_answer_cut boolean[], p_retry_seconds integer[], p_pause_seconds integer[], p_durations integer
) returns table (ord integer, is_recorded boolean, failing_since timestamptz)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  -- Of each try that is recorded: its number, and its company.
  v_number integer[] := array_fill(null::integer, array[cardinality(p_event)]);
  v_company bigint[] := array_fill(null::bigint, array[cardinality(p_event)]);
  r record;
begin
  -- Endpoints first, in the order of their ids, as everybody who locks one and then its deliveries.
  perform from unnest(p_endpoint) as i(endpoint)
    join webhook_endpoint e on e.id = any (array[i.endpoint])
  order by i.endpoint for no key update of e;

  for r in
    update webhook_delivery d set
      state = case when i.outcome = 'delivered' then 'delivered' when i.retry is null then 'failed' else 'waiting' end
        ::webhook_delivery_state,
      next_try_at = case when i.outcome <> 'delivered' then v_now + make_interval(secs => i.retry) end,
      is_trying = false, tries = d.tries + 1, tries_ever = d.tries_ever + 1, last_try_at = v_now,
      outcome = i.outcome, error = i.error, status = i.status, duration_ms = i.duration_ms
    from (
      select u.* from unnest(p_endpoint, p_event, p_claim, p_outcome, p_error, p_status, p_duration_ms, p_retry_seconds)
        with ordinality as u(endpoint, event, claim, outcome, error, status, duration_ms, retry, n)
      order by u.endpoint, u.event
    ) i
    where d.endpoint_id = any (array[i.endpoint]) and d.event_id = i.event and d.is_trying and d.claim = i.claim
    returning i.n, d.tries_ever, d.company_id
  loop
    v_number[r.n] := r.tries_ever;
    v_company[r.n] := r.company_id;
  end loop;

  insert into webhook_try (company_id, endpoint_id, event_id, number, at, url, has_phone, signed_at, signature, outcome,
    error, status, duration_ms, answer, is_answer_cut)
  select i.company, i.endpoint, i.event, i.number, v_now - make_interval(secs => i.duration_ms / 1000.0), i.url, i.has_phone,
    i.signed_at, i.signature, i.outcome, i.error, i.status, i.duration_ms, i.answer, i.is_cut
  from unnest(v_company, p_endpoint, p_event, v_number, p_url, p_has_phone, p_signed_at, p_signature, p_outcome, p_error,
    p_status, p_duration_ms, p_answer, p_is_answer_cut) as i(company, endpoint, event, number, url, has_phone, signed_at, signature, outcome,
    error, status, duration_ms, answer, is_cut)
  where i.number is not null;

  insert into webhook_hour as h (company_id, endpoint_id, hour, delivered, refused, timed_out, unreachable, blocked, durations)
  select max(i.company), i.endpoint, date_trunc('hour', v_now, 'UTC'), count(*) filter (where i.outcome = 'delivered'),
    count(*) filter (where i.outcome = 'refused'), count(*) filter (where i.outcome = 'timed_out'),
    count(*) filter (where i.outcome = 'unreachable'), count(*) filter (where i.outcome = 'blocked'),
    array(select count(*) filter (where j.endpoint = i.endpoint and j.number is not null and j.place = b.place)::integer
      from generate_series(1, p_durations) as b(place)
      left join unnest(p_endpoint, v_number, p_duration_place) as j(endpoint, number, place) on true
      group by b.place order by b.place)
  from unnest(v_company, p_endpoint, v_number, p_outcome) as i(company, endpoint, number, outcome)
  where i.number is not null
  group by i.endpoint
  order by i.endpoint
  on conflict (endpoint_id, hour) do update set delivered = h.delivered + excluded.delivered,
    refused = h.refused + excluded.refused, timed_out = h.timed_out + excluded.timed_out,
    unreachable = h.unreachable + excluded.unreachable, blocked = h.blocked + excluded.blocked,
    durations = array(select a + b from unnest(h.durations, excluded.durations) as s(a, b));

  -- The last try of each endpoint says how it is. A row is written only where that changes something.
  update webhook_endpoint e set
    failing_since = case when i.outcome <> 'delivered' then coalesce(e.failing_since, v_now) end,
    has_timed_out = i.outcome = 'timed_out',
    paused_until = case when i.pause is not null then v_now + make_interval(secs => i.pause)
      when i.outcome <> 'delivered' then e.paused_until end,
    last_error_at = case when i.outcome <> 'delivered' then v_now end,
    last_error = i.error, last_status = case when i.outcome <> 'delivered' then i.status end
  from (
    select distinct on (u.endpoint) u.*
    from unnest(p_endpoint, v_number, p_outcome, p_error, p_status, p_pause_seconds)
      with ordinality as u(endpoint, number, outcome, error, status, pause, n)
    where u.number is not null
    order by u.endpoint, u.outcome = 'delivered' desc, u.n desc
  ) i
  where e.id = any (array[i.endpoint])
    and (i.outcome <> 'delivered' or e.failing_since is not null or e.has_timed_out or e.last_error is not null);

  return query
    select i.n::integer, i.number is not null, e.failing_since
    from unnest(p_endpoint, v_number) with ordinality as i(endpoint, number, n)
    left join webhook_endpoint e on e.id = any (array[i.endpoint])
    order by i.n;
end $$;
