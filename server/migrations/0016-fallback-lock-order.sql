-- A receipt locks its message and then its attempt. Settling a fallback now does the same: it used to take the
-- attempt first, and a receipt that came in that very moment deadlocked with it. The loser was the settlement, so
-- an accepted fallback was taken for unknown and the next channel was asked for nothing.
create or replace function settle_fallback(
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
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  update attempt a set state = p_state, reason = coalesce(p_reason, a.reason), settled_at = v_now,
    provider_id = p_provider_id
  where a.company_id = p_company and a.message_id = p_id and a.number = p_attempt and a.state = 'sending';
  if not found then
    return false;
  end if;

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
