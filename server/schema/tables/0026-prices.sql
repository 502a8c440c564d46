-- Prices with their history, prices of single companies, SMS sender names, and what a search over all companies needs.

-- A price that holds from a moment on. Rows are never changed: a new price is a new row, and of two with the same moment
-- the later row wins. A price that does not hold yet can be withdrawn.
create table price_version (
  id bigint generated always as identity primary key,
  item text not null check (item in ('whatsapp', 'telegram', 'sms', 'group')),
  -- Null for the price of everybody.
  company_id bigint references company,
  -- Null: from this moment the company pays the common price again.
  tokens integer check (tokens >= 0),
  valid_from timestamptz not null,
  -- The name of the operator; null where it is not known.
  set_by text,
  created_at timestamptz not null default clock_timestamp(),
  check (tokens is not null or company_id is not null)
);

create table price_withdrawal (
  version_id bigint primary key references price_version,
  withdrawn_by text,
  withdrawn_at timestamptz not null default clock_timestamp()
);

-- Counts every change of prices. A node that reads the same count again keeps the prices it has loaded.
create table price_revision (
  id boolean primary key default true check (id),
  revision bigint not null
);
insert into price_revision (revision) values (1);

-- Nobody knows what was charged before the last change, so the price that stands counts from the beginning.
insert into price_version (item, tokens, valid_from, created_at)
select item, tokens, 'epoch', changed_at from price order by item;

-- The previous release reads its prices here, and `price set` of it writes here (see set_common_price). It does not know
-- the prices of single companies.
drop table price;
create view price as
select distinct on (v.item) v.item, v.tokens, v.created_at as changed_at
from price_version v
where v.company_id is null and v.valid_from <= clock_timestamp()
  and not exists (select from price_withdrawal w where w.version_id = v.id)
order by v.item, v.valid_from desc, v.id desc;

-- Names that the mobile operators have registered for this installation.
create table sender_name (
  name text primary key check (name ~ '^[A-Za-z0-9 ._-]{3,11}$' and name ~ '[A-Za-z]' and name = btrim(name)),
  registered_at timestamptz not null default clock_timestamp(),
  note text check (length(note) <= 200)
);
-- Null: the name in the settings of the provider.
alter table company add column sender_name text references sender_name;

-- Null for an invitation by the operator of the installation.
alter table invitation alter column invited_by drop not null;

-- A client is searched for by phone over all companies, also in those whose every send was refused. Accepted sends are
-- not in this log, so the index costs them nothing; a verification pays about a microsecond in the background.
create index request_log_phone on request_log (phone, at) where phone is not null;
