-- Whether a message of a broadcast may be sent to a phone: `now`; `later`, while it is paused or rests (p_is_quiet, as
-- the caller knows the holidays); or `never`, once it was cancelled or the phone wants no broadcasts. What is part of no
-- broadcast, such as a sample, may be sent unless it is unwanted.
create or replace function may_send_broadcast(p_company bigint, p_request text, p_phone bigint, p_is_quiet boolean)
returns text language plpgsql stable
as $$
declare
  v_state broadcast_state;
begin
  if exists (select 1 from unsubscribed u
    where u.phone = p_phone and (u.company_id = p_company or u.company_id is null)) then
    return 'never';
  end if;
  select b.state into v_state from broadcast b where b.company_id = p_company and b.id::text = p_request;
  if not found then
    return 'now';
  end if;
  return case when v_state = 'cancelled' then 'never' when p_is_quiet or v_state = 'paused' then 'later' else 'now' end;
end $$;

-- Claims the next channel of a message that was accepted but not confirmed, before anything is sent: the claim survives
-- a crash, and that channel is never asked again for this message. The message is locked before its account, as in
-- settle.
create or replace function claim_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_channel channel, p_route text, p_price integer,
  p_lease_seconds integer, p_is_quiet boolean
) returns table (verdict text, sealed bytea, code_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_message message;
  v_sealed bytea;
  v_code_seconds integer;
  v_extra integer;
  v_may_send text;
begin
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  -- The caller may have read an outdated failure or silence: another attempt may have succeeded since. And while an
  -- attempt is under way its outcome comes first, whatever its receipts say.
  if v_message.state is distinct from 'sent' or v_message.attempt <> p_attempt
    or v_message.receipt >= 'delivered'
    -- Silence is no reason to send a broadcast a second time.
    or v_message.receipt is distinct from 'failed' and (v_message.kind = 'broadcast'
      or v_now < v_message.settled_at + make_interval(secs =>
        (select k.fallback_seconds from api_key k where k.id = v_message.key_id)))
    or exists (select 1 from attempt a where a.company_id = p_company and a.message_id = p_id
      and a.number = p_attempt and a.state = 'sending') then
    return query select 'gone', null::bytea, null::integer;
    return;
  end if;

  if v_message.kind = 'otp' then
    select c.sealed, floor(extract(epoch from c.expires_at - v_now)) into v_sealed, v_code_seconds
    from code c
    where c.key_id = v_message.key_id and c.phone = v_message.recipient and c.purpose = v_message.purpose
      and c.message_id = p_id and c.verified_at is null and c.expires_at > v_now;
    if v_sealed is null then
      return query select 'over', null::bytea, null::integer;
      return;
    end if;
  end if;

  if v_message.kind = 'broadcast' then
    v_may_send := may_send_broadcast(p_company, v_message.request_id, v_message.recipient, p_is_quiet);
    if v_may_send <> 'now' then
      return query select case when v_may_send = 'later' and v_now < v_message.settled_at + interval '24 hours'
        then 'later' else 'over' end, null::bytea, null::integer;
      return;
    end if;
  end if;

  v_extra := case when v_message.is_test then 0 else greatest(p_price - v_message.charged, 0) end;
  if v_extra > v_message.hold then
    -- A statement before the cap is read: it sees what was spent until the account was locked.
    perform from account a where a.company_id = p_company for update;
    if exists (select 1 from key_spend s join api_key k on k.id = s.key_id
      where s.company_id = p_company and s.key_id = v_message.key_id
        and s.month = almaty_month(v_message.created_at)
        and s.spent - v_message.hold + v_extra > k.monthly_cap)
      or exists (select 1 from key_day_spend s join api_key k on k.id = s.key_id
        where s.company_id = p_company and s.key_id = v_message.key_id
          and s.day = almaty_day(v_message.created_at)
          and s.spent - v_message.hold + v_extra > k.daily_cap) then
      return query select 'short', null::bytea, null::integer;
      return;
    end if;
  end if;
  -- A hold for the delivery by the channel before is no longer needed: this one takes its place.
  update account a set held = a.held - v_message.hold + v_extra
  where a.company_id = p_company and (v_extra = 0 or a.debt = 0 and a.balance - a.held + v_message.hold >= v_extra);
  if not found then
    return query select 'short', null::bytea, null::integer;
    return;
  end if;
  perform move_key_spend(array[p_company], array[p_id], array[v_message.hold], array[v_extra]);

  insert into attempt (company_id, message_id, number, channel, state, reason, receipt, provider_id, price,
    started_at, settled_at, receipt_at)
  values (p_company, p_id, p_attempt, v_message.channel, 'accepted', v_message.reason,
    coalesce(v_message.receipt, 'unconfirmed'), v_message.provider_id, v_message.charged,
    v_message.created_at, v_message.settled_at, coalesce(v_message.receipt_at, v_now))
  on conflict (company_id, message_id, number) do update set
    receipt = coalesce(attempt.receipt, excluded.receipt),
    receipt_at = coalesce(attempt.receipt_at, excluded.receipt_at)
    where attempt.state = 'accepted';
  insert into attempt (company_id, message_id, number, channel, state, price, started_at)
  values (p_company, p_id, p_attempt + 1, p_channel, 'sending', p_price, v_now);
  update message m set attempt = p_attempt + 1, route = p_route, hold = v_extra, pending_price = null,
    next_check_at = v_now + make_interval(secs => p_lease_seconds)
  where m.company_id = p_company and m.id = p_id;
  return query select 'claimed', v_sealed, v_code_seconds;
end $$;

-- Settles a claimed fallback. The one charge of the send moves to the new channel when that confirms the delivery, so
-- an acceptance leaves the price pending, and the difference held. A channel without receipts (p_has_receipts) is
-- charged when it accepts. Locks the message and then its attempt, in the same order as a receipt.
create or replace function settle_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_state attempt_state, p_price integer,
  p_has_receipts boolean, p_provider_id text, p_reason text, p_check_seconds integer, p_cause uuid
) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_message message;
  v_receipt receipt;
  v_delta integer := 0;
  v_pending integer;
  v_balance bigint;
  v_number bigint;
  v_early record;
begin
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  update attempt a set state = p_state, reason = coalesce(p_reason, a.reason), settled_at = v_now,
    provider_id = p_provider_id
  where a.company_id = p_company and a.message_id = p_id and a.number = p_attempt and a.state = 'sending'
  returning a.receipt into v_receipt;
  if not found then
    return false;
  end if;

  -- When an earlier channel has delivered meanwhile, the charge stays with it.
  if p_state = 'accepted' and not v_message.is_test and not exists (select 1 from attempt a
    where a.company_id = p_company and a.message_id = p_id and a.number < p_attempt and a.receipt >= 'delivered') then
    -- The delivery or the failure may have been reported before the acceptance was settled.
    if not p_has_receipts or v_receipt >= 'delivered' then
      v_delta := p_price - v_message.charged;
    elsif v_receipt is distinct from 'failed' then
      v_pending := nullif(p_price, v_message.charged);
    end if;
  end if;
  update account a set balance = a.balance - v_delta, entries = a.entries + (v_delta <> 0)::integer,
    held = a.held - v_message.hold + greatest(v_pending - v_message.charged, 0)
  where a.company_id = p_company returning a.balance, a.entries into v_balance, v_number;
  if v_delta <> 0 then
    insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
    values (p_company, v_number, 'charge_moved', p_cause, -v_delta, v_balance, clock_timestamp());
  end if;
  perform move_key_spend(array[p_company], array[p_id], array[v_message.hold],
    array[v_delta + greatest(v_pending - v_message.charged, 0)]);

  if p_state = 'accepted' then
    update message m set hold = greatest(v_pending - m.charged, 0), pending_price = v_pending,
      charged = m.charged + v_delta, provider_id = p_provider_id,
      channel = (select a.channel from attempt a where a.company_id = p_company and a.message_id = p_id
        and a.number = p_attempt),
      receipt = case when m.receipt >= 'delivered' then m.receipt else
        (select a.receipt from attempt a where a.company_id = p_company and a.message_id = p_id
          and a.number = p_attempt) end,
      settled_at = v_now, reason = null, next_check_at = v_now + make_interval(secs => p_check_seconds)
    where m.company_id = p_company and m.id = p_id;
    -- The guard of add_message_events.
    if exists (select 1 from webhook_endpoint w where w.company_id = p_company and w.deleted_at is null) then
      perform add_message_events(array[m.company_id], array[m.id], array['message.fallback'], array[m.channel::text],
        array[m.charged], array[v_message.channel::text])
      from message m where m.company_id = p_company and m.id = p_id;
    end if;
  else
    update message m set hold = 0 where m.company_id = p_company and m.id = p_id;
  end if;

  -- Now it is known whether these receipts are from the provider of the attempt.
  with early as (
    delete from early_receipt e
    where e.company_id = p_company and e.message_id = p_id and e.attempt = p_attempt
    returning e.*
  )
  select array_agg(e.company_id) as companies, array_agg(e.message_id) as ids,
    array_agg(e.attempt::integer) as attempts, array_agg(e.receipt) as receipts, array_agg(e.reason) as reasons,
    array_agg(e.provider) as providers
  into v_early from early e;
  if v_early.ids is not null then
    perform record_receipts(v_early.companies, v_early.ids, v_early.attempts, v_early.receipts, v_early.reasons,
      v_early.providers);
  end if;
  -- The failure was reported before the attempt was settled: the next channel need not wait.
  if p_state = 'accepted' then
    update message m set next_check_at = v_now + interval '5 seconds'
    where m.company_id = p_company and m.id = p_id and m.receipt = 'failed' and m.route <> '';
  end if;
  return true;
end $$;

-- Ends the watch over messages: no further channel is tried, and their charges are final. Without a receipt a message
-- becomes `unconfirmed`, or `delivered` if its code was verified, by whichever channel it came. The sealed copies of the
-- codes are removed.
--
-- Nobody waits for it, so its commit does not wait for the disk: what a crash of the database undoes is due again after
-- the lease of the watch.
create or replace function end_watch(p_company bigint[], p_id uuid[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_companies bigint[];
  v_ids uuid[];
  v_holds integer[];
  -- Which of them have failed without anybody having been told, and which have no receipt.
  v_have_failed boolean[];
  v_are_silent boolean[];
begin
  -- Until the end of the transaction, and so for its commit.
  perform set_config('synchronous_commit', 'off', true);
  select array_agg(w.company_id), array_agg(w.id), array_agg(w.hold), array_agg(w.has_failed), array_agg(w.is_silent)
  into v_companies, v_ids, v_holds, v_have_failed, v_are_silent
  from (
    -- A failure was told with its receipt unless another channel was left or being tried then.
    select m.company_id, m.id, m.hold, m.receipt is null as is_silent, m.receipt is not distinct from 'failed'
      and (m.route <> '' or m.attempt <> standing_attempt(m.company_id, m.id, m.attempt)) as has_failed
    from (select distinct u.company, u.id from unnest(p_company, p_id) as u(company, id)) i
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.state = 'sent'
    -- The lock order of messages, everywhere.
    order by i.company, i.id
    for update of m
  ) w;
  if v_ids is null then
    return;
  end if;
  update message m set route = '', hold = 0, pending_price = null,
    receipt_at = coalesce(m.receipt_at, clock_timestamp()),
    receipt = coalesce(m.receipt, case when exists (
      select 1 from code c where c.key_id = m.key_id and c.phone = m.recipient
        and c.purpose = m.purpose and c.message_id = m.id and c.verified_at is not null)
      then 'delivered' else 'unconfirmed' end::receipt)
  from unnest(v_companies, v_ids) as i(company, id)
  where m.company_id = any (array[i.company]) and m.id = i.id;
  -- The guard of add_message_events.
  if exists (select 1 from webhook_endpoint w where w.company_id = any (v_companies) and w.deleted_at is null) then
    perform add_message_events(array_agg(i.company), array_agg(i.id),
      array_agg(case when i.has_failed then 'message.failed'
        when i.is_silent and m.receipt = 'delivered' then 'message.delivered' end),
      array_agg(m.channel::text), array_agg(m.charged), array_agg(m.reason))
    from unnest(v_companies, v_ids, v_have_failed, v_are_silent) as i(company, id, has_failed, is_silent)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id;
  end if;
  if 0 < any (v_holds) then
    update account a set held = a.held - s.held
    from (
      select i.company, sum(i.hold) as held from unnest(v_companies, v_holds) as i(company, hold)
      group by i.company
      -- The lock order of accounts, everywhere.
      order by i.company
    ) s
    where a.company_id = any (array[s.company]) and s.held > 0;
    perform move_key_spend(v_companies, v_ids, v_holds, array_fill(0, array[cardinality(v_ids)]));
  end if;
  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id
    from unnest(v_companies, v_ids) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.kind = 'otp'
    -- The lock order of verify.
    order by m.key_id, m.recipient, m.purpose
  ) i
  where c.key_id = any (array[i.key_id]) and c.phone = i.recipient and c.purpose = i.purpose and c.message_id = i.id
    and c.sealed is not null;
end $$;
