-- Settles many sends in one statement. Money moves only with the fenced transition out of 'sending': whoever
-- comes second (a late worker, a repeated batch after a lost answer) finds the message settled and moves nothing.

create function settle(
  p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[],
  p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid
) returns table (ord integer, moved boolean, state message_state, charged integer, balance bigint)
language plpgsql as $$
declare
  v_now timestamptz;
  v_ids uuid[];
  v_companies bigint[];
  v_holds integer[];
  v_charges integer[];
  v_failed uuid[];
  e_companies bigint[];
  e_ids uuid[];
  e_attempts integer[];
  e_receipts receipt[];
  e_reasons text[];
begin
  perform 1 from account a where a.company_id = any (p_company) order by a.company_id for update;
  v_now := clock_timestamp();

  with moved as (
    update message m set
      state = i.state, channel = i.channel, provider_id = i.provider_id, reason = i.reason, route = i.route,
      attempt = i.attempt, hold = 0, charged = case when i.state = 'sent' then i.price else 0 end,
      settled_at = v_now
    from (
      select u.*, h.hold as held
      from unnest(p_company, p_id, p_state, p_channel, p_price, p_provider_id, p_reason, p_route, p_attempt)
        as u(company, id, state, channel, price, provider_id, reason, route, attempt)
      join message h on h.company_id = u.company and h.id = u.id
      order by u.id
    ) i
    where m.company_id = i.company and m.id = i.id and m.state = 'sending'
    returning m.company_id, m.id, i.held, m.charged, m.state
  )
  select array_agg(x.id), array_agg(x.company_id), array_agg(x.held), array_agg(x.charged),
    array_agg(x.id) filter (where x.state = 'failed')
  into v_ids, v_companies, v_holds, v_charges, v_failed
  from moved x;

  with sums as (
    select i.company, sum(i.held) as held, sum(i.charged) as charged, count(*) filter (where i.charged > 0) as n
    from unnest(v_companies, v_holds, v_charges) as i(company, held, charged)
    group by i.company
  ), paid as (
    update account a set held = a.held - s.held, balance = a.balance - s.charged
    from sums s where a.company_id = s.company and (s.held > 0 or s.charged > 0)
    returning a.company_id, a.balance, s.charged, s.n
  )
  insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
  select p.company_id, 'charge', p_cause, -p.charged, p.n, p.balance, v_now
  from paid p where p.charged > 0;

  -- Sends that asked more than one channel have a row per attempt.
  if p_attempts is not null then
    insert into attempt (company_id, message_id, number, channel, state, reason, provider_id, price,
      started_at, settled_at)
    select t.company_id, t.message_id, t.number, t.channel, t.state, t.reason, t.provider_id, t.price,
      v_now - make_interval(secs => t.started_ago), v_now - make_interval(secs => t.settled_ago)
    from jsonb_to_recordset(p_attempts) as t(company_id bigint, message_id uuid, number smallint,
      channel channel, state attempt_state, reason text, provider_id text, price integer,
      started_ago double precision, settled_ago double precision)
    where t.message_id = any (v_ids);
  end if;

  -- A send that every channel refused gives the phone its minute back and leaves no code behind.
  if v_failed is not null then
    update gate g set recent = array_remove(g.recent, m.created_at), last_message = null
    from message m
    where m.company_id = any (p_company) and m.id = any (v_failed)
      and g.company_id = m.company_id and g.recipient = m.recipient and g.kind = m.kind;
    update code c set mac = null, sealed = null
    from message m
    where m.company_id = any (p_company) and m.id = any (v_failed) and m.kind = 'otp'
      and c.key_id = m.key_id and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id;
  end if;

  -- Receipts that came first can be counted now. A failure need not wait for the fallback time.
  if exists (select 1 from early_receipt) then
    with parked as (
      delete from early_receipt e using unnest(v_companies, v_ids) as i(company, id)
      where e.company_id = i.company and e.message_id = i.id
      returning e.*
    )
    select array_agg(p.company_id), array_agg(p.message_id), array_agg(p.attempt::integer),
      array_agg(p.receipt), array_agg(p.reason)
    into e_companies, e_ids, e_attempts, e_receipts, e_reasons
    from parked p;
    if e_ids is not null then
      perform record_receipts(e_companies, e_ids, e_attempts, e_receipts, e_reasons);
      update message m set look_at = v_now + interval '5 seconds'
      from unnest(e_companies, e_ids) as i(company, id)
      where m.company_id = i.company and m.id = i.id and m.receipt = 'failed' and m.route <> '';
    end if;
  end if;

  -- Each send is told the balance as it stood after its own charge.
  return query
    select i.n::integer, c.id is not null, m.state, m.charged,
      a.balance + coalesce(sum(c.charged) over (
        partition by i.company order by i.n rows between 1 following and unbounded following), 0)::bigint
    from (
      select u.*, row_number() over (partition by u.id order by u.n) as copy
      from unnest(p_company, p_id) with ordinality as u(company, id, n)
    ) i
    join message m on m.company_id = i.company and m.id = i.id
    join account a on a.company_id = i.company
    left join unnest(v_ids, v_charges) as c(id, charged) on c.id = i.id and i.copy = 1
    order by i.n;
end $$;
