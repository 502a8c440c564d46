-- The public status page: what was measured of each component, and planned maintenance.

-- Good and bad answers by minute, of all nodes together. `traffic` are calls of customers, `probe` are our own requests,
-- and `outside` are those of the status page's own process, which goes on while the service is down.
create table status_minute (
  minute timestamptz not null,
  component text not null,
  source text not null check (source in ('traffic', 'probe', 'outside')),
  good integer not null check (good >= 0),
  bad integer not null check (bad >= 0),
  primary key (minute, component, source)
) with (fillfactor = 60);

-- Added up from the minutes, by day in Almaty. Minutes of maintenance are in none of the others.
create table status_day (
  day date not null,
  component text not null,
  measured integer not null check (measured >= 0),
  degraded integer not null,
  partial integer not null,
  major integer not null,
  maintenance integer not null,
  primary key (day, component),
  check (degraded + partial + major <= measured)
);

-- Maintenance is announced as an incident with its planned times.
alter table incident
  add column planned_from timestamptz,
  add column planned_until timestamptz,
  add check ((planned_from is null) = (planned_until is null)),
  add check (planned_from < planned_until);
