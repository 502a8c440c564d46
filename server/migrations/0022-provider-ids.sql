-- Receipts of some providers name a message by the provider's own id and nothing else. Each such id has a row: made
-- when the provider accepts the message, or by a receipt that was faster, which then waits in it. The unique id makes
-- whoever comes second find what the first has left.

create table provider_ref (
  -- With the name of the provider before it: `smsc:1001`.
  provider_id text primary key,
  -- Null while only a receipt has come.
  company_id bigint,
  message_id uuid,
  attempt smallint,
  -- A long SMS travels in parts, each with its own id and receipts.
  parts smallint not null default 1,
  receipt receipt,
  reason text,
  created_at timestamptz not null default clock_timestamp()
);
create index provider_ref_parts on provider_ref (message_id, attempt) where parts > 1;
create index provider_ref_age on provider_ref (created_at);

-- What the receipts of these ids say of their messages: of a message in parts nothing until it is known of all of
-- them, or one has failed. Records it, and tells where `auto` may go on at once.
create function pass_on_receipts(p_provider_id text[])
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
  -- So that of two parts at once the second sees the first.
  perform 1 from message m
  where (m.company_id, m.id) in (
    select f.company_id, f.message_id from provider_ref f
    where f.provider_id = any (p_provider_id) and f.parts > 1)
  order by m.company_id, m.id for update;

  select array_agg(f.provider_id order by f.message_id), array_agg(f.company_id order by f.message_id),
    array_agg(f.message_id order by f.message_id), array_agg(f.attempt::integer order by f.message_id),
    array_agg(w.receipt order by f.message_id), array_agg(w.reason order by f.message_id)
  into v_ids, v_companies, v_messages, v_attempts, v_receipts, v_reasons
  from provider_ref f
  join lateral (
    select case when bool_or(o.receipt = 'failed') then 'failed'
        when bool_and(o.receipt is not null) and count(*) = f.parts then min(o.receipt) end as receipt,
      max(o.reason) as reason
    from provider_ref o
    where case when f.parts = 1 then o.provider_id = f.provider_id
      else o.message_id = f.message_id and o.attempt = f.attempt and o.parts > 1 end
  ) w on w.receipt is not null
  where f.provider_id = any (p_provider_id) and f.message_id is not null;
  if v_ids is null then
    return;
  end if;

  return query
    select v_ids[c.ord], c.may_fall_back
    from record_receipts(v_companies, v_messages, v_attempts, v_receipts, v_reasons) c;
end $$;

-- Ties ids to the attempts they were given to. False for an id that another message has already.
create function remember_provider_ids(
  p_provider_id text[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]
) returns table (ord integer, is_ours boolean)
language plpgsql as $$
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
    join provider_ref f on f.provider_id = i.provider_id
    order by i.n;
end $$;

-- Records receipts by the ids of providers, in any order, as often as they come. One that nobody knows yet waits.
create function record_provider_receipts(p_provider_id text[], p_receipt receipt[], p_reason text[])
returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean)
language plpgsql as $$
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
    join provider_ref f on f.provider_id = i.provider_id
    left join pass_on_receipts(p_provider_id) w on w.provider_id = i.provider_id
    order by i.n;
end $$;
