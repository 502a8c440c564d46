-- Makes many short links in one statement; the primary key decides who owns a name. Asking for the same link again
-- returns it. The company is compared in a way that no index serves: with the index of a company's links, a batch
-- planned while there were few read all of them for each new one.
create or replace function shorten(p_slug text[], p_company bigint[], p_url text[], p_ttl_seconds integer[])
returns table (ord integer, is_made boolean, slug text, expires_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  -- A company may reuse its own expired name; no other company ever can.
  update link l set url = i.url, slug = i.slug, created_at = v_now, message_id = null, recipient = null,
    expires_at = v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_slug, p_company, p_url, p_ttl_seconds) as i(slug, company, url, ttl_seconds)
  where l.slug_key = any (array[lower(i.slug)]) and (l.company_id = i.company) is true and l.expires_at <= v_now
    and l.disabled_at is null;

  insert into link (slug_key, slug, company_id, url, created_at, expires_at)
  select lower(i.slug), i.slug, i.company, i.url, v_now, v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_slug, p_company, p_url, p_ttl_seconds) with ordinality
    as i(slug, company, url, ttl_seconds, n)
  order by lower(i.slug), i.n
  on conflict (slug_key) do nothing;

  return query
    select i.n::integer, coalesce(l.company_id = i.company and l.url = i.url and l.disabled_at is null
      and (l.expires_at is null or l.expires_at > v_now), false),
      l.slug, ceil(extract(epoch from l.expires_at - v_now))::integer
    from unnest(p_slug, p_company, p_url) with ordinality as i(slug, company, url, n)
    left join link l on l.slug_key = any (array[lower(i.slug)])
    order by i.n;
end $$;
