-- When this company may send the next code to a phone, by the limits that reserve checks; in the past when it may now.
create or replace function otp_free_at(
  p_company bigint, p_phone bigint, p_is_test boolean, p_gap_seconds integer, p_hour_max integer, p_day_max integer,
  p_others_seconds integer, p_others_max integer, p_others_day_max integer
) returns timestamptz language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
  select greatest(
    (select case m.state when 'sent' then m.settled_at when 'sending' then clock_timestamp() else m.created_at end
      from recent_sends g join message m on m.company_id = g.company_id and m.id = g.last_message
      where g.recipient = p_phone and g.company_id = p_company and g.kind = 'otp' and g.is_test = p_is_test)
      + make_interval(secs => p_gap_seconds),
    -- Sorted newest first, the send at the position of the cap is the one whose expiry frees the phone.
    own.sends[p_hour_max] + interval '1 hour',
    own.sends[p_day_max] + interval '1 day',
    case when not p_is_test then phone_free_at(p_phone, p_company, clock_timestamp(), '{}', '{}', '{}', '{}', '{}',
      p_others_seconds, p_others_max, p_others_day_max) end)
  from (
    select array_agg(t order by t desc) as sends
    from recent_sends g, unnest(g.recent) as t
    where g.recipient = p_phone and g.company_id = p_company and g.kind = 'otp' and g.is_test = p_is_test
      and t <= clock_timestamp()
  ) own
$$;
