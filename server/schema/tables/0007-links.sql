-- Short names are unique regardless of case and never pass to another company.
create table link (
  -- The name in lower case.
  slug_key text primary key,
  slug text not null check (lower(slug) = slug_key),
  company_id bigint not null,
  url text not null,
  message_id uuid,
  recipient bigint,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  disabled_at timestamptz,
  -- A link that the operator has disabled stays disabled; its company may enable again what it has disabled itself.
  is_barred boolean not null default false,
  -- Clicks before this time are added up in click_hour. Null for nearly all links, which have few clicks.
  clicks_until timestamptz
);
create index link_company on link (company_id, created_at desc);

-- Clicks of robots that make link previews are stored as well, and marked.
create table click (
  slug_key text not null,
  company_id bigint not null,
  message_id uuid,
  recipient bigint,
  at timestamptz not null,
  is_robot boolean not null default false
) partition by range (at);
create index click_link on click (company_id, slug_key, at);

create table click_hour (
  company_id bigint not null,
  slug_key text not null,
  hour timestamptz not null,
  people integer not null,
  robots integer not null,
  -- The first and last click of a person, not of a robot.
  first_at timestamptz,
  last_at timestamptz,
  primary key (company_id, slug_key, hour)
);
