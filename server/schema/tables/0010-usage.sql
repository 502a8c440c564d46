-- Tables that the pages of the cabinet read. None of them is written while a message is sent.

-- Named filters of a person.
create table message_view (
  company_id bigint not null references company,
  id bigint generated always as identity,
  person_id text not null references person,
  name text not null check (length(name) between 1 and 200),
  filter jsonb not null,
  primary key (company_id, id),
  unique (company_id, person_id, name)
);

-- Counts of closed hours, written by the first reader and counted again while receipts may still come in. Hours are
-- UTC; days in Almaty are summed from them.
create table counted_hour (
  company_id bigint not null,
  hour timestamptz not null,
  counted_at timestamptz not null,
  -- A histogram of the time until confirmation. Slots grow by a fixed factor, so histograms of several hours can be
  -- added up.
  live_times integer[] not null,
  test_times integer[] not null,
  primary key (company_id, hour)
);

create table usage_hour (
  company_id bigint not null,
  hour timestamptz not null,
  key_id bigint not null,
  -- Null for sends that no channel was asked to carry.
  channel channel,
  sends integer not null,
  -- Sends whose caller was told of a success.
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
