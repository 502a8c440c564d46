-- Short names are unique regardless of case and never pass to another company.
create table link (
  folded text primary key,
  slug text not null check (lower(slug) = folded),
  company_id bigint not null,
  url text not null,
  message_id uuid,
  recipient bigint,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  disabled_at timestamptz
);
create index link_company on link (company_id, created_at desc);

create table click (
  folded text not null,
  company_id bigint not null,
  message_id uuid,
  recipient bigint,
  at timestamptz not null
) partition by range (at);
create index click_link on click (company_id, folded, at);

-- Every call that did not become a message: refused ones, verifications, shortenings. The phone is masked.
create table request_log (
  company_id bigint not null,
  at timestamptz not null,
  key_id bigint not null,
  request_id text not null,
  path text not null,
  status smallint not null,
  error_code text,
  duration_ms integer not null,
  phone text,
  channel text,
  message_id uuid
) partition by range (at);
create index request_log_company on request_log (company_id, at);
create index request_log_request on request_log (company_id, request_id);
