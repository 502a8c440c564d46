-- API keys.

create table api_key (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  name text not null check (length(name) between 1 and 200),
  is_test boolean not null,
  -- Only hashes of the secret are stored. The previous secret stays valid for a while after a rotation.
  secret_hash bytea not null unique,
  previous_hash bytea unique,
  previous_until timestamptz,
  shown_start text not null,
  shown_end text not null,
  domain text,
  channels channel[] not null,
  code_length smallint not null check (code_length between 4 and 8),
  code_ttl_seconds integer not null check (code_ttl_seconds between 60 and 900),
  fallback_seconds integer not null check (fallback_seconds between 15 and 120),
  language text not null check (language in ('ru', 'kk', 'both')),
  brand text,
  rate_per_minute integer check (rate_per_minute > 0),
  -- Null for keys made by the operator's command line.
  created_by text references person,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);
create index api_key_company on api_key (company_id, id);

-- Separate from api_key, because every change there makes all nodes reload their keys. Precise to the minute.
create table key_use (
  key_id bigint primary key references api_key,
  used_at timestamptz not null,
  -- When the previous secret was last used: once it is unused, it can be ended.
  previous_used_at timestamptz
);

-- Counts every change of any key. A node that reads the same count again keeps its cached keys: one row a second
-- instead of one look-up a second for each of thousands of keys.
create table key_version (
  id boolean primary key default true check (id),
  version bigint not null
);
insert into key_version (version) values (1);
