-- Companies, their money accounts, and facts about the installation.

create type channel as enum ('whatsapp', 'telegram', 'sms');

create table company (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  -- БИН or ИИН.
  business_id text check (business_id ~ '^[0-9]{12}$'),
  -- The default language of its messages; a key may override it.
  language text not null default 'ru' check (language in ('ru', 'kk', 'both')),
  brand text check (length(brand) between 1 and 40),
  created_at timestamptz not null default clock_timestamp()
);

-- The balance includes what is held; a send may use balance - held. Half of each page stays free, so that the updates
-- of a busy account stay on their page.
create table account (
  company_id bigint primary key references company,
  balance bigint not null default 0 check (balance >= 0),
  held bigint not null default 0 check (held >= 0),
  welcomed_at timestamptz,
  first_topup_at timestamptz,
  check (held <= balance)
) with (fillfactor = 50);

-- The operator's price table. A message keeps the price it was charged at.
create table price (
  item text primary key check (item in ('whatsapp', 'telegram', 'sms', 'group')),
  tokens integer not null check (tokens >= 0),
  changed_at timestamptz not null default clock_timestamp()
);
insert into price (item, tokens) values ('whatsapp', 3), ('telegram', 3), ('sms', 8), ('group', 0);

-- Facts about this installation, such as the fingerprint of the secret its data was written with.
create table installation (
  name text primary key,
  value text not null
);

-- People who use the cabinet, and how they prove who they are. Nothing secret here is of use to somebody who reads the
-- tables: passwords are hashed, of tokens only the hash is stored, and codes and addresses of attempts are message
-- authentication codes under the installation's secret.

create table person (
  id text primary key,
  name text not null check (length(name) between 1 and 200),
  -- Set once the person has opened the link of an e-mail sent there.
  email text unique check (email = lower(email)),
  -- E.164 digits, as everywhere.
  phone bigint unique,
  password_hash text,
  language text check (language in ('ru', 'kk', 'en')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table session (
  id text primary key,
  token_hash bytea not null unique,
  person_id text not null references person on delete cascade,
  -- The current company of the session; set by the first request.
  company_id bigint references company,
  address text,
  device text,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  seen_at timestamptz not null default clock_timestamp(),
  -- When the person last proved who they are.
  confirmed_at timestamptz not null default clock_timestamp(),
  -- A person with a second factor is not signed in until it was verified.
  second_factor_at timestamptz
);
create index session_person on session (person_id);

-- Active once a first code of the app was right. Each time step of the app is accepted once.
create table second_factor (
  person_id text primary key references person on delete cascade,
  sealed_secret bytea not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz
);

create table recovery_code (
  person_id text not null references second_factor on delete cascade,
  mac bytea not null,
  primary key (person_id, mac)
);

-- Links in e-mails. An account that is signed up for by e-mail is created when its link is opened, with the name and
-- the password that were given for that e-mail.
create table letter_link (
  token_hash bytea primary key,
  kind text not null check (kind in ('sign_up', 'new_email', 'new_password')),
  email text not null,
  person_id text references person on delete cascade,
  name text,
  password_hash text,
  language text check (language in ('ru', 'kk', 'en')),
  ends_at timestamptz not null
);
create index letter_link_end on letter_link (ends_at);

-- Attempts to sign in, per account, per address, or both together. They expire within the hour, so a crash may lose
-- them. Unlogged, so that a flood of attempts does not make sends wait for the disk.
create unlogged table sign_in_limit (
  subject bytea primary key,
  recent timestamptz[] not null
);

-- API keys.

create table api_key (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  name text not null check (length(name) between 1 and 200),
  is_test boolean not null,
  -- Only hashes of the secret are stored. The previous secret stays valid for a while after a rotation.
  secret_hash bytea not null unique,
  previous_hash bytea unique,
  previous_until timestamptz,
  shown_start text not null,
  shown_end text not null,
  domain text,
  channels channel[] not null,
  code_length smallint not null check (code_length between 4 and 8),
  code_ttl_seconds integer not null check (code_ttl_seconds between 60 and 900),
  fallback_seconds integer not null check (fallback_seconds between 15 and 120),
  language text not null check (language in ('ru', 'kk', 'both')),
  brand text,
  rate_per_minute integer check (rate_per_minute > 0),
  -- Null for keys made by the operator's command line.
  created_by text references person,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz
);
create index api_key_company on api_key (company_id, id);

-- Separate from api_key, because every change there makes all nodes reload their keys. Precise to the minute.
create table key_use (
  key_id bigint primary key references api_key,
  used_at timestamptz not null,
  -- When the previous secret was last used: once it is unused, it can be ended.
  previous_used_at timestamptz
);

-- Counts every change of any key. A node that reads the same count again keeps its cached keys: one row a second
-- instead of one look-up a second for each of thousands of keys.
create table key_version (
  id boolean primary key default true check (id),
  version bigint not null
);
insert into key_version (version) values (1);

-- Members of companies and their roles, invitations, and the audit log.

create table member (
  company_id bigint not null references company,
  person_id text not null references person,
  role text not null check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'viewer')),
  joined_at timestamptz not null default clock_timestamp(),
  primary key (company_id, person_id)
);
create index member_person on member (person_id, company_id);

create table invitation (
  company_id bigint not null references company,
  id bigint generated always as identity,
  role text not null check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'viewer')),
  token_hash bytea not null unique,
  note text check (length(note) <= 200),
  invited_by text not null references person,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  -- When it was accepted or withdrawn.
  closed_at timestamptz,
  primary key (company_id, id)
);

-- Records are never changed. Each has a hash over itself and the previous record of its company, which shows when
-- somebody with access to the table has edited or removed a record.
create table audit_record (
  company_id bigint not null references company,
  id bigint not null,
  at timestamptz not null,
  -- Null for the operator's command line. The name stays as it was at that time.
  person_id text references person,
  person_name text,
  action text not null,
  object text not null,
  before jsonb,
  after jsonb,
  address text,
  device text,
  request_id text,
  hash bytea not null,
  primary key (company_id, id)
);

-- Phones and business numbers for which a welcome bonus was credited: one bonus each, however many companies a person
-- creates.
create table welcomed (
  subject text primary key,
  company_id bigint not null references company,
  at timestamptz not null default clock_timestamp()
);
create index welcomed_company on welcomed (company_id);

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

-- The ledger: entries are added, never changed. The cause is a UUIDv7 made before the transaction, so that posting the
-- same entry twice is a conflict and not a second posting.

create type entry_kind as enum (
  'welcome_bonus', 'topup', 'first_topup_bonus', 'charge', 'charge_moved', 'correction'
);

create table entry (
  company_id bigint not null,
  kind entry_kind not null,
  cause uuid not null,
  amount bigint not null check (amount <> 0),
  -- How many messages a charge is for: one entry per company and batch, with the messages as its detail.
  messages integer not null default 0,
  balance_after bigint not null check (balance_after >= 0),
  created_at timestamptz not null,
  primary key (company_id, kind, cause)
) partition by range (cause);

-- Short names are unique regardless of case and never pass to another company.
create table link (
  -- The name in lower case.
  slug_key text primary key,
  slug text not null check (lower(slug) = slug_key),
  company_id bigint not null,
  url text not null,
  message_id uuid,
  recipient bigint,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  disabled_at timestamptz,
  -- A link that the operator has disabled stays disabled; its company may enable again what it has disabled itself.
  is_barred boolean not null default false,
  -- Clicks before this time are added up in click_hour. Null for nearly all links, which have few clicks.
  clicks_until timestamptz
);
create index link_company on link (company_id, created_at desc);

-- Clicks of robots that make link previews are stored as well, and marked.
create table click (
  slug_key text not null,
  company_id bigint not null,
  message_id uuid,
  recipient bigint,
  at timestamptz not null,
  is_robot boolean not null default false
) partition by range (at);
create index click_link on click (company_id, slug_key, at);

create table click_hour (
  company_id bigint not null,
  slug_key text not null,
  hour timestamptz not null,
  people integer not null,
  robots integer not null,
  -- The first and last click of a person, not of a robot.
  first_at timestamptz,
  last_at timestamptz,
  primary key (company_id, slug_key, hour)
);

-- The messenger groups a company has linked.
create table messenger_group (
  id bigint generated always as identity primary key,
  company_id bigint not null references company,
  channel channel not null check (channel <> 'sms'),
  name text not null check (length(name) between 1 and 128),
  chat_id text not null check (length(chat_id) between 1 and 128),
  created_at timestamptz not null default clock_timestamp(),
  posted_at timestamptz,
  unique (company_id, channel, chat_id)
);
create unique index messenger_group_name on messenger_group (company_id, channel, lower(name));

-- A word that links one group to a company when it is posted there. It is kept as the proof that the company was
-- invited into that group.
create table group_invitation (
  token_hash bytea primary key,
  company_id bigint not null references company,
  invited_by text not null references person,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  -- The group in which it was posted.
  chat_id text
);
create index group_invitation_company on group_invitation (company_id, chat_id);

-- Recipients that a messenger lets us write to: people who have proved their phone to the bot, groups that the bot is
-- in, and people who wrote to the business within the last day.

create table telegram_person (
  chat_id text primary key,
  phone bigint not null unique,
  name text not null,
  linked_at timestamptz not null default clock_timestamp()
);

create table telegram_group (
  chat_id text primary key,
  title text not null,
  joined_at timestamptz not null default clock_timestamp(),
  -- Null while the bot is a member.
  left_at timestamptz
);

create table whatsapp_window (
  phone bigint primary key,
  open_until timestamptz not null
);

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

-- State of the removal of old rows and months.

-- Tables without an index on age are scanned in page order, a bounded number of pages per run: an index on a column
-- that every send changes would cost each send a second page. This is where the next run continues.
create table upkeep_position (
  table_name text primary key,
  next_page bigint not null
);

-- Charges for the messages of removed months. The ledger is kept for ever, and is compared with the messages; written
-- in the transaction that removes the month.
create table removed_month (
  company_id bigint not null,
  month date not null,
  messages bigint not null,
  charged bigint not null,
  primary key (company_id, month)
);

create table schema_file (
  kind text not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default clock_timestamp(),
  constraint schema_file_kind_check CHECK ((kind = ANY (ARRAY['table'::text, 'function'::text]))),
  constraint schema_file_pkey PRIMARY KEY (kind, name)
);

create table attempt_2026_10 partition of attempt FOR VALUES FROM ('01a0f4c2-c400-0000-0000-000000000000') TO ('01a19467-e800-0000-0000-000000000000');

create table attempt_2026_11 partition of attempt FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');

create table attempt_2026_12 partition of attempt FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');

create table attempt_2027_01 partition of attempt FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');

create table click_2026_10 partition of click FOR VALUES FROM ('2026-10-01 00:00:00+00') TO ('2026-11-01 00:00:00+00');

create table click_2026_11 partition of click FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');

create table click_2026_12 partition of click FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');

create table click_2027_01 partition of click FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');

create table entry_2026_10 partition of entry FOR VALUES FROM ('01a0f4c2-c400-0000-0000-000000000000') TO ('01a19467-e800-0000-0000-000000000000');

create table entry_2026_11 partition of entry FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');

create table entry_2026_12 partition of entry FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');

create table entry_2027_01 partition of entry FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');

create table message_2026_10 partition of message FOR VALUES FROM ('01a0f4c2-c400-0000-0000-000000000000') TO ('01a19467-e800-0000-0000-000000000000');

create table message_2026_11 partition of message FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');

create table message_2026_12 partition of message FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');

create table message_2027_01 partition of message FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');

create table request_log_2026_10 partition of request_log FOR VALUES FROM ('2026-10-01 00:00:00+00') TO ('2026-11-01 00:00:00+00');

create table request_log_2026_11 partition of request_log FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');

create table request_log_2026_12 partition of request_log FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');

create table request_log_2027_01 partition of request_log FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');

truncate schema_file, company, account, price, installation, person, session, second_factor, recovery_code, letter_link, sign_in_limit, api_key, key_use, key_version, member, invitation, audit_record, welcomed, message, attempt, watch, recent_sends, code, idempotency, provider_ref, early_receipt, entry, link, click, click_hour, messenger_group, group_invitation, telegram_person, telegram_group, whatsapp_window, guard_count, guard_decision, request_log, message_view, counted_hour, usage_hour, call_hour, upkeep_position, removed_month;

insert into schema_file overriding system value
select * from json_populate_recordset(null::schema_file, $rows$[
{"kind":"table","name":"0001-companies","checksum":"2ec03094b2b32ca1c3d7f15c40f3ec01138d1f7ee4081ec0bc8afadb62d03054","applied_at":"2026-11-16T21:31:22.879602+00:00"},
{"kind":"table","name":"0002-accounts","checksum":"b43ae024f6a3c1584645cf9046321a9cc2fba7e5c4bae81eb781a72c8c3ae227","applied_at":"2026-11-16T21:31:22.894519+00:00"},
{"kind":"table","name":"0003-keys","checksum":"ca076fb0e365fd1ed8e65ceba28a68c96639036942a6e46cbc28b7a53dd75de9","applied_at":"2026-11-16T21:31:22.912348+00:00"},
{"kind":"table","name":"0004-team","checksum":"697380761c218f20b9fff9323de1001f1b1f196efd6bebd2980c245cc7acfb85","applied_at":"2026-11-16T21:31:22.922237+00:00"},
{"kind":"table","name":"0005-messages","checksum":"236b3bdf3ab642dc8294dfc8062ec1a67f140b1e13cbfd6a7cdfb08cbba62b85","applied_at":"2026-11-16T21:31:22.937473+00:00"},
{"kind":"table","name":"0006-ledger","checksum":"057b3017624285088a9cb624ecb1e69b2b33a93de5264ee0c00963fdccd34648","applied_at":"2026-11-16T21:31:22.957023+00:00"},
{"kind":"table","name":"0007-links","checksum":"eb414d84175282bb3f04a1869ad370dc106218fe5dd226b0bb6b20d751434805","applied_at":"2026-11-16T21:31:22.963178+00:00"},
{"kind":"table","name":"0008-groups-and-contacts","checksum":"e1ee85c37918cba78c4650d6d885fce143e5b1717fb0e19803cd3260924987bb","applied_at":"2026-11-16T21:31:22.970277+00:00"},
{"kind":"table","name":"0009-abuse","checksum":"30e4677e421a8cc98dd952b559943d5dc30ce0556041227980b0fcc2855c25c4","applied_at":"2026-11-16T21:31:22.983205+00:00"},
{"kind":"table","name":"0010-usage","checksum":"75a2998c7010ee13ca88ca851b69b33a219c913282d02888a7d48a336a16354e","applied_at":"2026-11-16T21:31:22.990047+00:00"},
{"kind":"table","name":"0011-upkeep","checksum":"9bd9e56d53298e51247ca323269de0421678d940ae2203a540c8871b28f20f47","applied_at":"2026-11-16T21:31:22.999815+00:00"},
{"kind":"function","name":"add-up-clicks","checksum":"c32d5fa3d40201371f27076d3a6626f3f4f5520ec60c7bed1373b9cfbd854b02","applied_at":"2026-11-16T21:31:23.004931+00:00"},
{"kind":"function","name":"audit-log","checksum":"ce397b2b49d4b1d7aafcf44b5e673f16174097b9d21fb51b2cd1a2b47386c5ae","applied_at":"2026-11-16T21:31:23.007494+00:00"},
{"kind":"function","name":"fallback","checksum":"1ce33a8fc57e3da8e9d2c8f0d2a7a7605661341a7c16b8e8bb65f8b1cca1cbd4","applied_at":"2026-11-16T21:31:23.010089+00:00"},
{"kind":"function","name":"find-links","checksum":"84e4b91f11318b6fd6e7fb3e276caaff421fc43294c3063570c3daddce221098","applied_at":"2026-11-16T21:31:23.011446+00:00"},
{"kind":"function","name":"key-version","checksum":"3287a9e4ddda38bd3199b06964eebf88cdf9a632d6ce77e5a01742db2f543d54","applied_at":"2026-11-16T21:31:23.012307+00:00"},
{"kind":"function","name":"ledger","checksum":"4e1c8504f8c5a68e4a89dc7dde178eb86eebb88b841f141dd2d2f60e863affa6","applied_at":"2026-11-16T21:31:23.013247+00:00"},
{"kind":"function","name":"partitions","checksum":"ec4d4e235e6a3602b20b53bd3f2eeabdc808fecec851ccacf15d5e3390bdfe2c","applied_at":"2026-11-16T21:31:23.014513+00:00"},
{"kind":"function","name":"phone-free-at","checksum":"305234df3400160ebc975ed368d923bf467c7590e10c9910c5a529fd9e29f34d","applied_at":"2026-11-16T21:31:23.016214+00:00"},
{"kind":"function","name":"provider-receipts","checksum":"f932d1ac94890ee69f96998b895893147732a03f93ef55a94d5a14b0feec31ad","applied_at":"2026-11-16T21:31:23.017337+00:00"},
{"kind":"function","name":"record-receipts","checksum":"bd3580c6163b6ba32b09210994fb481a952f93cd0b80c0bc02ca8ecd78a9a095","applied_at":"2026-11-16T21:31:23.01895+00:00"},
{"kind":"function","name":"refuse-sends","checksum":"7b393f5a2c3d6f1ddad07ffd8744c26ff0428786fb8c87e6372acd2063ae2afd","applied_at":"2026-11-16T21:31:23.020787+00:00"},
{"kind":"function","name":"reserve","checksum":"b84f88eee95c4240e06ffa10380c13d6fc62a17c3e558be8d8cf1ed452117edf","applied_at":"2026-11-16T21:31:23.022441+00:00"},
{"kind":"function","name":"settle","checksum":"31b84a28dbc5186599662cad4f7150c79fe1f5c7ddf45efefb2903138bae0097","applied_at":"2026-11-16T21:31:23.02392+00:00"},
{"kind":"function","name":"shorten","checksum":"89567eca99175fe58844ec6453869a7ebbfc439afe71a6cd0cc9f5cff2873a95","applied_at":"2026-11-16T21:31:23.02505+00:00"},
{"kind":"function","name":"sweep-missed","checksum":"de35b25f7930b0f28f1f980a28bfcacc2b2f2dd311b354c8c87b98f8e318d958","applied_at":"2026-11-16T21:31:23.02596+00:00"},
{"kind":"function","name":"take-due","checksum":"5d8dbd3994f77142c005d5075aef47c0204b092d092f86dc2546b1f70f8c12ea","applied_at":"2026-11-16T21:31:23.027416+00:00"},
{"kind":"function","name":"verify","checksum":"afcbd5bd80e46469599d3fb0d122ab4f3b9c8d66bf57a74129b21863297fbf5a","applied_at":"2026-11-16T21:31:23.028523+00:00"}
]$rows$);

insert into company overriding system value
select * from json_populate_recordset(null::company, $rows$[
{"id":1,"name":"Демо-компания","business_id":null,"language":"ru","brand":null,"created_at":"2026-11-16T21:31:23.390572+00:00"},
{"id":2,"name":"Zhiber","business_id":null,"language":"ru","brand":null,"created_at":"2026-11-16T21:31:23.956556+00:00"},
{"id":3,"name":"ТОО «Прежняя версия»","business_id":null,"language":"ru","brand":null,"created_at":"2026-11-16T21:31:24.032573+00:00"}
]$rows$);

insert into account overriding system value
select * from json_populate_recordset(null::account, $rows$[
{"company_id":1,"balance":16047,"held":0,"welcomed_at":"2026-11-16T21:31:23.393479+00:00","first_topup_at":"2026-11-16T21:31:23.399885+00:00"},
{"company_id":2,"balance":1000000000,"held":0,"welcomed_at":null,"first_topup_at":null},
{"company_id":3,"balance":50,"held":0,"welcomed_at":"2026-11-16T21:31:24.038944+00:00","first_topup_at":null}
]$rows$);

insert into price overriding system value
select * from json_populate_recordset(null::price, $rows$[
{"item":"whatsapp","tokens":3,"changed_at":"2026-11-16T21:31:22.891247+00:00"},
{"item":"telegram","tokens":3,"changed_at":"2026-11-16T21:31:22.891399+00:00"},
{"item":"sms","tokens":8,"changed_at":"2026-11-16T21:31:22.891406+00:00"},
{"item":"group","tokens":0,"changed_at":"2026-11-16T21:31:22.89141+00:00"}
]$rows$);

insert into installation overriding system value
select * from json_populate_recordset(null::installation, $rows$[
{"name":"secret_fingerprint","value":"9aee85f3cd2b19f260f4f4a6a4a4bcc6"},
{"name":"demo_company","value":"1"},
{"name":"system_company","value":"2"}
]$rows$);

insert into person overriding system value
select * from json_populate_recordset(null::person, $rows$[
{"id":"01a1e645-9bf0-77ab-bac3-abfeeedcfc86","name":"+7701***0002","email":null,"phone":77010000002,"password_hash":null,"language":null,"created_at":"2026-11-16T21:31:24.017801+00:00","updated_at":"2026-11-16T21:31:24.017801+00:00"}
]$rows$);

insert into session overriding system value
select * from json_populate_recordset(null::session, $rows$[
{"id":"01a1e645-9bf3-7e6f-8881-5457aa2a2458","token_hash":"\\xcb999aea4615dfc4b3d3d0165f3a1dc0dc24aa6db6645504982afc5256d4eab9","person_id":"01a1e645-9bf0-77ab-bac3-abfeeedcfc86","company_id":3,"address":"127.0.0.1","device":"node","created_at":"2026-11-16T21:31:24.02013+00:00","expires_at":"2026-11-17T09:31:24.02013+00:00","seen_at":"2026-11-16T21:31:24.020131+00:00","confirmed_at":"2026-11-16T21:31:24.020131+00:00","second_factor_at":null}
]$rows$);

insert into sign_in_limit overriding system value
select * from json_populate_recordset(null::sign_in_limit, $rows$[
{"subject":"\\x8964a94ec3497413b91ab40dab4237511c191e82b3e0a6a53ce4e256ae82bd7b","recent":["2026-11-16T21:31:23.953526+00:00"]}
]$rows$);

insert into api_key overriding system value
select * from json_populate_recordset(null::api_key, $rows$[
{"id":1,"company_id":1,"name":"Первый ключ","is_test":false,"secret_hash":"\\xfc480de919fe721d5b57c49f5775ea5dc38f1023915928eb53b0893a279dce00","previous_hash":null,"previous_until":null,"shown_start":"zk_live_s1nW","shown_end":"V2FU","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-16T21:31:23.403072+00:00","revoked_at":null},
{"id":2,"company_id":1,"name":"Первый тестовый ключ","is_test":true,"secret_hash":"\\x376cb83d99f33eecece46fb0fb96fb7831dd411fbcb65c04045ae6a202877c2d","previous_hash":null,"previous_until":null,"shown_start":"zk_test_sO3F","shown_end":"4QFv","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-16T21:31:23.405854+00:00","revoked_at":null},
{"id":3,"company_id":1,"name":"Страница /try","is_test":true,"secret_hash":"\\x70bd50ed237db5d1fcd6095e98bae15d0ac5cd001aeecdac36bcc24b15997d88","previous_hash":null,"previous_until":null,"shown_start":"zk_test_T83S","shown_end":"pzaY","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-16T21:31:23.409957+00:00","revoked_at":null},
{"id":4,"company_id":1,"name":"Страница /try","is_test":false,"secret_hash":"\\xa7b6a0fe747439cbeb140da50fd17bd85d80c82df1c1d9199c397337a0d5b34f","previous_hash":null,"previous_until":null,"shown_start":"zk_live_V0dW","shown_end":"RhcN","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-16T21:31:23.412227+00:00","revoked_at":null},
{"id":5,"company_id":2,"name":"Вход в кабинет","is_test":true,"secret_hash":"\\x3926cab1c61e48597b4c0908e02764c9ff1b88fc305d46003bd9c79cda675538","previous_hash":null,"previous_until":null,"shown_start":"zk_test_gVda","shown_end":"wSMd","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":"Zhiber","rate_per_minute":null,"created_by":null,"created_at":"2026-11-16T21:31:23.963081+00:00","revoked_at":null}
]$rows$);

insert into key_use overriding system value
select * from json_populate_recordset(null::key_use, $rows$[
{"key_id":1,"used_at":"2026-11-16T21:31:24.86885+00:00","previous_used_at":null}
]$rows$);

insert into key_version overriding system value
select * from json_populate_recordset(null::key_version, $rows$[
{"id":true,"version":6}
]$rows$);

insert into member overriding system value
select * from json_populate_recordset(null::member, $rows$[
{"company_id":3,"person_id":"01a1e645-9bf0-77ab-bac3-abfeeedcfc86","role":"owner","joined_at":"2026-11-16T21:31:24.033743+00:00"}
]$rows$);

insert into audit_record overriding system value
select * from json_populate_recordset(null::audit_record, $rows$[
{"company_id":3,"id":1,"at":"2026-11-16T21:31:24.035047+00:00","person_id":"01a1e645-9bf0-77ab-bac3-abfeeedcfc86","person_name":"+7701***0002","action":"company.created","object":"ТОО «Прежняя версия»","before":null,"after":{"name": "ТОО «Прежняя версия»", "brand": null, "language": "ru", "businessId": null},"address":"127.0.0.1","device":"node","request_id":"req_vGFxBKjbcVJf2AMI","hash":"\\x427d9a2b91cb3795392b9828507a1137a35ab523f5272842a48367b10b35f23b"}
]$rows$);

insert into welcomed overriding system value
select * from json_populate_recordset(null::welcomed, $rows$[
{"subject":"phone 77010000002","company_id":3,"at":"2026-11-16T21:31:24.037847+00:00"}
]$rows$);

insert into message overriding system value
select * from json_populate_recordset(null::message, $rows$[
{"company_id":1,"id":"01a1e645-9b61-77b8-b309-a31e9dabef63","key_id":1,"kind":"otp","is_test":false,"recipient":77010000001,"state":"sent","receipt":null,"channel":"whatsapp","route":"telegram,sms","attempt":1,"hold":0,"charged":3,"created_at":"2026-11-16T21:31:23.881362+00:00","settled_at":"2026-11-16T21:31:23.901119+00:00","receipt_at":null,"delivered_at":null,"next_check_at":"2026-11-16T21:31:54.881361+00:00","purpose":"default","reason":null,"provider_id":"sandbox-whatsapp-1","slug":null,"body":null,"request_id":"req_RdXdRnaKDCgdvhNi"},
{"company_id":2,"id":"01a1e645-9bbe-7479-928e-23f52a10f81e","key_id":5,"kind":"otp","is_test":true,"recipient":77010000002,"state":"sent","receipt":null,"channel":"whatsapp","route":"telegram,sms","attempt":1,"hold":0,"charged":0,"created_at":"2026-11-16T21:31:23.968792+00:00","settled_at":"2026-11-16T21:31:23.978455+00:00","receipt_at":null,"delivered_at":null,"next_check_at":"2026-11-16T21:31:54.968791+00:00","purpose":"cabinet","reason":null,"provider_id":"sandbox-whatsapp-1","slug":null,"body":null,"request_id":"req_qXIqVr8EtA0MIKVD"}
]$rows$);

insert into watch overriding system value
select * from json_populate_recordset(null::watch, $rows$[
{"id":true,"checked_until":"2026-11-16T21:31:23.894114+00:00","swept_until":"2026-11-16T21:31:22.944996+00:00","sweep_to":"2026-11-16T21:31:22.944996+00:00","sweep_after":"0"}
]$rows$);

insert into recent_sends overriding system value
select * from json_populate_recordset(null::recent_sends, $rows$[
{"company_id":1,"recipient":77010000001,"kind":"otp","recent":["2026-11-16T21:31:23.881362+00:00"],"last_message":"01a1e645-9b61-77b8-b309-a31e9dabef63","is_test":false},
{"company_id":2,"recipient":77010000002,"kind":"otp","recent":["2026-11-16T21:31:23.968792+00:00"],"last_message":"01a1e645-9bbe-7479-928e-23f52a10f81e","is_test":true}
]$rows$);

insert into code overriding system value
select * from json_populate_recordset(null::code, $rows$[
{"key_id":1,"phone":77010000001,"purpose":"default","company_id":1,"message_id":"01a1e645-9b61-77b8-b309-a31e9dabef63","mac":"\\x003f0efcbd049803ca54ac333694fc9b81f96ceb1e859e2f9b0a4c939740e30e","sealed":"\\xedeca485c5bfa1213157905f07d8e23bbe5a67ab4bc70d1fbdadeb4e1c7073149d4f","expires_at":"2026-11-16T21:36:23.881361+00:00","verified_at":null,"verified_by":null,"wrong":0,"failed_at":[],"failed_in_row":0},
{"key_id":5,"phone":77010000002,"purpose":"cabinet","company_id":2,"message_id":"01a1e645-9bbe-7479-928e-23f52a10f81e","mac":"\\xed3e32d896d2cfd9a17a235c410e941b3b2f2d39d3140e79590fea3d544a2824","sealed":null,"expires_at":"2026-11-16T21:36:23.968791+00:00","verified_at":"2026-11-16T21:31:24.01366+00:00","verified_by":null,"wrong":0,"failed_at":[],"failed_in_row":0}
]$rows$);

insert into entry overriding system value
select * from json_populate_recordset(null::entry, $rows$[
{"company_id":1,"kind":"welcome_bonus","cause":"01a1e645-9981-7eee-820e-bc7310583bc0","amount":50,"messages":0,"balance_after":50,"created_at":"2026-11-16T21:31:23.396159+00:00"},
{"company_id":1,"kind":"topup","cause":"01a1e645-9986-70e0-b61b-df69c4515c2f","amount":10000,"messages":0,"balance_after":10050,"created_at":"2026-11-16T21:31:23.39937+00:00"},
{"company_id":1,"kind":"first_topup_bonus","cause":"01a1e645-9986-70e0-b61b-df69c4515c2f","amount":1000,"messages":0,"balance_after":11050,"created_at":"2026-11-16T21:31:23.400618+00:00"},
{"company_id":1,"kind":"topup","cause":"01a1e645-9af9-7787-807c-570958e37c27","amount":5000,"messages":0,"balance_after":16050,"created_at":"2026-11-16T21:31:23.773202+00:00"},
{"company_id":1,"kind":"charge","cause":"01a1e645-9b75-752a-bc0b-b6bd5550699c","amount":-3,"messages":1,"balance_after":16047,"created_at":"2026-11-16T21:31:23.90617+00:00"},
{"company_id":2,"kind":"correction","cause":"01a1e645-9bb5-7f15-8fbf-d97c2221989c","amount":1000000000,"messages":0,"balance_after":1000000000,"created_at":"2026-11-16T21:31:23.959166+00:00"},
{"company_id":3,"kind":"welcome_bonus","cause":"01a1e645-9c07-7823-85db-ba155003e354","amount":50,"messages":0,"balance_after":50,"created_at":"2026-11-16T21:31:24.039712+00:00"}
]$rows$);

insert into link overriding system value
select * from json_populate_recordset(null::link, $rows$[
{"slug_key":"68xnztfn","slug":"68XnztFN","company_id":1,"url":"https://example.kz/orders/4711","message_id":null,"recipient":null,"created_at":"2026-11-16T21:31:23.93398+00:00","expires_at":null,"disabled_at":null,"is_barred":false,"clicks_until":null}
]$rows$);

insert into messenger_group overriding system value
select * from json_populate_recordset(null::messenger_group, $rows$[
{"id":1,"company_id":1,"channel":"telegram","name":"Дежурные","chat_id":"-1001","created_at":"2026-11-16T21:31:23.413621+00:00","posted_at":null}
]$rows$);

insert into guard_count overriding system value
select * from json_populate_recordset(null::guard_count, $rows$[
{"minute":"2026-11-16T21:31:00+00:00","company_id":1,"prefix":"7701","sent":1,"verified":0}
]$rows$);

insert into request_log overriding system value
select * from json_populate_recordset(null::request_log, $rows$[
{"company_id":1,"at":"2026-11-16T21:31:24.045551+00:00","key_id":1,"request_id":"req_abbDgUaOeim9lkcg","path":"/api/links/shorten","status":200,"error_code":null,"duration_ms":14,"phone":null,"channel":null,"message_id":null}
]$rows$);

select setval('api_key_id_seq', 5);

select setval('company_id_seq', 3);

select setval('invitation_id_seq', 1);

select setval('message_view_id_seq', 1);

select setval('messenger_group_id_seq', 1);

set check_function_bodies = off;

-- Adds the next clicks of a link to the sums of their hours, at most p_max. True when there are more. It stops at the
-- start of the oldest transaction that may still be writing clicks: a commit that waits for a standby may become
-- visible at any later time. Hours are whole UTC hours, whatever the time zone of the session; days in Almaty are
-- summed from them.
create or replace function add_up_clicks(p_company bigint, p_slug_key text, p_max integer) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_from timestamptz;
  v_to timestamptz;
  -- Read before pg_stat_activity: a transaction that starts later writes later clicks.
  v_settled timestamptz := clock_timestamp();
  v_has_more boolean;
begin
  -- Locks the link, so that two readers do not add the same clicks.
  select coalesce(clicks_until, '-infinity') into v_from from link
  where slug_key = p_slug_key and (company_id = p_company) is true for no key update;
  v_settled := least(v_settled, (select min(s.xact_start) from pg_stat_activity s
    where s.datname = current_database() and s.usename = current_user and s.backend_type = 'client backend'
      and s.pid <> pg_backend_pid()));
  if v_from is null or v_from >= v_settled then
    return false;
  end if;
  select at into v_to from click
  where company_id = p_company and slug_key = p_slug_key and at >= v_from and at < v_settled
  order by at offset p_max limit 1;
  v_has_more := found;
  v_to := coalesce(v_to, v_settled);

  insert into click_hour as h (company_id, slug_key, hour, people, robots, first_at, last_at)
  select p_company, p_slug_key, date_trunc('hour', at, 'UTC'), count(*) filter (where not is_robot),
    count(*) filter (where is_robot), min(at) filter (where not is_robot), max(at) filter (where not is_robot)
  from click where company_id = p_company and slug_key = p_slug_key and at >= v_from and at < v_to
  group by 3
  on conflict (company_id, slug_key, hour) do update set people = h.people + excluded.people,
    robots = h.robots + excluded.robots, first_at = least(h.first_at, excluded.first_at),
    last_at = greatest(h.last_at, excluded.last_at);
  update link set clicks_until = v_to where slug_key = p_slug_key;
  return v_has_more;
end $$;

-- The hash of a record over itself and the previous record of its company.
create or replace function audit_hash(p_before bytea, p_record audit_record) returns bytea language sql immutable as $$
  select sha256(p_before || convert_to(concat_ws(E'\x1f', p_record.company_id, p_record.id,
    extract(epoch from p_record.at), coalesce(p_record.person_id, '-'), coalesce(p_record.person_name, '-'),
    p_record.action, p_record.object, coalesce(p_record.before::text, '-'), coalesce(p_record.after::text, '-'),
    coalesce(p_record.address, '-'), coalesce(p_record.device, '-'), coalesce(p_record.request_id, '-')), 'UTF8'))
$$;

-- Sets the number and the hash. The company's row is locked, so that two records never follow the same one.
create or replace function chain_audit() returns trigger language plpgsql as $$
declare
  v_last audit_record;
begin
  perform from company where id = new.company_id for no key update;
  select * into v_last from audit_record where company_id = new.company_id order by id desc limit 1;
  new.id := coalesce(v_last.id, 0) + 1;
  new.hash := audit_hash(coalesce(v_last.hash, ''::bytea), new);
  return new;
end $$;
create or replace trigger audit_is_chained before insert on audit_record
  for each row execute function chain_audit();

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit records are never changed';
end $$;
create or replace trigger audit_is_final before update or delete on audit_record
  for each row execute function refuse_audit_change();
create or replace trigger audit_is_kept before truncate on audit_record
  for each statement execute function refuse_audit_change();

-- Claims the next channel of a message that was accepted but not confirmed, before anything is sent: the claim survives
-- a crash, and that channel is never asked again for this message. The message is locked before its account, as in
-- settle.
create or replace function claim_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_channel channel, p_route text, p_price integer,
  p_lease_seconds integer
) returns table (verdict text, sealed bytea, code_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_message message;
  v_sealed bytea;
  v_code_seconds integer;
  v_extra integer;
begin
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  -- The caller may have read an outdated failure or silence: another attempt may have succeeded since. And while an
  -- attempt is under way its outcome comes first, whatever its receipts say.
  if v_message.state is distinct from 'sent' or v_message.attempt <> p_attempt
    or v_message.receipt >= 'delivered'
    or v_message.receipt is distinct from 'failed' and v_now < v_message.settled_at + make_interval(secs =>
      (select k.fallback_seconds from api_key k where k.id = v_message.key_id))
    or exists (select 1 from attempt a where a.company_id = p_company and a.message_id = p_id
      and a.number = p_attempt and a.state = 'sending') then
    return query select 'gone', null::bytea, null::integer;
    return;
  end if;

  if v_message.kind = 'otp' then
    select c.sealed, floor(extract(epoch from c.expires_at - v_now)) into v_sealed, v_code_seconds
    from code c
    where c.key_id = v_message.key_id and c.phone = v_message.recipient and c.purpose = v_message.purpose
      and c.message_id = p_id and c.verified_at is null and c.expires_at > v_now;
    if v_sealed is null then
      return query select 'over', null::bytea, null::integer;
      return;
    end if;
  end if;

  v_extra := case when v_message.is_test then 0 else greatest(p_price - v_message.charged, 0) end;
  update account a set held = a.held + v_extra
  where a.company_id = p_company and a.balance - a.held >= v_extra;
  if not found then
    return query select 'short', null::bytea, null::integer;
    return;
  end if;

  insert into attempt (company_id, message_id, number, channel, state, reason, receipt, provider_id, price,
    started_at, settled_at, receipt_at)
  values (p_company, p_id, p_attempt, v_message.channel, 'accepted', v_message.reason,
    coalesce(v_message.receipt, 'unconfirmed'), v_message.provider_id, v_message.charged,
    v_message.created_at, v_message.settled_at, coalesce(v_message.receipt_at, v_now))
  on conflict (company_id, message_id, number) do update set
    receipt = coalesce(attempt.receipt, excluded.receipt),
    receipt_at = coalesce(attempt.receipt_at, excluded.receipt_at)
    where attempt.state = 'accepted';
  insert into attempt (company_id, message_id, number, channel, state, price, started_at)
  values (p_company, p_id, p_attempt + 1, p_channel, 'sending', p_price, v_now);
  update message m set attempt = p_attempt + 1, route = p_route, hold = v_extra,
    next_check_at = v_now + make_interval(secs => p_lease_seconds)
  where m.company_id = p_company and m.id = p_id;
  return query select 'claimed', v_sealed, v_code_seconds;
end $$;

-- Settles a claimed fallback. An acceptance moves the one charge of the send to the new channel. Locks the message and
-- then its attempt, in the same order as a receipt.
create or replace function settle_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_state attempt_state, p_price integer,
  p_provider_id text, p_reason text, p_check_seconds integer, p_cause uuid
) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_message message;
  v_delta integer;
  v_balance bigint;
begin
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  update attempt a set state = p_state, reason = coalesce(p_reason, a.reason), settled_at = v_now,
    provider_id = p_provider_id
  where a.company_id = p_company and a.message_id = p_id and a.number = p_attempt and a.state = 'sending';
  if not found then
    return false;
  end if;

  v_delta := case when p_state = 'accepted' and not v_message.is_test
    then p_price - v_message.charged else 0 end;
  update account a set held = a.held - v_message.hold, balance = a.balance - v_delta
  where a.company_id = p_company returning a.balance into v_balance;
  if v_delta <> 0 then
    insert into entry (company_id, kind, cause, amount, balance_after, created_at)
    values (p_company, 'charge_moved', p_cause, -v_delta, v_balance, clock_timestamp());
  end if;

  if p_state = 'accepted' then
    update message m set hold = 0, charged = m.charged + v_delta, provider_id = p_provider_id,
      channel = (select a.channel from attempt a where a.company_id = p_company and a.message_id = p_id
        and a.number = p_attempt),
      receipt = case when m.receipt >= 'delivered' then m.receipt else
        (select a.receipt from attempt a where a.company_id = p_company and a.message_id = p_id
          and a.number = p_attempt) end,
      settled_at = v_now, reason = null, next_check_at = v_now + make_interval(secs => p_check_seconds)
    where m.company_id = p_company and m.id = p_id;
    -- The failure was reported before the attempt was settled: the next channel need not wait.
    update message m set next_check_at = v_now + interval '5 seconds'
    where m.company_id = p_company and m.id = p_id and m.receipt = 'failed' and m.route <> '';
  else
    update message m set hold = 0 where m.company_id = p_company and m.id = p_id;
  end if;
  return true;
end $$;

-- Short links by their names. A function, because a plan that was made for a handful of links would read all of them
-- later.
create or replace function find_links(p_slug_keys text[])
returns table (slug_key text, company_id bigint, url text, message_id uuid, recipient bigint, is_open boolean,
  expires_ms double precision)
language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    select l.slug_key, l.company_id, l.url, l.message_id, l.recipient,
      l.disabled_at is null and (l.expires_at is null or l.expires_at > clock_timestamp()),
      (extract(epoch from l.expires_at - clock_timestamp()) * 1000)::double precision
    from link l where l.slug_key = any (p_slug_keys);
end $$;

create or replace function count_key_change() returns trigger language plpgsql as $$
begin
  update key_version set version = version + 1;
  return null;
end $$;
create or replace trigger api_key_changed after insert or update or delete or truncate on api_key
  for each statement execute function count_key_change();

create or replace function refuse_entry_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed';
end $$;
create or replace trigger entry_is_final before update or delete on entry
  for each row execute function refuse_entry_change();
create or replace trigger entry_is_kept before truncate on entry
  for each statement execute function refuse_entry_change();

-- Adds an entry and updates the balance. The update locks the account, unless the caller has done so.
create or replace function post_entry(p_company bigint, p_kind entry_kind, p_amount bigint, p_cause uuid)
returns bigint language plpgsql as $$
declare
  v_balance bigint;
begin
  update account set balance = balance + p_amount where company_id = p_company
    returning balance into strict v_balance;
  insert into entry (company_id, kind, cause, amount, balance_after, created_at)
    values (p_company, p_kind, p_cause, p_amount, v_balance, clock_timestamp());
  return v_balance;
end $$;

-- Monthly partitions of the tables that grow. A job calls make_partitions every day; the months around now always
-- exist, also for ids made by a node whose clock is off.

-- The lowest id of a time.
create or replace function uuid_at(p_at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create or replace function make_partition(p_table text, p_month date, p_by_id boolean, p_fill integer)
returns boolean language plpgsql as $$
declare
  v_name text := p_table || to_char(p_month, '_YYYY_MM');
  v_from timestamptz := p_month::timestamp at time zone 'UTC';
  v_to timestamptz := (p_month + interval '1 month')::timestamp at time zone 'UTC';
begin
  if to_regclass(v_name) is not null then
    return false;
  end if;
  if p_by_id then
    execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
      v_name, p_table, uuid_at(v_from), uuid_at(v_to), p_fill);
  else
    execute format('create table %I partition of %I for values from (%L) to (%L) with (fillfactor = %s)',
      v_name, p_table, v_from, v_to, p_fill);
  end if;
  -- Partitions inherit row triggers, but not statement triggers.
  if p_table = 'entry' then
    execute format('create trigger entry_is_kept before truncate on %I
      for each statement execute function refuse_entry_change()', v_name);
  end if;
  return true;
end $$;

-- Makes the partitions from last month to `p_ahead` months from now. Returns how many were new.
create or replace function make_partitions(p_ahead integer) returns integer language plpgsql as $$
declare
  v_month date;
  v_made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('zhiber partitions'));
  for v_month in
    select generate_series(
      date_trunc('month', clock_timestamp() at time zone 'UTC') - interval '1 month',
      date_trunc('month', clock_timestamp() at time zone 'UTC') + make_interval(months => p_ahead),
      interval '1 month')::date
  loop
    v_made := v_made
      + make_partition('message', v_month, true, 60)::integer
      + make_partition('attempt', v_month, true, 80)::integer
      + make_partition('entry', v_month, true, 100)::integer
      + make_partition('click', v_month, false, 100)::integer
      + make_partition('request_log', v_month, false, 100)::integer;
  end loop;
  return v_made;
end $$;

-- A month that is about to be removed is read-only, so that its charges can be added up without a lock. A receipt that
-- is more than a month late is ignored, as it is once the month is removed.
create or replace function keep_month_closed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    raise exception 'the month % is being removed', tg_table_name;
  end if;
  return null;
end $$;

-- When a phone is free again for this company; null when it is free now. The arrays are this batch, as far as it is
-- decided.
--
-- A phone that has reached a cap of sends from other companies gets no more from this one. A company's own sends never
-- count here, because it is promised its own limits. One company alone cannot block a phone for the others: of its
-- sends at most two fifths of a cap count. Test keys send nothing out, so they are neither limited nor counted.
--
-- A phone is not locked across companies: a batch sees what was committed before it, and its own sends. A node reserves
-- one batch at a time, so several nodes at once let through at most the cap once each.
create or replace function phone_free_at(
  p_phone bigint, p_for_company bigint, p_now timestamptz,
  p_company bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[], p_verdict text[],
  p_short_seconds integer, p_short_max integer, p_others_day_max integer
) returns timestamptz language sql stable as $$
  -- Sorted newest first, the send at the position of the cap is the one whose expiry frees the phone.
  select greatest(
    case when short[p_short_max] > p_now - make_interval(secs => p_short_seconds)
      then short[p_short_max] + make_interval(secs => p_short_seconds) end,
    case when long[p_others_day_max] > p_now - interval '1 day'
      then long[p_others_day_max] + interval '1 day' end)
  from (
    select
      array_agg(t order by t desc) filter (where nth <= p_short_max * 2 / 5) as short,
      array_agg(t order by t desc) filter (where nth <= p_others_day_max * 2 / 5) as long
    from (
      select t, row_number() over (partition by company order by t desc) as nth
      from (
        select g.company_id as company, t
        from recent_sends g, unnest(g.recent) as t
        where g.recipient = p_phone and g.company_id <> p_for_company and g.kind <> 'group' and not g.is_test
          -- A time in the future comes from a clock that was set back; it must not block a phone.
          and t <= p_now
        union all
        select b.company, p_now
        from unnest(p_company, p_kind, p_is_test, p_recipient, p_verdict)
          as b(company, kind, is_test, recipient, verdict)
        where b.verdict = 'reserved' and b.recipient = p_phone and b.company <> p_for_company
          and b.kind <> 'group' and not b.is_test
      ) sends
    ) ranked
  ) newest
$$;

-- Receipts that identify a message by the provider's own id alone. See the table provider_ref.

-- Derives the receipts of messages from those of these ids, records them, and returns where `auto` may fall back at
-- once. A message in parts has no receipt until all parts have one, or one has failed. Index probes only: one `case`
-- over two ways to find the parts of a message prevented the use of any index, and with a million ids a batch took 13
-- seconds.
create or replace function pass_on_receipts(p_provider_id text[])
returns table (provider_id text, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_ids text[];
  v_companies bigint[];
  v_messages uuid[];
  v_attempts integer[];
  v_receipts receipt[];
  v_reasons text[];
begin
  -- Locks the messages, so that of two parts at once the second sees the first. Materialized, here and below: otherwise
  -- the planner may use the index of parts while it is small, and read all of it.
  perform from (
    with named as materialized (
      select f.company_id, f.message_id, f.parts from provider_ref f where f.provider_id = any (p_provider_id))
    select n.company_id, n.message_id from named n where n.parts > 1
  ) n
  join message m on m.company_id = any (array[n.company_id]) and m.id = n.message_id
  order by n.company_id, n.message_id for update of m;

  with named as materialized (
    select f.* from provider_ref f where f.provider_id = any (p_provider_id)
  ), news as (
    select n.provider_id, n.company_id, n.message_id, n.attempt, n.receipt, n.reason
    from named n
    where n.parts = 1 and n.message_id is not null and n.receipt is not null
    union all
    select n.provider_id, n.company_id, n.message_id, n.attempt, w.receipt, w.reason
    from named n
    join lateral (
      select case when bool_or(o.receipt = 'failed') then 'failed'
          when bool_and(o.receipt is not null) and count(*) = n.parts then min(o.receipt) end as receipt,
        max(o.reason) as reason
      from provider_ref o
      where o.message_id = n.message_id and o.attempt = n.attempt and o.parts > 1
    ) w on w.receipt is not null
    where n.parts > 1 and n.message_id is not null
  )
  select array_agg(n.provider_id order by n.message_id), array_agg(n.company_id order by n.message_id),
    array_agg(n.message_id order by n.message_id), array_agg(n.attempt::integer order by n.message_id),
    array_agg(n.receipt order by n.message_id), array_agg(n.reason order by n.message_id)
  into v_ids, v_companies, v_messages, v_attempts, v_receipts, v_reasons
  from news n;
  if v_ids is null then
    return;
  end if;

  return query
    select v_ids[c.ord], c.may_fall_back
    from record_receipts(v_companies, v_messages, v_attempts, v_receipts, v_reasons) c;
end $$;

-- Assigns ids to the attempts they were given to. False for an id that another message has already.
create or replace function remember_provider_ids(
  p_provider_id text[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]
) returns table (ord integer, is_ours boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_early text[];
begin
  with kept as (
    insert into provider_ref as f (provider_id, company_id, message_id, attempt, parts)
    select distinct on (i.provider_id) i.provider_id, i.company, i.id, i.attempt, i.parts
    from unnest(p_provider_id, p_company, p_id, p_attempt, p_parts)
      as i(provider_id, company, id, attempt, parts)
    order by i.provider_id
    on conflict on constraint provider_ref_pkey do update set
      company_id = excluded.company_id, message_id = excluded.message_id, attempt = excluded.attempt,
      parts = excluded.parts
    where f.company_id is null
    returning f.provider_id, f.receipt
  )
  select array_agg(k.provider_id) into v_early from kept k where k.receipt is not null;
  if v_early is not null then
    perform pass_on_receipts(v_early);
  end if;
  return query
    select i.n::integer, f.company_id = i.company and f.message_id = i.id and f.attempt = i.attempt
    from unnest(p_provider_id, p_company, p_id, p_attempt)
      with ordinality as i(provider_id, company, id, attempt, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id])
    order by i.n;
end $$;

-- Records receipts by the ids of providers, in any order, as often as they come. One with an unknown id waits.
create or replace function record_provider_receipts(p_provider_id text[], p_receipt receipt[], p_reason text[])
returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  insert into provider_ref as f (provider_id, receipt, reason)
  select i.provider_id, max(i.receipt), (array_agg(i.reason order by i.receipt desc))[1]
  from unnest(p_provider_id, p_receipt, p_reason) as i(provider_id, receipt, reason)
  group by i.provider_id
  order by i.provider_id
  on conflict (provider_id) do update set
    receipt = greatest(f.receipt, excluded.receipt),
    reason = case when excluded.receipt > f.receipt or f.receipt is null then excluded.reason else f.reason end;
  return query
    select i.n::integer, f.company_id, f.message_id, coalesce(w.may_fall_back, false)
    from unnest(p_provider_id) with ordinality as i(provider_id, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id])
    left join pass_on_receipts(p_provider_id) w on w.provider_id = i.provider_id
    order by i.n;
end $$;

-- The standing attempt of a message: the newest accepted one. With a single attempt that is the message itself.
create or replace function standing_attempt(p_company bigint, p_id uuid, p_latest smallint)
returns smallint language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  if p_latest = 1 then
    return 1;
  end if;
  return coalesce((select max(a.number) from attempt a
    where a.company_id = p_company and a.message_id = p_id and a.state = 'accepted'), p_latest);
end $$;

-- The usual receipt is new, for a settled message with a single attempt: it is written without a look-up first. Every
-- other one (a repeat, an early one, one of a later attempt, one of an unknown message) is left to record_receipts.
-- Each message may be named once.
--
-- The update is joined to a sorted list, and the settings leave only a plan that follows that list and probes an index
-- for each message. Locking the messages in a statement before would cost every receipt a third more.
create or replace function record_plain_receipts(
  p_company bigint[], p_id uuid[], p_receipt receipt[], p_reason text[]
) returns table (ord integer, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    update message m set receipt = i.receipt, receipt_at = clock_timestamp(), reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, clock_timestamp()) end
    from (
      select u.* from unnest(p_company, p_id, p_receipt, p_reason)
        with ordinality as u(company, id, receipt, reason, n)
      -- The lock order of messages, everywhere.
      order by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
      and m.state <> 'sending' and m.attempt = 1
    returning i.n::integer, m.receipt = 'failed' and m.state = 'sent' and m.route <> '';
end $$;

-- Records many receipts in one statement. They may come twice, late or out of order: the order of the `receipt` type
-- decides, and none moves a message back. A receipt never moves money. The messages are locked by company and id, in a
-- statement that sorts them first: `order by` determines the lock order only where the rows are locked above the sort.
create or replace function record_receipts(
  p_company bigint[], p_id uuid[], p_attempt integer[], p_receipt receipt[], p_reason text[]
) returns table (ord integer, is_known boolean, is_new boolean, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_id);
  -- The message of each receipt as it was found; null when there is none.
  v_states message_state[] := array_fill(null::message_state, array[v_count]);
  v_latest smallint[] := array_fill(null::smallint, array[v_count]);
  v_is_new boolean[] := array_fill(false, array[v_count]);
  v_may_fall_back boolean[] := array_fill(false, array[v_count]);
  r record;
begin
  for r in
    select u.n, m.state, m.attempt
    from unnest(p_company, p_id) with ordinality as u(company, id, n)
    join message m on m.company_id = any (array[u.company]) and m.id = u.id
    order by u.company, u.id for update of m
  loop
    v_states[r.n] := r.state;
    v_latest[r.n] := r.attempt;
    v_is_new[r.n] := r.state = 'sending';
  end loop;
  v_now := clock_timestamp();

  if 'sending' = any (v_states) then
    insert into early_receipt (company_id, message_id, attempt, receipt, reason, at)
    select i.company, i.id, i.attempt, i.receipt, i.reason, v_now
    from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states)
      as i(company, id, attempt, receipt, reason, state)
    where i.state = 'sending';
  end if;

  -- Attempts have rows of their own from the second on.
  if 1 < any (v_latest) then
    update attempt a set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, a.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(a.delivered_at, v_now) end
    from (
      select u.company, u.id, u.attempt, max(u.receipt) as receipt,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason) as u(company, id, attempt, receipt, reason)
      group by u.company, u.id, u.attempt
    ) i
    where a.company_id = any (array[i.company]) and a.message_id = i.id and a.number = i.attempt
      and (a.receipt is null or a.receipt < i.receipt);
  end if;

  -- A failure counts for the message only if it is about the standing attempt; a delivery always counts.
  for r in
    update message m set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, v_now) end
    from (
      select u.company, u.id, max(u.receipt) as receipt, array_agg(u.n) as places,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states, v_latest)
        with ordinality as u(company, id, attempt, receipt, reason, state, latest, n)
      where u.state <> 'sending'
        and (u.receipt >= 'delivered' or u.attempt = standing_attempt(u.company, u.id, u.latest))
      group by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
    returning i.places, m.receipt = 'failed' and m.state = 'sent' and m.route <> '' as may_fall_back
  loop
    for k in 1 .. cardinality(r.places) loop
      v_is_new[r.places[k]] := true;
      v_may_fall_back[r.places[k]] := r.may_fall_back;
    end loop;
  end loop;

  return query
    select i.n::integer, i.state is not null, i.is_new, i.may_fall_back
    from unnest(v_states, v_is_new, v_may_fall_back)
      with ordinality as i(state, is_new, may_fall_back, n)
    order by i.n;
end $$;

-- Makes sends free whose callers were told of a failure while it was unknown what had been written about them. The row
-- is inserted under the message's own key, so it waits for a reservation whose commit is not visible yet, and refuses
-- one that comes later. What was held is released, what was charged is refunded. Not done while a fallback is under
-- way: that has to end first. The sealed copies of codes are for fallbacks, and are removed as well.
create or replace function refuse_sends(
  p_company bigint[], p_id uuid[], p_key bigint[], p_kind message_kind[], p_is_test boolean[], p_recipient bigint[],
  p_request text[], p_has_left boolean[], p_reason text, p_cause uuid
) returns table (ord integer, is_done boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer := cardinality(p_id);
  v_states message_state[] := (select array_agg(
      case when i.has_left then 'unknown' else 'failed' end::message_state order by i.n)
    from unnest(p_has_left) with ordinality as i(has_left, n));
begin
  insert into message (company_id, id, key_id, kind, is_test, recipient, state, created_at, settled_at, next_check_at,
    reason, request_id)
  select i.company, i.id, i.key, i.kind, i.is_test, i.recipient, i.state, v_now, v_now, v_now, p_reason, i.request
  from unnest(p_company, p_id, p_key, p_kind, p_is_test, p_recipient, p_request, v_states)
    as i(company, id, key, kind, is_test, recipient, request, state)
  order by i.company, i.id
  on conflict do nothing;

  perform settle(p_company => p_company, p_id => p_id, p_state => v_states,
    p_channel => array_fill(null::channel, array[v_count]), p_price => array_fill(0, array[v_count]),
    p_provider_id => array_fill(null::text, array[v_count]), p_reason => array_fill(p_reason, array[v_count]),
    p_route => array_fill(''::text, array[v_count]), p_attempt => array_fill(1, array[v_count]), p_attempts => null,
    p_cause => p_cause);

  -- A separate statement: the next one sees what was committed while this one waited.
  perform from unnest(p_company, p_id) as i(company, id)
  join message m on m.company_id = any (array[i.company]) and m.id = i.id
  order by i.company, i.id for update of m;

  with freed as (
    update message m set charged = 0, state = 'unknown', route = '', reason = p_reason
    from unnest(p_company, p_id) as i(company, id)
    join message s on s.company_id = any (array[i.company]) and s.id = i.id
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sent' and m.hold = 0 and not exists (
      select 1 from attempt a where a.company_id = any (array[m.company_id]) and a.message_id = m.id and a.number = m.attempt
        and a.state = 'sending')
    returning s.company_id, s.charged
  ), sums as (
    select f.company_id, sum(f.charged) as charged, count(*) as n from freed f where f.charged > 0 group by f.company_id
    order by f.company_id
  ), repaid as (
    update account a set balance = a.balance + s.charged
    from sums s where a.company_id = any (array[s.company_id])
    returning a.company_id, a.balance, s.charged, s.n
  )
  insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
  select r.company_id, 'charge_moved', p_cause, r.charged, -r.n, r.balance, clock_timestamp() from repaid r;

  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id
    from unnest(p_company, p_id) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.state <> 'sent' and m.kind = 'otp'
    -- The lock order of verify.
    order by m.key_id, m.recipient, m.purpose
  ) m
  where c.key_id = any (array[m.key_id]) and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id
    and c.sealed is not null;

  return query
    select i.n::integer, m.state <> 'sent'
    from unnest(p_company, p_id) with ordinality as i(company, id, n)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    order by i.n;
end $$;

-- Reserves many sends in one statement: the limits of the recipient, the hold on the balance, the message with its
-- planned channels, the code and the short link, all or nothing per send. Arrays in, one row out per send, in the same
-- order.
--
-- Every batch first locks the accounts of its companies in one order. Recent sends, codes and messages of a company are
-- reserved only under that lock, so two nodes cannot both let a second send through. An update that is joined to a
-- sorted list follows its order, because the settings of the function leave no other plan. SQL does not promise it, so
-- a deadlock is retried (server/src/db/retry-conflicts.ts).
create or replace function reserve(
  p_id uuid[], p_company bigint[], p_key bigint[], p_kind message_kind[], p_is_test boolean[],
  p_recipient bigint[], p_prices text[], p_dearest integer[], p_request text[],
  p_check_seconds integer[], p_body text[],
  p_gap_seconds integer[], p_gap_max integer[], p_hour_max integer[], p_day_max integer[],
  p_purpose text[], p_mac bytea[], p_sealed bytea[], p_ttl_seconds integer[],
  p_slug text[], p_url text[], p_link_ttl_seconds integer[], p_route text[],
  p_others_seconds integer, p_others_max integer, p_others_day_max integer
) returns table (ord integer, verdict text, held integer, available bigint, wait_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_id);
  v_verdict text[] := array_fill(null::text, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_available bigint[] := array_fill(null::bigint, array[v_count]);
  v_wait integer[] := array_fill(null::integer, array[v_count]);
  v_company bigint;
  v_left bigint;
  v_kind message_kind;
  v_recipient bigint;
  v_last timestamptz;
  v_added integer;
  v_until timestamptz;
  v_price integer;
  v_crowded bigint[];
  r record;
begin
  perform 1 from account a where a.company_id = any (p_company) order by a.company_id for update;
  v_now := clock_timestamp();

  -- The few phones that may be past a cap over all companies; the others need no further check.
  select array_agg(c.recipient) into v_crowded
  from (
    select s.recipient
    from (
      select i.recipient, 1 as sends from unnest(p_recipient) as i(recipient)
      union all
      select g.recipient, cardinality(g.recent) from recent_sends g where g.recipient = any (p_recipient)
    ) s
    group by s.recipient having sum(s.sends) > p_others_max
  ) c;

  for r in
    select i.*, a.balance - a.held as company_available, g.last_message,
      w.in_gap, w.in_hour, w.in_day, w.gap_from, w.hour_from, w.day_from, w.last
    from unnest(p_id, p_company, p_kind, p_recipient, p_prices, p_dearest,
        p_gap_seconds, p_gap_max, p_hour_max, p_day_max)
      with ordinality as i(id, company, kind, recipient, prices, dearest,
        gap_seconds, gap_max, hour_max, day_max, n)
    join account a on a.company_id = any (array[i.company])
    left join recent_sends g on g.company_id = i.company and g.recipient = any (array[i.recipient]) and g.kind = i.kind
      and coalesce(i.gap_max, i.day_max) is not null
    left join lateral (
      select count(*) as in_day, min(t) as day_from, max(t) as last,
        count(*) filter (where t > v_now - interval '1 hour') as in_hour,
        min(t) filter (where t > v_now - interval '1 hour') as hour_from,
        count(*) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as in_gap,
        min(t) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as gap_from
      -- A time in the future comes from a clock that was set back; it must not block a phone.
      from unnest(g.recent) as t where t > v_now - interval '1 day' and t <= v_now
    ) w on g.recent is not null
    order by i.company, i.kind, i.recipient, i.n
  loop
    if r.company is distinct from v_company then
      v_company := r.company;
      v_left := r.company_available;
      v_kind := null;
    end if;
    if r.kind is distinct from v_kind or r.recipient <> v_recipient then
      v_kind := r.kind;
      v_recipient := r.recipient;
      v_last := null;
      v_added := 0;
    end if;
    if v_last is null and r.last is not null then
      v_last := r.last;
      if r.gap_max = 1 then
        -- The minute starts with the acceptance; while the last send is under way it has not started.
        select case m.state when 'sent' then m.settled_at when 'sending' then v_now else m.created_at end
        into v_last
        from message m where m.company_id = r.company and m.id = r.last_message;
        v_last := coalesce(v_last, r.last);
      end if;
    end if;

    v_until := null;
    if v_last is not null or v_added > 0 then
      if r.gap_max = 1 then
        v_until := case when v_added > 0 then v_now else v_last end
          + make_interval(secs => r.gap_seconds);
      elsif coalesce(r.in_gap, 0) + v_added >= r.gap_max then
        v_until := coalesce(r.gap_from, v_now) + make_interval(secs => r.gap_seconds);
      end if;
      if v_until > v_now then
        v_verdict[r.n] := 'too_soon';
        v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
        continue;
      end if;
      if coalesce(r.in_day, 0) + v_added >= r.day_max then
        v_until := coalesce(r.day_from, v_now) + interval '1 day';
      elsif coalesce(r.in_hour, 0) + v_added >= r.hour_max then
        v_until := coalesce(r.hour_from, v_now) + interval '1 hour';
      else
        v_until := null;
      end if;
      if v_until > v_now then
        v_verdict[r.n] := 'too_many';
        v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
        continue;
      end if;
    end if;

    if r.recipient = any (v_crowded) and r.kind <> 'group' and not p_is_test[r.n] then
      v_until := phone_free_at(r.recipient, r.company, v_now,
        p_company, p_kind, p_is_test, p_recipient, v_verdict,
        p_others_seconds, p_others_max, p_others_day_max);
      if v_until is not null then
        v_verdict[r.n] := 'too_many';
        v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
        continue;
      end if;
    end if;

    -- Holds the price of the most expensive channel of the route that the balance covers.
    v_available[r.n] := v_left;
    if r.dearest <= v_left then
      v_hold[r.n] := r.dearest;
      v_verdict[r.n] := 'reserved';
    else
      foreach v_price in array string_to_array(r.prices, ',')::integer[] loop
        if v_price <= v_left and (v_verdict[r.n] is null or v_price > v_hold[r.n]) then
          v_hold[r.n] := v_price;
          v_verdict[r.n] := 'reserved';
        end if;
      end loop;
      if v_verdict[r.n] is null then
        v_verdict[r.n] := 'short';
        continue;
      end if;
    end if;
    v_left := v_left - v_hold[r.n];
    v_added := v_added + (coalesce(r.gap_max, r.day_max) is not null)::integer;
  end loop;

  update account a set held = a.held + h.hold
  from (
    select i.company, sum(i.hold) as hold
    from unnest(p_company, v_hold, v_verdict) as i(company, hold, verdict)
    where i.verdict = 'reserved' and i.hold > 0
    group by i.company
  ) h
  where a.company_id = any (array[h.company]);

  -- Microseconds make the sends of one batch distinct, so that a failed one can be removed alone.
  insert into recent_sends as g (company_id, recipient, kind, recent, last_message, is_test)
  select i.company, i.recipient, i.kind,
    array_agg(v_now + i.n * interval '1 microsecond' order by i.n), (array_agg(i.id order by i.n desc))[1],
    bool_and(i.is_test)
  from unnest(p_id, p_company, p_kind, p_is_test, p_recipient, p_gap_max, p_day_max, v_verdict)
    with ordinality as i(id, company, kind, is_test, recipient, gap_max, day_max, verdict, n)
  where i.verdict = 'reserved' and coalesce(i.gap_max, i.day_max) is not null
  group by i.company, i.recipient, i.kind
  order by i.company, i.recipient, i.kind
  on conflict (company_id, recipient, kind) do update set
    -- A group has only a limit per minute, and may get thousands of posts a day.
    recent = array(
        select t from unnest(g.recent) as t
        where t > v_now - case g.kind when 'group' then interval '1 minute' else interval '1 day' end
          and t <= v_now)
      || excluded.recent,
    last_message = excluded.last_message, is_test = g.is_test and excluded.is_test;

  insert into code as c (key_id, phone, purpose, company_id, message_id, mac, sealed, expires_at)
  select distinct on (i.key, i.recipient, i.purpose)
    i.key, i.recipient, i.purpose, i.company, i.id, i.mac, i.sealed,
    v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_id, p_company, p_key, p_recipient, p_purpose, p_mac, p_sealed, p_ttl_seconds, v_verdict)
    with ordinality as i(id, company, key, recipient, purpose, mac, sealed, ttl_seconds, verdict, n)
  where i.verdict = 'reserved' and i.mac is not null
  order by i.key, i.recipient, i.purpose, i.n desc
  on conflict (key_id, phone, purpose) do update set
    message_id = excluded.message_id, mac = excluded.mac, sealed = excluded.sealed,
    expires_at = excluded.expires_at, verified_at = null, verified_by = null, wrong = 0;

  if cardinality(array_remove(p_slug, null)) > 0 then
    insert into link (slug_key, slug, company_id, url, message_id, recipient, created_at, expires_at)
    select lower(i.slug), i.slug, i.company, i.url, i.id, case when i.kind <> 'group' then i.recipient end,
      v_now, v_now + make_interval(secs => i.ttl_seconds)
    from unnest(p_id, p_company, p_kind, p_recipient, p_slug, p_url, p_link_ttl_seconds, v_verdict)
      as i(id, company, kind, recipient, slug, url, ttl_seconds, verdict)
    where i.verdict = 'reserved' and i.slug is not null;
  end if;

  insert into message (company_id, id, key_id, kind, is_test, recipient, state, hold, created_at,
    next_check_at, purpose, slug, body, request_id, route)
  select i.company, i.id, i.key, i.kind, i.is_test, i.recipient, 'sending', i.hold,
    v_now + i.n * interval '1 microsecond', v_now + make_interval(secs => i.check_seconds),
    i.purpose, i.slug, i.body, i.request, i.route
  from unnest(p_id, p_company, p_key, p_kind, p_is_test, p_recipient, v_hold, p_check_seconds,
      p_purpose, p_slug, p_body, p_request, p_route, v_verdict)
    with ordinality as i(id, company, key, kind, is_test, recipient, hold, check_seconds,
      purpose, slug, body, request, route, verdict, n)
  where i.verdict = 'reserved';

  return query
    select i.n::integer, i.verdict, i.hold, i.available, i.wait_seconds
    from unnest(v_verdict, v_hold, v_available, v_wait)
      with ordinality as i(verdict, hold, available, wait_seconds, n)
    order by i.n;
end $$;

-- Settles many sends in one statement. Money moves only with the fenced transition out of 'sending': a second call (a
-- late worker, a batch repeated after a lost answer) finds the message settled and moves nothing.
--
-- The messages are updated before the account is locked, so that the next sends of the company can be reserved
-- meanwhile. No transaction that holds the account touches a message that is being sent. The update itself returns what
-- it moved, and only messages that were settled before are looked up again: joining the answer back by id cost more
-- than the rest of the batch.
create or replace function settle(
  p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[],
  p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid
) returns table (ord integer, moved boolean, state message_state, charged integer, balance bigint)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_count integer := cardinality(p_id);
  -- The result of each send, in the order of the batch.
  v_moved boolean[] := array_fill(false, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_charged integer[] := array_fill(0, array[v_count]);
  v_state message_state[] := array_fill(null::message_state, array[v_count]);
  e_companies bigint[];
  e_ids uuid[];
  e_attempts integer[];
  e_receipts receipt[];
  e_reasons text[];
  r record;
begin
  for r in
    update message m set
      state = i.state, channel = i.channel, provider_id = i.provider_id, reason = i.reason, route = i.route,
      attempt = i.attempt, hold = 0, charged = case when i.state = 'sent' then i.price else 0 end,
      settled_at = v_now
    from (
      select u.*, h.hold as held
      from unnest(p_company, p_id, p_state, p_channel, p_price, p_provider_id, p_reason, p_route, p_attempt)
        with ordinality as u(company, id, state, channel, price, provider_id, reason, route, attempt, n)
      join message h on h.company_id = any (array[u.company]) and h.id = u.id
      -- The lock order of messages, everywhere.
      order by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sending'
    returning i.n, i.held, m.charged, m.state
  loop
    v_moved[r.n] := true;
    v_hold[r.n] := r.held;
    v_charged[r.n] := r.charged;
    v_state[r.n] := r.state;
  end loop;

  with sums as (
    select i.company, sum(i.held) as held, sum(i.charged) as charged, count(*) filter (where i.charged > 0) as n
    from unnest(p_company, v_hold, v_charged) as i(company, held, charged)
    group by i.company
    -- The lock order of accounts, everywhere.
    order by i.company
  ), paid as (
    update account a set held = a.held - s.held, balance = a.balance - s.charged
    from sums s where a.company_id = any (array[s.company]) and (s.held > 0 or s.charged > 0)
    returning a.company_id, a.balance, s.charged, s.n
  )
  insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
  select p.company_id, 'charge', p_cause, -p.charged, p.n, p.balance, clock_timestamp()
  from paid p where p.charged > 0;

  -- Sends that tried more than one channel have a row per attempt.
  if p_attempts is not null then
    insert into attempt (company_id, message_id, number, channel, state, reason, provider_id, price,
      started_at, settled_at)
    select t.company_id, t.message_id, t.number, t.channel, t.state, t.reason, t.provider_id, t.price,
      v_now - make_interval(secs => t.started_ago), v_now - make_interval(secs => t.settled_ago)
    from jsonb_to_recordset(p_attempts) as t(company_id bigint, message_id uuid, number smallint,
      channel channel, state attempt_state, reason text, provider_id text, price integer,
      started_ago double precision, settled_ago double precision)
    where exists (select 1 from unnest(p_id, v_moved) as i(id, moved) where i.id = t.message_id and i.moved);
  end if;

  -- A send that every channel refused lifts the minute's pause of the phone and leaves no code.
  if 'failed' = any (v_state) then
    -- Recent sends and codes, in the lock orders of reserve and verify.
    update recent_sends g set recent = array_remove(g.recent, i.created_at), last_message = null
    from (
      select m.company_id, m.recipient, m.kind, m.created_at
      from unnest(p_company, p_id, v_state) as u(company, id, state)
      join message m on m.company_id = any (array[u.company]) and m.id = u.id
      where u.state = 'failed'
      order by u.company, m.recipient, m.kind
    ) i
    where g.company_id = i.company_id and g.recipient = any (array[i.recipient]) and g.kind = i.kind;
    update code c set mac = null, sealed = null
    from (
      select m.key_id, m.recipient, m.purpose, m.id
      from unnest(p_company, p_id, v_state) as u(company, id, state)
      join message m on m.company_id = any (array[u.company]) and m.id = u.id
      where u.state = 'failed' and m.kind = 'otp'
      order by m.key_id, m.recipient, m.purpose
    ) i
    where c.key_id = any (array[i.key_id]) and c.phone = i.recipient and c.purpose = i.purpose and c.message_id = i.id;
  end if;

  -- Early receipts can be recorded now. After a failure the fallback need not wait for its time.
  if exists (select 1 from early_receipt) then
    with parked as (
      delete from early_receipt e using unnest(p_company, p_id, v_moved) as i(company, id, moved)
      where i.moved and e.company_id = any (array[i.company]) and e.message_id = i.id
      returning e.*
    )
    select array_agg(p.company_id), array_agg(p.message_id), array_agg(p.attempt::integer),
      array_agg(p.receipt), array_agg(p.reason)
    into e_companies, e_ids, e_attempts, e_receipts, e_reasons
    from parked p;
    if e_ids is not null then
      perform record_receipts(e_companies, e_ids, e_attempts, e_receipts, e_reasons);
      update message m set next_check_at = v_now + interval '5 seconds'
      from unnest(e_companies, e_ids) as i(company, id)
      where m.company_id = any (array[i.company]) and m.id = i.id and m.receipt = 'failed' and m.route <> '';
    end if;
  end if;

  -- Settled before by another call: return what it wrote.
  if false = any (v_moved) then
    for r in
      select i.n, m.state, m.charged
      from unnest(p_company, p_id, v_moved) with ordinality as i(company, id, moved, n)
      join message m on m.company_id = any (array[i.company]) and m.id = i.id
      where not i.moved
    loop
      v_state[r.n] := r.state;
      v_charged[r.n] := r.charged;
    end loop;
  end if;

  -- Each send gets the balance after its own charge.
  return query
    select i.n::integer, i.moved, i.state, i.charged,
      a.balance + sum(i.paid) over (partition by i.company order by i.n desc)::bigint - i.paid
    from (
      select u.*, case when u.moved then u.charged else 0 end as paid
      from unnest(p_company, v_moved, v_state, v_charged) with ordinality as u(company, moved, state, charged, n)
    ) i
    join account a on a.company_id = any (array[i.company])
    order by i.n;
end $$;

-- Makes many short links in one statement; the primary key decides who owns a name. Asking for the same link again
-- returns it. The company is compared in a way that no index serves: with the index of a company's links, a batch
-- planned while there were few read all of them for each new one.
create or replace function shorten(p_slug text[], p_company bigint[], p_url text[], p_ttl_seconds integer[])
returns table (ord integer, is_made boolean, slug text, expires_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  -- A company may reuse its own expired name; no other company ever can.
  update link l set url = i.url, slug = i.slug, created_at = v_now, message_id = null, recipient = null,
    expires_at = v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_slug, p_company, p_url, p_ttl_seconds) as i(slug, company, url, ttl_seconds)
  where l.slug_key = any (array[lower(i.slug)]) and (l.company_id = i.company) is true and l.expires_at <= v_now
    and l.disabled_at is null;

  insert into link (slug_key, slug, company_id, url, created_at, expires_at)
  select lower(i.slug), i.slug, i.company, i.url, v_now, v_now + make_interval(secs => i.ttl_seconds)
  from unnest(p_slug, p_company, p_url, p_ttl_seconds) with ordinality
    as i(slug, company, url, ttl_seconds, n)
  order by lower(i.slug), i.n
  on conflict (slug_key) do nothing;

  return query
    select i.n::integer, coalesce(l.company_id = i.company and l.url = i.url and l.disabled_at is null
      and (l.expires_at is null or l.expires_at > v_now), false),
      l.slug, ceil(extract(epoch from l.expires_at - v_now))::integer
    from unnest(p_slug, p_company, p_url) with ordinality as i(slug, company, url, n)
    left join link l on l.slug_key = any (array[lower(i.slug)])
    order by i.n;
end $$;

-- The cursor of take_due may pass a message whose commit it could not see: one that waits for a standby stays invisible
-- for any length of time. This second, slow cursor covers what the first has passed, once every transaction that was
-- writing then has ended: by then nothing more can become visible.
--
-- Makes missed messages due again, at most p_limit at a time. Returns how many were missed, and whether there is more
-- to cover at once.
create or replace function sweep_missed(p_limit integer) returns table (missed integer, has_more boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_watch watch;
  v_to timestamptz;
  v_has_more boolean;
  v_missed integer;
begin
  select * into v_watch from watch for update skip locked;
  if not found or pg_snapshot_xmin(pg_current_snapshot()) < v_watch.sweep_after then
    return query select 0, false;
    return;
  end if;

  select m.next_check_at into v_to from message m
  where m.next_check_at > v_watch.swept_until and m.next_check_at <= v_watch.sweep_to
  order by m.next_check_at offset p_limit limit 1;
  v_has_more := found;
  v_to := coalesce(v_to, v_watch.sweep_to);

  -- The same messages that take_due would have taken, or whose sealed codes it would have removed.
  update message m set next_check_at = clock_timestamp() + interval '5 seconds'
  where m.next_check_at > v_watch.swept_until and m.next_check_at <= v_to
    and (m.state = 'sending'
      or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '')
      or m.hold > 0
      or m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id
        and a.message_id = m.id and a.number = m.attempt and a.state = 'sending')
      or m.kind = 'otp' and exists (select 1 from code c where c.key_id = m.key_id and c.phone = m.recipient
        and c.purpose = m.purpose and c.message_id = m.id and c.sealed is not null));
  get diagnostics v_missed = row_count;

  update watch set swept_until = v_to;
  if not v_has_more then
    -- A minute behind the cursor: next_check_at is read from the clock a moment before its transaction gets an id.
    update watch set sweep_to = greatest(checked_until - interval '1 minute', v_to),
      sweep_after = pg_snapshot_xmax(pg_current_snapshot());
  end if;
  return query select v_missed, v_has_more;
end $$;

-- Messages whose check is due, found by one cursor over the index of next_check_at. That time is set at least five
-- seconds ahead, so that the cursor usually sees the row in time; sweep_missed finds the others. A message that needs
-- nothing more is skipped and costs no write.
create or replace function take_due(p_limit integer, p_lease_seconds integer)
returns table (company_id bigint, id uuid, key_id bigint, kind message_kind, is_test boolean,
  recipient bigint, state message_state, receipt receipt, channel channel, route text, attempt smallint,
  hold integer, charged integer, slug text, body text, purpose text, age_seconds double precision,
  settled_seconds double precision, open_attempt_seconds double precision, standing_attempt smallint)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_from timestamptz;
  v_now timestamptz;
  v_until timestamptz;
  v_companies bigint[];
  v_ids uuid[];
begin
  select w.checked_until into v_from from watch w for update skip locked;
  if not found then
    return;
  end if;
  v_now := clock_timestamp();

  -- Ties stay together: a batch of sends shares one next_check_at, and the cursor moves past all of it.
  select array_agg(d.company_id order by d.company_id, d.id), array_agg(d.id order by d.company_id, d.id),
    max(d.next_check_at)
  into v_companies, v_ids, v_until
  from (
    select m.company_id, m.id, m.next_check_at from message m
    where m.next_check_at > v_from and m.next_check_at <= v_now
    order by m.next_check_at
    fetch first p_limit rows with ties
  ) d;
  update watch set checked_until =
    case when v_ids is null or cardinality(v_ids) < p_limit then greatest(v_from, v_now) else v_until end;
  if v_ids is null then
    return;
  end if;

  return query
    update message m set next_check_at = v_now + make_interval(secs => p_lease_seconds)
    from unnest(v_companies, v_ids) as i(company, id)
    where m.company_id = any (array[i.company]) and m.id = i.id
      and (m.state = 'sending'
        or m.state = 'sent' and (m.receipt is null or m.receipt < 'delivered' and m.route <> '' or m.hold > 0)
        or m.hold > 0
        or m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id
          and a.message_id = m.id and a.number = m.attempt and a.state = 'sending'))
    returning m.company_id, m.id, m.key_id, m.kind, m.is_test, m.recipient, m.state, m.receipt, m.channel,
      m.route, m.attempt, m.hold, m.charged, m.slug, m.body, m.purpose,
      extract(epoch from v_now - m.created_at)::double precision,
      extract(epoch from v_now - m.settled_at)::double precision,
      (select extract(epoch from v_now - a.started_at)::double precision from attempt a
        where a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
          and a.state = 'sending'),
      standing_attempt(m.company_id, m.id, m.attempt);

  -- The sealed copy of a code is for a later fallback alone: it is removed when there can be none. A fallback whose
  -- process died is still resumed, also on the last channel.
  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id,
      m.receipt >= 'delivered' as has_arrived,
      m.route = '' or m.state in ('failed', 'unknown') as is_over,
      m.attempt > 1 and exists (select 1 from attempt a where a.company_id = m.company_id and a.message_id = m.id
        and a.number = m.attempt and a.state = 'sending') as is_falling_back
    from unnest(v_companies, v_ids) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.kind = 'otp' and m.state <> 'sending'
    -- The lock order of verify.
    order by m.key_id, m.recipient, m.purpose
  ) m
  where c.key_id = any (array[m.key_id]) and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id
    and c.sealed is not null
    and (c.expires_at <= v_now or m.has_arrived or m.is_over and not m.is_falling_back);
end $$;

-- Compares many guesses in one statement, one by one in the order they came, with the rows of their codes locked. The
-- count that decides is the one in the locked row, so parallel guesses cannot exceed it.
create or replace function verify(
  p_key bigint[], p_phone bigint[], p_purpose text[], p_mac bytea[], p_claim uuid[],
  p_per_code integer, p_per_hour integer, p_in_row integer
) returns table (ord integer, verdict text, attempts_left integer, wait_seconds integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_key);
  v_verdict text[] := array_fill(null::text, array[v_count]);
  v_left integer[] := array_fill(null::integer, array[v_count]);
  v_wait integer[] := array_fill(null::integer, array[v_count]);
  -- The codes this batch changes, as parallel arrays.
  c_key bigint[] := '{}';
  c_phone bigint[] := '{}';
  c_purpose text[] := '{}';
  c_wrong integer[] := '{}';
  c_added integer[] := '{}';
  c_row integer[] := '{}';
  c_is_verified boolean[] := '{}';
  c_claim uuid[] := '{}';
  k integer := 0;
  r record;
begin
  perform from unnest(p_key, p_phone, p_purpose) as i(key, phone, purpose)
  join code c on c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
  order by i.key, i.phone, i.purpose for update of c;
  v_now := clock_timestamp();

  for r in
    select i.*, c.mac as code_mac, c.verified_at, c.expires_at, c.wrong, c.failed_in_row,
      f.in_hour, f.hour_from, f.last
    from unnest(p_key, p_phone, p_purpose, p_mac, p_claim)
      with ordinality as i(key, phone, purpose, mac, claim, n)
    left join code c on c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
    left join lateral (
      select count(*) as in_hour, min(t) as hour_from, max(t) as last
      from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now
    ) f on true
    order by i.key, i.phone, i.purpose, i.n
  loop
    if r.code_mac is null then
      v_verdict[r.n] := 'not_found';
      continue;
    end if;
    if k = 0 or c_key[k] <> r.key or c_phone[k] <> r.phone or c_purpose[k] <> r.purpose then
      k := k + 1;
      c_key[k] := r.key;
      c_phone[k] := r.phone;
      c_purpose[k] := r.purpose;
      c_wrong[k] := r.wrong;
      c_added[k] := 0;
      c_row[k] := r.failed_in_row;
      c_is_verified[k] := false;
      c_claim[k] := null;
    end if;

    if r.verified_at is not null or c_is_verified[k] then
      v_verdict[r.n] := 'already_used';
    elsif c_row[k] >= p_in_row and (c_added[k] > 0 or r.last is not null) then
      v_verdict[r.n] := 'locked';
      v_wait[r.n] := ceil(extract(epoch from coalesce(r.last, v_now) + interval '1 hour' - v_now));
    elsif r.in_hour + c_added[k] >= p_per_hour then
      v_verdict[r.n] := 'locked';
      v_wait[r.n] := ceil(extract(epoch from coalesce(r.hour_from, v_now) + interval '1 hour' - v_now));
    elsif c_wrong[k] >= p_per_code then
      v_verdict[r.n] := 'locked';
    elsif r.expires_at <= v_now then
      v_verdict[r.n] := 'expired';
    elsif r.mac = r.code_mac then
      v_verdict[r.n] := 'right';
      c_is_verified[k] := true;
      c_claim[k] := r.claim;
    else
      c_wrong[k] := c_wrong[k] + 1;
      c_added[k] := c_added[k] + 1;
      c_row[k] := c_row[k] + 1;
      v_verdict[r.n] := 'wrong';
      v_left[r.n] := least(p_per_code - c_wrong[k], p_per_hour - r.in_hour - c_added[k]);
    end if;
  end loop;

  update code c set
    wrong = i.wrong,
    verified_at = case when i.is_verified then v_now end,
    verified_by = i.claim,
    sealed = case when not i.is_verified then c.sealed end,
    failed_in_row = case when i.is_verified then 0 else i.in_row end,
    failed_at = case when i.is_verified then '{}' else
      array(select t from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now)
      || array_fill(v_now, array[i.added]) end
  from unnest(c_key, c_phone, c_purpose, c_wrong, c_added, c_row, c_is_verified, c_claim)
    as i(key, phone, purpose, wrong, added, in_row, is_verified, claim)
  where c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
    and (i.is_verified or i.added > 0);

  return query
    select i.n::integer, i.verdict, i.attempts_left, i.wait_seconds
    from unnest(v_verdict, v_left, v_wait) with ordinality as i(verdict, attempts_left, wait_seconds, n)
    order by i.n;
end $$;

reset check_function_bodies;
