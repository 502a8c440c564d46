-- What the pages of the cabinet read. None of it is written while a message is sent, but for one index.

-- A person's messages in the order of the list. Its columns never change, so settling a message stays on the page.
create index message_recipient on message (company_id, recipient, id);

-- Filters that a person has given a name.
create table message_view (
  company_id bigint not null references company,
  id bigint generated always as identity,
  person_id text not null references person,
  name text not null check (length(name) between 1 and 200),
  filter jsonb not null,
  primary key (company_id, id),
  unique (company_id, person_id, name)
);

-- Counts of closed hours, written by whoever reads them first and counted again while receipts may still come in. The
-- hours are UTC; days of Almaty are made of them.
create table counted_hour (
  company_id bigint not null,
  hour timestamptz not null,
  counted_at timestamptz not null,
  -- How many sends were confirmed after how long, in slots that grow by a fixed factor: those of days can be added up.
  live_times integer[] not null,
  test_times integer[] not null,
  primary key (company_id, hour)
);

create table usage_hour (
  company_id bigint not null,
  hour timestamptz not null,
  key_id bigint not null,
  -- Null for what no channel was asked to carry.
  channel channel,
  sends integer not null,
  -- Those whose caller was told of a success.
  accepted integer not null,
  confirmed integer not null,
  failed integer not null,
  charged bigint not null,
  unique nulls not distinct (company_id, hour, key_id, channel)
);

-- Calls that are in the request log: refused ones, verifications, shortenings.
create table call_hour (
  company_id bigint not null,
  hour timestamptz not null,
  key_id bigint not null,
  status smallint not null,
  error_code text,
  calls integer not null,
  unique nulls not distinct (company_id, hour, key_id, status, error_code)
);
