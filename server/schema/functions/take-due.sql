-- Whether an attempt is under way. A function, and not a sub-query of the updates below: when PostgreSQL 18 evaluates a row
-- again that another transaction has changed meanwhile, it chooses the partitions of a sub-query by the parameters of the
-- row before, and crashes where there are none.
create or replace function is_attempt_open(p_company bigint, p_id uuid, p_number smallint)
returns boolean language plpgsql stable
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
begin
  return exists (select from attempt a
    where a.company_id = p_company and a.message_id = p_id and a.number = p_number and a.state = 'sending');
end $$;

-- Messages whose check is due, found by one cursor over the index of next_check_at. That time is set at least five
-- seconds ahead, so that the cursor usually sees the row in time; sweep_missed finds the others. A message that needs
-- nothing more is skipped and costs no write.
create or replace function take_due(p_limit integer, p_lease_seconds integer)
returns table (company_id bigint, id uuid, key_id bigint, kind message_kind, is_test boolean,
  recipient bigint, state message_state, receipt receipt, channel channel, route text, attempt smallint,
  hold integer, charged integer, slug text, body text, purpose text, age_seconds double precision,
  settled_seconds double precision, open_attempt_seconds double precision, standing_attempt smallint)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_from timestamptz;
  v_now timestamptz;
  v_until timestamptz;
  v_companies bigint[];
  v_ids uuid[];
begin
  select w.checked_until into v_from from watch w for update skip locked;
  if not found then
    return;
  end if;
  v_now := clock_timestamp();

  -- Ties stay together: a batch of sends shares one next_check_at, and the cursor moves past all of it.
  select array_agg(d.company_id order by d.company_id, d.id), array_agg(d.id order by d.company_id, d.id),
    max(d.next_check_at)
  into v_companies, v_ids, v_until
  from (
    select m.company_id, m.id, m.next_check_at from message m
    where m.next_check_at > v_from and m.next_check_at <= v_now
    order by m.next_check_at
    fetch first p_limit rows with ties
  ) d;
  update watch set checked_until =
    case when v_ids is null or cardinality(v_ids) < p_limit then greatest(v_from, v_now) else v_until end;
  if v_ids is null then
    return;
  end if;

  return query
    update message m set next_check_at = v_now + make_interval(secs => p_lease_seconds)
    from unnest(v_companies, v_ids) as i(company, id)
    where m.company_id = any (array[i.company]) and m.id = i.id
      and (m.state = 'sending'
        or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '' or m.hold > 0)
        or m.hold > 0
        or m.attempt > 1 and is_attempt_open(m.company_id, m.id, m.attempt))
    returning m.company_id, m.id, m.key_id, m.kind, m.is_test, m.recipient, m.state, m.receipt, m.channel,
      m.route, m.attempt, m.hold, m.charged, m.slug, m.body, m.purpose,
      extract(epoch from v_now - m.created_at)::double precision,
      extract(epoch from v_now - m.settled_at)::double precision,
      (select extract(epoch from v_now - a.started_at)::double precision from attempt a
        where a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
          and a.state = 'sending'),
      standing_attempt(m.company_id, m.id, m.attempt);

  -- The sealed copy of a code is for a later fallback alone: it is removed when there can be none. A fallback whose
  -- process died is still resumed, also on the last channel.
  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id,
      m.receipt >= 'delivered' as has_arrived,
      m.route = '' or m.state in ('failed', 'unknown') as is_over,
      m.attempt > 1 and is_attempt_open(m.company_id, m.id, m.attempt) as is_falling_back
    from unnest(v_companies, v_ids) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.kind = 'otp' and m.state <> 'sending'
    -- The lock order of verify.
    order by m.key_id, m.recipient, m.purpose
  ) m
  where c.key_id = any (array[m.key_id]) and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id
    and c.sealed is not null
    and (c.expires_at <= v_now or m.has_arrived or m.is_over and not m.is_falling_back);
end $$;
