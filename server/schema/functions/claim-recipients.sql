-- Claims recipients of a running broadcast: each gets its message, its hold and its link, committed before any channel is
-- called. The caller has locked the rows (skip locked), so no other node has them. Arrays in, one row out per recipient:
-- `claimed`, `skipped`, `later` (the pace allows no more now) or `short` (no tokens; the broadcast is paused then).
--
-- p_step_seconds: the time between two recipients of this broadcast; null when it is not spread. p_rate: what the first
-- channel carries per second; null without a limit. Both are kept as the time of the next recipient, so all nodes
-- together keep them.
create or replace function claim_recipients(
  p_broadcast uuid, p_key bigint, p_number integer[], p_id uuid[], p_body text[], p_skip text[], p_slug text[],
  p_route text[], p_prices text[], p_dearest integer[], p_url text, p_link_seconds integer, p_check_seconds integer,
  p_channel channel, p_rate double precision, p_step_seconds double precision
) returns table (ord integer, verdict text, held integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_broadcast broadcast;
  v_count integer := cardinality(p_id);
  v_verdict text[] := array_fill('later'::text, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_skip text[] := p_skip;
  v_max integer := cardinality(p_id);
  v_pace timestamptz;
  v_channel_pace timestamptz;
  v_pot bigint;
  v_wanted bigint;
  v_taken integer := 0;
  v_is_short boolean := false;
  v_price integer;
  r record;
begin
  select * into v_broadcast from broadcast b where b.id = p_broadcast for update;
  v_now := clock_timestamp();
  if v_broadcast.state is distinct from 'running' then
    return query select i.n::integer, 'later', 0 from generate_subscripts(p_id, 1) as i(n);
    return;
  end if;

  -- Short bursts make up for the time between two claims; a longer pause is not made up for.
  v_pace := greatest(coalesce(v_broadcast.pace_at, v_now), v_now - interval '1 second');
  if v_pace > v_now then
    v_max := 0;
  elsif p_step_seconds is not null then
    v_max := least(v_max, 1 + floor(extract(epoch from v_now - v_pace) / p_step_seconds)::integer);
  end if;
  if p_rate is not null and v_max > 0 then
    select greatest(c.next_at, v_now - interval '0.25 second') into v_channel_pace
    from channel_pace c where c.channel = p_channel for update;
    v_max := case when v_channel_pace > v_now then 0
      else least(v_max, 1 + floor(extract(epoch from v_now - v_channel_pace) * p_rate)::integer) end;
  end if;

  -- A person may have unsubscribed since the check.
  select array_agg(coalesce(i.skip, case when exists (
      select 1 from unsubscribed u where u.phone = w.phone
        and (u.company_id = v_broadcast.company_id or u.company_id is null)) then 'unsubscribed' end) order by i.n)
  into v_skip
  from unnest(p_number, p_skip) with ordinality as i(number, skip, n)
  join broadcast_row w on w.broadcast_id = any (array[p_broadcast]) and w.number = i.number;

  v_pot := v_broadcast.held;
  select coalesce(sum(i.dearest), 0) into v_wanted
  from (select u.dearest from unnest(p_dearest, v_skip) with ordinality as u(dearest, skip, n)
    where u.skip is null order by u.n limit v_max) i;
  if v_wanted > v_pot then
    v_pot := hold_for_broadcast(p_broadcast, v_wanted);
  end if;

  for r in
    select i.* from unnest(v_skip, p_prices, p_dearest) with ordinality as i(skip, prices, dearest, n) order by i.n
  loop
    if r.skip is not null then
      v_verdict[r.n] := 'skipped';
      continue;
    end if;
    continue when v_taken >= v_max or v_is_short;
    if r.dearest <= v_pot then
      v_hold[r.n] := r.dearest;
      v_verdict[r.n] := 'claimed';
    else
      -- Holds the most expensive channel that the tokens still cover.
      foreach v_price in array string_to_array(r.prices, ',')::integer[] loop
        if v_price <= v_pot and (v_verdict[r.n] <> 'claimed' or v_price > v_hold[r.n]) then
          v_hold[r.n] := v_price;
          v_verdict[r.n] := 'claimed';
        end if;
      end loop;
      if v_verdict[r.n] <> 'claimed' then
        v_verdict[r.n] := 'short';
        v_is_short := true;
        continue;
      end if;
    end if;
    v_pot := v_pot - v_hold[r.n];
    v_taken := v_taken + 1;
  end loop;

  if p_url is not null then
    insert into link (slug_key, slug, company_id, url, message_id, recipient, created_at, expires_at)
    select lower(i.slug), i.slug, v_broadcast.company_id, p_url, i.id, w.phone, v_now,
      v_now + make_interval(secs => p_link_seconds)
    from unnest(p_number, p_id, p_slug, v_verdict) as i(number, id, slug, verdict)
    join broadcast_row w on w.broadcast_id = any (array[p_broadcast]) and w.number = i.number
    where i.verdict = 'claimed' and i.slug is not null;
  end if;
  insert into message (company_id, id, key_id, kind, is_test, recipient, state, hold, created_at, next_check_at, slug,
    body, request_id, route)
  select v_broadcast.company_id, i.id, p_key, 'broadcast', false, w.phone, 'sending', i.hold,
    v_now + i.n * interval '1 microsecond', v_now + make_interval(secs => p_check_seconds), i.slug, i.body,
    p_broadcast::text, i.route
  from unnest(p_number, p_id, p_body, p_slug, p_route, v_hold, v_verdict)
    with ordinality as i(number, id, body, slug, route, hold, verdict, n)
  join broadcast_row w on w.broadcast_id = any (array[p_broadcast]) and w.number = i.number
  where i.verdict = 'claimed';
  update broadcast_row w set message_id = i.id
  from unnest(p_number, p_id, v_verdict) as i(number, id, verdict)
  where w.broadcast_id = any (array[p_broadcast]) and w.number = i.number and i.verdict = 'claimed';
  update broadcast_row w set skipped = i.skip
  from unnest(p_number, v_skip) as i(number, skip)
  where w.broadcast_id = any (array[p_broadcast]) and w.number = i.number and i.skip is not null;

  update broadcast b set
    held = v_pot,
    pace_at = case when p_step_seconds is null then b.pace_at
      else v_pace + v_taken * make_interval(secs => p_step_seconds) end,
    state = case when v_is_short and v_taken = 0 then 'paused' else b.state end,
    pause_reason = case when v_is_short and v_taken = 0 then 'money'::pause_reason end,
    paused_at = case when v_is_short and v_taken = 0 then v_now else b.paused_at end
  where b.id = p_broadcast;
  if p_rate is not null and v_taken > 0 then
    update channel_pace c set next_at = v_channel_pace + make_interval(secs => v_taken / p_rate)
    where c.channel = p_channel;
  end if;

  return query select i.n::integer, i.verdict, i.hold
    from unnest(v_verdict, v_hold) with ordinality as i(verdict, hold, n) order by i.n;
end $$;

-- Recipients whose message never left, because no channel was available, wait again, and the message is removed with its
-- link: nothing was sent and nothing charged. It is settled as failed before, so that a crash in between leaves a
-- recipient that failed and not one that is sent to twice.
create or replace function return_recipients(p_broadcast uuid[], p_number integer[], p_id uuid[], p_tries_max integer)
returns table (ord integer, is_returned boolean) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_returned boolean[] := array_fill(false, array[cardinality(p_id)]);
  v_companies bigint[] := '{}';
  v_ids uuid[] := '{}';
  r record;
begin
  for r in
    update broadcast_row w set message_id = null, tries = w.tries + 1
    from (
      select u.* from unnest(p_broadcast, p_number, p_id) with ordinality as u(broadcast, number, id, n)
      -- The lock order of rows.
      order by u.broadcast, u.number
    ) i
    where w.broadcast_id = any (array[i.broadcast]) and w.number = i.number and w.message_id = i.id
      and w.tries < p_tries_max
    returning i.n, i.id, w.company_id
  loop
    v_returned[r.n] := true;
    v_companies := v_companies || r.company_id;
    v_ids := v_ids || r.id;
  end loop;
  delete from attempt a using unnest(v_companies, v_ids) as i(company, id)
  where a.company_id = any (array[i.company]) and a.message_id = i.id;
  with removed as (
    delete from message m using unnest(v_companies, v_ids) as i(company, id)
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'failed' and m.charged = 0
    returning m.slug
  )
  delete from link l using removed d where l.slug_key = any (array[lower(d.slug)]);
  return query select i.n::integer, i.is_returned from unnest(v_returned) with ordinality as i(is_returned, n) order by i.n;
end $$;
