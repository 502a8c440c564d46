-- Reserves many sends in one statement: the limits of the recipient, the hold on the balance, the message with its
-- planned channels, the code and the short link, all or nothing per send. Arrays in, one row out per send, in the same
-- order.
--
-- Every batch first locks the accounts of its companies in one order. Recent sends, codes and messages of a company are
-- reserved only under that lock, so two nodes cannot both let a second send through. Phones that are near a cap over all
-- companies are locked after the accounts, in one order too. An update that is joined to a
-- sorted list follows its order, because the settings of the function leave no other plan. SQL does not promise it, so
-- a deadlock is retried (server/src/db/retry-conflicts.ts).
create or replace function reserve(
  p_id uuid[], p_company bigint[], p_key bigint[], p_kind message_kind[], p_is_test boolean[],
  p_recipient bigint[], p_prices text[], p_dearest integer[], p_request text[],
  p_check_seconds integer[], p_body text[],
  p_gap_seconds integer[], p_gap_max integer[], p_hour_max integer[], p_day_max integer[],
  p_purpose text[], p_mac bytea[], p_sealed bytea[], p_ttl_seconds integer[],
  p_slug text[], p_url text[], p_link_ttl_seconds integer[], p_route text[],
  p_others_seconds integer, p_others_max integer, p_others_day_max integer,
  p_wrong_per_hour integer, p_wrong_in_row integer
) returns table (ord integer, verdict text, held integer, available bigint, wait_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_id);
  v_verdict text[] := array_fill(null::text, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_available bigint[] := array_fill(null::bigint, array[v_count]);
  v_wait integer[] := array_fill(null::integer, array[v_count]);
  -- The accounts of the batch: what each has available, and where its newest version is. Under a long snapshot a row has
  -- thousands of versions that cannot be removed, and each search for it walks over all of them.
  v_companies bigint[];
  v_funds bigint[];
  v_places tid[];
  v_company bigint;
  v_left bigint;
  v_kind message_kind;
  v_recipient bigint;
  v_is_test boolean;
  v_last timestamptz;
  v_added integer;
  v_limit text;
  v_until timestamptz;
  v_free_at timestamptz;
  v_price integer;
  v_shared bigint[];
  v_crowded bigint[];
  -- Keys with a cap, and what each may still spend this month and today; null where only the other is capped.
  v_capped bigint[];
  v_month_room bigint[];
  v_day_room bigint[];
  v_place integer;
  v_most bigint;
  -- Whether the send has a row of recent sends, and of a code, that can be written again.
  v_has_recent boolean[] := array_fill(false, array[v_count]);
  v_has_code boolean[] := array_fill(false, array[v_count]);
  v_is_renewed boolean[];
  v_n integer;
  r record;
begin
  select array_agg(a.company_id), array_agg(a.available), array_agg(a.place) into v_companies, v_funds, v_places
  from (
    select a.company_id, case when a.debt > 0 then 0 else a.balance - a.held end as available, a.ctid as place
    from account a where a.company_id = any (p_company) order by a.company_id for update
  ) a;
  v_now := clock_timestamp();

  -- Phones that several companies send to just now, or have sent to often today, are locked over all companies, so that
  -- nodes count them one after another. The others are far from a cap, whatever is reserved beside this batch. Test keys
  -- send nothing out, so they do not count.
  select array_agg(c.recipient order by c.recipient) into v_shared
  from (
    select s.recipient
    from (
      select i.recipient, i.company, 1 as sends, true as is_new
      from unnest(p_recipient, p_company, p_is_test) as i(recipient, company, is_test) where not i.is_test
      union all
      select g.recipient, g.company_id, cardinality(g.recent),
        g.recent[cardinality(g.recent)] > v_now - make_interval(secs => p_others_seconds)
      from recent_sends g where g.recipient = any (p_recipient) and not g.is_test
    ) s
    group by s.recipient
    having min(s.company) filter (where s.is_new) < max(s.company) filter (where s.is_new)
      or (min(s.company) < max(s.company) and sum(s.sends) > p_others_day_max / 2)
  ) c;
  if v_shared is not null then
    foreach v_recipient in array v_shared loop
      -- Negative, apart from the advisory locks of other things.
      perform pg_advisory_xact_lock(-v_recipient);
    end loop;
    -- Past the sends of those that were waited for.
    v_now := clock_timestamp();
    select array_agg(c.recipient) into v_crowded
    from (
      select s.recipient
      from (
        select i.recipient, 1 as sends from unnest(p_recipient, p_is_test) as i(recipient, is_test) where not i.is_test
        union all
        select g.recipient, cardinality(g.recent) from recent_sends g
        where g.recipient = any (v_shared) and not g.is_test
      ) s
      where s.recipient = any (v_shared)
      group by s.recipient having sum(s.sends) > p_others_max
    ) c;
    v_recipient := null;
  end if;

  -- Caps are read here and not from the node's cache, under the lock of the account: so they are exact.
  if exists (select 1 from api_key k where k.company_id = any (p_company)
    and (k.monthly_cap is not null or k.daily_cap is not null)) then
    -- The sends of a batch are microseconds apart, and all belong to one day.
    if almaty_day(v_now) <> almaty_day(v_now + interval '1 millisecond') then
      v_now := v_now + interval '1 millisecond';
    end if;
    -- Sub-queries, each a probe: a join may walk all keys when statistics say that there are few.
    select array_agg(c.key),
      array_agg(case when c.month_cap is not null then greatest(c.month_cap - c.in_month, 0) end),
      array_agg(case when c.day_cap is not null then greatest(c.day_cap - c.in_day, 0) end)
    into v_capped, v_month_room, v_day_room
    from (
      select i.key, (select k.monthly_cap from api_key k where k.id = i.key) as month_cap,
        (select k.daily_cap from api_key k where k.id = i.key) as day_cap,
        coalesce((select s.spent from key_spend s where s.company_id = i.company and s.key_id = i.key
          and s.month = almaty_month(v_now)), 0) as in_month,
        coalesce((select s.spent from key_day_spend s where s.company_id = i.company and s.key_id = i.key
          and s.day = almaty_day(v_now)), 0) as in_day
      from (select distinct u.company, u.key from unnest(p_company, p_key) as u(company, key)) i
      offset 0
    ) c
    where c.month_cap is not null or c.day_cap is not null;
  end if;

  for r in
    select i.*, g.last_message, g.recipient is not null as has_recent, c.phone is not null as has_code,
      w.in_gap, w.in_hour, w.in_day, w.gap_from, w.hour_from, w.day_from, w.last,
      case when c.failed_in_row >= p_wrong_in_row then f.last_wrong
        when f.wrong >= p_wrong_per_hour then f.first_wrong end + interval '1 hour' as guess_at
    from unnest(p_id, p_company, p_key, p_kind, p_is_test, p_recipient, p_purpose, p_prices, p_dearest,
        p_gap_seconds, p_gap_max, p_hour_max, p_day_max)
      with ordinality as i(id, company, key, kind, is_test, recipient, purpose, prices, dearest,
        gap_seconds, gap_max, hour_max, day_max, n)
    left join recent_sends g on g.company_id = i.company and g.recipient = any (array[i.recipient]) and g.kind = i.kind
      and g.is_test = i.is_test and coalesce(i.gap_max, i.day_max) is not null
    left join lateral (
      select count(*) as in_day, min(t) as day_from, max(t) as last,
        count(*) filter (where t > v_now - interval '1 hour') as in_hour,
        min(t) filter (where t > v_now - interval '1 hour') as hour_from,
        count(*) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as in_gap,
        min(t) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as gap_from
      -- A time in the future comes from a clock that was set back; it must not block a phone.
      from unnest(g.recent) as t where t > v_now - interval '1 day' and t <= v_now
    ) w on g.recent is not null
    -- The guesses at codes of this kind: while none is possible, no code is sent either (see verify).
    left join code c on c.key_id = any (array[i.key]) and c.phone = i.recipient and c.purpose = i.purpose
    left join lateral (
      select count(*) as wrong, min(t) as first_wrong, max(t) as last_wrong
      from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now
    ) f on coalesce(i.gap_max, i.day_max) is not null and c.failed_at <> '{}'
    order by i.company, i.kind, i.recipient, i.is_test, i.n
  loop
    if r.company is distinct from v_company then
      v_company := r.company;
      v_left := v_funds[array_position(v_companies, v_company)];
      v_kind := null;
    end if;
    if r.kind is distinct from v_kind or r.recipient <> v_recipient or r.is_test <> v_is_test then
      v_kind := r.kind;
      v_recipient := r.recipient;
      v_is_test := r.is_test;
      v_last := null;
      v_added := 0;
    end if;
    if v_last is null and r.last is not null then
      v_last := r.last;
      if r.gap_max = 1 then
        -- The minute starts with the acceptance; while the last send is under way it has not started.
        select case m.state when 'sent' then m.settled_at when 'sending' then v_now else m.created_at end
        into v_last
        from message m where m.company_id = r.company and m.id = r.last_message;
        v_last := coalesce(v_last, r.last);
      end if;
    end if;

    -- Of several limits the one that lasts longest is reported: at an earlier time the send would be refused again.
    v_limit := case when r.guess_at > v_now then 'locked' end;
    v_until := case when v_limit is not null then r.guess_at else v_now end;
    if v_last is not null or v_added > 0 then
      v_free_at := null;
      if r.gap_max = 1 then
        v_free_at := case when v_added > 0 then v_now else v_last end + make_interval(secs => r.gap_seconds);
      elsif coalesce(r.in_gap, 0) + v_added >= r.gap_max then
        v_free_at := coalesce(r.gap_from, v_now) + make_interval(secs => r.gap_seconds);
      end if;
      if v_free_at > v_until then
        v_limit := 'too_soon';
        v_until := v_free_at;
      end if;
      v_free_at := greatest(
        case when coalesce(r.in_day, 0) + v_added >= r.day_max
          then coalesce(r.day_from, v_now) + interval '1 day' end,
        case when coalesce(r.in_hour, 0) + v_added >= r.hour_max
          then coalesce(r.hour_from, v_now) + interval '1 hour' end);
      if v_free_at > v_until then
        v_limit := 'too_many';
        v_until := v_free_at;
      end if;
    end if;
    if r.recipient = any (v_crowded) and r.kind <> 'group' and not r.is_test then
      v_free_at := phone_free_at(r.recipient, r.company, v_now,
        p_company, p_kind, p_is_test, p_recipient, v_verdict,
        p_others_seconds, p_others_max, p_others_day_max);
      if v_free_at > v_until then
        v_limit := 'too_many';
        v_until := v_free_at;
      end if;
    end if;
    if v_limit is not null then
      v_verdict[r.n] := v_limit;
      v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
      continue;
    end if;

    -- Holds the price of the most expensive channel of the route that the balance and the caps of the key cover.
    v_available[r.n] := v_left;
    v_most := v_left;
    if v_capped is not null then
      v_place := array_position(v_capped, r.key);
      v_most := least(v_left, v_month_room[v_place], v_day_room[v_place]);
    end if;
    if r.dearest <= v_most then
      v_hold[r.n] := r.dearest;
      v_verdict[r.n] := 'reserved';
    else
      foreach v_price in array string_to_array(r.prices, ',')::integer[] loop
        if v_price <= v_most and (v_verdict[r.n] is null or v_price > v_hold[r.n]) then
          v_hold[r.n] := v_price;
          v_verdict[r.n] := 'reserved';
        elsif v_price <= v_left and v_verdict[r.n] is null then
          -- The nearest time at which a price fits.
          v_wait[r.n] := least(v_wait[r.n], ceil(extract(epoch from
            case when v_price > v_month_room[v_place] then next_almaty_month(v_now) else next_almaty_day(v_now) end
            - v_now)));
        end if;
      end loop;
      if v_verdict[r.n] is null then
        v_verdict[r.n] := case when v_wait[r.n] is null then 'short' else 'capped' end;
        continue;
      end if;
    end if;
    v_has_recent[r.n] := r.has_recent;
    v_has_code[r.n] := r.has_code;
    v_left := v_left - v_hold[r.n];
    if v_place is not null then
      v_month_room[v_place] := v_month_room[v_place] - v_hold[r.n];
      v_day_room[v_place] := v_day_room[v_place] - v_hold[r.n];
    end if;
    v_added := v_added + (coalesce(r.gap_max, r.day_max) is not null)::integer;
  end loop;

  update account a set held = a.held + h.hold
  from (
    select v_places[array_position(v_companies, i.company)] as place, sum(i.hold) as hold
    from unnest(p_company, v_hold, v_verdict) as i(company, hold, verdict)
    where i.verdict = 'reserved' and i.hold > 0
    group by i.company
  ) h
  where a.ctid = h.place;

  if v_capped is not null then
    insert into key_spend as s (company_id, key_id, month, spent)
    select i.company, i.key, almaty_month(v_now), sum(i.hold)
    from unnest(p_company, p_key, v_hold, v_verdict) as i(company, key, hold, verdict)
    where i.verdict = 'reserved' and i.hold > 0 and v_month_room[array_position(v_capped, i.key)] is not null
    group by i.company, i.key
    order by i.company, i.key
    on conflict (company_id, key_id, month) do update set spent = s.spent + excluded.spent;
    insert into key_day_spend as s (company_id, key_id, day, spent)
    select i.company, i.key, almaty_day(v_now), sum(i.hold)
    from unnest(p_company, p_key, v_hold, v_verdict) as i(company, key, hold, verdict)
    where i.verdict = 'reserved' and i.hold > 0 and v_day_room[array_position(v_capped, i.key)] is not null
    group by i.company, i.key
    order by i.company, i.key
    on conflict (company_id, key_id, day) do update set spent = s.spent + excluded.spent;
  end if;

  -- Rows of recent sends and of codes are inserted here alone, under the lock of the account, so a row that was not found
  -- is not there: `on conflict` would write each insert to the log twice. One that was found may have been removed as
  -- outdated since, so it is updated first, and inserted if that found nothing.
  --
  -- Microseconds make the sends of one batch distinct, so that a failed one can be removed alone.
  v_is_renewed := array_fill(false, array[v_count]);
  if true = any (v_has_recent) then
    for r in
      update recent_sends g set
        -- A group has only a limit per minute, and may get thousands of posts a day.
        recent = array(
            select t from unnest(g.recent) as t
            where t > v_now - case g.kind when 'group' then interval '1 minute' else interval '1 day' end
              and t <= v_now)
          || i.recent,
        last_message = i.last_message
      from (
        select u.company, u.recipient, u.kind, u.is_test, array_agg(u.n) as numbers,
          array_agg(v_now + u.n * interval '1 microsecond' order by u.n) as recent,
          (array_agg(u.id order by u.n desc))[1] as last_message
        from unnest(p_id, p_company, p_kind, p_is_test, p_recipient, v_has_recent)
          with ordinality as u(id, company, kind, is_test, recipient, has_recent, n)
        where u.has_recent
        group by u.company, u.recipient, u.kind, u.is_test
        order by u.company, u.recipient, u.kind, u.is_test
      ) i
      where g.company_id = i.company and g.recipient = any (array[i.recipient]) and g.kind = i.kind
        and g.is_test = i.is_test
      returning i.numbers
    loop
      foreach v_n in array r.numbers loop
        v_is_renewed[v_n] := true;
      end loop;
    end loop;
  end if;
  insert into recent_sends (company_id, recipient, kind, recent, last_message, is_test)
  select i.company, i.recipient, i.kind,
    array_agg(v_now + i.n * interval '1 microsecond' order by i.n), (array_agg(i.id order by i.n desc))[1], i.is_test
  from unnest(p_id, p_company, p_kind, p_is_test, p_recipient, p_gap_max, p_day_max, v_verdict, v_is_renewed)
    with ordinality as i(id, company, kind, is_test, recipient, gap_max, day_max, verdict, is_renewed, n)
  where i.verdict = 'reserved' and coalesce(i.gap_max, i.day_max) is not null and not i.is_renewed
  group by i.company, i.recipient, i.kind, i.is_test
  order by i.company, i.recipient, i.kind, i.is_test;

  v_is_renewed := array_fill(false, array[v_count]);
  if true = any (v_has_code) then
    for r in
      update code c set
        message_id = i.id, mac = substring(i.mac for 16), sealed = i.sealed,
        expires_at = v_now + make_interval(secs => i.ttl_seconds), verified_at = null, verified_by = null, wrong = 0
      from (
        select distinct on (u.key, u.recipient, u.purpose) u.*,
          array_agg(u.n) over (partition by u.key, u.recipient, u.purpose) as numbers
        from unnest(p_id, p_key, p_recipient, p_purpose, p_mac, p_sealed, p_ttl_seconds, v_has_code)
          with ordinality as u(id, key, recipient, purpose, mac, sealed, ttl_seconds, has_code, n)
        where u.has_code
        order by u.key, u.recipient, u.purpose, u.n desc
      ) i
      where c.key_id = any (array[i.key]) and c.phone = i.recipient and c.purpose = i.purpose
      returning i.numbers
    loop
      foreach v_n in array r.numbers loop
        v_is_renewed[v_n] := true;
      end loop;
    end loop;
  end if;
  insert into code (key_id, phone, purpose, company_id, message_id, mac, sealed, expires_at)
  select distinct on (i.key, i.recipient, i.purpose)
    i.key, i.recipient, i.purpose, i.company, i.id, substring(i.mac for 16), i.sealed,
    v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_id, p_company, p_key, p_recipient, p_purpose, p_mac, p_sealed, p_ttl_seconds, v_verdict, v_is_renewed)
    with ordinality as i(id, company, key, recipient, purpose, mac, sealed, ttl_seconds, verdict, is_renewed, n)
  where i.verdict = 'reserved' and i.mac is not null and not i.is_renewed
  order by i.key, i.recipient, i.purpose, i.n desc;

  if cardinality(array_remove(p_slug, null)) > 0 then
    insert into link (slug_key, slug, company_id, url, message_id, recipient, created_at, expires_at)
    select lower(i.slug), i.slug, i.company, i.url, i.id, case when i.kind <> 'group' then i.recipient end,
      v_now, v_now + make_interval(secs => i.ttl_seconds)
    from unnest(p_id, p_company, p_kind, p_recipient, p_slug, p_url, p_link_ttl_seconds, v_verdict)
      as i(id, company, kind, recipient, slug, url, ttl_seconds, verdict)
    where i.verdict = 'reserved' and i.slug is not null;
  end if;

  insert into message (company_id, id, key_id, kind, is_test, recipient, state, hold, created_at,
    next_check_at, purpose, slug, body, request_id, route)
  select i.company, i.id, i.key, i.kind, i.is_test, i.recipient, 'sending', i.hold,
    v_now + i.n * interval '1 microsecond', v_now + make_interval(secs => i.check_seconds),
    i.purpose, i.slug, i.body, i.request, i.route
  from unnest(p_id, p_company, p_key, p_kind, p_is_test, p_recipient, v_hold, p_check_seconds,
      p_purpose, p_slug, p_body, p_request, p_route, v_verdict)
    with ordinality as i(id, company, key, kind, is_test, recipient, hold, check_seconds,
      purpose, slug, body, request, route, verdict, n)
  where i.verdict = 'reserved';

  return query
    select i.n::integer, i.verdict, i.hold, i.available, i.wait_seconds
    from unnest(v_verdict, v_hold, v_available, v_wait)
      with ordinality as i(verdict, hold, available, wait_seconds, n)
    order by i.n;
end $$;
