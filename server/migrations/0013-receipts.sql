-- The same recording of receipts with fewer reads: the messages are locked and read once, and the usual receipt, for
-- a message that is settled and was only ever tried once, touches nothing else.

create or replace function record_receipts(
  p_company bigint[], p_id uuid[], p_attempt integer[], p_receipt receipt[], p_reason text[]
) returns table (ord integer, is_known boolean, is_new boolean, may_fall_back boolean)
language plpgsql as $$
declare
  v_now timestamptz;
  -- The message of each receipt as it was found; null when there is none.
  v_states message_state[];
  v_latest smallint[];
  v_is_new boolean[];
  v_may_fall_back boolean[];
  r record;
begin
  select array_agg(i.state order by i.n), array_agg(i.latest order by i.n),
    array_agg(i.state is not distinct from 'sending' order by i.n), array_agg(false)
  into v_states, v_latest, v_is_new, v_may_fall_back
  from (
    select u.n, x.state, x.latest
    from unnest(p_company, p_id) with ordinality as u(company, id, n)
    left join lateral (
      select m.state, m.attempt as latest from message m
      where m.company_id = u.company and m.id = u.id
      for update
    ) x on true
    order by u.company, u.id
  ) i;
  v_now := clock_timestamp();

  if 'sending' = any (v_states) then
    insert into early_receipt (company_id, message_id, attempt, receipt, reason, at)
    select i.company, i.id, i.attempt, i.receipt, i.reason, v_now
    from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states)
      as i(company, id, attempt, receipt, reason, state)
    where i.state = 'sending';
  end if;

  -- Attempts have rows of their own from the second on.
  if 1 < any (v_latest) then
    update attempt a set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, a.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(a.delivered_at, v_now) end
    from (
      select u.company, u.id, u.attempt, max(u.receipt) as receipt,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason) as u(company, id, attempt, receipt, reason)
      group by u.company, u.id, u.attempt
    ) i
    where a.company_id = i.company and a.message_id = i.id and a.number = i.attempt
      and (a.receipt is null or a.receipt < i.receipt);
  end if;

  -- A failure counts for the message only if it is about the attempt it stands on; good news always counts.
  for r in
    update message m set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, v_now) end
    from (
      select u.company, u.id, max(u.receipt) as receipt, array_agg(u.n) as places,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states, v_latest)
        with ordinality as u(company, id, attempt, receipt, reason, state, latest, n)
      where u.state <> 'sending'
        and (u.receipt >= 'delivered' or u.attempt = standing_attempt(u.company, u.id, u.latest))
      group by u.company, u.id
    ) i
    where m.company_id = i.company and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
    returning i.places, m.receipt = 'failed' and m.state = 'sent' and m.route <> '' as may_fall_back
  loop
    for k in 1 .. cardinality(r.places) loop
      v_is_new[r.places[k]] := true;
      v_may_fall_back[r.places[k]] := r.may_fall_back;
    end loop;
  end loop;

  return query
    select i.n::integer, i.state is not null, i.is_new, i.may_fall_back
    from unnest(v_states, v_is_new, v_may_fall_back)
      with ordinality as i(state, is_new, may_fall_back, n)
    order by i.n;
end $$;
