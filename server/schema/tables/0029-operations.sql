-- What the operator's desk shows of the running service: nodes and providers, incidents, pardons of the guard, figures.

-- Every process writes here what it knows of its providers, a few times a minute. Lost with a crash of the database, and
-- written again within seconds.
create unlogged table node_state (
  node text primary key,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- Of each provider: its circuit, the messages in flight, whether its permanent connection is up.
  providers jsonb not null
);

-- The answers of providers by minute, of all nodes together.
create unlogged table provider_minute (
  minute timestamptz not null,
  provider text not null,
  accepted integer not null,
  refused integer not null,
  unavailable integer not null,
  unknown integer not null,
  -- Messages that the provider was not given, because it fails or is overloaded.
  skipped integer not null,
  primary key (minute, provider)
) with (fillfactor = 60);

create type incident_state as enum ('investigating', 'identified', 'watching', 'resolved');
create type incident_impact as enum ('minor', 'major', 'critical');

-- A draft has no time of publication, and nobody outside the desk sees it. A public incident is never deleted.
create table incident (
  id bigint generated always as identity primary key,
  title_ru text not null check (length(title_ru) between 1 and 200),
  -- Null: the Russian text is shown, and marked as such.
  title_kk text check (length(title_kk) between 1 and 200),
  title_en text check (length(title_en) between 1 and 200),
  impact incident_impact not null,
  components text[] not null check (cardinality(components) >= 1),
  state incident_state not null,
  started_at timestamptz not null,
  published_at timestamptz,
  resolved_at timestamptz,
  check ((state = 'resolved') = (resolved_at is not null))
);

-- What was said about an incident, in order. Its last state is that of the incident.
create table incident_update (
  incident_id bigint not null references incident on delete cascade,
  number integer not null,
  at timestamptz not null,
  state incident_state not null,
  text_ru text not null check (length(text_ru) between 1 and 2000),
  text_kk text check (length(text_kk) between 1 and 2000),
  text_en text check (length(text_en) between 1 and 2000),
  -- The name of the operator.
  written_by text,
  primary key (incident_id, number)
);

-- Streams that the pumping guard lets pass until a time, by the decision of an operator.
create table guard_pardon (
  company_id bigint not null references company,
  prefix text not null,
  until timestamptz not null,
  reason text not null check (length(reason) between 1 and 500),
  set_by text,
  primary key (company_id, prefix)
);

-- Live sends of all customers by day in Almaty, counted from the messages by a job. A provider is empty where none is
-- known; a prefix is empty for groups.
create table figure_day (
  day date not null,
  item text not null check (item in ('whatsapp', 'telegram', 'sms', 'group')),
  provider text not null,
  prefix text not null,
  sends integer not null,
  delivered integer not null,
  failed integer not null,
  charged bigint not null,
  -- Attempts that this provider accepted: what it charges for. A message that fell back has several.
  carried integer not null,
  primary key (day, item, provider, prefix)
);
create table figure_count (
  day date primary key,
  counted_at timestamptz not null
);

-- Codes that could be verified and those that were, of all customers by day in Almaty; added up by the pumping guard.
create table code_day (
  day date not null,
  prefix text not null,
  sent integer not null,
  verified integer not null,
  primary key (day, prefix)
) with (fillfactor = 60);

-- What a provider charges for one message from a day on, in tiyn.
create table provider_cost (
  provider text not null,
  item text not null check (item in ('whatsapp', 'telegram', 'sms', 'group')),
  valid_from date not null,
  cost_tiyn integer not null check (cost_tiyn >= 0),
  set_by text,
  set_at timestamptz not null default clock_timestamp(),
  primary key (provider, item, valid_from)
);
