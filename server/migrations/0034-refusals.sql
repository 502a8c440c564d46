-- Sends whose callers were told of a failure while nobody knew what had been written about them, and messages that the
-- watch could not see in time. Neither may rest on how long a commit takes: one that waits for a standby stays invisible
-- for as long as it likes.

-- Recovery asks whether somebody may still repeat the request that made a message.
create index idempotency_subject on idempotency (subject);

-- Makes sends free whose callers heard of a failure. The row is written under the message's own key, so it waits for a
-- reservation whose commit is not visible yet, and refuses one that comes later. What was reserved is released, what was
-- charged is given back. Not done while a fallback is under way: that has to end first.
create function refuse_sends(
  p_company bigint[], p_id uuid[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[],
  p_request text[], p_has_left boolean[], p_reason text, p_cause uuid
) returns table (ord integer, is_done boolean)
language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer := cardinality(p_id);
  v_states message_state[] := (select array_agg(
      case when i.has_left then 'unknown' else 'failed' end::message_state order by i.n)
    from unnest(p_has_left) with ordinality as i(has_left, n));
begin
  insert into message (company_id, id, key_id, kind, is_test, recipient, state, created_at, settled_at, look_at,
    reason, request_id)
  select i.company, i.id, i.key, i.kind, i.is_test, i.recipient, i.state, v_now, v_now, v_now, p_reason, i.request
  from unnest(p_company, p_id, p_key, p_kind, p_is_test, p_recipient, p_request, v_states)
    as i(company, id, key, kind, is_test, recipient, request, state)
  order by i.company, i.id
  on conflict do nothing;

  perform settle(p_company, p_id, v_states, array_fill(null::channel, array[v_count]), array_fill(0, array[v_count]),
    array_fill(null::text, array[v_count]), array_fill(p_reason, array[v_count]), array_fill(''::text, array[v_count]),
    array_fill(1, array[v_count]), null, p_cause);

  with sent as (
    select m.company_id, m.id, m.charged
    from unnest(p_company, p_id) as i(company, id)
    join message m on m.company_id = i.company and m.id = i.id
    where m.state = 'sent' and m.hold = 0 and not exists (
      select 1 from attempt a where a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
        and a.state = 'sending')
    order by m.company_id, m.id for update of m
  ), freed as (
    update message m set charged = 0, state = 'unknown', route = '', reason = p_reason
    from sent s where m.company_id = s.company_id and m.id = s.id
    returning s.company_id, s.charged
  ), sums as (
    select f.company_id, sum(f.charged) as charged, count(*) as n from freed f where f.charged > 0 group by f.company_id
  ), repaid as (
    update account a set balance = a.balance + s.charged
    from sums s where a.company_id = s.company_id
    returning a.company_id, a.balance, s.charged, s.n
  )
  insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
  select r.company_id, 'charge_moved', p_cause, r.charged, -r.n, r.balance, clock_timestamp() from repaid r;

  return query
    select i.n::integer, m.state <> 'sent'
    from unnest(p_company, p_id) with ordinality as i(company, id, n)
    join message m on m.company_id = i.company and m.id = i.id
    order by i.n;
end $$;

alter function refuse_sends set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan;

-- Messages whose time to be looked at has come, found by one cursor over the index of look_at. It is written at least five
-- seconds ahead, so that the cursor usually sees the row in time; sweep_missed finds those it does not. A message that
-- needs nothing more is passed over and costs no write.
drop function take_due;
create function take_due(p_limit integer, p_lease_seconds integer)
returns table (company_id bigint, id uuid, key_id bigint, kind message_kind, is_test boolean,
  recipient bigint, state message_state, receipt receipt, channel channel, route text, attempt smallint,
  hold integer, charged integer, slug text, body text, purpose text, age_seconds double precision,
  settled_seconds double precision, open_attempt_seconds double precision, standing_attempt smallint)
language plpgsql as $$
declare
  v_from timestamptz;
  v_now timestamptz;
  v_until timestamptz;
  v_companies bigint[];
  v_ids uuid[];
begin
  select w.looked_until into v_from from watch w for update skip locked;
  if not found then
    return;
  end if;
  v_now := clock_timestamp();

  -- Ties stay together: a batch of sends shares one look_at, and the cursor moves past all of it.
  select array_agg(d.company_id order by d.company_id, d.id), array_agg(d.id order by d.company_id, d.id),
    max(d.look_at)
  into v_companies, v_ids, v_until
  from (
    select m.company_id, m.id, m.look_at from message m
    where m.look_at > v_from and m.look_at <= v_now
    order by m.look_at
    fetch first p_limit rows with ties
  ) d;
  update watch set looked_until =
    case when v_ids is null or cardinality(v_ids) < p_limit then greatest(v_from, v_now) else v_until end;
  if v_ids is null then
    return;
  end if;

  -- The sealed copy of a code is for a later fallback alone: it goes when there can be none. One whose process died on it
  -- is still to be taken up, also on the last channel.
  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id,
      m.receipt >= 'delivered' as has_arrived,
      m.route = '' or m.state in ('failed', 'unknown') as is_over,
      m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id and a.message_id = m.id
        and a.number = m.attempt and a.state = 'sending') as is_falling_back
    from unnest(v_companies, v_ids) as i(company, id)
    join message m on m.company_id = i.company and m.id = i.id
    where m.kind = 'otp' and m.state <> 'sending'
    -- As verify goes through them.
    order by m.key_id, m.recipient, m.purpose
  ) m
  where c.key_id = m.key_id and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id
    and c.sealed is not null
    and (c.expires_at <= v_now or m.has_arrived or m.is_over and not m.is_falling_back);

  return query
    update message m set look_at = v_now + make_interval(secs => p_lease_seconds)
    from unnest(v_companies, v_ids) as i(company, id)
    where m.company_id = i.company and m.id = i.id
      and (m.state = 'sending'
        or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '' or m.hold > 0)
        or m.hold > 0
        or m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id
          and a.message_id = m.id and a.number = m.attempt and a.state = 'sending'))
    returning m.company_id, m.id, m.key_id, m.kind, m.is_test, m.recipient, m.state, m.receipt, m.channel,
      m.route, m.attempt, m.hold, m.charged, m.slug, m.body, m.purpose,
      extract(epoch from v_now - m.created_at)::double precision,
      extract(epoch from v_now - m.settled_at)::double precision,
      (select extract(epoch from v_now - a.started_at)::double precision from attempt a
        where a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
          and a.state = 'sending'),
      standing_attempt(m.company_id, m.id, m.attempt);
end $$;

alter function take_due set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;

-- The cursor of the watch may pass a message whose commit it could not see. A second, slow one goes over what the first
-- has passed, once every transaction that was writing then has ended: by then there is nothing left to become visible.
alter table watch
  add column swept_until timestamptz not null default clock_timestamp(),
  -- The end of what is swept next, and the first transaction that was not under way when it was chosen.
  add column sweep_to timestamptz not null default clock_timestamp(),
  add column sweep_after xid8 not null default '0';

-- Makes what the cursor has missed due again, at most so many messages at a time. Returns how many were missed, and
-- whether there is more to go over at once.
create function sweep_missed(p_limit integer) returns table (missed integer, has_more boolean)
language plpgsql as $$
declare
  v_watch watch;
  v_to timestamptz;
  v_has_more boolean;
  v_missed integer;
begin
  select * into v_watch from watch for update skip locked;
  if not found or pg_snapshot_xmin(pg_current_snapshot()) < v_watch.sweep_after then
    return query select 0, false;
    return;
  end if;

  select m.look_at into v_to from message m
  where m.look_at > v_watch.swept_until and m.look_at <= v_watch.sweep_to
  order by m.look_at offset p_limit limit 1;
  v_has_more := found;
  v_to := coalesce(v_to, v_watch.sweep_to);

  -- The same messages that take_due would have taken.
  update message m set look_at = clock_timestamp() + interval '5 seconds'
  where m.look_at > v_watch.swept_until and m.look_at <= v_to
    and (m.state = 'sending'
      or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '')
      or m.hold > 0
      or m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id
        and a.message_id = m.id and a.number = m.attempt and a.state = 'sending'));
  get diagnostics v_missed = row_count;

  update watch set swept_until = v_to;
  if not v_has_more then
    -- A minute behind the cursor: look_at is read from the clock a moment before its transaction gets a number.
    update watch set sweep_to = greatest(looked_until - interval '1 minute', v_to),
      sweep_after = pg_snapshot_xmax(pg_current_snapshot());
  end if;
  return query select v_missed, v_has_more;
end $$;

alter function sweep_missed set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
