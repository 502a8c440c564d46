-- Stores clicks on short links. Those of people are events; robots and previews are not told.
create or replace function record_clicks(
  p_slug_key text[], p_company bigint[], p_message uuid[], p_recipient bigint[], p_is_robot boolean
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into click (slug_key, company_id, message_id, recipient, at, is_robot)
  select i.*, clock_timestamp(), p_is_robot
  from unnest(p_slug_key, p_company, p_message, p_recipient) as i;
  -- The guard of add_message_events.
  if not p_is_robot
    and exists (select 1 from webhook_endpoint w where w.company_id = any (p_company) and w.deleted_at is null) then
    perform add_message_events(p_company, p_message, array_fill('link.clicked'::text, array[cardinality(p_company)]),
      null, null, p_slug_key);
  end if;
end $$;
