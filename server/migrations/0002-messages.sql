-- What grows without end is partitioned by month. Ids are UUIDv7, whose first 48 bits are a time, so the month
-- of a message is in its id: everything that hangs on a message lands in the same month without a second column.

create type message_kind as enum ('otp', 'link', 'group');
create type message_state as enum ('sending', 'sent', 'failed', 'unknown');
-- In rising order: a receipt never moves a message back.
create type receipt as enum ('unconfirmed', 'failed', 'delivered', 'read');

-- The first attempt lives in this row. As soon as there is a second, every attempt has a row in `attempt`, and
-- this one shows the attempt that stands. Settling touches no indexed column, so it stays on the page.
create table message (
  company_id bigint not null,
  id uuid not null,
  key_id bigint not null,
  kind message_kind not null,
  is_test boolean not null,
  -- E.164 digits, or the id of the group.
  recipient bigint not null,
  state message_state not null,
  receipt receipt,
  channel channel,
  -- Channels not tried yet, in order, as `auto` will go on.
  route text not null default '',
  -- Number of the latest attempt, and the fence of every transition.
  attempt smallint not null default 1,
  hold integer not null default 0 check (hold >= 0),
  charged integer not null default 0 check (charged >= 0),
  created_at timestamptz not null,
  settled_at timestamptz,
  -- When the newest receipt came, and the first that told of a delivery.
  receipt_at timestamptz,
  delivered_at timestamptz,
  -- When the watch looks at this message; written at least five seconds ahead (see take_due).
  look_at timestamptz not null,
  purpose text,
  reason text,
  provider_id text,
  slug text,
  -- Never a code: only links and group posts keep their text.
  body text check (body is null or kind <> 'otp'),
  request_id text not null,
  primary key (company_id, id)
) partition by range (id);
create index message_look on message (look_at);

create type attempt_state as enum ('sending', 'accepted', 'refused', 'unavailable', 'unknown');
create table attempt (
  company_id bigint not null,
  message_id uuid not null,
  number smallint not null,
  channel channel not null,
  state attempt_state not null,
  reason text,
  receipt receipt,
  provider_id text,
  price integer not null,
  started_at timestamptz not null,
  settled_at timestamptz,
  receipt_at timestamptz,
  delivered_at timestamptz,
  primary key (company_id, message_id, number)
) partition by range (message_id);

-- The watch has looked at every message up to this moment.
create table watch (
  id boolean primary key default true check (id),
  looked_until timestamptz not null default clock_timestamp()
);
insert into watch default values;

-- Recent sends per recipient: what the minute's gate and the caps are counted from. A failed send is taken out.
create table gate (
  company_id bigint not null,
  recipient bigint not null,
  kind message_kind not null,
  recent timestamptz[] not null,
  last_message uuid,
  primary key (company_id, recipient, kind)
) with (fillfactor = 70);

-- One row per identity of a code; a new code replaces the old one, the count of failures stays.
create table code (
  key_id bigint not null,
  phone bigint not null,
  purpose text not null,
  company_id bigint not null,
  message_id uuid not null,
  -- Null when no code is outstanding: the send failed.
  mac bytea,
  -- The code under a key outside the database, only while a later fallback may need it.
  sealed bytea,
  expires_at timestamptz not null,
  verified_at timestamptz,
  verified_by uuid,
  wrong smallint not null default 0,
  failed_at timestamptz[] not null default '{}',
  failed_in_row integer not null default 0,
  primary key (key_id, phone, purpose)
) with (fillfactor = 60);

-- Answers by Idempotency-Key. The subject is the message the request makes, known before anything happens.
create table idempotency (
  key_id bigint not null,
  path text not null,
  idempotency_key text not null,
  body_hash bytea not null,
  subject uuid not null,
  status smallint,
  answer text,
  created_at timestamptz not null,
  primary key (key_id, path, idempotency_key)
);
create index idempotency_age on idempotency (created_at);
