-- The watch: messages whose time to be looked at has come, found by one cursor over the index of look_at. Because
-- look_at is always written at least five seconds ahead and no statement may run longer than two, the cursor never
-- passes a row that is not committed yet. A message that needs nothing more is passed over and costs no write.

create function take_due(p_limit integer, p_lease_seconds integer)
returns table (company_id bigint, id uuid, key_id bigint, kind message_kind, is_test boolean,
  recipient bigint, state message_state, receipt receipt, channel channel, route text, attempt smallint,
  charged integer, slug text, body text, purpose text, age_seconds double precision,
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
  select array_agg(d.company_id), array_agg(d.id), max(d.look_at)
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

  -- The sealed copy of a code is for a later fallback alone: it goes when there can be none.
  update code c set sealed = null
  from unnest(v_companies, v_ids) as i(company, id)
  join message m on m.company_id = i.company and m.id = i.id
  where m.kind = 'otp' and c.key_id = m.key_id and c.phone = m.recipient and c.purpose = m.purpose
    and c.message_id = m.id and c.sealed is not null
    and (m.route = '' or m.state in ('failed', 'unknown') or m.receipt >= 'delivered' or c.expires_at <= v_now)
    and m.state <> 'sending';

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
      m.route, m.attempt, m.charged, m.slug, m.body, m.purpose,
      extract(epoch from v_now - m.created_at)::double precision,
      extract(epoch from v_now - m.settled_at)::double precision,
      (select extract(epoch from v_now - a.started_at)::double precision from attempt a
        where a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
          and a.state = 'sending'),
      standing_attempt(m.company_id, m.id, m.attempt);
end $$;

-- Claims the next channel of a message that was accepted but not confirmed, before anything is sent: after a
-- crash the claim stands, and that channel is never asked again for this message.
create function claim_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_channel channel, p_route text, p_price integer,
  p_lease_seconds integer
) returns table (verdict text, sealed bytea, code_seconds integer)
language plpgsql as $$
declare
  v_now timestamptz;
  v_message message;
  v_sealed bytea;
  v_code_seconds integer;
  v_extra integer;
begin
  perform 1 from account a where a.company_id = p_company for update;
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  -- Whoever comes late may have read of a failure or a silence that another attempt has mended since. And while
  -- an attempt is under way its outcome comes first, whatever its receipts say already.
  if v_message.state is distinct from 'sent' or v_message.attempt <> p_attempt
    or v_message.receipt >= 'delivered'
    or v_message.receipt is distinct from 'failed' and v_now < v_message.settled_at + make_interval(secs =>
      (select k.fallback_seconds from api_key k where k.id = v_message.key_id))
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

  v_extra := case when v_message.is_test then 0 else greatest(p_price - v_message.charged, 0) end;
  update account a set held = a.held + v_extra
  where a.company_id = p_company and a.balance - a.held >= v_extra;
  if not found then
    return query select 'short', null::bytea, null::integer;
    return;
  end if;

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
  update message m set attempt = p_attempt + 1, route = p_route, hold = v_extra,
    look_at = v_now + make_interval(secs => p_lease_seconds)
  where m.company_id = p_company and m.id = p_id;
  return query select 'claimed', v_sealed, v_code_seconds;
end $$;

-- Settles a claimed fallback. An acceptance moves the one charge of the send to the new channel.
create function settle_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_state attempt_state, p_price integer,
  p_provider_id text, p_reason text, p_look_seconds integer, p_cause uuid
) returns boolean language plpgsql as $$
declare
  v_now timestamptz;
  v_message message;
  v_delta integer;
  v_balance bigint;
begin
  perform 1 from account a where a.company_id = p_company for update;
  v_now := clock_timestamp();
  update attempt a set state = p_state, reason = coalesce(p_reason, a.reason), settled_at = v_now,
    provider_id = p_provider_id
  where a.company_id = p_company and a.message_id = p_id and a.number = p_attempt and a.state = 'sending';
  if not found then
    return false;
  end if;

  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_delta := case when p_state = 'accepted' and not v_message.is_test
    then p_price - v_message.charged else 0 end;
  update account a set held = a.held - v_message.hold, balance = a.balance - v_delta
  where a.company_id = p_company returning a.balance into v_balance;
  if v_delta <> 0 then
    insert into entry (company_id, kind, cause, amount, balance_after, created_at)
    values (p_company, 'charge_moved', p_cause, -v_delta, v_balance, v_now);
  end if;

  if p_state = 'accepted' then
    update message m set hold = 0, charged = m.charged + v_delta, provider_id = p_provider_id,
      channel = (select a.channel from attempt a where a.company_id = p_company and a.message_id = p_id
        and a.number = p_attempt),
      receipt = case when m.receipt >= 'delivered' then m.receipt else
        (select a.receipt from attempt a where a.company_id = p_company and a.message_id = p_id
          and a.number = p_attempt) end,
      settled_at = v_now, reason = null, look_at = v_now + make_interval(secs => p_look_seconds)
    where m.company_id = p_company and m.id = p_id;
    -- Its failure was reported before it was settled: the next channel need not wait.
    update message m set look_at = v_now + interval '5 seconds'
    where m.company_id = p_company and m.id = p_id and m.receipt = 'failed' and m.route <> '';
  else
    update message m set hold = 0 where m.company_id = p_company and m.id = p_id;
  end if;
  return true;
end $$;
