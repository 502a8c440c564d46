-- The month of an instant in Almaty, as its first day. Almaty is five hours ahead of UTC all year since 2024; what the
-- database knows about time zones may be older. A test compares it with the zone as Node knows it.
create or replace function almaty_month(p_at timestamptz) returns date language sql immutable
as $$
  select date_trunc('month', p_at at time zone interval '5 hours')::date
$$;

-- When the month after this instant begins in Almaty.
create or replace function next_almaty_month(p_at timestamptz) returns timestamptz language sql immutable
as $$
  select (almaty_month(p_at) + interval '1 month')::timestamp at time zone interval '5 hours'
$$;

-- The day of an instant in Almaty.
create or replace function almaty_day(p_at timestamptz) returns date language sql immutable
as $$
  select (p_at at time zone interval '5 hours')::date
$$;

-- When the day after this instant begins in Almaty.
create or replace function next_almaty_day(p_at timestamptz) returns timestamptz language sql immutable
as $$
  select (almaty_day(p_at) + 1)::timestamp at time zone interval '5 hours'
$$;

-- Adds to what keys with a cap have spent, for messages whose hold or charge has just changed: what was released or
-- refunded is taken off. A message counts in the month and the day in which it was made. The caller has locked the
-- accounts in a statement before, so that the rows of a cap that was set meanwhile are seen.
create or replace function move_key_spend(
  p_company bigint[], p_id uuid[], p_released integer[], p_taken integer[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  -- Most companies have no key with a cap, and need no look at their messages.
  if exists (select 1 from key_spend s where s.company_id = any (p_company)) then
    update key_spend s set spent = s.spent + d.amount
    from (
      select m.company_id, m.key_id, almaty_month(m.created_at) as month, sum(i.taken - i.released) as amount
      from unnest(p_company, p_id, p_released, p_taken) as i(company, id, released, taken)
      join message m on m.company_id = any (array[i.company]) and m.id = i.id
      where i.taken <> i.released
      group by m.company_id, m.key_id, almaty_month(m.created_at)
      order by m.company_id, m.key_id
    ) d
    where s.company_id = any (array[d.company_id]) and s.key_id = d.key_id and s.month = d.month;
  end if;
  if exists (select 1 from key_day_spend s where s.company_id = any (p_company)) then
    update key_day_spend s set spent = s.spent + d.amount
    from (
      select m.company_id, m.key_id, almaty_day(m.created_at) as day, sum(i.taken - i.released) as amount
      from unnest(p_company, p_id, p_released, p_taken) as i(company, id, released, taken)
      join message m on m.company_id = any (array[i.company]) and m.id = i.id
      where i.taken <> i.released
      group by m.company_id, m.key_id, almaty_day(m.created_at)
      order by m.company_id, m.key_id
    ) d
    where s.company_id = any (array[d.company_id]) and s.key_id = d.key_id and s.day = d.day;
  end if;
end $$;
