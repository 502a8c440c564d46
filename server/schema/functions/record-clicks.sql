-- Stores clicks on short links. Those of people are events; robots and previews are not told.
create or replace function add_clicks(
  p_slug_key text[], p_company bigint[], p_message uuid[], p_recipient bigint[], p_is_robot boolean, p_is_scan boolean[],
  p_device text[], p_system text[], p_browser text[], p_country text[], p_city text[], p_referrer text[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into click (slug_key, company_id, message_id, recipient, at, is_robot, is_scan, device, system, browser, country,
    city, referrer)
  select i.slug_key, i.company, i.message, i.recipient, clock_timestamp(), p_is_robot, i.is_scan, i.device::click_device,
    i.system::click_system, i.browser::click_browser, i.country, i.city, i.referrer
  from unnest(p_slug_key, p_company, p_message, p_recipient, p_is_scan, p_device, p_system, p_browser, p_country,
    p_city, p_referrer) as i(slug_key, company, message, recipient, is_scan, device, system, browser, country, city,
    referrer);
  -- The guard of add_message_events.
  if not p_is_robot
    and exists (select 1 from webhook_endpoint w where w.company_id = any (p_company) and w.deleted_at is null) then
    perform add_message_events(p_company, p_message, array_fill('link.clicked'::text, array[cardinality(p_company)]),
      null, null, p_slug_key);
  end if;
end $$;

-- As the nodes of the release before call it.
create or replace function record_clicks(
  p_slug_key text[], p_company bigint[], p_message uuid[], p_recipient bigint[], p_is_robot boolean
) returns void language sql as $$
  select add_clicks(p_slug_key, p_company, p_message, p_recipient, p_is_robot,
    array_fill(false, array[cardinality(p_slug_key)]), '{}', '{}', '{}', '{}', '{}', '{}')
$$;
