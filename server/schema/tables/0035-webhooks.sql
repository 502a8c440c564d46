-- Webhooks: what happens to the messages of a company is told to its own servers.

-- Where events are sent to. A removed endpoint stays until its deliveries are removed.
create table webhook_endpoint (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  description text not null default '',
  -- Phones in full; otherwise they are masked.
  shows_phones boolean not null default false,
  -- Both are encrypted with a key outside the database. The previous secret signs until `previous_until`.
  secret bytea,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  created_by text references person,
  -- Null while it is on.
  off_at timestamptz,
  off_reason text check (off_reason in ('person', 'failing', 'gone')),
  -- Since when no try has succeeded; null when the last one has.
  failing_since timestamptz,
  -- The last try had no answer in time: until one has, it gets a single call at a time.
  has_timed_out boolean not null default false,
  -- It has asked for a pause.
  paused_until timestamptz,
  last_error_at timestamptz,
  last_error text,
  last_status smallint,
  deleted_at timestamptz,
  -- Of a terminal that listens to the events of a company, and fetches them itself: it is off, so that nothing is sent to
  -- it, and forgotten when it has not asked for a while.
  listener_until timestamptz,
  check ((off_at is null) = (off_reason is null))
);
-- Every batch of the hot path asks whether one of its companies has an endpoint.
create index webhook_endpoint_company on webhook_endpoint (company_id, id) where deleted_at is null;
create unique index webhook_endpoint_listener on webhook_endpoint (company_id)
  where listener_until is not null and deleted_at is null;
create index webhook_endpoint_deleted on webhook_endpoint (id) where deleted_at is not null;

-- Events as the functions of the hot path write them, in the transaction of the change itself: one row per company, type
-- and batch. A worker takes a row and writes its events and deliveries in one transaction.
create table webhook_outbox (
  id uuid primary key,
  company_id bigint not null,
  type text not null,
  at timestamptz not null default clock_timestamp(),
  -- Per event: its message, the channel and the charge of that moment, and the reason of a failure, the channel before a
  -- fallback or the short name of a link. All null for an event that is about no message.
  message_ids uuid[],
  channels text[],
  costs integer[],
  details text[],
  data jsonb
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- The id is a UUIDv7 that follows from the row of the outbox, so that a list in its order is a list by time.
create table webhook_event (
  id uuid primary key,
  company_id bigint not null,
  type text not null,
  at timestamptz not null,
  is_test boolean not null,
  -- Apart from the data: each endpoint says whether it gets it in full.
  phone bigint,
  data jsonb not null
);

create type webhook_delivery_state as enum ('waiting', 'delivered', 'failed', 'missed');

create table webhook_delivery (
  company_id bigint not null,
  endpoint_id bigint not null,
  event_id uuid not null,
  type text not null,
  state webhook_delivery_state not null,
  -- When the next try is due. While one is under way: when it counts as lost, and is repeated.
  next_try_at timestamptz,
  is_trying boolean not null default false,
  -- Counts the claims: a worker that comes back too late changes nothing.
  claim integer not null default 0,
  -- Since it was last made due.
  tries smallint not null default 0,
  tries_ever smallint not null default 0,
  -- Of the last try.
  last_try_at timestamptz,
  outcome text,
  error text,
  status smallint,
  duration_ms integer,
  primary key (endpoint_id, event_id),
  check ((state = 'waiting') = (next_try_at is not null))
) with (fillfactor = 80);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_try_at) where state = 'waiting';
-- How many are under way is counted before more are claimed.
create index webhook_delivery_trying on webhook_delivery (endpoint_id) where is_trying;
create index webhook_delivery_state on webhook_delivery (endpoint_id, state, event_id);
create index webhook_delivery_type on webhook_delivery (endpoint_id, type, event_id);

-- One call of an endpoint. Its body follows from the event and `has_phone`.
create table webhook_try (
  company_id bigint not null,
  endpoint_id bigint not null,
  event_id uuid not null,
  number smallint not null,
  at timestamptz not null,
  url text not null,
  has_phone boolean not null,
  -- The headers `webhook-timestamp` and `webhook-signature`.
  signed_at bigint not null,
  signature text not null,
  outcome text not null,
  error text,
  status smallint,
  duration_ms integer not null,
  -- The beginning of the answer, without control characters.
  answer text,
  is_answer_cut boolean not null default false,
  primary key (endpoint_id, event_id, number)
);

-- Tries per endpoint and hour (UTC). `durations` counts those that were answered, by the limits of DURATION_LIMITS_MS.
create table webhook_hour (
  company_id bigint not null,
  endpoint_id bigint not null,
  hour timestamptz not null,
  delivered integer not null default 0,
  refused integer not null default 0,
  timed_out integer not null default 0,
  unreachable integer not null default 0,
  blocked integer not null default 0,
  durations integer[] not null,
  primary key (endpoint_id, hour)
) with (fillfactor = 70);
create index webhook_hour_age on webhook_hour (hour);
