-- Guard against SMS pumping: codes ordered to numbers of one operator that nobody means to verify. Both tables count by
-- company and by the first digits of the numbers, never by person.

-- Codes of one minute. Every node adds its counts about once a second, and reads those of all nodes.
create table guard_count (
  minute timestamptz not null,
  company_id bigint not null,
  prefix text not null,
  sent integer not null,
  verified integer not null,
  primary key (minute, company_id, prefix)
) with (fillfactor = 60);

create type guard_action as enum ('recorded', 'blocked');

-- What was suspicious in one minute, and what was done with the sends for which SMS was planned.
create table guard_decision (
  -- The last of the minutes that were judged together.
  minute timestamptz not null,
  company_id bigint not null,
  prefix text not null,
  -- Codes old enough to have been verified, those that were, and the upper bound of their share.
  sent integer not null,
  verified integer not null,
  bound double precision not null,
  action guard_action not null,
  sends integer not null,
  -- How many of the sends still passed, to see whether codes are verified again.
  probes integer not null,
  primary key (minute, company_id, prefix)
);

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
