-- Months of messages and of the ledger whose rows no longer change are audited once. What later audits need of them is
-- stored here, so that an audit reads the months since.
create table audited_month (
  table_name text not null check (table_name in ('message', 'entry')),
  month date not null,
  -- Counts what has changed in the month since it is watched (see count_month_change). What is stored about the month
  -- holds while this stands where it stood then.
  changes bigint not null default 0,
  audited_changes bigint,
  audited_at timestamptz,
  -- How many rows the month had, and the sum of their hashes.
  row_count bigint,
  hash numeric,
  primary key (table_name, month)
);

create table audited_messages (
  month date not null,
  company_id bigint not null,
  messages bigint not null,
  charged bigint not null,
  primary key (month, company_id)
);

-- Entries whose numbers and balances follow on each other: all of a month are one such run, except where the months of two
-- entries and their numbers are not in the same order.
create table audited_entries (
  month date not null,
  company_id bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  opening bigint not null,
  closing bigint not null,
  -- The part of the sum that is charges.
  charged bigint not null,
  primary key (month, company_id, first_number)
);
