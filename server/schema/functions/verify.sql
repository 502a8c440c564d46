-- Compares many guesses in one statement, one by one in the order they came, with the rows of their codes locked. The
-- count that decides is the one in the locked row, so parallel guesses cannot exceed it.
create or replace function verify(
  p_key bigint[], p_phone bigint[], p_purpose text[], p_mac bytea[], p_claim uuid[],
  p_per_code integer, p_per_hour integer, p_in_row integer
) returns table (ord integer, verdict text, attempts_left integer, wait_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_key);
  v_verdict text[] := array_fill(null::text, array[v_count]);
  v_left integer[] := array_fill(null::integer, array[v_count]);
  v_wait integer[] := array_fill(null::integer, array[v_count]);
  -- The codes this batch changes, as parallel arrays.
  c_key bigint[] := '{}';
  c_phone bigint[] := '{}';
  c_purpose text[] := '{}';
  c_wrong integer[] := '{}';
  c_added integer[] := '{}';
  c_row integer[] := '{}';
  c_is_verified boolean[] := '{}';
  c_claim uuid[] := '{}';
  -- Of the codes that are verified.
  t_company bigint[] := '{}';
  t_message uuid[] := '{}';
  k integer := 0;
  r record;
begin
  perform from unnest(p_key, p_phone, p_purpose) as i(key, phone, purpose)
  join code c on c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
  order by i.key, i.phone, i.purpose for update of c;
  v_now := clock_timestamp();

  for r in
    select i.*, c.mac as code_mac, c.company_id, c.message_id, c.verified_at, c.expires_at, c.wrong, c.failed_in_row,
      f.in_hour, f.hour_from, f.last
    from unnest(p_key, p_phone, p_purpose, p_mac, p_claim)
      with ordinality as i(key, phone, purpose, mac, claim, n)
    left join code c on c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
    left join lateral (
      select count(*) as in_hour, min(t) as hour_from, max(t) as last
      from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now
    ) f on true
    order by i.key, i.phone, i.purpose, i.n
  loop
    if r.code_mac is null then
      v_verdict[r.n] := 'not_found';
      continue;
    end if;
    if k = 0 or c_key[k] <> r.key or c_phone[k] <> r.phone or c_purpose[k] <> r.purpose then
      k := k + 1;
      c_key[k] := r.key;
      c_phone[k] := r.phone;
      c_purpose[k] := r.purpose;
      c_wrong[k] := r.wrong;
      c_added[k] := 0;
      c_row[k] := r.failed_in_row;
      c_is_verified[k] := false;
      c_claim[k] := null;
    end if;

    if r.verified_at is not null or c_is_verified[k] then
      v_verdict[r.n] := 'already_used';
    elsif c_row[k] >= p_in_row and (c_added[k] > 0 or r.last is not null) then
      v_verdict[r.n] := 'locked';
      v_wait[r.n] := ceil(extract(epoch from coalesce(r.last, v_now) + interval '1 hour' - v_now));
    elsif r.in_hour + c_added[k] >= p_per_hour then
      v_verdict[r.n] := 'locked';
      v_wait[r.n] := ceil(extract(epoch from coalesce(r.hour_from, v_now) + interval '1 hour' - v_now));
    elsif c_wrong[k] >= p_per_code then
      v_verdict[r.n] := 'locked';
    elsif r.expires_at <= v_now then
      v_verdict[r.n] := 'expired';
    -- Sixteen bytes are stored; codes of the release before have all of them.
    elsif substring(r.mac for 16) = substring(r.code_mac for 16) then
      v_verdict[r.n] := 'right';
      c_is_verified[k] := true;
      c_claim[k] := r.claim;
      t_company := t_company || r.company_id;
      t_message := t_message || r.message_id;
    else
      c_wrong[k] := c_wrong[k] + 1;
      c_added[k] := c_added[k] + 1;
      c_row[k] := c_row[k] + 1;
      v_verdict[r.n] := 'wrong';
      v_left[r.n] := least(p_per_code - c_wrong[k], p_per_hour - r.in_hour - c_added[k]);
    end if;
  end loop;

  update code c set
    wrong = i.wrong,
    verified_at = case when i.is_verified then v_now end,
    verified_by = i.claim,
    sealed = case when not i.is_verified then c.sealed end,
    failed_in_row = case when i.is_verified then 0 else i.in_row end,
    failed_at = case when i.is_verified then null else
      array(select t from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now)
      || array_fill(v_now, array[i.added]) end
  from unnest(c_key, c_phone, c_purpose, c_wrong, c_added, c_row, c_is_verified, c_claim)
    as i(key, phone, purpose, wrong, added, in_row, is_verified, claim)
  where c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
    and (i.is_verified or i.added > 0);

  -- The guard of add_message_events.
  if t_company <> '{}'
    and exists (select 1 from webhook_endpoint w where w.company_id = any (t_company) and w.deleted_at is null) then
    perform add_message_events(t_company, t_message, array_fill('otp.verified'::text, array[cardinality(t_company)]),
      null, null, null);
  end if;

  return query
    select i.n::integer, i.verdict, i.attempts_left, i.wait_seconds
    from unnest(v_verdict, v_left, v_wait) with ordinality as i(verdict, attempts_left, wait_seconds, n)
    order by i.n;
end $$;
