-- The attempts that have these ids of a provider, by the phones they went to, for the rare receipt without our reference.
-- An index of these ids, or a row of provider_ref for each, would cost every send. So only the newest message of each
-- company and kind is looked at, and the newest broadcasts: an older code is no longer valid anyway.
create or replace function find_sent(p_provider_id text[], p_phone bigint[])
returns table (ord integer, company_id bigint, message_id uuid, attempt integer)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
  select i.n::integer, s.company_id, s.id, s.attempt::integer
  from unnest(p_provider_id, p_phone) with ordinality as i(provider_id, phone, n)
  cross join lateral (
    select m.company_id, m.id, coalesce(a.number, 1) as attempt
    from (
      select g.company_id, g.last_message from recent_sends g
      where g.recipient = any (array[i.phone]) and not g.is_test
      union all
      (select r.company_id, r.message_id from broadcast_row r
      where r.phone = any (array[i.phone]) and r.message_id is not null
      order by r.message_id desc limit 3)
    ) c
    join message m on m.company_id = any (array[c.company_id]) and m.id = any (array[c.last_message])
    -- With several attempts each has a row, and the message shows the standing one.
    left join attempt a on m.attempt > 1 and a.company_id = any (array[m.company_id])
      and a.message_id = any (array[m.id]) and a.provider_id = i.provider_id
    where case when m.attempt = 1 then m.provider_id = i.provider_id else a.number is not null end
    limit 1
  ) s
$$;
