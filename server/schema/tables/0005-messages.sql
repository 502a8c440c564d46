-- Tables that grow without end are partitioned by month. Ids are UUIDv7, whose first 48 bits are a time, so an id
-- determines its month: everything that belongs to a message is in the same month without a second column.

create type message_kind as enum ('otp', 'link', 'group');
create type message_state as enum ('sending', 'sent', 'failed', 'unknown');
-- In rising order: a receipt never moves a message back.
create type receipt as enum ('unconfirmed', 'failed', 'delivered', 'read');

-- The first attempt is stored in this row. From the second on, every attempt has a row in `attempt`, and this row shows
-- the standing attempt (see standing_attempt). Settling changes no indexed column, so the update stays on the page.
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
  -- Channels not tried yet, in the order in which `auto` tries them.
  route text not null default '',
  -- Number of the latest attempt; every transition is fenced by it.
  attempt smallint not null default 1,
  hold integer not null default 0 check (hold >= 0),
  charged integer not null default 0 check (charged >= 0),
  created_at timestamptz not null,
  settled_at timestamptz,
  -- When the newest receipt came, and the first receipt of a delivery.
  receipt_at timestamptz,
  delivered_at timestamptz,
  -- When the watch checks this message; set at least five seconds ahead (see take_due).
  next_check_at timestamptz not null,
  purpose text,
  reason text,
  provider_id text,
  slug text,
  -- Never a code: only links and group posts keep their text.
  body text check (body is null or kind <> 'otp'),
  request_id text not null,
  primary key (company_id, id)
) partition by range (id);
create index message_next_check on message (next_check_at);
-- The messages of a recipient in the order of the list. These columns never change, so settling stays on the page.
create index message_recipient on message (company_id, recipient, id);

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

-- Positions of the two cursors of the watch (see take_due and sweep_missed).
create table watch (
  id boolean primary key default true check (id),
  checked_until timestamptz not null default clock_timestamp(),
  swept_until timestamptz not null default clock_timestamp(),
  -- The end of the next sweep, and the first transaction that had not started when it was chosen.
  sweep_to timestamptz not null default clock_timestamp(),
  sweep_after xid8 not null default '0'
);
insert into watch default values;

-- Recent sends per recipient: the minute's pause and the caps are counted from them. A failed send is removed. The key
-- begins with the phone, so that one index finds the row of a company and those of all others.
create table recent_sends (
  company_id bigint not null,
  recipient bigint not null,
  kind message_kind not null,
  recent timestamptz[] not null,
  last_message uuid,
  -- Whether every send here was by a test key. One real send makes the others count as well.
  is_test boolean not null default false,
  primary key (recipient, company_id, kind)
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
  -- The code, encrypted with a key outside the database; only while a later fallback may need it.
  sealed bytea,
  expires_at timestamptz not null,
  verified_at timestamptz,
  verified_by uuid,
  wrong smallint not null default 0,
  failed_at timestamptz[] not null default '{}',
  failed_in_row integer not null default 0,
  primary key (key_id, phone, purpose)
) with (fillfactor = 60);

-- Answers by Idempotency-Key. The subject is the id of the message that the request makes, chosen before anything else.
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
-- Recovery asks whether the request that made a message may still be repeated.
create index idempotency_subject on idempotency (subject);

-- Receipts of some providers identify a message by the provider's own id alone. Each such id has a row: inserted when
-- the provider accepts the message, or by a receipt that came first and waits in it. The primary key makes the second
-- insert find the first.

create table provider_ref (
  -- Prefixed with the name of the provider: `smsc:1001`.
  provider_id text primary key,
  -- Null while only a receipt has come.
  company_id bigint,
  message_id uuid,
  attempt smallint,
  -- A long SMS is sent in parts, each with its own id and receipts.
  parts smallint not null default 1,
  receipt receipt,
  reason text,
  created_at timestamptz not null default clock_timestamp()
);
create index provider_ref_parts on provider_ref (message_id, attempt) where parts > 1;
create index provider_ref_age on provider_ref (created_at);

-- Receipts that beat the answer of their provider. They wait here until the message is settled: before that nobody
-- knows which attempt it stands on.
create table early_receipt (
  company_id bigint not null,
  message_id uuid not null,
  attempt smallint not null,
  receipt receipt not null,
  reason text,
  at timestamptz not null
);
create index early_receipt_message on early_receipt (company_id, message_id);
