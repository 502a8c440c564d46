-- Companies, their money accounts and their API keys.

create type channel as enum ('whatsapp', 'telegram', 'sms');

create table company (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default clock_timestamp()
);

-- The balance includes what is held; what a send may still take is balance - held.
-- Half of each page stays free, so that the updates of a busy account stay on their page.
create table account (
  company_id bigint primary key references company,
  balance bigint not null default 0 check (balance >= 0),
  held bigint not null default 0 check (held >= 0),
  welcomed_at timestamptz,
  first_topup_at timestamptz,
  check (held <= balance)
) with (fillfactor = 50);

create table api_key (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  name text not null check (length(name) between 1 and 200),
  is_test boolean not null,
  -- Only hashes of the secret are kept. The previous one goes on for a while after a rotation.
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
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);
create index api_key_company on api_key (company_id, id);

-- The operator's price table. A message keeps the price it was charged at.
create table price (
  item text primary key check (item in ('whatsapp', 'telegram', 'sms', 'group')),
  tokens integer not null check (tokens >= 0),
  changed_at timestamptz not null default clock_timestamp()
);
insert into price (item, tokens) values ('whatsapp', 3), ('telegram', 3), ('sms', 8), ('group', 0);

-- The messenger groups a company has linked.
create table messenger_group (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  channel channel not null check (channel <> 'sms'),
  name text not null check (length(name) between 1 and 128),
  chat_id text not null check (length(chat_id) between 1 and 128),
  created_at timestamptz not null default clock_timestamp(),
  unique (company_id, channel, chat_id)
);
create unique index messenger_group_name on messenger_group (company_id, channel, lower(name));

-- Facts about this installation, such as the fingerprint of the secret its data was written with.
create table installation (
  name text primary key,
  value text not null
);
