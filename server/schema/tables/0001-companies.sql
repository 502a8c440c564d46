-- Companies, their money accounts, and facts about the installation.

create type channel as enum ('whatsapp', 'telegram', 'sms');

create table company (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  -- БИН or ИИН.
  business_id text check (business_id ~ '^[0-9]{12}$'),
  -- The default language of its messages; a key may override it.
  language text not null default 'ru' check (language in ('ru', 'kk', 'both')),
  brand text check (length(brand) between 1 and 40),
  created_at timestamptz not null default clock_timestamp()
);

-- The balance includes what is held; a send may use balance - held. Half of each page stays free, so that the updates
-- of a busy account stay on their page.
create table account (
  company_id bigint primary key references company,
  balance bigint not null default 0 check (balance >= 0),
  held bigint not null default 0 check (held >= 0),
  welcomed_at timestamptz,
  first_topup_at timestamptz,
  check (held <= balance)
) with (fillfactor = 50);

-- The operator's price table. A message keeps the price it was charged at.
create table price (
  item text primary key check (item in ('whatsapp', 'telegram', 'sms', 'group')),
  tokens integer not null check (tokens >= 0),
  changed_at timestamptz not null default clock_timestamp()
);
insert into price (item, tokens) values ('whatsapp', 3), ('telegram', 3), ('sms', 8), ('group', 0);

-- Facts about this installation, such as the fingerprint of the secret its data was written with.
create table installation (
  name text primary key,
  value text not null
);
