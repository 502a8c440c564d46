-- Monthly partitions of the tables that grow. A job calls make_partitions every day; the months around now always
-- exist, also for ids made by a node whose clock is off.

-- The lowest id of a time.
create or replace function uuid_at(p_at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- The month of a partition, and null for the name of anything else: a plan may ask before it knows whose partition it is.
create or replace function partition_month(p_name name) returns date language sql immutable as $$
  select case when p_name ~ '_\d{4}_\d\d$' then to_date(right(p_name::text, 7), 'YYYY_MM') end
$$;

create or replace function make_partition(p_table text, p_month date, p_by_id boolean, p_fill integer)
returns boolean language plpgsql as $$
declare
  v_name text := p_table || to_char(p_month, '_YYYY_MM');
  v_from timestamptz := p_month::timestamp at time zone 'UTC';
  v_to timestamptz := (p_month + interval '1 month')::timestamp at time zone 'UTC';
begin
  if to_regclass(v_name) is not null then
    return false;
  end if;
  if p_by_id then
    execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
      v_name, p_table, uuid_at(v_from), uuid_at(v_to), p_fill);
  else
    execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
      v_name, p_table, v_from, v_to, p_fill);
  end if;
  -- Partitions inherit row triggers, but not statement triggers.
  if p_table = 'entry' then
    execute format('create trigger entry_is_kept before truncate on %I
      for each statement execute function refuse_entry_change()', v_name);
  end if;
  return true;
end $$;

-- Makes the partitions from last month to `p_ahead` months from now. Returns how many were new.
create or replace function make_partitions(p_ahead integer) returns integer language plpgsql as $$
declare
  v_month date;
  v_made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('zhiber partitions'));
  for v_month in
    select generate_series(
      date_trunc('month', clock_timestamp() at time zone 'UTC') - interval '1 month',
      date_trunc('month', clock_timestamp() at time zone 'UTC') + make_interval(months => p_ahead),
      interval '1 month')::date
  loop
    v_made := v_made
      + make_partition('message', v_month, true, 65)::integer
      + make_partition('attempt', v_month, true, 80)::integer
      + make_partition('sms_attempt', v_month, true, 100)::integer
      + make_partition('entry', v_month, true, 100)::integer
      + make_partition('click', v_month, false, 100)::integer
      + make_partition('request_log', v_month, false, 100)::integer;
  end loop;
  return v_made;
end $$;

-- A month that is about to be removed is read-only, so that its charges can be added up without a lock. A receipt that
-- is more than a month late is ignored, as it is once the month is removed.
create or replace function keep_month_closed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    raise exception 'the month % is being removed', tg_table_name;
  end if;
  return null;
end $$;
