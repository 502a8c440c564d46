-- The tokens of a broadcast that no message has taken yet are held in its own row, and are part of what its account
-- holds. A broadcast is locked before its account, everywhere.

-- Adds to the tokens of a broadcast what the balance has, until they are p_wanted. Returns what they are then.
create or replace function hold_for_broadcast(p_id uuid, p_wanted bigint) returns bigint language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_company bigint;
  v_held bigint;
  v_more bigint;
begin
  select b.company_id, b.held into v_company, v_held from broadcast b where b.id = p_id for update;
  if v_held >= p_wanted then
    return v_held;
  end if;
  perform from account a where a.company_id = v_company for update;
  select least(p_wanted - v_held, case when a.debt > 0 then 0 else a.balance - a.held end) into v_more
  from account a where a.company_id = v_company;
  if v_more <= 0 then
    return v_held;
  end if;
  update account a set held = a.held + v_more where a.company_id = v_company;
  update broadcast b set held = b.held + v_more where b.id = p_id;
  return v_held + v_more;
end $$;

-- Gives back what no recipient needs any more.
create or replace function release_broadcast(p_id uuid) returns bigint language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_company bigint;
  v_held bigint;
begin
  select b.company_id, b.held into v_company, v_held from broadcast b where b.id = p_id for update;
  if v_held > 0 then
    update account a set held = a.held - v_held where a.company_id = v_company;
    update broadcast b set held = 0 where b.id = p_id;
  end if;
  return v_held;
end $$;
