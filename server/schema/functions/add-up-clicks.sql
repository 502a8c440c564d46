-- Adds the next clicks of a link to the sums of their hours, at most p_max; those of people by each of their properties
-- as well. True when there are more. It stops at the start of the oldest transaction that may still be writing clicks: a
-- commit that waits for a standby may become visible at any later time. Hours are whole UTC hours, whatever the time zone
-- of the session; days in Almaty are summed from them.
create or replace function add_up_clicks(p_company bigint, p_slug_key text, p_max integer) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_from timestamptz;
  v_to timestamptz;
  -- Read before pg_stat_activity: a transaction that starts later writes later clicks.
  v_settled timestamptz := clock_timestamp();
  v_has_more boolean;
begin
  -- Locks the link, so that two readers do not add the same clicks.
  select coalesce(clicks_until, '-infinity') into v_from from link
  where slug_key = p_slug_key and (company_id = p_company) is true for no key update;
  v_settled := least(v_settled, (select min(s.xact_start) from pg_stat_activity s
    where s.datname = current_database() and s.usename = current_user and s.backend_type = 'client backend'
      and s.pid <> pg_backend_pid()));
  if v_from is null or v_from >= v_settled then
    return false;
  end if;
  select at into v_to from click
  where company_id = p_company and slug_key = p_slug_key and at >= v_from and at < v_settled
  order by at offset p_max limit 1;
  v_has_more := found;
  v_to := coalesce(v_to, v_settled);

  insert into click_hour as h (company_id, slug_key, hour, people, scans, robots, first_at, last_at)
  select p_company, p_slug_key, date_trunc('hour', at, 'UTC'), count(*) filter (where not is_robot),
    count(*) filter (where is_scan and not is_robot), count(*) filter (where is_robot), min(at) filter (where not is_robot), max(at) filter (where not is_robot)
  from click where company_id = p_company and slug_key = p_slug_key and at >= v_from and at < v_to
  group by 3
  on conflict (company_id, slug_key, hour) do update set people = h.people + excluded.people,
    scans = h.scans + excluded.scans, robots = h.robots + excluded.robots, first_at = least(h.first_at, excluded.first_at),
    last_at = greatest(h.last_at, excluded.last_at);

  -- Whoever opens a link names the referrer, so an hour keeps only the most frequent ones of a statement.
  insert into click_part as k (company_id, slug_key, hour, part, value, people)
  select p_company, p_slug_key, ranked.hour, ranked.part, case when ranked.place <= 50 then ranked.value else '*' end,
    sum(ranked.people)
  from (select date_trunc('hour', c.at, 'UTC') as hour, p.part, p.value, count(*) as people,
      row_number() over (partition by date_trunc('hour', c.at, 'UTC'), p.part order by count(*) desc, p.value) as place
    from click c
    cross join lateral (values ('device', c.device::text), ('system', c.system::text), ('browser', c.browser::text),
      ('country', c.country), ('city', c.country || ' ' || c.city), ('referrer', c.referrer)) as p(part, value)
    where c.company_id = p_company and c.slug_key = p_slug_key and c.at >= v_from and c.at < v_to and not c.is_robot
      and p.value is not null
    group by 1, 2, 3) as ranked
  group by 3, 4, 5
  on conflict (company_id, slug_key, hour, part, value) do update set people = k.people + excluded.people;
  update link set clicks_until = v_to where slug_key = p_slug_key;
  return v_has_more;
end $$;
