-- The usual receipt brings news of a message that is settled and was only ever tried once: it is written without looking
-- first. Every other one (a repeat, an early one, one of a later attempt, one nobody knows) is left to record_receipts.
-- Each message may be named once.

create function record_plain_receipts(
  p_company bigint[], p_id uuid[], p_receipt receipt[], p_reason text[]
) returns table (ord integer, may_fall_back boolean)
language plpgsql as $$
begin
  return query
    update message m set receipt = i.receipt, receipt_at = clock_timestamp(), reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, clock_timestamp()) end
    from (
      select u.* from unnest(p_company, p_id, p_receipt, p_reason)
        with ordinality as u(company, id, receipt, reason, n)
      -- Messages are locked in this order wherever several are.
      order by u.company, u.id
    ) i
    where m.company_id = i.company and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
      and m.state <> 'sending' and m.attempt = 1
    returning i.n::integer, m.receipt = 'failed' and m.state = 'sent' and m.route <> '';
end $$;

alter function record_plain_receipts set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set plan_cache_mode = force_generic_plan;
