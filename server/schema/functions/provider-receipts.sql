-- Receipts that identify a message by the provider's own id. See the table provider_ref.

-- A receipt may come before the answer to its send, by seconds. One that waits longer belongs to a message that is not
-- ours: when its id is given again, that message must not get it.
create or replace function early_receipt_age() returns interval language sql immutable
as $$ select interval '10 minutes' $$;

-- An id without its spelling: in lower case, without the zeros before it. What is before the id stays: `smpp:1f0c/0012`
-- becomes `smpp:1f0c/12`.
create or replace function folded_provider_id(p_provider_id text) returns text language sql immutable
as $$ select regexp_replace(lower(p_provider_id), '^([^:]*:(?:[0-9a-f]*/)?)0+(?=.)', '\1') $$;

-- Derives the receipts of messages from those of these ids, records them, and returns where `auto` may fall back at
-- once. A message in parts has no receipt until all parts have one, or one has failed. Index probes only: one `case`
-- over two ways to find the parts of a message prevented the use of any index, and with a million ids a batch took 13
-- seconds.
create or replace function pass_on_by_ids(p_provider_id text[], p_tail bigint[])
returns table (provider_id text, phone_tail bigint, may_fall_back boolean, is_new boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ids text[];
  v_tails bigint[];
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
      select f.company_id, f.message_id, f.parts
      from (select distinct u.* from unnest(p_provider_id, p_tail) as u(provider_id, tail)) i
      join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail)
    select n.company_id, n.message_id from named n where n.parts > 1
  ) n
  join message m on m.company_id = any (array[n.company_id]) and m.id = n.message_id
  order by n.company_id, n.message_id for update of m;

  with named as materialized (
    select f.*
    from (select distinct u.* from unnest(p_provider_id, p_tail) as u(provider_id, tail)) i
    join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail
  ), news as (
    select n.provider_id, n.phone_tail, n.company_id, n.message_id, n.attempt, n.receipt, n.reason
    from named n
    where n.parts = 1 and n.message_id is not null and n.receipt is not null
    union all
    select n.provider_id, n.phone_tail, n.company_id, n.message_id, n.attempt, w.receipt, w.reason
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
  select array_agg(n.provider_id order by n.message_id), array_agg(n.phone_tail order by n.message_id),
    array_agg(n.company_id order by n.message_id), array_agg(n.message_id order by n.message_id),
    array_agg(n.attempt::integer order by n.message_id), array_agg(n.receipt order by n.message_id),
    array_agg(n.reason order by n.message_id)
  into v_ids, v_tails, v_companies, v_messages, v_attempts, v_receipts, v_reasons
  from news n;
  if v_ids is null then
    return;
  end if;

  return query
    select v_ids[c.ord], v_tails[c.ord], c.may_fall_back, c.is_new
    -- The id itself names its provider.
    from record_receipts(v_companies, v_messages, v_attempts, v_receipts, v_reasons,
      array_fill(null::text, array[cardinality(v_ids)])) c;
end $$;

-- Assigns ids to the attempts they were given to, and to them the receipts that wait for these ids. The tail is 0 for a
-- provider that gives an id once: there false is returned for an id that another message has already. Otherwise the
-- newest message takes the id, and with it the receipts.
create or replace function remember_ids(
  p_provider_id text[], p_tail bigint[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]
) returns table (ord integer, is_ours boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_ids text[];
  v_tails bigint[];
  v_early_ids text[];
  v_early_tails bigint[];
  -- Receipts that wait, and whose ids they are.
  w_ids text[];
  w_tails bigint[];
  w_own_ids text[];
  w_own_tails bigint[];
begin
  with kept as (
    insert into provider_ref as f (provider_id, phone_tail, company_id, message_id, attempt, parts, folded_id)
    select distinct on (i.provider_id, i.tail) i.provider_id, i.tail, i.company, i.id, i.attempt, i.parts,
      case when i.tail > 0 then nullif(folded_provider_id(i.provider_id), i.provider_id) end
    from unnest(p_provider_id, p_tail, p_company, p_id, p_attempt, p_parts)
      with ordinality as i(provider_id, tail, company, id, attempt, parts, n)
    order by i.provider_id, i.tail, case when i.tail = 0 then i.n else -i.n end
    on conflict on constraint provider_ref_pkey do update set
      company_id = excluded.company_id, message_id = excluded.message_id, attempt = excluded.attempt,
      parts = excluded.parts, folded_id = excluded.folded_id, created_at = clock_timestamp(),
      receipt = case when f.company_id is null and f.created_at > clock_timestamp() - early_receipt_age()
        then f.receipt end,
      reason = case when f.company_id is null and f.created_at > clock_timestamp() - early_receipt_age()
        then f.reason end
    where f.company_id is null
      or f.phone_tail > 0 and (f.message_id <> excluded.message_id or f.attempt <> excluded.attempt)
    returning f.provider_id, f.phone_tail, f.receipt
  )
  select array_agg(k.provider_id), array_agg(k.phone_tail),
    array_agg(k.provider_id) filter (where k.receipt is not null),
    array_agg(k.phone_tail) filter (where k.receipt is not null)
  into v_ids, v_tails, v_early_ids, v_early_tails from kept k;

  -- Receipts that wait under another spelling of the id, or without a phone. `offset 0` keeps the order of the join:
  -- while there are few such ids the planner would rather read them all.
  select array_agg(w.provider_id), array_agg(w.phone_tail), array_agg(i.provider_id), array_agg(i.tail)
  into w_ids, w_tails, w_own_ids, w_own_tails
  from unnest(v_ids, v_tails) as i(provider_id, tail)
  cross join lateral (
    select f.provider_id, f.phone_tail from provider_ref f
    where f.folded_id = any (array[folded_provider_id(i.provider_id)]) and f.company_id is null
    offset 0
  ) w
  where i.tail > 0 and w.phone_tail in (0, i.tail);
  if w_ids is not null then
    with taken as (
      delete from provider_ref w
      using unnest(w_ids, w_tails, w_own_ids, w_own_tails) as i(provider_id, tail, own_id, own_tail)
      where w.provider_id = any (array[i.provider_id]) and w.phone_tail = i.tail and w.company_id is null
      returning i.own_id, i.own_tail, w.receipt, w.reason, w.created_at
    ), given as (
      update provider_ref f set receipt = greatest(f.receipt, t.receipt), reason = coalesce(t.reason, f.reason)
      from taken t
      where f.provider_id = any (array[t.own_id]) and f.phone_tail = t.own_tail
        and t.created_at > clock_timestamp() - early_receipt_age()
      returning f.provider_id, f.phone_tail
    )
    select v_early_ids || array_agg(g.provider_id), v_early_tails || array_agg(g.phone_tail)
    into v_early_ids, v_early_tails from given g;
  end if;

  if v_early_ids is not null then
    perform pass_on_by_ids(v_early_ids, v_early_tails);
  end if;
  return query
    select i.n::integer, i.tail > 0 or f.company_id = i.company and f.message_id = i.id and f.attempt = i.attempt
    from unnest(p_provider_id, p_tail, p_company, p_id, p_attempt)
      with ordinality as i(provider_id, tail, company, id, attempt, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail
    order by i.n;
end $$;

-- Records receipts by the ids of providers, in any order, as often as they come. The tail is null for a receipt without a
-- phone. An id that no message has as it is written may be written in another way. One that still finds none waits.
create or replace function record_receipts_by_id(
  p_provider_id text[], p_tail bigint[], p_receipt receipt[], p_reason text[]
) returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean, is_new boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  -- The row that each receipt belongs to.
  v_ids text[];
  v_tails bigint[];
begin
  select array_agg(coalesce(exact.provider_id, other.provider_id, i.provider_id) order by i.n),
    array_agg(coalesce(exact.phone_tail, other.phone_tail, i.tail, 0) order by i.n)
  into v_ids, v_tails
  from unnest(p_provider_id, p_tail) with ordinality as i(provider_id, tail, n)
  left join lateral (
    select f.provider_id, f.phone_tail from provider_ref f
    where f.provider_id = any (array[i.provider_id]) and f.company_id is not null
      and (f.phone_tail = 0 or i.tail is null or f.phone_tail = i.tail)
    -- The sum keeps the planner from walking the index of created_at.
    order by f.created_at + interval '0' desc limit 1
  ) exact on true
  left join lateral (
    select o.provider_id, o.phone_tail from (
      select f.provider_id, f.phone_tail, f.created_at from provider_ref f
      where exact.provider_id is null and f.provider_id = any (array[folded_provider_id(i.provider_id)])
        and f.company_id is not null and f.phone_tail > 0
      union all
      select f.provider_id, f.phone_tail, f.created_at from provider_ref f
      where exact.provider_id is null and f.folded_id = any (array[folded_provider_id(i.provider_id)])
        and f.company_id is not null
    ) o
    where i.tail is null or o.phone_tail = i.tail
    order by o.created_at + interval '0' desc limit 1
  ) other on true;

  insert into provider_ref as f (provider_id, phone_tail, receipt, reason, folded_id)
  select i.provider_id, i.tail, max(i.receipt), (array_agg(i.reason order by i.receipt desc))[1],
    folded_provider_id(i.provider_id)
  from unnest(v_ids, v_tails, p_receipt, p_reason) as i(provider_id, tail, receipt, reason)
  group by i.provider_id, i.tail
  order by i.provider_id, i.tail
  on conflict on constraint provider_ref_pkey do update set
    receipt = greatest(f.receipt, excluded.receipt),
    reason = case when excluded.receipt > f.receipt or f.receipt is null then excluded.reason else f.reason end;
  return query
    select i.n::integer, f.company_id, f.message_id, coalesce(w.may_fall_back, false), coalesce(w.is_new, false)
    from unnest(v_ids, v_tails) with ordinality as i(provider_id, tail, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail
    left join pass_on_by_ids(v_ids, v_tails) w on w.provider_id = i.provider_id and w.phone_tail = i.tail
    order by i.n;
end $$;

-- For nodes of the release before, which know no phones.
create or replace function remember_provider_ids(
  p_provider_id text[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]
) returns table (ord integer, is_ours boolean) language sql
as $$
  select r.ord, r.is_ours from remember_ids(p_provider_id, array_fill(0::bigint, array[cardinality(p_id)]),
    p_company, p_id, p_attempt, p_parts) r
$$;

create or replace function record_provider_receipts(p_provider_id text[], p_receipt receipt[], p_reason text[])
returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean) language sql
as $$
  select r.ord, r.company_id, r.message_id, r.may_fall_back from record_receipts_by_id(p_provider_id,
    array_fill(null::bigint, array[cardinality(p_provider_id)]), p_receipt, p_reason) r
$$;
