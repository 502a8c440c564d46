-- What is known of a click by a person beside its time. The IP address and the user agent are not stored.
create type click_device as enum ('phone', 'tablet', 'computer');
create type click_system as enum ('android', 'ios', 'windows', 'macos', 'linux');
create type click_browser as enum ('chrome', 'safari', 'samsung', 'yandex', 'opera', 'edge', 'firefox', 'miui', 'instagram',
  'facebook', 'telegram', 'viber');

alter table click
  -- Opened by the QR code.
  add column is_scan boolean not null default false,
  add column device click_device,
  add column system click_system,
  add column browser click_browser,
  -- ISO 3166, two letters.
  add column country text,
  -- In English.
  add column city text,
  -- The host of the page with the link.
  add column referrer text;

-- Of the people of the hour.
alter table click_hour add column scans integer not null default 0;

-- The clicks by people of an hour, by one property; those of which it is unknown are not here. The rarest values of an
-- hour are together in '*'. A city is with its country, as in 'KZ Almaty': others have the same name.
create table click_part (
  company_id bigint not null,
  slug_key text not null,
  hour timestamptz not null,
  part text not null check (part in ('device', 'system', 'browser', 'country', 'city', 'referrer')),
  value text not null,
  people integer not null,
  primary key (company_id, slug_key, hour, part, value)
);

-- Null where there are none, so that a link that is sent takes no more room.
alter table link add column tags text[];
create index link_tagged on link (company_id, created_at desc) where tags is not null;

-- Changes of where a link leads, and until when.
create table link_change (
  company_id bigint not null,
  slug_key text not null,
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  person_name text,
  url_before text not null,
  url_after text not null,
  expires_before timestamptz,
  expires_after timestamptz,
  primary key (company_id, slug_key, id)
);
