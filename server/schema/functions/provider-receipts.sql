-- Receipts that identify a message by the provider's own id alone. See the table provider_ref.

-- Derives the receipts of messages from those of these ids, records them, and returns where `auto` may fall back at
-- once. A message in parts has no receipt until all parts have one, or one has failed. Index probes only: one `case`
-- over two ways to find the parts of a message prevented the use of any index, and with a million ids a batch took 13
-- seconds.
create or replace function pass_on_receipts(p_provider_id text[])
returns table (provider_id text, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
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
  -- Locks the messages, so that of two parts at once the second sees the first. Materialized, here and below: otherwise
  -- the planner may use the index of parts while it is small, and read all of it.
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
    -- The id itself names its provider.
    from record_receipts(v_companies, v_messages, v_attempts, v_receipts, v_reasons,
      array_fill(null::text, array[cardinality(v_ids)])) c;
end $$;

-- Assigns ids to the attempts they were given to. False for an id that another message has already.
create or replace function remember_provider_ids(
  p_provider_id text[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]
) returns table (ord integer, is_ours boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
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

-- Records receipts by the ids of providers, in any order, as often as they come. One with an unknown id waits.
create or replace function record_provider_receipts(p_provider_id text[], p_receipt receipt[], p_reason text[])
returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
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
