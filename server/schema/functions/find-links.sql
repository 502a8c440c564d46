-- Short links by their names. A function, because a plan that was made for a handful of links would read all of them
-- later.
create or replace function find_links(p_slug_keys text[])
returns table (slug_key text, company_id bigint, url text, message_id uuid, recipient bigint, is_open boolean,
  is_suspended boolean, expires_ms double precision)
language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    select l.slug_key, l.company_id, l.url, l.message_id, l.recipient,
      l.disabled_at is null and (l.expires_at is null or l.expires_at > clock_timestamp()),
      -- Not `exists`, which a plan may answer by reading all companies.
      (select c.suspended_at is not null from company c where c.id = l.company_id),
      (extract(epoch from l.expires_at - clock_timestamp()) * 1000)::double precision
    from link l where l.slug_key = any (p_slug_keys);
end $$;
