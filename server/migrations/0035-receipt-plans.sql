-- Receipts by the ids of providers with index probes alone. One `case` over two ways to find the parts of a message kept
-- every index out, so each receipt read all ids: with a million of them a batch took 13 seconds, and was lost.

create or replace function pass_on_receipts(p_provider_id text[])
returns table (provider_id text, may_fall_back boolean)
language plpgsql as $$
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
  perform 1 from message m
  where (m.company_id, m.id) in (
    with named as materialized (
      select f.company_id, f.message_id, f.parts from provider_ref f where f.provider_id = any (p_provider_id))
    select n.company_id, n.message_id from named n where n.parts > 1)
  order by m.company_id, m.id for update;

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

-- As in 0014-plans.sql: a plan that was made while a table was small must not stay in use while it grows.
do $$
declare
  v_function regproc;
begin
  foreach v_function in array array['pass_on_receipts', 'remember_provider_ids', 'record_provider_receipts',
    'take_due', 'claim_fallback', 'settle_fallback', 'add_up_clicks']::regproc[]
  loop
    execute format('alter function %s set enable_seqscan = off set enable_hashjoin = off
      set enable_mergejoin = off set plan_cache_mode = force_generic_plan', v_function);
  end loop;
end $$;
