-- Settles many sends in one statement. Money moves only with the fenced transition out of 'sending': a second call (a
-- late worker, a batch repeated after a lost answer) finds the message settled and moves nothing.
--
-- The messages are updated before the account is locked, so that the next sends of the company can be reserved
-- meanwhile. No transaction that holds the account touches a message that is being sent. The update itself returns what
-- it moved, and only messages that were settled before are looked up again: joining the answer back by id cost more
-- than the rest of the batch.
create or replace function settle(
  p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[],
  p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid
) returns table (ord integer, moved boolean, state message_state, charged integer, balance bigint)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer := cardinality(p_id);
  -- The result of each send, in the order of the batch.
  v_moved boolean[] := array_fill(false, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_charged integer[] := array_fill(0, array[v_count]);
  v_state message_state[] := array_fill(null::message_state, array[v_count]);
  -- The balances that were changed.
  v_companies bigint[];
  v_balances bigint[];
  e_companies bigint[];
  e_ids uuid[];
  e_attempts integer[];
  e_receipts receipt[];
  e_reasons text[];
  e_providers text[];
  r record;
begin
  for r in
    update message m set
      state = i.state, channel = i.channel, provider_id = i.provider_id, reason = i.reason, route = i.route,
      attempt = i.attempt, hold = 0, charged = case when i.state = 'sent' then i.price else 0 end,
      settled_at = v_now,
      -- Nobody waits for a broadcast: most of its receipts come by themselves within minutes, and the others are asked
      -- for then.
      next_check_at = case when m.kind = 'broadcast' and i.state = 'sent' then v_now + interval '10 minutes'
        else m.next_check_at end
    from (
      select u.*, h.hold as held
      from unnest(p_company, p_id, p_state, p_channel, p_price, p_provider_id, p_reason, p_route, p_attempt)
        with ordinality as u(company, id, state, channel, price, provider_id, reason, route, attempt, n)
      join message h on h.company_id = any (array[u.company]) and h.id = u.id
      -- The lock order of messages, everywhere.
      order by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sending'
    returning i.n, i.held, m.charged, m.state
  loop
    v_moved[r.n] := true;
    v_hold[r.n] := r.held;
    v_charged[r.n] := r.charged;
    v_state[r.n] := r.state;
  end loop;

  with sums as (
    select i.company, sum(i.held) as held, sum(i.charged) as charged, count(*) filter (where i.charged > 0) as n
    from unnest(p_company, v_hold, v_charged) as i(company, held, charged)
    group by i.company
    -- The lock order of accounts, everywhere.
    order by i.company
  ), paid as (
    update account a set held = a.held - s.held, balance = a.balance - s.charged,
      entries = a.entries + (s.charged > 0)::integer
    from sums s where a.company_id = any (array[s.company]) and (s.held > 0 or s.charged > 0)
    returning a.company_id, a.balance, a.entries, s.charged, s.n
  ), booked as (
    insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
    select p.company_id, p.entries, 'charge', p_cause, -p.charged, p.n, p.balance, clock_timestamp()
    from paid p where p.charged > 0
  )
  select array_agg(p.company_id), array_agg(p.balance) into v_companies, v_balances from paid p;

  -- The guard of move_key_spend, before anything is computed for it.
  if exists (select 1 from key_spend s where s.company_id = any (p_company))
    or exists (select 1 from key_day_spend s where s.company_id = any (p_company)) then
    perform move_key_spend(p_company, p_id, v_hold, v_charged);
  end if;

  -- The guard of add_message_events. Only the transition is told, never a message that was settled before.
  if exists (select 1 from webhook_endpoint w where w.company_id = any (p_company) and w.deleted_at is null) then
    perform add_message_events(p_company, p_id,
      array(select case when i.moved then
          case i.state when 'sent' then 'message.sent' when 'failed' then 'message.failed' end end
        from unnest(v_moved, v_state) with ordinality as i(moved, state, n) order by i.n),
      p_channel::text[], v_charged, p_reason);
  end if;

  -- Sends that tried more than one channel have a row per attempt.
  if p_attempts is not null then
    insert into attempt (company_id, message_id, number, channel, state, reason, provider_id, price,
      started_at, settled_at)
    select t.company_id, t.message_id, t.number, t.channel, t.state, t.reason, t.provider_id, t.price,
      v_now - make_interval(secs => t.started_ago), v_now - make_interval(secs => t.settled_ago)
    from jsonb_to_recordset(p_attempts) as t(company_id bigint, message_id uuid, number smallint,
      channel channel, state attempt_state, reason text, provider_id text, price integer,
      started_ago double precision, settled_ago double precision)
    where exists (select 1 from unnest(p_id, v_moved) as i(id, moved) where i.id = t.message_id and i.moved);
  end if;

  -- A send that every channel refused lifts the minute's pause of the phone and leaves no code.
  if 'failed' = any (v_state) then
    -- Recent sends and codes, in the lock orders of reserve and verify.
    update recent_sends g set recent = array_remove(g.recent, i.created_at), last_message = null
    from (
      select m.company_id, m.recipient, m.kind, m.is_test, m.created_at
      from unnest(p_company, p_id, v_state) as u(company, id, state)
      join message m on m.company_id = any (array[u.company]) and m.id = u.id
      where u.state = 'failed'
      order by u.company, m.recipient, m.kind, m.is_test
    ) i
    where g.company_id = i.company_id and g.recipient = any (array[i.recipient]) and g.kind = i.kind
      and g.is_test = i.is_test;
    update code c set mac = null, sealed = null
    from (
      select m.key_id, m.recipient, m.purpose, m.id
      from unnest(p_company, p_id, v_state) as u(company, id, state)
      join message m on m.company_id = any (array[u.company]) and m.id = u.id
      where u.state = 'failed' and m.kind = 'otp'
      order by m.key_id, m.recipient, m.purpose
    ) i
    where c.key_id = any (array[i.key_id]) and c.phone = i.recipient and c.purpose = i.purpose and c.message_id = i.id;
  end if;

  -- Early receipts can be recorded now. After a failure the fallback need not wait for its time.
  if exists (select 1 from early_receipt) then
    with parked as (
      delete from early_receipt e using unnest(p_company, p_id, v_moved) as i(company, id, moved)
      where i.moved and e.company_id = any (array[i.company]) and e.message_id = i.id
      returning e.*
    )
    select array_agg(p.company_id), array_agg(p.message_id), array_agg(p.attempt::integer),
      array_agg(p.receipt), array_agg(p.reason), array_agg(p.provider)
    into e_companies, e_ids, e_attempts, e_receipts, e_reasons, e_providers
    from parked p;
    if e_ids is not null then
      perform record_receipts(e_companies, e_ids, e_attempts, e_receipts, e_reasons, e_providers);
      update message m set next_check_at = v_now + interval '5 seconds'
      from unnest(e_companies, e_ids) as i(company, id)
      where m.company_id = any (array[i.company]) and m.id = i.id and m.receipt = 'failed' and m.route <> '';
    end if;
  end if;

  -- Settled before by another call: return what it wrote.
  if false = any (v_moved) then
    for r in
      select i.n, m.state, m.charged
      from unnest(p_company, p_id, v_moved) with ordinality as i(company, id, moved, n)
      join message m on m.company_id = any (array[i.company]) and m.id = i.id
      where not i.moved
    loop
      v_state[r.n] := r.state;
      v_charged[r.n] := r.charged;
    end loop;
  end if;

  -- Each send gets the balance after its own charge.
  return query
    select i.n::integer, i.moved, i.state, i.charged,
      coalesce(v_balances[array_position(v_companies, i.company)],
        (select a.balance from account a where a.company_id = i.company))
        + sum(i.paid) over (partition by i.company order by i.n desc)::bigint - i.paid
    from (
      select u.*, case when u.moved then u.charged else 0 end as paid
      from unnest(p_company, v_moved, v_state, v_charged) with ordinality as u(company, moved, state, charged, n)
    ) i
    order by i.n;
end $$;

-- The same for messages of broadcasts, without waiting for the disk: the lock of the account ends at once, and codes of the
-- company go on. When the database crashes, the settlements of its last half second may be lost. Nobody was told of
-- them: their messages stand as being sent, and are recovered like those of a worker that died.
create or replace function settle_bulk(
  p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[],
  p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid
) returns table (ord integer, moved boolean, state message_state, charged integer, balance bigint)
language plpgsql
as $$
begin
  -- Until the end of the transaction, and so for its commit.
  perform set_config('synchronous_commit', 'off', true);
  return query select s.* from settle(p_company, p_id, p_state, p_channel, p_price, p_provider_id, p_reason, p_route,
    p_attempt, p_attempts, p_cause) s;
end $$;
