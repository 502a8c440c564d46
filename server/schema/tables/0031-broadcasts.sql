-- Broadcasts: a list of recipients, a text, and the sending of it. A recipient that is sent to has a message like any
-- other send, so receipts, fallback, history and money work the same way.

create type broadcast_state as enum ('draft', 'scheduled', 'running', 'paused', 'done', 'cancelled');
-- `quiet`, `money` and `channel` end by themselves; for the others a person decides.
create type pause_reason as enum ('person', 'operator', 'quiet', 'money', 'failures', 'channel', 'suspended', 'late');

create table broadcast (
  id uuid primary key,
  company_id bigint not null references company,
  name text not null check (length(name) between 1 and 200),
  state broadcast_state not null default 'draft',
  -- Counts the changes of a draft: a page that saves an older one is refused.
  version integer not null default 1,
  created_by text references person,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),

  -- Recipients. The cells of a row are in the order of `columns`; the numbers below are places in it, from 1.
  source text check (source in ('file', 'text', 'list', 'failed')),
  source_name text,
  columns text[] not null default '{}',
  phone_column smallint,
  consent_column smallint,
  -- `reading` and `checking` are under way; a crash leaves them, and the work is done again.
  rows_state text not null default 'none' check (rows_state in ('none', 'reading', 'read', 'checking', 'checked')),
  rows_count integer not null default 0,
  -- Counts what was begun with the rows. Who reads or checks them has its number, and stops when it is another one's turn.
  rows_version integer not null default 0,
  -- When a batch of rows was last read or checked: a crash shows by its age.
  rows_at timestamptz not null default clock_timestamp(),
  includes_other_countries boolean not null default false,

  -- Text. `:link` stands for a short link to `url`, `{{name|default}}` for the cell of a column.
  text text not null default '',
  url text,
  -- The approved WhatsApp template, with its text and a text for each of its variables.
  whatsapp_template jsonb,

  -- Sending.
  channels channel[] not null default '{}',
  start_at timestamptz,
  spread_minutes integer check (spread_minutes between 1 and 10080),
  -- Hours of Almaty in which nothing is sent; the same value twice means none.
  quiet_from smallint not null default 21 check (quiet_from between 0 and 23),
  quiet_to smallint not null default 9 check (quiet_to between 0 and 23),
  skips_days_off boolean not null default true,
  consent_basis text check (consent_basis in ('form', 'contract', 'request', 'other')),
  consent_note text,

  -- A second person who agrees, where the company asks for one.
  approval_asked_by text references person,
  approval_asked_at timestamptz,
  approved_by text references person,
  approved_at timestamptz,

  -- Of the run. `recipients` is set at the start and never changes.
  recipients integer,
  -- Tokens held for recipients that have no message yet; part of the account's `held`.
  held bigint not null default 0 check (held >= 0),
  started_at timestamptz,
  ended_at timestamptz,
  pause_reason pause_reason,
  pause_detail text,
  paused_at timestamptz,
  resume_at timestamptz,
  -- Since when the share of failures is counted.
  resumed_at timestamptz,
  -- When the next recipient may be taken, by the pace of this broadcast.
  pace_at timestamptz,
  next_tick_at timestamptz,
  -- How many recipients are in which state, all from one snapshot.
  counts jsonb,
  counted_at timestamptz,
  count_ms integer,
  check ((state = 'paused') = (pause_reason is not null))
);
create index broadcast_company on broadcast (company_id, id);
create index broadcast_due on broadcast (next_tick_at) where state in ('scheduled', 'running', 'paused');

create type row_verdict as enum (
  'send', 'duplicate', 'invalid', 'cannot_receive', 'other_country', 'unsubscribed', 'no_consent'
);

-- A row of the file, and later the recipient that it became.
create table broadcast_row (
  -- A short number for the link by which a person unsubscribes.
  id bigint generated always as identity unique,
  broadcast_id uuid not null references broadcast on delete cascade,
  -- As the file shows it: the first row is 1, also when it holds the headings.
  number integer not null,
  company_id bigint not null,
  cells text[] not null,
  phone bigint,
  -- Null until it was checked.
  verdict row_verdict,
  -- Of a number that is no phone: why, as a word of the contract (see PHONE_FAULTS). Of a duplicate: the row that is sent.
  reason text,
  -- The only message of this recipient.
  message_id uuid,
  -- Why a recipient gets no message although its row was fit for one.
  skipped text,
  -- Sends that never left because every channel was unavailable.
  tries smallint not null default 0,
  primary key (broadcast_id, number)
) with (fillfactor = 80);
create unique index broadcast_row_phone on broadcast_row (broadcast_id, phone) where verdict = 'send';
create index broadcast_row_waiting on broadcast_row (broadcast_id, number)
  where verdict = 'send' and message_id is null and skipped is null;
create index broadcast_row_verdict on broadcast_row (broadcast_id, verdict, number);
create index broadcast_row_message on broadcast_row (broadcast_id, message_id) where message_id is not null;
-- For a stop word from a phone: the last broadcast to it. Ids of messages sort by time.
create index broadcast_row_phone_messages on broadcast_row (phone, message_id) where message_id is not null;

-- When the next bulk message may be handed to a channel, by the rate that its operator allows. Codes move the time on as
-- well, so that bulk messages get what they leave.
create table channel_pace (
  channel channel primary key,
  next_at timestamptz not null default clock_timestamp()
);
insert into channel_pace (channel) select unnest(enum_range(null::channel));

-- Phones that asked for no more broadcasts: of one company, or of all (company_id is null).
create table unsubscribed (
  id bigint generated always as identity primary key,
  phone bigint not null,
  company_id bigint references company,
  source text not null check (source in ('link', 'word', 'provider', 'company', 'operator')),
  broadcast_id uuid,
  at timestamptz not null default clock_timestamp(),
  unique nulls not distinct (phone, company_id)
);
create index unsubscribed_company on unsubscribed (company_id, id);
create index unsubscribed_broadcast on unsubscribed (broadcast_id) where broadcast_id is not null;

-- Saved recipients.
create table recipient_list (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  name text not null check (length(name) between 1 and 200),
  -- The headings of `list_member.cells`, without the phone.
  columns text[] not null default '{}',
  -- How many members there are, and how many with each tag: counted with every change of the members.
  members integer not null default 0,
  tags jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index recipient_list_name on recipient_list (company_id, lower(name));

create table list_member (
  id bigint generated always as identity,
  list_id bigint not null references recipient_list on delete cascade,
  phone bigint not null,
  company_id bigint not null,
  cells text[] not null default '{}',
  tags text[] not null default '{}',
  -- Null when nobody has said.
  has_consent boolean,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (list_id, phone)
);
create unique index list_member_id on list_member (list_id, id);
create index list_member_tags on list_member using gin (tags);

create table broadcast_template (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  name text not null check (length(name) between 1 and 200),
  text text not null,
  url text,
  created_at timestamptz not null default clock_timestamp()
);
create unique index broadcast_template_name on broadcast_template (company_id, lower(name));

-- Broadcasts to more recipients than this are approved by a second person; null when none is asked for.
alter table company add column approval_above integer check (approval_above >= 0);

-- The key with which a company's broadcasts are sent. Nobody knows its secret, and the list of keys does not show it.
alter table api_key add column is_for_broadcasts boolean not null default false;
create unique index api_key_broadcasts on api_key (company_id) where is_for_broadcasts;
