-- Records many receipts in one statement. They may come twice, late or out of order: the order of the `receipt`
-- type decides, and none moves a message back. A receipt never moves money.

-- The attempt a message stands on: the newest accepted one. With a single attempt that is the message itself.
create function standing_attempt(p_company bigint, p_id uuid, p_latest smallint)
returns smallint language plpgsql stable as $$
begin
  if p_latest = 1 then
    return 1;
  end if;
  return coalesce((select max(a.number) from attempt a
    where a.company_id = p_company and a.message_id = p_id and a.state = 'accepted'), p_latest);
end $$;

-- Receipts that beat the answer of their provider. They wait here until the message is settled: before that nobody
-- knows which attempt it stands on.
create table early_receipt (
  company_id bigint not null,
  message_id uuid not null,
  attempt smallint not null,
  receipt receipt not null,
  reason text,
  at timestamptz not null
);
create index early_receipt_message on early_receipt (company_id, message_id);

create function record_receipts(
  p_company bigint[], p_id uuid[], p_attempt integer[], p_receipt receipt[], p_reason text[]
) returns table (ord integer, is_known boolean, is_new boolean, may_fall_back boolean)
language plpgsql as $$
declare
  v_now timestamptz;
  v_changed uuid[];
begin
  perform 1 from message m
  where (m.company_id, m.id) in (select * from unnest(p_company, p_id))
  order by m.company_id, m.id for update;
  v_now := clock_timestamp();

  insert into early_receipt (company_id, message_id, attempt, receipt, reason, at)
  select i.company, i.id, i.attempt, i.receipt, i.reason, v_now
  from unnest(p_company, p_id, p_attempt, p_receipt, p_reason) as i(company, id, attempt, receipt, reason)
  join message m on m.company_id = i.company and m.id = i.id
  where m.state = 'sending';

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

  -- A failure counts for the message only if it is about the attempt it stands on; good news always counts.
  with changed as (
    update message m set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, v_now) end
    from (
      select u.company, u.id, max(u.receipt) as receipt,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason) as u(company, id, attempt, receipt, reason)
      join message h on h.company_id = u.company and h.id = u.id
      where h.state <> 'sending'
        and (u.receipt >= 'delivered' or u.attempt = standing_attempt(h.company_id, h.id, h.attempt))
      group by u.company, u.id
    ) i
    where m.company_id = i.company and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
    returning m.id
  )
  select array_agg(c.id) into v_changed from changed c;

  return query
    select i.n::integer, m.id is not null, coalesce(m.id = any (v_changed) or m.state = 'sending', false),
      coalesce(m.id = any (v_changed) and m.receipt = 'failed' and m.state = 'sent' and m.route <> '', false)
    from unnest(p_company, p_id) with ordinality as i(company, id, n)
    left join message m on m.company_id = i.company and m.id = i.id
    order by i.n;
end $$;
