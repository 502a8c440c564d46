-- When a phone is free again for this company; null when it is free now. The arrays are this batch, as far as it is
-- decided.
--
-- A phone that has reached a cap of sends from other companies gets no more from this one. A company's own sends never
-- count here, because it is promised its own limits. One company alone cannot block a phone for the others: of its
-- sends at most two fifths of a cap count. Test keys send nothing out, so they are neither limited nor counted.
--
-- The caller holds the lock of the phone, so that everything that counts is committed or in this batch (see reserve).
create or replace function phone_free_at(
  p_phone bigint, p_for_company bigint, p_now timestamptz,
  p_company bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[], p_verdict text[],
  p_short_seconds integer, p_short_max integer, p_others_day_max integer
) returns timestamptz language sql stable as $$
  -- Sorted newest first, the send at the position of the cap is the one whose expiry frees the phone.
  select greatest(
    case when short[p_short_max] > p_now - make_interval(secs => p_short_seconds)
      then short[p_short_max] + make_interval(secs => p_short_seconds) end,
    case when long[p_others_day_max] > p_now - interval '1 day'
      then long[p_others_day_max] + interval '1 day' end)
  from (
    select
      array_agg(t order by t desc) filter (where nth <= p_short_max * 2 / 5) as short,
      array_agg(t order by t desc) filter (where nth <= p_others_day_max * 2 / 5) as long
    from (
      select t, row_number() over (partition by company order by t desc) as nth
      from (
        select g.company_id as company, t
        from recent_sends g, unnest(g.recent) as t
        where g.recipient = p_phone and g.company_id <> p_for_company and g.kind <> 'group' and not g.is_test
          -- A time in the future comes from a clock that was set back; it must not block a phone.
          and t <= p_now
        union all
        select b.company, p_now
        from unnest(p_company, p_kind, p_is_test, p_recipient, p_verdict)
          as b(company, kind, is_test, recipient, verdict)
        where b.verdict = 'reserved' and b.recipient = p_phone and b.company <> p_for_company
          and b.kind <> 'group' and not b.is_test
      ) sends
    ) ranked
  ) newest
$$;
