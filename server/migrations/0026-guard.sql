-- Guard against pumping: codes that somebody orders to numbers of one operator and nobody means to verify. Both tables
-- count by company and by the first digits of the numbers, never by person.

-- Codes of one minute. Every node adds what it has counted about once a second, and reads what all have counted.
create table guard_count (
  minute timestamptz not null,
  company_id bigint not null,
  prefix text not null,
  sent integer not null,
  verified integer not null,
  primary key (minute, company_id, prefix)
) with (fillfactor = 60);

create type guard_action as enum ('recorded', 'blocked');

-- What was found suspicious in one minute, and what was done with the sends that SMS was meant for.
create table guard_decision (
  -- The last of the minutes that were judged together.
  minute timestamptz not null,
  company_id bigint not null,
  prefix text not null,
  -- Codes that had had time to be verified, those that were, and the share there could be at most.
  sent integer not null,
  verified integer not null,
  bound double precision not null,
  action guard_action not null,
  sends integer not null,
  -- How many of the sends were let through after all, to see whether somebody verifies again.
  probes integer not null,
  primary key (minute, company_id, prefix)
);
