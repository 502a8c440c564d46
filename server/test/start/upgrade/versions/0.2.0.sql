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

-- The mode that the data was born in, for databases from before it was recorded: every sandbox had a demo company.

insert into installation (name, value)
select 'mode', case when exists (select from installation where name = 'demo_company') then 'sandbox' else 'live' end
where exists (select from company);

-- Sends with test keys and with live keys are counted apart. A row from before that had both counts as live.
alter table recent_sends drop constraint recent_sends_pkey;
alter table recent_sends add primary key (recipient, company_id, kind, is_test);

-- The price of a fallback's channel, charged when that channel confirms the delivery. Null when the charge is final.
alter table message add column pending_price integer check (pending_price >= 0);

-- When the person last proved in this session that it is theirs, by the strongest factor they have.
alter table session add column proven_at timestamptz;

-- What happened to the sign-in of a person, for themselves to see.
create table security_event (
  person_id text not null references person on delete cascade,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  -- A masked contact, or the name of a passkey.
  detail text,
  address text,
  device text
);
create index security_event_person on security_event (person_id, at desc);
create index security_event_age on security_event (at);

-- Keys in devices and password managers (WebAuthn). They take the place of a password and a second factor at once.
create table passkey (
  id text primary key,
  person_id text not null references person on delete cascade,
  name text not null check (length(name) between 1 and 100),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index passkey_person on passkey (person_id);

-- Challenges that browsers have yet to answer with a passkey. Each is answered once.
create unlogged table passkey_challenge (
  challenge text primary key,
  -- Null when anybody may answer: a sign-in.
  person_id text references person on delete cascade,
  ends_at timestamptz not null
);
create index passkey_challenge_end on passkey_challenge (ends_at);

-- Nobody without a second factor may use the cabinet of such a company.
alter table company add column requires_second_factor boolean not null default false;

-- Suspended by the operator: keys are refused, links are closed, the cabinet can be read.
alter table company add column suspended_at timestamptz;
alter table company add column suspended_because text;

-- Blocked by the operator: cannot sign in.
alter table person add column blocked_at timestamptz;
alter table person add column blocked_because text;

-- Hosts that short links must not lead to, with all their subdomains.
create table barred_host (
  host text primary key check (host = lower(host)),
  reason text not null,
  barred_at timestamptz not null default clock_timestamp()
);

-- The provider that reported it; null for the sandbox. Known before the attempt is settled, compared then.
alter table early_receipt add column provider text;

-- The messenger that an invitation is for. Until now there was Telegram alone.
alter table group_invitation add column channel channel not null default 'telegram';
alter table group_invitation alter column channel drop default;

-- Passkeys: keys in devices and password managers (WebAuthn). They take the place of a password and a second factor at
-- once. The tables had another shape, which nothing has used.
drop table passkey, passkey_challenge;

create table passkey (
  id text primary key,
  -- As the device names it, in base64url.
  credential_id text not null unique,
  person_id text not null references person on delete cascade,
  name text not null check (length(name) between 1 and 100),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index passkey_person on passkey (person_id);

-- Challenges that browsers have yet to answer with a passkey. Each is answered once, by the browser that asked for it.
create unlogged table passkey_challenge (
  challenge_hash bytea primary key,
  use text not null,
  browser_hash bytea not null,
  -- Null when anybody may answer: a sign-in.
  person_id text references person on delete cascade,
  ends_at timestamptz not null
);
create index passkey_challenge_end on passkey_challenge (ends_at);

-- Who needs a second step to sign in: an app with codes or a passkey.
create view person_with_second_factor as
  select person_id from second_factor where confirmed_at is not null
  union all
  select person_id from passkey;

-- Recovery codes stand in for any second factor, no longer for the app with codes alone.
alter table recovery_code drop constraint recovery_code_person_id_fkey,
  add constraint recovery_code_person_id_fkey foreign key (person_id) references person on delete cascade;

-- Top-ups: orders, the payments that came for them, what payment providers reported, and refunds.

alter type entry_kind add value 'refund';
-- A refund of the payment that brought the first bonus takes the bonus back.
alter type entry_kind add value 'bonus_taken_back';
-- A refund that the provider refused is given back.
alter type entry_kind add value 'refund_refused';
-- What a top-up pays of a debt.
alter type entry_kind add value 'debt_paid';

-- A refund can be larger than what is left. The rest is owed: paid sends are refused until a top-up has paid it.
alter table account add column debt bigint not null default 0 check (debt >= 0);

create type payment_order_state as enum ('pending', 'checking', 'manual', 'paid', 'expired', 'cancelled');

create table payment_order (
  id uuid primary key,
  company_id bigint not null references company,
  -- The short code that a payer types and a bank statement names.
  reference text not null unique check (reference ~ '^[A-Z0-9-]{6,20}$'),
  provider text not null,
  amount bigint not null check (amount > 0),
  payer_name text not null check (length(payer_name) between 1 and 200),
  -- БИН or ИИН, for the papers.
  payer_business_id text check (payer_business_id ~ '^[0-9]{12}$'),
  state payment_order_state not null default 'pending',
  -- The provider's own id of the order, its QR as text, and the address that opens the payer's bank.
  provider_id text,
  qr text,
  pay_url text,
  created_by text references person,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null once the provider need not be asked again.
  next_check_at timestamptz,
  checks integer not null default 0,
  closed_at timestamptz,
  unique (provider, provider_id)
);
create index payment_order_company on payment_order (company_id, id);
create index payment_order_due on payment_order (next_check_at) where next_check_at is not null;

-- Money that arrived. Each is credited once, in the transaction that adds the row; its id is the cause of its entries.
create table payment (
  id uuid primary key,
  company_id bigint not null references company,
  -- Null for one that the operator entered without an order.
  order_id uuid references payment_order,
  provider text not null,
  provider_payment_id text not null,
  amount bigint not null check (amount > 0),
  bonus bigint not null default 0 check (bonus >= 0),
  payer_name text,
  payer_business_id text check (payer_business_id ~ '^[0-9]{12}$'),
  paid_at timestamptz not null,
  credited_at timestamptz not null,
  -- Flags for people: paid after the order had ended, paid once more, paid another amount than asked.
  is_late boolean not null default false,
  is_repeated boolean not null default false,
  is_other_amount boolean not null default false,
  -- Asked and done refunds together.
  refunded bigint not null default 0 check (refunded between 0 and amount),
  -- Without gaps.
  receipt_number bigint not null unique,
  unique (provider, provider_payment_id)
);
create index payment_company on payment (company_id, id);
create index payment_order_payments on payment (order_id);

-- Numbers of papers, one after the other: the row stays locked until the paper is stored.
create table paper_number (
  kind text primary key,
  last bigint not null
);
insert into paper_number (kind, last) values ('receipt', 0);

-- What a provider reported, stored before it is answered. One that was never handled, because the process died, is
-- handled at the next start.
create table payment_notice (
  id uuid primary key,
  provider text not null,
  received_at timestamptz not null,
  body text not null,
  handled_at timestamptz,
  outcome text
);
create index payment_notice_unhandled on payment_notice (id) where handled_at is null;

create type refund_state as enum ('asked', 'done', 'refused');

create table refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  company_id bigint not null references company,
  amount bigint not null check (amount > 0),
  -- Of the amount and of the bonus that goes with it: what the balance covered, and what it did not.
  taken bigint not null check (taken >= 0),
  owed bigint not null check (owed >= 0),
  bonus bigint not null default 0 check (bonus >= 0),
  -- Of what was owed: what was still unpaid when the provider refused the refund.
  debt_cancelled bigint not null default 0,
  state refund_state not null,
  reason text not null,
  -- The name of the operator; null when the provider reported it.
  asked_by text,
  provider_refund_id text,
  asked_at timestamptz not null,
  settled_at timestamptz,
  next_try_at timestamptz,
  tries integer not null default 0,
  check (taken + owed = amount + bonus),
  check (debt_cancelled between 0 and owed),
  unique (payment_id, provider_refund_id)
);
create index refund_due on refund (next_try_at) where next_try_at is not null;

-- Top-ups made before there were payments.
insert into payment (id, company_id, provider, provider_payment_id, amount, bonus, paid_at, credited_at, receipt_number)
select t.cause, t.company_id, 'terminal', t.cause::text, t.amount, coalesce(b.amount, 0), t.created_at, t.created_at,
  row_number() over (order by t.created_at, t.cause)
from entry t
left join entry b on b.company_id = t.company_id and b.kind = 'first_topup_bonus' and b.cause = t.cause
where t.kind = 'topup';
update paper_number set last = (select count(*) from payment) where kind = 'receipt';

-- Notices of payment providers: what was read of each, so that one that nobody finished can be handled without asking
-- who sent it again; and when the next try is due.

alter table payment_notice
  add column reference text not null,
  -- The order, the result and the payment that it reports.
  add column content jsonb not null,
  add column tries integer not null default 0,
  add column next_try_at timestamptz;

drop index payment_notice_unhandled;
create index payment_notice_due on payment_notice (next_try_at) where next_try_at is not null;
-- What has come for an order, for people.
create index payment_notice_reference on payment_notice (reference, id);

-- Orders that end when their time is over.
create index payment_order_ending on payment_order (expires_at) where state in ('pending', 'checking');

-- Lines of bank statements that the operator imported, and the bank of the sandbox.

-- Money that came in, each line once. One that names no order waits until the operator matches it.
create table bank_statement_line (
  id uuid primary key,
  -- Of what identifies the line, so that the same file twice adds nothing.
  hash bytea not null unique,
  -- The number of the document; some banks leave it out.
  bank_reference text,
  paid_at timestamptz not null,
  amount bigint not null check (amount > 0),
  purpose text not null,
  payer_name text,
  payer_business_id text check (payer_business_id ~ '^[0-9]{12}$'),
  -- Set before the payment is credited: the line can then be credited to no other order.
  order_id uuid references payment_order,
  payment_id uuid references payment,
  -- The name of the operator who imported it, and of the one who matched it by hand.
  imported_by text not null,
  matched_by text,
  imported_at timestamptz not null,
  check (payment_id is null or order_id is not null)
);
create index bank_statement_line_unmatched on bank_statement_line (id) where payment_id is null;

-- What the sandbox bank knows. A bank would keep it elsewhere: nothing of ours refers to it.
create table sandbox_bank_order (
  reference text primary key,
  amount bigint not null check (amount > 0),
  description text not null,
  expires_at timestamptz not null,
  cancelled_at timestamptz
);

create table sandbox_bank_payment (
  id text primary key,
  reference text not null references sandbox_bank_order,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  refunded bigint not null default 0 check (refunded between 0 and amount),
  -- The ids of the refunds that were asked for, so that a repeated one is made once.
  refund_ids text[] not null default '{}',
  -- Null when the service did not take the last notice about it.
  notified_at timestamptz
);
create index sandbox_bank_payment_order on sandbox_bank_payment (reference, id);

-- A second click, or a repeat after a lost answer, sends the same request id and gets the same order.
alter table payment_order add column request_id text;
create unique index payment_order_request on payment_order (company_id, request_id);

-- The unpaid orders of a company, for its page and for their limit.
create index payment_order_open on payment_order (company_id, id) where state in ('pending', 'checking', 'manual');

-- Acts of services and fiscal receipts.

-- An act of a month that is over: its number and its whole content, stored once, so that everybody who asks for it
-- later gets the same paper.
create table act (
  company_id bigint not null references company,
  month date not null check (extract(day from month) = 1),
  -- Without gaps.
  number bigint not null unique,
  -- JSON, kept as the text that the hash covers.
  content text not null,
  hash bytea not null,
  created_at timestamptz not null,
  primary key (company_id, month)
);
insert into paper_number (kind, last) values ('act', 0);

create index payment_credited on payment (company_id, credited_at);

-- The cash register that fiscal receipts come from.
create table fiscal_register (
  name text primary key,
  since timestamptz not null,
  -- Payments up to this receipt have their row in fiscal_receipt. Receipt numbers are committed in their order, so that
  -- none can be missed.
  last_receipt_number bigint not null,
  -- One operation at a time: the process that works with the register, until it has answered or this time is over.
  leased_until timestamptz not null,
  -- Since the first receipt after the last end of a shift; null while none is open.
  shift_since timestamptz
);

create type fiscal_state as enum ('waiting', 'registered', 'failed');

-- A sale for every payment and a return for every refund. The id is that of the payment or of the refund, and the number
-- by which the register recognises a repeated request.
create table fiscal_receipt (
  id uuid primary key,
  payment_id uuid not null references payment,
  company_id bigint not null references company,
  is_return boolean not null,
  amount bigint not null check (amount > 0),
  state fiscal_state not null default 'waiting',
  tries integer not null default 0,
  next_try_at timestamptz,
  -- Of the last try.
  error text,
  created_at timestamptz not null,
  registered_at timestamptz,
  number text,
  url text,
  -- What a return has to repeat of its sale.
  basis jsonb,
  check ((state = 'waiting') = (next_try_at is not null)),
  check ((state = 'registered') = (number is not null))
);
create index fiscal_receipt_due on fiscal_receipt (next_try_at) where next_try_at is not null;
create index fiscal_receipt_payment on fiscal_receipt (payment_id);

-- The entries of a company are numbered 1, 2, 3 … in the order in which they changed its balance. The number is counted
-- in the account, under the lock that every change of the balance takes, so it needs no clock: times can be equal, or
-- run backwards when a clock is set back.

alter table account add column entries bigint not null default 0;
alter table entry add column number bigint;

alter table entry disable trigger user;
update entry e set number = n.number
from (select company_id, kind, cause, row_number() over (partition by company_id order by created_at, cause, kind) as number
  from entry) n
where e.company_id = n.company_id and e.kind = n.kind and e.cause = n.cause;
alter table entry enable trigger user;
update account a set entries = (select count(*) from entry e where e.company_id = a.company_id);

alter table entry alter column number set not null;
create index entry_number on entry (company_id, number);
-- Nearly all entries are charges. The others are found without reading past them.
create index entry_number_no_charge on entry (company_id, number) where kind not in ('charge', 'charge_moved');

-- Why the operator corrected a balance. The id is the cause of the entry.
create table correction (
  id uuid primary key,
  company_id bigint not null references company,
  reason text not null check (length(reason) between 1 and 500)
);

-- What the messages of an hour cost by their purpose. Null stands for what has none, and for all purposes of an hour
-- beyond the largest.
create table spend_hour (
  company_id bigint not null,
  hour timestamptz not null,
  kind message_kind not null,
  purpose text,
  charged bigint not null,
  unique nulls not distinct (company_id, hour, kind, purpose)
);
-- Hours that were counted without it are counted again, as far back as the page looks and there are messages.
delete from counted_hour where hour >= greatest(clock_timestamp() - interval '92 days',
  (select max(month) + interval '1 month' from removed_month) at time zone 'UTC');

-- The monthly cap of a key, and alerts about a low balance.

-- Tenge per month; null means no cap. Test keys take no money.
alter table api_key add column monthly_cap bigint check (monthly_cap > 0),
  add constraint test_key_has_no_cap check (monthly_cap is null or not is_test);
create index api_key_capped on api_key (company_id, id) where monthly_cap is not null;

-- What a key with a cap has spent in a month: the charges and holds of the messages it made in that month. Other keys
-- have no rows here. A row changes only under the lock of its company's account, like all money.
create table key_spend (
  company_id bigint not null,
  key_id bigint not null,
  -- The first day of the month in Almaty.
  month date not null,
  spent bigint not null default 0,
  -- False until what the key had spent in the month before it got its cap is added.
  is_counted boolean not null default true,
  primary key (company_id, key_id, month),
  check (spent >= 0 or not is_counted)
);

-- To whom and when a low balance is announced. Companies without a row get no alert.
create table balance_alert (
  company_id bigint primary key references company,
  -- Tenge; null means off.
  threshold bigint check (threshold > 0),
  -- Null: the members who may see the balance.
  emails text[] check (cardinality(emails) between 1 and 10),
  -- Members who may see the balance get it in Telegram as well, if they have written to the bot.
  tells_members_in_telegram boolean not null default false,
  telegram_group_id bigint references messenger_group on delete set null,
  -- Announced, and the balance has not been above the threshold since.
  is_announced boolean not null default false,
  announced_at timestamptz,
  -- A node that announces it does so until then.
  claimed_until timestamptz
);

-- Operators of the installation: people who work at the desk /admin, beside or without a company of their own. They sign
-- in with the same password, second factor and passkeys as everywhere, but in sessions of their own.

create table operator (
  person_id text primary key references person,
  created_at timestamptz not null default clock_timestamp(),
  -- Null for the command line.
  created_by text references person,
  -- Null until the welcome link was used: nobody signs in to the desk before that.
  joined_at timestamptz,
  removed_at timestamptz
);

-- The link that `zhiber operator create` prints. Used once.
create table operator_welcome (
  token_hash bytea primary key,
  person_id text not null references operator on delete cascade,
  ends_at timestamptz not null
);
create index operator_welcome_person on operator_welcome (person_id);

create table operator_session (
  id text primary key,
  token_hash bytea not null unique,
  person_id text not null references operator on delete cascade,
  address text,
  device text,
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  -- When a second factor or a passkey was last used in this session. While it is null, the session opens nothing.
  proven_at timestamptz
);
create index operator_session_person on operator_session (person_id);

-- What operators have done. Records are never changed. Each has a hash over itself and the record before it, which shows
-- when somebody with access to the table has edited or removed one.
create table operator_audit (
  id bigint primary key,
  at timestamptz not null,
  -- Null for the command line. The name stays as it was at that time.
  person_id text references person,
  person_name text,
  action text not null,
  object text not null,
  -- The company that it was about, where there is one.
  company_id bigint references company,
  before jsonb,
  after jsonb,
  address text,
  device text,
  request_id text,
  hash bytea not null
);
create index operator_audit_company on operator_audit (company_id, id) where company_id is not null;

-- Prices with their history, prices of single companies, SMS sender names, and what a search over all companies needs.

-- A price that holds from a moment on. Rows are never changed: a new price is a new row, and of two with the same moment
-- the later row wins. A price that does not hold yet can be withdrawn.
create table price_version (
  id bigint generated always as identity primary key,
  item text not null check (item in ('whatsapp', 'telegram', 'sms', 'group')),
  -- Null for the price of everybody.
  company_id bigint references company,
  -- Null: from this moment the company pays the common price again.
  tokens integer check (tokens >= 0),
  valid_from timestamptz not null,
  -- The name of the operator; null where it is not known.
  set_by text,
  created_at timestamptz not null default clock_timestamp(),
  check (tokens is not null or company_id is not null)
);

create table price_withdrawal (
  version_id bigint primary key references price_version,
  withdrawn_by text,
  withdrawn_at timestamptz not null default clock_timestamp()
);

-- Counts every change of prices. A node that reads the same count again keeps the prices it has loaded.
create table price_revision (
  id boolean primary key default true check (id),
  revision bigint not null
);
insert into price_revision (revision) values (1);

-- Nobody knows what was charged before the last change, so the price that stands counts from the beginning.
insert into price_version (item, tokens, valid_from, created_at)
select item, tokens, 'epoch', changed_at from price order by item;

-- The previous release reads its prices here, and `price set` of it writes here (see set_common_price). It does not know
-- the prices of single companies.
drop table price;
create view price as
select distinct on (v.item) v.item, v.tokens, v.created_at as changed_at
from price_version v
where v.company_id is null and v.valid_from <= clock_timestamp()
  and not exists (select from price_withdrawal w where w.version_id = v.id)
order by v.item, v.valid_from desc, v.id desc;

-- Names that the mobile operators have registered for this installation.
create table sender_name (
  name text primary key check (name ~ '^[A-Za-z0-9 ._-]{3,11}$' and name ~ '[A-Za-z]' and name = btrim(name)),
  registered_at timestamptz not null default clock_timestamp(),
  note text check (length(note) <= 200)
);
-- Null: the name in the settings of the provider.
alter table company add column sender_name text references sender_name;

-- Null for an invitation by the operator of the installation.
alter table invitation alter column invited_by drop not null;

-- A client is searched for by phone over all companies, also in those whose every send was refused. Accepted sends are
-- not in this log, so the index costs them nothing; a verification pays about a microsecond in the background.
create index request_log_phone on request_log (phone, at) where phone is not null;

-- The companies at the operator's desk: search, corrections of balances by two people, and cabinets opened for viewing.

-- The search over all companies: words of the name, БИН, the beginning of an address or of a key.
-- These characters part words: the parser would take `shop.kz` for one, and in the locale C a quotation mark for a letter.
create index company_name_words on company using gin (to_tsvector('simple', translate(name, './-_@&+:«»“”„’—–', '                ')));
create index company_name_start on company (lower(name) text_pattern_ops);
create index company_business_id on company (business_id) where business_id is not null;
create index person_email_start on person (email text_pattern_ops) where email is not null;
create index api_key_start on api_key (shown_start text_pattern_ops);
create index guard_decision_company on guard_decision (company_id, minute);

-- Corrections that operators have entered at the desk. A small one is applied at once; a larger one waits for another
-- operator.
create table correction_request (
  id uuid primary key,
  -- Of the page that asked, which may repeat it.
  request_id text not null unique,
  company_id bigint not null references company,
  amount bigint not null check (amount <> 0),
  reason text not null check (length(reason) between 1 and 500),
  asked_by text not null references operator,
  asked_at timestamptz not null default clock_timestamp(),
  -- Null when no second person was needed.
  expires_at timestamptz,
  decided_by text references operator,
  decided_at timestamptz,
  -- That of its entry, once it is applied.
  cause uuid unique,
  check (decided_by <> asked_by),
  check ((decided_by is null) = (decided_at is null)),
  check (cause is null or expires_at is null or decided_by is not null)
);
create index correction_request_company on correction_request (company_id, asked_at);
create index correction_request_asked on correction_request (asked_by, asked_at);
create index correction_request_waiting on correction_request (expires_at) where decided_at is null and expires_at is not null;

-- Cabinets that operators have opened for viewing. Each belongs to a session of the desk and ends with it.
create table company_view (
  id text primary key,
  token_hash bytea not null unique,
  operator_session_id text not null references operator_session on delete cascade,
  company_id bigint not null references company,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null
);
create index company_view_session on company_view (operator_session_id);

-- The desk of payments: lines of statements that are credited to a company without an order, and what an operator has
-- looked at.

-- Set, like the order, before the payment is credited: the line can then be credited to nobody else.
alter table bank_statement_line add column company_id bigint references company,
  drop constraint bank_statement_line_check,
  add constraint line_has_one_target check (order_id is null or company_id is null),
  add constraint credited_line_has_target check (payment_id is null or order_id is not null or company_id is not null);

-- What needs no decision any more: a statement line that is no top-up, a notice, a flagged payment.
create table payment_review (
  id uuid primary key,
  kind text not null check (kind in ('line', 'notice', 'payment')),
  note text check (length(note) between 1 and 500),
  reviewed_by text not null,
  reviewed_at timestamptz not null default clock_timestamp()
);

create index payment_order_manual on payment_order (id) where state = 'manual';
create index refund_open on refund (id) where state = 'asked';
create index payment_flagged on payment (id) where is_late or is_repeated or is_other_amount;
-- Notices that somebody has to look at.
create index payment_notice_odd on payment_notice (id)
  where handled_at is null or outcome in ('unknown_order', 'other_order', 'manual');

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

-- A file of its own: a value cannot be used in the transaction that adds it to its type.
alter type message_kind add value 'broadcast';

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

-- Every row of a broadcast is updated once while it runs. Cleaning the table every few thousand rows would compete with
-- the codes that are sent meanwhile, and no query needs newer statistics.
alter table broadcast_row set (
  autovacuum_vacuum_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.2, autovacuum_vacuum_insert_scale_factor = 0.5,
  autovacuum_vacuum_cost_limit = 200
);

-- The counts of a broadcast under way are renewed a slice of its recipients at a time, by one node: the time of the next
-- count, or the end of that node's lease. Each recipient is in one slice, so the counts add up without one snapshot.
alter table broadcast add column next_count_at timestamptz not null default now();

-- The broadcast that a recipient waits for. Of all indexes only its own has this column, so those who wait are found by
-- it whatever the statistics say. By any other one every claim would pass all recipients that were sent to before.
alter table broadcast_row add column waits_for uuid generated always as (
  case when verdict = 'send' and message_id is null and skipped is null then broadcast_id end) stored;
drop index broadcast_row_waiting;
create index broadcast_row_waiting on broadcast_row (waits_for, number) where waits_for is not null;

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

-- The log of a webhook by type and state: with the type alone in the index, a type that never failed was read as a whole
-- to find that out. A type alone is read state by state, each in the order of this index.
drop index webhook_delivery_type;
create index webhook_delivery_type on webhook_delivery (endpoint_id, type, state, event_id);

-- The role of people who answer clients. The rights of each role are in the code.
alter table member drop constraint member_role_check,
  add constraint member_role_check
    check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'support', 'viewer'));
alter table invitation drop constraint invitation_role_check,
  add constraint invitation_role_check
    check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'support', 'viewer'));

-- What a logged call asked for and was answered, redacted before it is stored: no code, no key, and of a body that is no
-- JSON its shape alone. The phone in full is shown by right, and lets a search by it be exact. A node of the release before
-- leaves all three empty.
alter table request_log
  add column recipient bigint,
  add column request_body text,
  add column answer_body text;

-- The daily cap of a key, and the end of its life.

-- Tenge per day of Almaty, and when the key ends; null means no cap, and no end.
alter table api_key add column daily_cap bigint check (daily_cap > 0),
  add column expires_at timestamptz,
  add constraint test_key_has_no_daily_cap check (daily_cap is null or not is_test);
drop index api_key_capped;
create index api_key_capped on api_key (company_id, id) where monthly_cap is not null or daily_cap is not null;

-- What a key with a daily cap has spent in a day, as key_spend has it for a month. A table of its own: nodes of the
-- release before delete the rows of a key from key_spend when it has no monthly cap.
create table key_day_spend (
  company_id bigint not null,
  key_id bigint not null,
  day date not null,
  spent bigint not null default 0,
  -- False until what the key had spent in the day before it got its cap is added.
  is_counted boolean not null default true,
  primary key (company_id, key_id, day),
  check (spent >= 0 or not is_counted)
);

-- What is known of a click by a person beside its time. The IP address and the user agent are not stored.
create type click_device as enum ('phone', 'tablet', 'computer');
create type click_system as enum ('android', 'ios', 'windows', 'macos', 'linux');
create type click_browser as enum ('chrome', 'safari', 'samsung', 'yandex', 'opera', 'edge', 'firefox', 'miui', 'instagram',
  'facebook', 'telegram', 'viber');

alter table click
  -- Opened by the QR code.
  add column is_scan boolean not null default false,
  add column device click_device,
  add column system click_system,
  add column browser click_browser,
  -- ISO 3166, two letters.
  add column country text,
  -- In English.
  add column city text,
  -- The host of the page with the link.
  add column referrer text;

-- Of the people of the hour.
alter table click_hour add column scans integer not null default 0;

-- The clicks by people of an hour, by one property; those of which it is unknown are not here. The rarest values of an
-- hour are together in '*'. A city is with its country, as in 'KZ Almaty': others have the same name.
create table click_part (
  company_id bigint not null,
  slug_key text not null,
  hour timestamptz not null,
  part text not null check (part in ('device', 'system', 'browser', 'country', 'city', 'referrer')),
  value text not null,
  people integer not null,
  primary key (company_id, slug_key, hour, part, value)
);

-- Null where there are none, so that a link that is sent takes no more room.
alter table link add column tags text[];
create index link_tagged on link (company_id, created_at desc) where tags is not null;

-- Changes of where a link leads, and until when.
create table link_change (
  company_id bigint not null,
  slug_key text not null,
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  person_name text,
  url_before text not null,
  url_after text not null,
  expires_before timestamptz,
  expires_after timestamptz,
  primary key (company_id, slug_key, id)
);

-- A message centre that restarts counts its ids from the beginning, and two that share the load give the same ones. So an
-- id may belong to messages to several phones, and a receipt finds its message by the phone that it names.

alter table provider_ref
  -- The last ten digits of the phone of the message, or of a receipt that waits: phones are written with and without the
  -- country code. 0 for providers that give an id once, and for a receipt that names no phone.
  add column phone_tail bigint not null default 0,
  -- The id as another part of the same centre may spell it, see folded_provider_id. Null for a message whose id can be
  -- spelt in one way only, and for providers that give an id once.
  add column folded_id text;
alter table provider_ref drop constraint provider_ref_pkey, add primary key (provider_id, phone_tail);
create index provider_ref_folded on provider_ref (folded_id) where folded_id is not null;

drop function if exists pass_on_receipts(text[]);

-- Numbers that were ported to another operator: the digits of a phone name the operator that first gave it out.
create table ported_number (
  phone bigint primary key,
  -- As in the numbering plan: `beeline`.
  operator text not null
);

-- What an accepted SMS has beside its attempt: one part by the only provider needs no row.
create table sms_attempt (
  company_id bigint not null,
  message_id uuid not null,
  number smallint not null,
  -- Providers charge for each.
  parts smallint not null,
  -- Why this provider was tried first, or null for the only one.
  why text check (why in ('operator', 'price', 'delivery', 'sample', 'order', 'failover')),
  -- Of the phone, where it is known.
  operator text,
  primary key (company_id, message_id, number)
) partition by range (message_id);

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

create table sms_attempt_2026_10 partition of sms_attempt FOR VALUES FROM ('01a0f4c2-c400-0000-0000-000000000000') TO ('01a19467-e800-0000-0000-000000000000');

create table sms_attempt_2026_11 partition of sms_attempt FOR VALUES FROM ('01a19467-e800-0000-0000-000000000000') TO ('01a22ee6-b000-0000-0000-000000000000');

create table sms_attempt_2026_12 partition of sms_attempt FOR VALUES FROM ('01a22ee6-b000-0000-0000-000000000000') TO ('01a2ce8b-d400-0000-0000-000000000000');

create table sms_attempt_2027_01 partition of sms_attempt FOR VALUES FROM ('01a2ce8b-d400-0000-0000-000000000000') TO ('01a36e30-f800-0000-0000-000000000000');

truncate schema_file, company, account, installation, person, session, second_factor, recovery_code, letter_link, sign_in_limit, api_key, key_use, key_version, member, invitation, audit_record, welcomed, message, attempt, watch, recent_sends, code, idempotency, provider_ref, early_receipt, entry, link, click, click_hour, messenger_group, group_invitation, telegram_person, telegram_group, whatsapp_window, guard_count, guard_decision, request_log, message_view, counted_hour, usage_hour, call_hour, upkeep_position, removed_month, security_event, barred_host, passkey, passkey_challenge, payment_order, payment, paper_number, payment_notice, refund, bank_statement_line, sandbox_bank_order, sandbox_bank_payment, act, fiscal_register, fiscal_receipt, correction, spend_hour, key_spend, balance_alert, operator, operator_welcome, operator_session, operator_audit, price_version, price_withdrawal, price_revision, sender_name, correction_request, company_view, payment_review, node_state, provider_minute, incident, incident_update, guard_pardon, figure_day, figure_count, code_day, provider_cost, broadcast, broadcast_row, channel_pace, unsubscribed, recipient_list, list_member, broadcast_template, webhook_endpoint, webhook_outbox, webhook_event, webhook_delivery, webhook_try, webhook_hour, status_minute, status_day, key_day_spend, click_part, link_change, ported_number, sms_attempt;

insert into schema_file overriding system value
select * from json_populate_recordset(null::schema_file, $rows$[
{"kind":"table","name":"0001-companies","checksum":"2ec03094b2b32ca1c3d7f15c40f3ec01138d1f7ee4081ec0bc8afadb62d03054","applied_at":"2026-11-19T14:03:48.678781+00:00"},
{"kind":"table","name":"0002-accounts","checksum":"b43ae024f6a3c1584645cf9046321a9cc2fba7e5c4bae81eb781a72c8c3ae227","applied_at":"2026-11-19T14:03:48.716039+00:00"},
{"kind":"table","name":"0003-keys","checksum":"ca076fb0e365fd1ed8e65ceba28a68c96639036942a6e46cbc28b7a53dd75de9","applied_at":"2026-11-19T14:03:48.776683+00:00"},
{"kind":"table","name":"0004-team","checksum":"697380761c218f20b9fff9323de1001f1b1f196efd6bebd2980c245cc7acfb85","applied_at":"2026-11-19T14:03:48.795528+00:00"},
{"kind":"table","name":"0005-messages","checksum":"236b3bdf3ab642dc8294dfc8062ec1a67f140b1e13cbfd6a7cdfb08cbba62b85","applied_at":"2026-11-19T14:03:48.842846+00:00"},
{"kind":"table","name":"0006-ledger","checksum":"057b3017624285088a9cb624ecb1e69b2b33a93de5264ee0c00963fdccd34648","applied_at":"2026-11-19T14:03:48.903035+00:00"},
{"kind":"table","name":"0007-links","checksum":"eb414d84175282bb3f04a1869ad370dc106218fe5dd226b0bb6b20d751434805","applied_at":"2026-11-19T14:03:48.919996+00:00"},
{"kind":"table","name":"0008-groups-and-contacts","checksum":"e1ee85c37918cba78c4650d6d885fce143e5b1717fb0e19803cd3260924987bb","applied_at":"2026-11-19T14:03:48.938549+00:00"},
{"kind":"table","name":"0009-abuse","checksum":"30e4677e421a8cc98dd952b559943d5dc30ce0556041227980b0fcc2855c25c4","applied_at":"2026-11-19T14:03:48.980749+00:00"},
{"kind":"table","name":"0010-usage","checksum":"75a2998c7010ee13ca88ca851b69b33a219c913282d02888a7d48a336a16354e","applied_at":"2026-11-19T14:03:49.010436+00:00"},
{"kind":"table","name":"0011-upkeep","checksum":"9bd9e56d53298e51247ca323269de0421678d940ae2203a540c8871b28f20f47","applied_at":"2026-11-19T14:03:49.094071+00:00"},
{"kind":"table","name":"0012-mode","checksum":"b327cb38a51dd36747ee5213ed8a1b25bced227238711301374c92201c1187ff","applied_at":"2026-11-19T14:03:49.122576+00:00"},
{"kind":"table","name":"0013-test-and-live","checksum":"7b8a29eea953997da084781c1037c32ab0911d4aa591b2798deb9084fe5d3ba7","applied_at":"2026-11-19T14:03:49.12689+00:00"},
{"kind":"table","name":"0014-account-security","checksum":"757655081042703ccd4a0cf70d57e7f168e2ac7d9438ed792c2b7a92c70e7d09","applied_at":"2026-11-19T14:03:49.166591+00:00"},
{"kind":"table","name":"0015-receipt-providers","checksum":"2d019225cf849046bb3aaf9e5bd28ee94e9cc534b8856d8d67831ccd3cceaefe","applied_at":"2026-11-19T14:03:49.234143+00:00"},
{"kind":"table","name":"0016-group-invitations","checksum":"a750732af4958746b417f1feddf6b2dbe4c1658b6af9ba9cd24d1b070247a30d","applied_at":"2026-11-19T14:03:49.235472+00:00"},
{"kind":"table","name":"0017-passkeys","checksum":"8ce360be67d9984c684e0d81c6a989a9c7a31eb3a1dc033cbc6922a4b44ac8dd","applied_at":"2026-11-19T14:03:49.242479+00:00"},
{"kind":"table","name":"0018-payments","checksum":"32f8b524f08faca1748000b4084bcd6b7bb78225b6b5cf5c7b982e8392a8f5ae","applied_at":"2026-11-19T14:03:49.294127+00:00"},
{"kind":"table","name":"0019-payment-notices","checksum":"01152499de7ac09908d01eabcfd9424a9f31f9a94caba903ca88b384dac4142c","applied_at":"2026-11-19T14:03:49.436164+00:00"},
{"kind":"table","name":"0020-banks","checksum":"768c125873cff09ad8f74ad8dffd2a41cbe264839d5e9bc720f85e558631808d","applied_at":"2026-11-19T14:03:49.461668+00:00"},
{"kind":"table","name":"0021-topup-requests","checksum":"93ca7e417ef474864dc4cfd9d63191dd4f9d8cabf99b6f725555381a7709e4c1","applied_at":"2026-11-19T14:03:49.51171+00:00"},
{"kind":"table","name":"0022-papers","checksum":"8b66e6da389583425bf10a6b53ac3a0a2a86dface8a542f3150a56ef2acb906c","applied_at":"2026-11-19T14:03:49.513623+00:00"},
{"kind":"table","name":"0023-ledger-order","checksum":"433838a92aa80995748bedfdf8e22452291464c6c9914afb8a4119c9e5b6adad","applied_at":"2026-11-19T14:03:49.555484+00:00"},
{"kind":"table","name":"0024-alerts","checksum":"995118d2fe12e2155718a178d1d81b3a3ca05327297b5218e4dfbf78439e8b82","applied_at":"2026-11-19T14:03:49.589887+00:00"},
{"kind":"table","name":"0025-operators","checksum":"ffd70030812d1dc8ebb40710cc281015cb4584caacc54b4a699aa1b1eae49a57","applied_at":"2026-11-19T14:03:49.627324+00:00"},
{"kind":"table","name":"0026-prices","checksum":"363bbb197ffa2efda5148ce4b7554ce81c67d6b664089da9f942e169add1be08","applied_at":"2026-11-19T14:03:49.694086+00:00"},
{"kind":"table","name":"0027-desk-companies","checksum":"c2cdebfb416c002c679bea264e5371b91f915f5aef7892d0ef5d441e8d52b9a6","applied_at":"2026-11-19T14:03:49.769514+00:00"},
{"kind":"table","name":"0028-payment-desk","checksum":"bcc1b1d58c35bc7d8f0316aa1f3f14b3ace0a18b4967113854cc5bec4715650b","applied_at":"2026-11-19T14:03:49.850431+00:00"},
{"kind":"table","name":"0029-operations","checksum":"010e01f4705bf4b81b1cf2781b03896449b65199ed06692ba5ee7908887507df","applied_at":"2026-11-19T14:03:49.876813+00:00"},
{"kind":"table","name":"0030-broadcast-kind","checksum":"3bc546cb5645981db36b80ca3f846c7cbf7fcdeffda67f2597b37ddbe91c1b47","applied_at":"2026-11-19T14:03:49.963408+00:00"},
{"kind":"table","name":"0031-broadcasts","checksum":"8e76ea9d798a304a6095f53c39ec0ec5057df9d4c12b60ce64a0badcf8d6400f","applied_at":"2026-11-19T14:03:49.972295+00:00"},
{"kind":"table","name":"0032-calm-rows","checksum":"9b3466456b3fe940cbde3388f17f81dc232d2471fe116d01a627451b13d443d8","applied_at":"2026-11-19T14:03:50.101772+00:00"},
{"kind":"table","name":"0033-count-in-slices","checksum":"ef628482c85811aa849a4cc046be228add2918ca82826b02237f6db97e1a4610","applied_at":"2026-11-19T14:03:50.104262+00:00"},
{"kind":"table","name":"0034-waiting-rows","checksum":"5a91b44e414e1a32e4cb49a5b68d725d146b5be5e4161c737be4b1f5f0e3d181","applied_at":"2026-11-19T14:03:50.112283+00:00"},
{"kind":"table","name":"0035-webhooks","checksum":"273df02147d85d5f923d068fdd84ebad2c3fb48a1f1655bd82b7a8f6fb07577e","applied_at":"2026-11-19T14:03:50.133242+00:00"},
{"kind":"table","name":"0036-status","checksum":"4e4409385f5c0bd80d00a22ff0559b037fe2dee0c2a39eb41a5e33f35d6dc3a5","applied_at":"2026-11-19T14:03:50.190259+00:00"},
{"kind":"table","name":"0037-webhook-filters","checksum":"6a29ffbadf92d59207598b8b9479ccbedfe244a7938d687d7624bc57de85b4ef","applied_at":"2026-11-19T14:03:50.202716+00:00"},
{"kind":"table","name":"0038-support-role","checksum":"220c14a3c9de13165e9d0e403da450ec7873ad5e51ccc6d0b4ebd5d08f2b6096","applied_at":"2026-11-19T14:03:50.213222+00:00"},
{"kind":"table","name":"0039-request-bodies","checksum":"9abc659405ba64f83e2f246b07ce63942cb326c86c7ee4720a95dd90f0ca6b0f","applied_at":"2026-11-19T14:03:50.214687+00:00"},
{"kind":"table","name":"0040-key-limits","checksum":"2af6a9db837298268f71dfc272727669dbb4a6e7b7925253c97a60e6e3b30c66","applied_at":"2026-11-19T14:03:50.215696+00:00"},
{"kind":"table","name":"0041-link-clicks","checksum":"92680baf3daed520e90cb29eecc77e0790516828fc54f4752c451f75ff2ee8c0","applied_at":"2026-11-19T14:03:50.232436+00:00"},
{"kind":"table","name":"0042-provider-ids","checksum":"f788e6d39dffd59b70c5008a2615de6e0ed38bbbeb5d7745081ddbf2a8b8d785","applied_at":"2026-11-19T14:03:50.258749+00:00"},
{"kind":"table","name":"0043-sms-routes","checksum":"0f65041589644b59cf1a2676b12185d812634b68c584a2b1aa8f2fb5940c90c7","applied_at":"2026-11-19T14:03:50.265668+00:00"},
{"kind":"function","name":"add-up-clicks","checksum":"427fcda38ff5f682465be7390fc3d9a496206e72e66acc9e1e5abd24e8183f2b","applied_at":"2026-11-19T14:03:50.282062+00:00"},
{"kind":"function","name":"audit-log","checksum":"ce397b2b49d4b1d7aafcf44b5e673f16174097b9d21fb51b2cd1a2b47386c5ae","applied_at":"2026-11-19T14:03:50.301976+00:00"},
{"kind":"function","name":"broadcast-money","checksum":"e85fc3a186eba9b13e78f2c5623809eab9e3c98cc3c0ccf03ad9e3a5ea0233c7","applied_at":"2026-11-19T14:03:50.308644+00:00"},
{"kind":"function","name":"claim-recipients","checksum":"a851e5238db3b42904b075277a7abc94a185645613c8d7af6a6ff297e68b718c","applied_at":"2026-11-19T14:03:50.312374+00:00"},
{"kind":"function","name":"fallback","checksum":"5e3250df1e98d32c5056f02df06d18013fb9d763edcbd1426e7ba9cdd1fffc95","applied_at":"2026-11-19T14:03:50.32199+00:00"},
{"kind":"function","name":"find-links","checksum":"969c6e398f074b5a14ecea1369fa344963360ed68770316fa290c01937d1a02d","applied_at":"2026-11-19T14:03:50.331599+00:00"},
{"kind":"function","name":"find-sent","checksum":"10765cfe4f079a6f3306465541c7d706e9e0c32b594965c712114ac66f612d55","applied_at":"2026-11-19T14:03:50.335609+00:00"},
{"kind":"function","name":"key-spend","checksum":"9eebef254290c84e358675719b783d76799c49404c660d64757c47e3325d10b5","applied_at":"2026-11-19T14:03:50.340713+00:00"},
{"kind":"function","name":"key-version","checksum":"8083c7bb6e9d21d6cb254212c2f7714c7192db8fddfcd1eaba3442a89c43e314","applied_at":"2026-11-19T14:03:50.354325+00:00"},
{"kind":"function","name":"ledger","checksum":"a20c52e7dbf84683e8fd0f7337b98b09edec6f2c6f4ecc2f7bd99c5a6d3cf930","applied_at":"2026-11-19T14:03:50.356184+00:00"},
{"kind":"function","name":"locked-accounts","checksum":"7f5075146566537a6c1d2f2016993cc2b3a9afeadcad1ce7851133f4663b0a78","applied_at":"2026-11-19T14:03:50.361372+00:00"},
{"kind":"function","name":"new-id","checksum":"58f9ccb8c4acdfc37162cbdc4c916cd333634599eae748274342f50bf985f31c","applied_at":"2026-11-19T14:03:50.373922+00:00"},
{"kind":"function","name":"operator-audit","checksum":"f54ee9456b9a9d989e0e2b763bdfd30d3bed22b7628f115069fe4881c9ca9d3e","applied_at":"2026-11-19T14:03:50.375581+00:00"},
{"kind":"function","name":"otp-free-at","checksum":"55f12503743fa603fa0a2df4a4579bc990a3b69776071d5f95ad5abbefa3c39f","applied_at":"2026-11-19T14:03:50.379856+00:00"},
{"kind":"function","name":"partitions","checksum":"fe4f6ac80e511210625e673934b5e61c2bee6a6cdf8f0bff53b595c5dbe15956","applied_at":"2026-11-19T14:03:50.393987+00:00"},
{"kind":"function","name":"phone-free-at","checksum":"305234df3400160ebc975ed368d923bf467c7590e10c9910c5a529fd9e29f34d","applied_at":"2026-11-19T14:03:50.405888+00:00"},
{"kind":"function","name":"prices","checksum":"0958858d36653573db3a5f797b7c19daac3a117befa1a37065a037adee1f8f13","applied_at":"2026-11-19T14:03:50.40768+00:00"},
{"kind":"function","name":"provider-receipts","checksum":"578e6d13e038f6681832a1c309ef1eba5a4e18a5e90c6375d49db5597de61602","applied_at":"2026-11-19T14:03:50.412483+00:00"},
{"kind":"function","name":"record-clicks","checksum":"835a01a545bd71700f2d27c15a36525ef12ab876de77ebc4f40b938200881188","applied_at":"2026-11-19T14:03:50.425963+00:00"},
{"kind":"function","name":"record-receipts","checksum":"7bfaaa62673c01fbb44d13aa9be1db9d2edb048110ffddee00ebd85cd313d852","applied_at":"2026-11-19T14:03:50.428038+00:00"},
{"kind":"function","name":"refuse-sends","checksum":"a70b973ec39ba7860b0b71fd084b043fbaabf9abdcd6a2203ea941fdc68c9ddf","applied_at":"2026-11-19T14:03:50.452447+00:00"},
{"kind":"function","name":"reserve","checksum":"d7140489f275f4cb69742b51b4b2b9dfca68c6536c910601602f5e50b4072cc2","applied_at":"2026-11-19T14:03:50.454175+00:00"},
{"kind":"function","name":"settle","checksum":"14e7807dc7da5f34fdfc7bc9fd40a01717b8fb4a7e4b00b6c1ce6d9423644140","applied_at":"2026-11-19T14:03:50.458002+00:00"},
{"kind":"function","name":"shorten","checksum":"89567eca99175fe58844ec6453869a7ebbfc439afe71a6cd0cc9f5cff2873a95","applied_at":"2026-11-19T14:03:50.472062+00:00"},
{"kind":"function","name":"spent-since","checksum":"7253b6c350a4b569abe24ce29e52cc63cda4c67e908a72f045042cddbccd6738","applied_at":"2026-11-19T14:03:50.48167+00:00"},
{"kind":"function","name":"sweep-missed","checksum":"64a665a2e244ffeacdfa9d6c3d3bcc8a4127c82d631333e03256a922c6d266fe","applied_at":"2026-11-19T14:03:50.485996+00:00"},
{"kind":"function","name":"take-due","checksum":"b10702ca1d4fb83f7bc23d6145e2cc3e042409858bba7453b3d7481813ab3bb0","applied_at":"2026-11-19T14:03:50.491872+00:00"},
{"kind":"function","name":"verify","checksum":"8a1ae4bdd305aabc1c853a41bd16962d6710b00e485e0e096948c5fd453fc585","applied_at":"2026-11-19T14:03:50.504858+00:00"},
{"kind":"function","name":"webhooks","checksum":"5a9e9a0fccd69fc373b8ce00ada284a5787de251988bc5210b08fa5954f2dd4f","applied_at":"2026-11-19T14:03:50.507252+00:00"}
]$rows$);

insert into company overriding system value
select * from json_populate_recordset(null::company, $rows$[
{"id":1,"name":"Демо-компания","business_id":null,"language":"ru","brand":null,"created_at":"2026-10-17T06:00:00+00:00","requires_second_factor":false,"suspended_at":null,"suspended_because":null,"sender_name":null,"approval_above":null},
{"id":2,"name":"Zhiber","business_id":null,"language":"ru","brand":null,"created_at":"2026-11-19T14:03:55.162607+00:00","requires_second_factor":false,"suspended_at":null,"suspended_because":null,"sender_name":null,"approval_above":null},
{"id":3,"name":"ТОО «Прежняя версия»","business_id":null,"language":"ru","brand":null,"created_at":"2026-11-19T14:03:55.426986+00:00","requires_second_factor":false,"suspended_at":null,"suspended_because":null,"sender_name":null,"approval_above":null}
]$rows$);

insert into account overriding system value
select * from json_populate_recordset(null::account, $rows$[
{"company_id":1,"balance":16047,"held":0,"welcomed_at":"2026-10-17T06:00:00+00:00","first_topup_at":"2026-10-17T06:00:00+00:00","debt":0,"entries":5},
{"company_id":2,"balance":1000000000,"held":0,"welcomed_at":null,"first_topup_at":null,"debt":0,"entries":1},
{"company_id":3,"balance":50,"held":0,"welcomed_at":"2026-11-19T14:03:55.434398+00:00","first_topup_at":null,"debt":0,"entries":1}
]$rows$);

insert into installation overriding system value
select * from json_populate_recordset(null::installation, $rows$[
{"name":"mode","value":"sandbox"},
{"name":"secret_fingerprint","value":"9aee85f3cd2b19f260f4f4a6a4a4bcc6"},
{"name":"demo_company","value":"1"},
{"name":"system_company","value":"2"}
]$rows$);

insert into person overriding system value
select * from json_populate_recordset(null::person, $rows$[
{"id":"01a1f41f-022c-7a48-990e-64fb5b2d1efa","name":"+7701***0002","email":null,"phone":77010000002,"password_hash":null,"language":"ru","created_at":"2026-11-19T14:03:55.314156+00:00","updated_at":"2026-11-19T14:03:55.314156+00:00","blocked_at":null,"blocked_because":null}
]$rows$);

insert into session overriding system value
select * from json_populate_recordset(null::session, $rows$[
{"id":"01a1f41f-023e-739f-939a-8d206a277363","token_hash":"\\xea94acfd751a1cc8ad3ccd04c198936055387a94970099d79d1205efa516d109","person_id":"01a1f41f-022c-7a48-990e-64fb5b2d1efa","company_id":3,"address":"127.0.0.1","device":"node","created_at":"2026-11-19T14:03:55.326967+00:00","expires_at":"2026-11-20T02:03:55.326967+00:00","seen_at":"2026-11-19T14:03:55.326967+00:00","confirmed_at":"2026-11-19T14:03:55.326967+00:00","second_factor_at":null,"proven_at":null}
]$rows$);

insert into sign_in_limit overriding system value
select * from json_populate_recordset(null::sign_in_limit, $rows$[
{"subject":"\\x2df48bcdff03bbe09bcf6b62ea80d0520003f5faa466bca402f1d14a03d7f161","recent":["2026-11-19T14:03:55.135045+00:00"]},
{"subject":"\\x8964a94ec3497413b91ab40dab4237511c191e82b3e0a6a53ce4e256ae82bd7b","recent":["2026-11-19T14:03:55.152857+00:00"]},
{"subject":"\\x4003bc98a58e34d1ecea7b9a8f64bcdb9dbfebfffa3918b43d0415a6d077c592","recent":["2026-11-19T14:03:55.156939+00:00"]},
{"subject":"\\x74e05aedc0e26d7f8b22c77490f003b210ad286cce8af2d19fe4928d46a0eb31","recent":["2026-11-19T14:03:55.158308+00:00"]},
{"subject":"\\xdac83dd75b15f6c2839a8d18cbdda3966ea69a95de9a7e5ace7a755c5a1de6f3","recent":["2026-11-19T14:03:55.282955+00:00"]},
{"subject":"\\xe5593fdad5b8c1079e2c1d27d7c9306e8b49cb4d373774a1a5159866b6991d81","recent":["2026-11-19T14:03:55.293637+00:00"]}
]$rows$);

insert into api_key overriding system value
select * from json_populate_recordset(null::api_key, $rows$[
{"id":1,"company_id":1,"name":"Первый ключ","is_test":false,"secret_hash":"\\xbc75a464429b7a5b272b9ea0085f345c68c6d1fa34c7204c580e9f9fb1716ee5","previous_hash":null,"previous_until":null,"shown_start":"zk_live_bqXM","shown_end":"CPUE","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-19T14:03:52.689381+00:00","revoked_at":null,"monthly_cap":null,"is_for_broadcasts":false,"daily_cap":null,"expires_at":null},
{"id":2,"company_id":1,"name":"Первый тестовый ключ","is_test":true,"secret_hash":"\\x44af154744e8abf7dd40d22f3bb86ac71a184e97c8b7c32e42dec5d053179344","previous_hash":null,"previous_until":null,"shown_start":"zk_test_kBn7","shown_end":"fM5W","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-19T14:03:52.706246+00:00","revoked_at":null,"monthly_cap":null,"is_for_broadcasts":false,"daily_cap":null,"expires_at":null},
{"id":3,"company_id":1,"name":"Страница /try","is_test":true,"secret_hash":"\\xdbf57bb17ddeb849aba13137286ba34389570f60d6b7bd4028dcf2685db33d56","previous_hash":null,"previous_until":null,"shown_start":"zk_test_Nhuj","shown_end":"D6L0","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-19T14:03:52.727476+00:00","revoked_at":null,"monthly_cap":null,"is_for_broadcasts":false,"daily_cap":null,"expires_at":null},
{"id":4,"company_id":1,"name":"Страница /try","is_test":false,"secret_hash":"\\xfd997b7da5a1b539b6a952579a386cb6cc3f126d57fe36303eec5f06b9a11be6","previous_hash":null,"previous_until":null,"shown_start":"zk_live_nO6r","shown_end":"qDDp","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":null,"created_at":"2026-11-19T14:03:52.751014+00:00","revoked_at":null,"monthly_cap":null,"is_for_broadcasts":false,"daily_cap":null,"expires_at":null},
{"id":5,"company_id":2,"name":"Вход в кабинет","is_test":true,"secret_hash":"\\x231f361ef47ba24b5a918a85fae78496a8a99c87482b8d2642e639a139e8154d","previous_hash":null,"previous_until":null,"shown_start":"zk_test_a4NH","shown_end":"WG5U","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":"Zhiber","rate_per_minute":null,"created_by":null,"created_at":"2026-11-19T14:03:55.184347+00:00","revoked_at":null,"monthly_cap":null,"is_for_broadcasts":false,"daily_cap":null,"expires_at":null},
{"id":6,"company_id":3,"name":"Тестовый ключ","is_test":true,"secret_hash":"\\xa64d677e95c98e6a519360ae0774712fd308af15c19176085bf5394e8e76b3ae","previous_hash":null,"previous_until":null,"shown_start":"zk_test_rUwb","shown_end":"qOdt","domain":null,"channels":["whatsapp","telegram","sms"],"code_length":6,"code_ttl_seconds":300,"fallback_seconds":30,"language":"ru","brand":null,"rate_per_minute":null,"created_by":"01a1f41f-022c-7a48-990e-64fb5b2d1efa","created_at":"2026-11-19T14:03:55.430085+00:00","revoked_at":null,"monthly_cap":null,"is_for_broadcasts":false,"daily_cap":null,"expires_at":null}
]$rows$);

insert into key_use overriding system value
select * from json_populate_recordset(null::key_use, $rows$[
{"key_id":1,"used_at":"2026-11-19T14:03:55.919843+00:00","previous_used_at":null}
]$rows$);

insert into key_version overriding system value
select * from json_populate_recordset(null::key_version, $rows$[
{"id":true,"version":7}
]$rows$);

insert into member overriding system value
select * from json_populate_recordset(null::member, $rows$[
{"company_id":3,"person_id":"01a1f41f-022c-7a48-990e-64fb5b2d1efa","role":"owner","joined_at":"2026-11-19T14:03:55.427897+00:00"}
]$rows$);

insert into audit_record overriding system value
select * from json_populate_recordset(null::audit_record, $rows$[
{"company_id":1,"id":1,"at":"2026-10-17T06:00:00+00:00","person_id":null,"person_name":null,"action":"company.created","object":"Демо-компания","before":null,"after":null,"address":null,"device":null,"request_id":null,"hash":"\\x1a8a081b262ad59bdc50d78faf163da447aa593c527dd104747314477af7bb55"},
{"company_id":1,"id":2,"at":"2026-10-17T06:00:00+00:00","person_id":null,"person_name":null,"action":"balance.topped_up","object":"ПП-2610171100","before":null,"after":{"bonus": 1000, "amount": 10000, "provider": "terminal"},"address":null,"device":null,"request_id":null,"hash":"\\x938b15d7b88b53f462b0917496f267062d61169fd8d03f5fd3f2d62cd3631623"},
{"company_id":1,"id":3,"at":"2026-11-19T14:03:54.687055+00:00","person_id":null,"person_name":null,"action":"balance.topped_up","object":"Квитанция № 000002","before":null,"after":{"bonus": 0, "amount": 5000, "provider": "terminal"},"address":null,"device":null,"request_id":null,"hash":"\\x7abd98cfed37cdf8843b85443f71a4b4d8992f4864ac56f4393f7fb3fb602286"},
{"company_id":3,"id":1,"at":"2026-11-19T14:03:55.428951+00:00","person_id":"01a1f41f-022c-7a48-990e-64fb5b2d1efa","person_name":"+7701***0002","action":"company.created","object":"ТОО «Прежняя версия»","before":null,"after":{"name": "ТОО «Прежняя версия»", "brand": null, "language": "ru", "businessId": null},"address":"127.0.0.1","device":"node","request_id":"req_iR8g6FEGNMozLlTl","hash":"\\x9cc3fcb8f898a7ca971e5b246b529a70df32312cf6f45fe79abb4b1c68c7f898"},
{"company_id":3,"id":2,"at":"2026-11-19T14:03:55.43153+00:00","person_id":"01a1f41f-022c-7a48-990e-64fb5b2d1efa","person_name":"+7701***0002","action":"key.created","object":"Тестовый ключ","before":null,"after":{"mode": "test"},"address":"127.0.0.1","device":"node","request_id":"req_iR8g6FEGNMozLlTl","hash":"\\x1c302511cce663f4161b3eabd0ebeb6cf0dd764029d7b024cff94e37c1581d2f"}
]$rows$);

insert into welcomed overriding system value
select * from json_populate_recordset(null::welcomed, $rows$[
{"subject":"phone 77010000002","company_id":3,"at":"2026-11-19T14:03:55.433321+00:00"}
]$rows$);

insert into message overriding system value
select * from json_populate_recordset(null::message, $rows$[
{"company_id":1,"id":"01a1f41f-00c5-72f7-983d-54ab4d43ee5f","key_id":1,"kind":"otp","is_test":false,"recipient":77010000001,"state":"sent","receipt":null,"channel":"whatsapp","route":"telegram,sms","attempt":1,"hold":0,"charged":3,"created_at":"2026-11-19T14:03:54.982352+00:00","settled_at":"2026-11-19T14:03:55.006806+00:00","receipt_at":null,"delivered_at":null,"next_check_at":"2026-11-19T14:04:25.982351+00:00","purpose":"default","reason":null,"provider_id":"sandbox-whatsapp-1","slug":null,"body":null,"request_id":"req_3PrNgyMGOx5wlTnz","pending_price":null},
{"company_id":2,"id":"01a1f41f-01b3-7470-b13a-8eb89accc100","key_id":5,"kind":"otp","is_test":true,"recipient":77010000002,"state":"sent","receipt":null,"channel":"whatsapp","route":"telegram,sms","attempt":1,"hold":0,"charged":0,"created_at":"2026-11-19T14:03:55.189073+00:00","settled_at":"2026-11-19T14:03:55.197962+00:00","receipt_at":null,"delivered_at":null,"next_check_at":"2026-11-19T14:04:26.189072+00:00","purpose":"cabinet:4_PjT56b_I4tOCiFbm_Txx","reason":null,"provider_id":"sandbox-whatsapp-1","slug":null,"body":null,"request_id":"req_i3yt3BNDIxievs9i","pending_price":null}
]$rows$);

insert into watch overriding system value
select * from json_populate_recordset(null::watch, $rows$[
{"id":true,"checked_until":"2026-11-19T14:03:55.151949+00:00","swept_until":"2026-11-19T14:03:48.868904+00:00","sweep_to":"2026-11-19T14:03:48.868904+00:00","sweep_after":"0"}
]$rows$);

insert into recent_sends overriding system value
select * from json_populate_recordset(null::recent_sends, $rows$[
{"company_id":1,"recipient":77010000001,"kind":"otp","recent":["2026-11-19T14:03:54.982352+00:00"],"last_message":"01a1f41f-00c5-72f7-983d-54ab4d43ee5f","is_test":false},
{"company_id":2,"recipient":77010000002,"kind":"otp","recent":["2026-11-19T14:03:55.189073+00:00"],"last_message":"01a1f41f-01b3-7470-b13a-8eb89accc100","is_test":true}
]$rows$);

insert into code overriding system value
select * from json_populate_recordset(null::code, $rows$[
{"key_id":1,"phone":77010000001,"purpose":"default","company_id":1,"message_id":"01a1f41f-00c5-72f7-983d-54ab4d43ee5f","mac":"\\x6a9fb7f86d1db58d1d4e1b93352e3e8ffabad2fea33ca7f40bbf3250885b2ef4","sealed":"\\x6a4be551f7946da7fd8a2c70e2b0e579ca02dd1014e84eb0a058793fdf5ceada9824","expires_at":"2026-11-19T14:08:54.982351+00:00","verified_at":null,"verified_by":null,"wrong":0,"failed_at":[],"failed_in_row":0},
{"key_id":5,"phone":77010000002,"purpose":"cabinet:4_PjT56b_I4tOCiFbm_Txx","company_id":2,"message_id":"01a1f41f-01b3-7470-b13a-8eb89accc100","mac":"\\xf0aaac7c37224fd56084edc5559aa07a58ab571b05c8f622f80e071e90d85125","sealed":null,"expires_at":"2026-11-19T14:08:55.189072+00:00","verified_at":"2026-11-19T14:03:55.302897+00:00","verified_by":null,"wrong":0,"failed_at":[],"failed_in_row":0}
]$rows$);

insert into entry overriding system value
select * from json_populate_recordset(null::entry, $rows$[
{"company_id":1,"kind":"welcome_bonus","cause":"01a14872-1b00-7ba6-94af-e670f02ec8f5","amount":50,"messages":0,"balance_after":50,"created_at":"2026-10-17T06:00:00+00:00","number":1},
{"company_id":1,"kind":"topup","cause":"01a14872-1b00-7ba6-94af-e670f02ec8f5","amount":10000,"messages":0,"balance_after":10050,"created_at":"2026-10-17T06:00:00+00:00","number":2},
{"company_id":1,"kind":"first_topup_bonus","cause":"01a14872-1b00-7ba6-94af-e670f02ec8f5","amount":1000,"messages":0,"balance_after":11050,"created_at":"2026-10-17T06:00:00+00:00","number":3},
{"company_id":1,"kind":"topup","cause":"01a1f41e-ff99-7c3c-9149-08ab6423bcb5","amount":5000,"messages":0,"balance_after":16050,"created_at":"2026-11-19T14:03:54.658124+00:00","number":4},
{"company_id":1,"kind":"charge","cause":"01a1f41f-00f7-7938-a254-43cba4791f83","amount":-3,"messages":1,"balance_after":16047,"created_at":"2026-11-19T14:03:55.01142+00:00","number":5},
{"company_id":2,"kind":"correction","cause":"01a1f41f-019e-740f-a259-46eba050fb0d","amount":1000000000,"messages":0,"balance_after":1000000000,"created_at":"2026-11-19T14:03:55.174481+00:00","number":1},
{"company_id":3,"kind":"welcome_bonus","cause":"01a1f41f-02aa-7f73-9bbc-570d7d16fc49","amount":50,"messages":0,"balance_after":50,"created_at":"2026-11-19T14:03:55.435459+00:00","number":1}
]$rows$);

insert into link overriding system value
select * from json_populate_recordset(null::link, $rows$[
{"slug_key":"k4kphvcn","slug":"K4kPhVcN","company_id":1,"url":"https://example.kz/orders/4711","message_id":null,"recipient":null,"created_at":"2026-11-19T14:03:55.095196+00:00","expires_at":null,"disabled_at":null,"is_barred":false,"clicks_until":null,"tags":null}
]$rows$);

insert into messenger_group overriding system value
select * from json_populate_recordset(null::messenger_group, $rows$[
{"id":1,"company_id":1,"channel":"telegram","name":"Дежурные","chat_id":"-1001","created_at":"2026-11-19T14:03:52.758268+00:00","posted_at":null}
]$rows$);

insert into guard_count overriding system value
select * from json_populate_recordset(null::guard_count, $rows$[
{"minute":"2026-11-19T14:03:00+00:00","company_id":1,"prefix":"7701","sent":1,"verified":0}
]$rows$);

insert into request_log overriding system value
select * from json_populate_recordset(null::request_log, $rows$[
{"company_id":1,"at":"2026-11-19T14:03:55.202588+00:00","key_id":1,"request_id":"req_s5y7atYzTkbB5HMV","path":"/api/links/shorten","status":200,"error_code":null,"duration_ms":20,"phone":null,"channel":null,"message_id":null,"recipient":null,"request_body":"{\"url\":\"https://example.kz/orders/4711\"}","answer_body":"{\"message\":\"Короткая ссылка готова\",\"short_url\":\"http://localhost:40923/s/K4kPhVcN\"}"}
]$rows$);

insert into security_event overriding system value
select * from json_populate_recordset(null::security_event, $rows$[
{"person_id":"01a1f41f-022c-7a48-990e-64fb5b2d1efa","at":"2026-11-19T14:03:55.346058+00:00","kind":"signed_in","detail":null,"address":"127.0.0.1","device":"node"}
]$rows$);

insert into payment overriding system value
select * from json_populate_recordset(null::payment, $rows$[
{"id":"01a14872-1b00-7ba6-94af-e670f02ec8f5","company_id":1,"order_id":null,"provider":"terminal","provider_payment_id":"ПП-2610171100","amount":10000,"bonus":1000,"payer_name":"ТОО «Ромашка»","payer_business_id":null,"paid_at":"2026-10-17T06:00:00+00:00","credited_at":"2026-10-17T06:00:00+00:00","is_late":false,"is_repeated":false,"is_other_amount":false,"refunded":0,"receipt_number":1},
{"id":"01a1f41e-ff99-7c3c-9149-08ab6423bcb5","company_id":1,"order_id":null,"provider":"terminal","provider_payment_id":"01a1f41e-ff92-7c9b-b5e2-85e59cead14e","amount":5000,"bonus":0,"payer_name":null,"payer_business_id":null,"paid_at":"2026-11-19T14:03:54.642+00:00","credited_at":"2026-11-19T14:03:54.679789+00:00","is_late":false,"is_repeated":false,"is_other_amount":false,"refunded":0,"receipt_number":2}
]$rows$);

insert into paper_number overriding system value
select * from json_populate_recordset(null::paper_number, $rows$[
{"kind":"act","last":0},
{"kind":"receipt","last":2}
]$rows$);

insert into correction overriding system value
select * from json_populate_recordset(null::correction, $rows$[
{"id":"01a1f41f-019e-740f-a259-46eba050fb0d","company_id":2,"reason":"Коды входа в кабинет оплачивает оператор"}
]$rows$);

insert into price_version overriding system value
select * from json_populate_recordset(null::price_version, $rows$[
{"id":1,"item":"group","company_id":null,"tokens":0,"valid_from":"1970-01-01T00:00:00+00:00","set_by":null,"created_at":"2026-11-19T14:03:48.707967+00:00"},
{"id":2,"item":"sms","company_id":null,"tokens":8,"valid_from":"1970-01-01T00:00:00+00:00","set_by":null,"created_at":"2026-11-19T14:03:48.707964+00:00"},
{"id":3,"item":"telegram","company_id":null,"tokens":3,"valid_from":"1970-01-01T00:00:00+00:00","set_by":null,"created_at":"2026-11-19T14:03:48.707958+00:00"},
{"id":4,"item":"whatsapp","company_id":null,"tokens":3,"valid_from":"1970-01-01T00:00:00+00:00","set_by":null,"created_at":"2026-11-19T14:03:48.707808+00:00"}
]$rows$);

insert into price_revision overriding system value
select * from json_populate_recordset(null::price_revision, $rows$[
{"id":true,"revision":1}
]$rows$);

insert into code_day overriding system value
select * from json_populate_recordset(null::code_day, $rows$[
{"day":"2026-11-19","prefix":"7701","sent":1,"verified":0}
]$rows$);

insert into channel_pace overriding system value
select * from json_populate_recordset(null::channel_pace, $rows$[
{"channel":"whatsapp","next_at":"2026-11-19T14:03:50.039239+00:00"},
{"channel":"telegram","next_at":"2026-11-19T14:03:50.039445+00:00"},
{"channel":"sms","next_at":"2026-11-19T14:03:50.039453+00:00"}
]$rows$);

insert into status_minute overriding system value
select * from json_populate_recordset(null::status_minute, $rows$[
{"minute":"2026-11-19T14:03:00+00:00","component":"api","source":"probe","good":1,"bad":0},
{"minute":"2026-11-19T14:03:00+00:00","component":"api","source":"traffic","good":2,"bad":0},
{"minute":"2026-11-19T14:03:00+00:00","component":"cabinet","source":"probe","good":1,"bad":0},
{"minute":"2026-11-19T14:03:00+00:00","component":"cabinet","source":"traffic","good":3,"bad":0},
{"minute":"2026-11-19T14:03:00+00:00","component":"links","source":"probe","good":1,"bad":0},
{"minute":"2026-11-19T14:03:00+00:00","component":"whatsapp","source":"traffic","good":1,"bad":0}
]$rows$);

select setval('api_key_id_seq', 6);

select setval('broadcast_row_id_seq', 1);

select setval('broadcast_template_id_seq', 1);

select setval('company_id_seq', 3);

select setval('incident_id_seq', 1);

select setval('invitation_id_seq', 1);

select setval('link_change_id_seq', 1);

select setval('list_member_id_seq', 1);

select setval('message_view_id_seq', 1);

select setval('messenger_group_id_seq', 1);

select setval('price_version_id_seq', 4);

select setval('recipient_list_id_seq', 1);

select setval('unsubscribed_id_seq', 1);

select setval('webhook_endpoint_id_seq', 1);

set check_function_bodies = off;

-- Adds the next clicks of a link to the sums of their hours, at most p_max; those of people by each of their properties
-- as well. True when there are more. It stops at the start of the oldest transaction that may still be writing clicks: a
-- commit that waits for a standby may become visible at any later time. Hours are whole UTC hours, whatever the time zone
-- of the session; days in Almaty are summed from them.
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

  insert into click_hour as h (company_id, slug_key, hour, people, scans, robots, first_at, last_at)
  select p_company, p_slug_key, date_trunc('hour', at, 'UTC'), count(*) filter (where not is_robot),
    count(*) filter (where is_scan and not is_robot), count(*) filter (where is_robot), min(at) filter (where not is_robot), max(at) filter (where not is_robot)
  from click where company_id = p_company and slug_key = p_slug_key and at >= v_from and at < v_to
  group by 3
  on conflict (company_id, slug_key, hour) do update set people = h.people + excluded.people,
    scans = h.scans + excluded.scans, robots = h.robots + excluded.robots, first_at = least(h.first_at, excluded.first_at),
    last_at = greatest(h.last_at, excluded.last_at);

  -- Whoever opens a link names the referrer, so an hour keeps only the most frequent ones of a statement.
  insert into click_part as k (company_id, slug_key, hour, part, value, people)
  select p_company, p_slug_key, ranked.hour, ranked.part, case when ranked.place <= 50 then ranked.value else '*' end,
    sum(ranked.people)
  from (select date_trunc('hour', c.at, 'UTC') as hour, p.part, p.value, count(*) as people,
      row_number() over (partition by date_trunc('hour', c.at, 'UTC'), p.part order by count(*) desc, p.value) as place
    from click c
    cross join lateral (values ('device', c.device::text), ('system', c.system::text), ('browser', c.browser::text),
      ('country', c.country), ('city', c.country || ' ' || c.city), ('referrer', c.referrer)) as p(part, value)
    where c.company_id = p_company and c.slug_key = p_slug_key and c.at >= v_from and c.at < v_to and not c.is_robot
      and p.value is not null
    group by 1, 2, 3) as ranked
  group by 3, 4, 5
  on conflict (company_id, slug_key, hour, part, value) do update set people = k.people + excluded.people;
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

-- The tokens of a broadcast that no message has taken yet are held in its own row, and are part of what its account
-- holds. A broadcast is locked before its account, everywhere.

-- Adds to the tokens of a broadcast what the balance has, until they are p_wanted. Returns what they are then.
create or replace function hold_for_broadcast(p_id uuid, p_wanted bigint) returns bigint language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_company bigint;
  v_held bigint;
  v_more bigint;
begin
  select b.company_id, b.held into v_company, v_held from broadcast b where b.id = p_id for update;
  if v_held >= p_wanted then
    return v_held;
  end if;
  perform from account a where a.company_id = v_company for update;
  select least(p_wanted - v_held, case when a.debt > 0 then 0 else a.balance - a.held end) into v_more
  from account a where a.company_id = v_company;
  if v_more <= 0 then
    return v_held;
  end if;
  update account a set held = a.held + v_more where a.company_id = v_company;
  update broadcast b set held = b.held + v_more where b.id = p_id;
  return v_held + v_more;
end $$;

-- Gives back what no recipient needs any more.
create or replace function release_broadcast(p_id uuid) returns bigint language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_company bigint;
  v_held bigint;
begin
  select b.company_id, b.held into v_company, v_held from broadcast b where b.id = p_id for update;
  if v_held > 0 then
    update account a set held = a.held - v_held where a.company_id = v_company;
    update broadcast b set held = 0 where b.id = p_id;
  end if;
  return v_held;
end $$;

-- Claims recipients of a running broadcast: each gets its message, its hold and its link, committed before any channel is
-- called. The caller has locked the rows (skip locked), so no other node has them. Arrays in, one row out per recipient:
-- `claimed`, `skipped`, `later` (the pace allows no more now) or `short` (no tokens; the broadcast is paused then).
--
-- p_step_seconds: the time between two recipients of this broadcast; null when it is not spread. p_rate: what the first
-- channel carries per second; null without a limit. Both are kept as the time of the next recipient, so all nodes
-- together keep them.
create or replace function claim_recipients(
  p_broadcast uuid, p_key bigint, p_number integer[], p_id uuid[], p_body text[], p_skip text[], p_slug text[],
  p_route text[], p_prices text[], p_dearest integer[], p_url text, p_link_seconds integer, p_check_seconds integer,
  p_channel channel, p_rate double precision, p_step_seconds double precision
) returns table (ord integer, verdict text, held integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_broadcast broadcast;
  v_count integer := cardinality(p_id);
  v_verdict text[] := array_fill('later'::text, array[v_count]);
  v_hold integer[] := array_fill(0, array[v_count]);
  v_skip text[] := p_skip;
  v_max integer := cardinality(p_id);
  v_pace timestamptz;
  v_channel_pace timestamptz;
  v_pot bigint;
  v_wanted bigint;
  v_taken integer := 0;
  v_is_short boolean := false;
  v_price integer;
  r record;
begin
  select * into v_broadcast from broadcast b where b.id = p_broadcast for update;
  v_now := clock_timestamp();
  if v_broadcast.state is distinct from 'running' then
    return query select i.n::integer, 'later', 0 from generate_subscripts(p_id, 1) as i(n);
    return;
  end if;

  -- Short bursts make up for the time between two claims; a longer pause is not made up for.
  v_pace := greatest(coalesce(v_broadcast.pace_at, v_now), v_now - interval '1 second');
  if v_pace > v_now then
    v_max := 0;
  elsif p_step_seconds is not null then
    v_max := least(v_max, 1 + floor(extract(epoch from v_now - v_pace) / p_step_seconds)::integer);
  end if;
  if p_rate is not null and v_max > 0 then
    select greatest(c.next_at, v_now - interval '0.25 second') into v_channel_pace
    from channel_pace c where c.channel = p_channel for update;
    v_max := case when v_channel_pace > v_now then 0
      else least(v_max, 1 + floor(extract(epoch from v_now - v_channel_pace) * p_rate)::integer) end;
  end if;

  -- A person may have unsubscribed since the check.
  select array_agg(coalesce(i.skip, case when exists (
      select 1 from unsubscribed u where u.phone = w.phone
        and (u.company_id = v_broadcast.company_id or u.company_id is null)) then 'unsubscribed' end) order by i.n)
  into v_skip
  from unnest(p_number, p_skip) with ordinality as i(number, skip, n)
  join broadcast_row w on w.broadcast_id = any (array[p_broadcast]) and w.number = i.number;

  v_pot := v_broadcast.held;
  select coalesce(sum(i.dearest), 0) into v_wanted
  from (select u.dearest from unnest(p_dearest, v_skip) with ordinality as u(dearest, skip, n)
    where u.skip is null order by u.n limit v_max) i;
  if v_wanted > v_pot then
    v_pot := hold_for_broadcast(p_broadcast, v_wanted);
  end if;

  for r in
    select i.* from unnest(v_skip, p_prices, p_dearest) with ordinality as i(skip, prices, dearest, n) order by i.n
  loop
    if r.skip is not null then
      v_verdict[r.n] := 'skipped';
      continue;
    end if;
    continue when v_taken >= v_max or v_is_short;
    if r.dearest <= v_pot then
      v_hold[r.n] := r.dearest;
      v_verdict[r.n] := 'claimed';
    else
      -- Holds the most expensive channel that the tokens still cover.
      foreach v_price in array string_to_array(r.prices, ',')::integer[] loop
        if v_price <= v_pot and (v_verdict[r.n] <> 'claimed' or v_price > v_hold[r.n]) then
          v_hold[r.n] := v_price;
          v_verdict[r.n] := 'claimed';
        end if;
      end loop;
      if v_verdict[r.n] <> 'claimed' then
        v_verdict[r.n] := 'short';
        v_is_short := true;
        continue;
      end if;
    end if;
    v_pot := v_pot - v_hold[r.n];
    v_taken := v_taken + 1;
  end loop;

  if p_url is not null then
    insert into link (slug_key, slug, company_id, url, message_id, recipient, created_at, expires_at)
    select lower(i.slug), i.slug, v_broadcast.company_id, p_url, i.id, w.phone, v_now,
      v_now + make_interval(secs => p_link_seconds)
    from unnest(p_number, p_id, p_slug, v_verdict) as i(number, id, slug, verdict)
    join broadcast_row w on w.broadcast_id = any (array[p_broadcast]) and w.number = i.number
    where i.verdict = 'claimed' and i.slug is not null;
  end if;
  insert into message (company_id, id, key_id, kind, is_test, recipient, state, hold, created_at, next_check_at, slug,
    body, request_id, route)
  select v_broadcast.company_id, i.id, p_key, 'broadcast', false, w.phone, 'sending', i.hold,
    v_now + i.n * interval '1 microsecond', v_now + make_interval(secs => p_check_seconds), i.slug, i.body,
    p_broadcast::text, i.route
  from unnest(p_number, p_id, p_body, p_slug, p_route, v_hold, v_verdict)
    with ordinality as i(number, id, body, slug, route, hold, verdict, n)
  join broadcast_row w on w.broadcast_id = any (array[p_broadcast]) and w.number = i.number
  where i.verdict = 'claimed';
  update broadcast_row w set message_id = i.id
  from unnest(p_number, p_id, v_verdict) as i(number, id, verdict)
  where w.broadcast_id = any (array[p_broadcast]) and w.number = i.number and i.verdict = 'claimed';
  update broadcast_row w set skipped = i.skip
  from unnest(p_number, v_skip) as i(number, skip)
  where w.broadcast_id = any (array[p_broadcast]) and w.number = i.number and i.skip is not null;

  update broadcast b set
    held = v_pot,
    pace_at = case when p_step_seconds is null then b.pace_at
      else v_pace + v_taken * make_interval(secs => p_step_seconds) end,
    state = case when v_is_short and v_taken = 0 then 'paused' else b.state end,
    pause_reason = case when v_is_short and v_taken = 0 then 'money'::pause_reason end,
    paused_at = case when v_is_short and v_taken = 0 then v_now else b.paused_at end
  where b.id = p_broadcast;
  if p_rate is not null and v_taken > 0 then
    update channel_pace c set next_at = v_channel_pace + make_interval(secs => v_taken / p_rate)
    where c.channel = p_channel;
  end if;

  return query select i.n::integer, i.verdict, i.hold
    from unnest(v_verdict, v_hold) with ordinality as i(verdict, hold, n) order by i.n;
end $$;

-- Recipients whose message never left, because no channel was available, wait again, and the message is removed with its
-- link: nothing was sent and nothing charged. It is settled as failed before, so that a crash in between leaves a
-- recipient that failed and not one that is sent to twice.
create or replace function return_recipients(p_broadcast uuid[], p_number integer[], p_id uuid[], p_tries_max integer)
returns table (ord integer, is_returned boolean) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_returned boolean[] := array_fill(false, array[cardinality(p_id)]);
  v_companies bigint[] := '{}';
  v_ids uuid[] := '{}';
  r record;
begin
  for r in
    update broadcast_row w set message_id = null, tries = w.tries + 1
    from (
      select u.* from unnest(p_broadcast, p_number, p_id) with ordinality as u(broadcast, number, id, n)
      -- The lock order of rows.
      order by u.broadcast, u.number
    ) i
    where w.broadcast_id = any (array[i.broadcast]) and w.number = i.number and w.message_id = i.id
      and w.tries < p_tries_max
    returning i.n, i.id, w.company_id
  loop
    v_returned[r.n] := true;
    v_companies := v_companies || r.company_id;
    v_ids := v_ids || r.id;
  end loop;
  delete from attempt a using unnest(v_companies, v_ids) as i(company, id)
  where a.company_id = any (array[i.company]) and a.message_id = i.id;
  with removed as (
    delete from message m using unnest(v_companies, v_ids) as i(company, id)
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'failed' and m.charged = 0
    returning m.slug
  )
  delete from link l using removed d where l.slug_key = any (array[lower(d.slug)]);
  return query select i.n::integer, i.is_returned from unnest(v_returned) with ordinality as i(is_returned, n) order by i.n;
end $$;

-- Whether a message of a broadcast may be sent to a phone: `now`; `later`, while it is paused or rests (p_is_quiet, as
-- the caller knows the holidays); or `never`, once it was cancelled or the phone wants no broadcasts. What is part of no
-- broadcast, such as a sample, may be sent unless it is unwanted.
create or replace function may_send_broadcast(p_company bigint, p_request text, p_phone bigint, p_is_quiet boolean)
returns text language plpgsql stable
as $$
declare
  v_state broadcast_state;
begin
  if exists (select 1 from unsubscribed u
    where u.phone = p_phone and (u.company_id = p_company or u.company_id is null)) then
    return 'never';
  end if;
  select b.state into v_state from broadcast b where b.company_id = p_company and b.id::text = p_request;
  if not found then
    return 'now';
  end if;
  return case when v_state = 'cancelled' then 'never' when p_is_quiet or v_state = 'paused' then 'later' else 'now' end;
end $$;

-- Claims the next channel of a message that was accepted but not confirmed, before anything is sent: the claim survives
-- a crash, and that channel is never asked again for this message. The message is locked before its account, as in
-- settle.
create or replace function claim_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_channel channel, p_route text, p_price integer,
  p_lease_seconds integer, p_is_quiet boolean
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
  v_may_send text;
begin
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  -- The caller may have read an outdated failure or silence: another attempt may have succeeded since. And while an
  -- attempt is under way its outcome comes first, whatever its receipts say.
  if v_message.state is distinct from 'sent' or v_message.attempt <> p_attempt
    or v_message.receipt >= 'delivered'
    -- Silence is no reason to send a broadcast a second time.
    or v_message.receipt is distinct from 'failed' and (v_message.kind = 'broadcast'
      or v_now < v_message.settled_at + make_interval(secs =>
        (select k.fallback_seconds from api_key k where k.id = v_message.key_id)))
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

  if v_message.kind = 'broadcast' then
    v_may_send := may_send_broadcast(p_company, v_message.request_id, v_message.recipient, p_is_quiet);
    if v_may_send <> 'now' then
      return query select case when v_may_send = 'later' and v_now < v_message.settled_at + interval '24 hours'
        then 'later' else 'over' end, null::bytea, null::integer;
      return;
    end if;
  end if;

  v_extra := case when v_message.is_test then 0 else greatest(p_price - v_message.charged, 0) end;
  if v_extra > v_message.hold then
    -- A statement before the cap is read: it sees what was spent until the account was locked.
    perform from account a where a.company_id = p_company for update;
    if exists (select 1 from key_spend s join api_key k on k.id = s.key_id
      where s.company_id = p_company and s.key_id = v_message.key_id
        and s.month = almaty_month(v_message.created_at)
        and s.spent - v_message.hold + v_extra > k.monthly_cap)
      or exists (select 1 from key_day_spend s join api_key k on k.id = s.key_id
        where s.company_id = p_company and s.key_id = v_message.key_id
          and s.day = almaty_day(v_message.created_at)
          and s.spent - v_message.hold + v_extra > k.daily_cap) then
      return query select 'short', null::bytea, null::integer;
      return;
    end if;
  end if;
  -- A hold for the delivery by the channel before is no longer needed: this one takes its place.
  update account a set held = a.held - v_message.hold + v_extra
  where a.company_id = p_company and (v_extra = 0 or a.debt = 0 and a.balance - a.held + v_message.hold >= v_extra);
  if not found then
    return query select 'short', null::bytea, null::integer;
    return;
  end if;
  perform move_key_spend(array[p_company], array[p_id], array[v_message.hold], array[v_extra]);

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
  update message m set attempt = p_attempt + 1, route = p_route, hold = v_extra, pending_price = null,
    next_check_at = v_now + make_interval(secs => p_lease_seconds)
  where m.company_id = p_company and m.id = p_id;
  return query select 'claimed', v_sealed, v_code_seconds;
end $$;

-- Settles a claimed fallback. The one charge of the send moves to the new channel when that confirms the delivery, so
-- an acceptance leaves the price pending, and the difference held. A channel without receipts (p_has_receipts) is
-- charged when it accepts. Locks the message and then its attempt, in the same order as a receipt.
create or replace function settle_fallback(
  p_company bigint, p_id uuid, p_attempt integer, p_state attempt_state, p_price integer,
  p_has_receipts boolean, p_provider_id text, p_reason text, p_check_seconds integer, p_cause uuid
) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_message message;
  v_receipt receipt;
  v_delta integer := 0;
  v_pending integer;
  v_balance bigint;
  v_number bigint;
  v_early record;
begin
  select * into v_message from message m where m.company_id = p_company and m.id = p_id for update;
  v_now := clock_timestamp();
  update attempt a set state = p_state, reason = coalesce(p_reason, a.reason), settled_at = v_now,
    provider_id = p_provider_id
  where a.company_id = p_company and a.message_id = p_id and a.number = p_attempt and a.state = 'sending'
  returning a.receipt into v_receipt;
  if not found then
    return false;
  end if;

  -- When an earlier channel has delivered meanwhile, the charge stays with it.
  if p_state = 'accepted' and not v_message.is_test and not exists (select 1 from attempt a
    where a.company_id = p_company and a.message_id = p_id and a.number < p_attempt and a.receipt >= 'delivered') then
    -- The delivery or the failure may have been reported before the acceptance was settled.
    if not p_has_receipts or v_receipt >= 'delivered' then
      v_delta := p_price - v_message.charged;
    elsif v_receipt is distinct from 'failed' then
      v_pending := nullif(p_price, v_message.charged);
    end if;
  end if;
  update account a set balance = a.balance - v_delta, entries = a.entries + (v_delta <> 0)::integer,
    held = a.held - v_message.hold + greatest(v_pending - v_message.charged, 0)
  where a.company_id = p_company returning a.balance, a.entries into v_balance, v_number;
  if v_delta <> 0 then
    insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
    values (p_company, v_number, 'charge_moved', p_cause, -v_delta, v_balance, clock_timestamp());
  end if;
  perform move_key_spend(array[p_company], array[p_id], array[v_message.hold],
    array[v_delta + greatest(v_pending - v_message.charged, 0)]);

  if p_state = 'accepted' then
    update message m set hold = greatest(v_pending - m.charged, 0), pending_price = v_pending,
      charged = m.charged + v_delta, provider_id = p_provider_id,
      channel = (select a.channel from attempt a where a.company_id = p_company and a.message_id = p_id
        and a.number = p_attempt),
      receipt = case when m.receipt >= 'delivered' then m.receipt else
        (select a.receipt from attempt a where a.company_id = p_company and a.message_id = p_id
          and a.number = p_attempt) end,
      settled_at = v_now, reason = null, next_check_at = v_now + make_interval(secs => p_check_seconds)
    where m.company_id = p_company and m.id = p_id;
    -- The guard of add_message_events.
    if exists (select 1 from webhook_endpoint w where w.company_id = p_company and w.deleted_at is null) then
      perform add_message_events(array[m.company_id], array[m.id], array['message.fallback'], array[m.channel::text],
        array[m.charged], array[v_message.channel::text])
      from message m where m.company_id = p_company and m.id = p_id;
    end if;
  else
    update message m set hold = 0 where m.company_id = p_company and m.id = p_id;
  end if;

  -- Now it is known whether these receipts are from the provider of the attempt.
  with early as (
    delete from early_receipt e
    where e.company_id = p_company and e.message_id = p_id and e.attempt = p_attempt
    returning e.*
  )
  select array_agg(e.company_id) as companies, array_agg(e.message_id) as ids,
    array_agg(e.attempt::integer) as attempts, array_agg(e.receipt) as receipts, array_agg(e.reason) as reasons,
    array_agg(e.provider) as providers
  into v_early from early e;
  if v_early.ids is not null then
    perform record_receipts(v_early.companies, v_early.ids, v_early.attempts, v_early.receipts, v_early.reasons,
      v_early.providers);
  end if;
  -- The failure was reported before the attempt was settled: the next channel need not wait.
  if p_state = 'accepted' then
    update message m set next_check_at = v_now + interval '5 seconds'
    where m.company_id = p_company and m.id = p_id and m.receipt = 'failed' and m.route <> '';
  end if;
  return true;
end $$;

-- Ends the watch over messages: no further channel is tried, and their charges are final. Without a receipt a message
-- becomes `unconfirmed`, or `delivered` if its code was verified, by whichever channel it came. The sealed copies of the
-- codes are removed.
--
-- Nobody waits for it, so its commit does not wait for the disk: what a crash of the database undoes is due again after
-- the lease of the watch.
create or replace function end_watch(p_company bigint[], p_id uuid[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_companies bigint[];
  v_ids uuid[];
  v_holds integer[];
  -- Which of them have failed without anybody having been told, and which have no receipt.
  v_have_failed boolean[];
  v_are_silent boolean[];
begin
  -- Until the end of the transaction, and so for its commit.
  perform set_config('synchronous_commit', 'off', true);
  select array_agg(w.company_id), array_agg(w.id), array_agg(w.hold), array_agg(w.has_failed), array_agg(w.is_silent)
  into v_companies, v_ids, v_holds, v_have_failed, v_are_silent
  from (
    -- A failure was told with its receipt unless another channel was left or being tried then.
    select m.company_id, m.id, m.hold, m.receipt is null as is_silent, m.receipt is not distinct from 'failed'
      and (m.route <> '' or m.attempt <> standing_attempt(m.company_id, m.id, m.attempt)) as has_failed
    from (select distinct u.company, u.id from unnest(p_company, p_id) as u(company, id)) i
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.state = 'sent'
    -- The lock order of messages, everywhere.
    order by i.company, i.id
    for update of m
  ) w;
  if v_ids is null then
    return;
  end if;
  update message m set route = '', hold = 0, pending_price = null,
    receipt_at = coalesce(m.receipt_at, clock_timestamp()),
    receipt = coalesce(m.receipt, case when exists (
      select 1 from code c where c.key_id = m.key_id and c.phone = m.recipient
        and c.purpose = m.purpose and c.message_id = m.id and c.verified_at is not null)
      then 'delivered' else 'unconfirmed' end::receipt)
  from unnest(v_companies, v_ids) as i(company, id)
  where m.company_id = any (array[i.company]) and m.id = i.id;
  -- The guard of add_message_events.
  if exists (select 1 from webhook_endpoint w where w.company_id = any (v_companies) and w.deleted_at is null) then
    perform add_message_events(array_agg(i.company), array_agg(i.id),
      array_agg(case when i.has_failed then 'message.failed'
        when i.is_silent and m.receipt = 'delivered' then 'message.delivered' end),
      array_agg(m.channel::text), array_agg(m.charged), array_agg(m.reason))
    from unnest(v_companies, v_ids, v_have_failed, v_are_silent) as i(company, id, has_failed, is_silent)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id;
  end if;
  if 0 < any (v_holds) then
    update account a set held = a.held - s.held
    from (
      select i.company, sum(i.hold) as held from unnest(v_companies, v_holds) as i(company, hold)
      group by i.company
      -- The lock order of accounts, everywhere.
      order by i.company
    ) s
    where a.company_id = any (array[s.company]) and s.held > 0;
    perform move_key_spend(v_companies, v_ids, v_holds, array_fill(0, array[cardinality(v_ids)]));
  end if;
  update code c set sealed = null
  from (
    select m.key_id, m.recipient, m.purpose, m.id
    from unnest(v_companies, v_ids) as i(company, id)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    where m.kind = 'otp'
    -- The lock order of verify.
    order by m.key_id, m.recipient, m.purpose
  ) i
  where c.key_id = any (array[i.key_id]) and c.phone = i.recipient and c.purpose = i.purpose and c.message_id = i.id
    and c.sealed is not null;
end $$;

-- Short links by their names. A function, because a plan that was made for a handful of links would read all of them
-- later.
create or replace function find_links(p_slug_keys text[])
returns table (slug_key text, company_id bigint, url text, message_id uuid, recipient bigint, is_open boolean,
  is_suspended boolean, expires_ms double precision)
language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    select l.slug_key, l.company_id, l.url, l.message_id, l.recipient,
      l.disabled_at is null and (l.expires_at is null or l.expires_at > clock_timestamp()),
      -- Not `exists`, which a plan may answer by reading all companies.
      (select c.suspended_at is not null from company c where c.id = l.company_id),
      (extract(epoch from l.expires_at - clock_timestamp()) * 1000)::double precision
    from link l where l.slug_key = any (p_slug_keys);
end $$;

-- The attempts that have these ids of a provider, by the phones they went to, for the rare receipt without our reference.
-- An index of these ids, or a row of provider_ref for each, would cost every send. So only the newest message of each
-- company and kind is looked at, and the newest broadcasts: an older code is no longer valid anyway.
create or replace function find_sent(p_provider_id text[], p_phone bigint[])
returns table (ord integer, company_id bigint, message_id uuid, attempt integer)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
  select i.n::integer, s.company_id, s.id, s.attempt::integer
  from unnest(p_provider_id, p_phone) with ordinality as i(provider_id, phone, n)
  cross join lateral (
    select m.company_id, m.id, coalesce(a.number, 1) as attempt
    from (
      select g.company_id, g.last_message from recent_sends g
      where g.recipient = any (array[i.phone]) and not g.is_test
      union all
      (select r.company_id, r.message_id from broadcast_row r
      where r.phone = any (array[i.phone]) and r.message_id is not null
      order by r.message_id desc limit 3)
    ) c
    join message m on m.company_id = any (array[c.company_id]) and m.id = any (array[c.last_message])
    -- With several attempts each has a row, and the message shows the standing one.
    left join attempt a on m.attempt > 1 and a.company_id = any (array[m.company_id])
      and a.message_id = any (array[m.id]) and a.provider_id = i.provider_id
    where case when m.attempt = 1 then m.provider_id = i.provider_id else a.number is not null end
    limit 1
  ) s
$$;

-- The month of an instant in Almaty, as its first day. Almaty is five hours ahead of UTC all year since 2024; what the
-- database knows about time zones may be older. A test compares it with the zone as Node knows it.
create or replace function almaty_month(p_at timestamptz) returns date language sql immutable
as $$
  select date_trunc('month', p_at at time zone interval '5 hours')::date
$$;

-- When the month after this instant begins in Almaty.
create or replace function next_almaty_month(p_at timestamptz) returns timestamptz language sql immutable
as $$
  select (almaty_month(p_at) + interval '1 month')::timestamp at time zone interval '5 hours'
$$;

-- The day of an instant in Almaty.
create or replace function almaty_day(p_at timestamptz) returns date language sql immutable
as $$
  select (p_at at time zone interval '5 hours')::date
$$;

-- When the day after this instant begins in Almaty.
create or replace function next_almaty_day(p_at timestamptz) returns timestamptz language sql immutable
as $$
  select (almaty_day(p_at) + 1)::timestamp at time zone interval '5 hours'
$$;

-- Adds to what keys with a cap have spent, for messages whose hold or charge has just changed: what was released or
-- refunded is taken off. A message counts in the month and the day in which it was made. The caller has locked the
-- accounts in a statement before, so that the rows of a cap that was set meanwhile are seen.
create or replace function move_key_spend(
  p_company bigint[], p_id uuid[], p_released integer[], p_taken integer[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  -- Most companies have no key with a cap, and need no look at their messages.
  if exists (select 1 from key_spend s where s.company_id = any (p_company)) then
    update key_spend s set spent = s.spent + d.amount
    from (
      select m.company_id, m.key_id, almaty_month(m.created_at) as month, sum(i.taken - i.released) as amount
      from unnest(p_company, p_id, p_released, p_taken) as i(company, id, released, taken)
      join message m on m.company_id = any (array[i.company]) and m.id = i.id
      where i.taken <> i.released
      group by m.company_id, m.key_id, almaty_month(m.created_at)
      order by m.company_id, m.key_id
    ) d
    where s.company_id = any (array[d.company_id]) and s.key_id = d.key_id and s.month = d.month;
  end if;
  if exists (select 1 from key_day_spend s where s.company_id = any (p_company)) then
    update key_day_spend s set spent = s.spent + d.amount
    from (
      select m.company_id, m.key_id, almaty_day(m.created_at) as day, sum(i.taken - i.released) as amount
      from unnest(p_company, p_id, p_released, p_taken) as i(company, id, released, taken)
      join message m on m.company_id = any (array[i.company]) and m.id = i.id
      where i.taken <> i.released
      group by m.company_id, m.key_id, almaty_day(m.created_at)
      order by m.company_id, m.key_id
    ) d
    where s.company_id = any (array[d.company_id]) and s.key_id = d.key_id and s.day = d.day;
  end if;
end $$;

create or replace function count_key_change() returns trigger language plpgsql as $$
begin
  update key_version set version = version + 1;
  return null;
end $$;
-- A suspension or another sender name of the company changes its keys as well.
create or replace trigger company_suspended after update of suspended_at, sender_name on company
  for each statement execute function count_key_change();
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

-- Adds an entry and updates the balance. The update locks the account, unless the caller has done so; the number of the
-- entry is counted under this lock.
create or replace function post_entry(p_company bigint, p_kind entry_kind, p_amount bigint, p_cause uuid)
returns bigint language plpgsql as $$
declare
  v_balance bigint;
  v_number bigint;
begin
  update account set balance = balance + p_amount, entries = entries + 1 where company_id = p_company
    returning balance, entries into strict v_balance, v_number;
  insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
    values (p_company, v_number, p_kind, p_cause, p_amount, v_balance, clock_timestamp());
  return v_balance;
end $$;

-- The number of the first entry of a company since a time, or the next number when there is none. Numbers have no gaps,
-- so twenty probes find it among a million entries. A clock that was set back makes the border blurred and never wrong:
-- each entry is on one side of it.
create or replace function first_entry_since(p_company bigint, p_at timestamptz) returns bigint
language plpgsql stable as $$
declare
  v_low bigint := 1;
  v_high bigint := coalesce((select entries from account where company_id = p_company), 0) + 1;
  v_middle bigint;
begin
  while v_low < v_high loop
    v_middle := (v_low + v_high) / 2;
    if (select created_at from entry where company_id = p_company and number = v_middle) < p_at then
      v_low := v_middle + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end $$;

-- Those of the accounts that another transaction keeps locked. Statements lock accounts for a moment all the time, so a
-- locked row is waited for: an eighth of the lock timeout, for all rows together.
create or replace function locked_accounts(p_companies bigint[]) returns setof bigint
language plpgsql
as $$
declare
  v_until timestamptz := clock_timestamp() + current_setting('lock_timeout')::interval / 8;
  v_company bigint;
begin
  foreach v_company in array p_companies loop
    perform set_config('lock_timeout',
      greatest(1, floor(extract(epoch from v_until - clock_timestamp()) * 1000)) || 'ms', true);
    begin
      perform from account a where a.company_id = v_company for update;
      -- Rolling the block back releases the lock at once, not after the wait for the other rows.
      raise sqlstate 'ZH001';
    exception
      when lock_not_available then return next v_company;
      when sqlstate 'ZH001' then null;
    end;
  end loop;
end $$;

-- A UUIDv7 of now, as `newId` of the server makes them. PostgreSQL has a function of its own only from 18 on.
create or replace function new_id() returns uuid language sql volatile as $$
  select (lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- The hash of a record over itself and the record before it.
create or replace function operator_audit_hash(p_before bytea, p_record operator_audit) returns bytea
language sql immutable as $$
  select sha256(p_before || convert_to(concat_ws(E'\x1f', p_record.id, extract(epoch from p_record.at),
    coalesce(p_record.person_id, '-'), coalesce(p_record.person_name, '-'), p_record.action, p_record.object,
    coalesce(p_record.company_id::text, '-'), coalesce(p_record.before::text, '-'), coalesce(p_record.after::text, '-'),
    coalesce(p_record.address, '-'), coalesce(p_record.device, '-'), coalesce(p_record.request_id, '-')), 'UTF8'))
$$;

-- Sets the number and the hash. One record at a time, until its transaction ends, so that two records never follow the
-- same one.
create or replace function chain_operator_audit() returns trigger language plpgsql as $$
declare
  v_last operator_audit;
begin
  perform pg_advisory_xact_lock(hashtextextended('zhiber operator audit', 0));
  select * into v_last from operator_audit order by id desc limit 1;
  new.id := coalesce(v_last.id, 0) + 1;
  new.hash := operator_audit_hash(coalesce(v_last.hash, ''::bytea), new);
  return new;
end $$;
create or replace trigger operator_audit_is_chained before insert on operator_audit
  for each row execute function chain_operator_audit();

create or replace trigger operator_audit_is_final before update or delete on operator_audit
  for each row execute function refuse_audit_change();
create or replace trigger operator_audit_is_kept before truncate on operator_audit
  for each statement execute function refuse_audit_change();

-- When this company may send the next code to a phone, by the limits that reserve checks; in the past when it may now.
create or replace function otp_free_at(
  p_company bigint, p_phone bigint, p_is_test boolean, p_gap_seconds integer, p_hour_max integer, p_day_max integer,
  p_others_seconds integer, p_others_max integer, p_others_day_max integer
) returns timestamptz language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
  select greatest(
    (select case m.state when 'sent' then m.settled_at when 'sending' then clock_timestamp() else m.created_at end
      from recent_sends g join message m on m.company_id = g.company_id and m.id = g.last_message
      where g.recipient = p_phone and g.company_id = p_company and g.kind = 'otp' and g.is_test = p_is_test)
      + make_interval(secs => p_gap_seconds),
    -- Sorted newest first, the send at the position of the cap is the one whose expiry frees the phone.
    own.sends[p_hour_max] + interval '1 hour',
    own.sends[p_day_max] + interval '1 day',
    case when not p_is_test then phone_free_at(p_phone, p_company, clock_timestamp(), '{}', '{}', '{}', '{}', '{}',
      p_others_seconds, p_others_max, p_others_day_max) end)
  from (
    select array_agg(t order by t desc) as sends
    from recent_sends g, unnest(g.recent) as t
    where g.recipient = p_phone and g.company_id = p_company and g.kind = 'otp' and g.is_test = p_is_test
      and t <= clock_timestamp()
  ) own
$$;

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
      + make_partition('sms_attempt', v_month, true, 100)::integer
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

create or replace function count_price_change() returns trigger language plpgsql as $$
begin
  update price_revision set revision = revision + 1;
  return null;
end $$;
create or replace trigger price_version_added after insert on price_version
  for each statement execute function count_price_change();
create or replace trigger price_withdrawn after insert on price_withdrawal
  for each statement execute function count_price_change();

create or replace function refuse_price_change() returns trigger language plpgsql as $$
begin
  raise exception 'prices are never changed, only replaced by later ones';
end $$;
create or replace trigger price_version_is_final before update or delete on price_version
  for each row execute function refuse_price_change();
create or replace trigger price_version_is_kept before truncate on price_version
  for each statement execute function refuse_price_change();
create or replace trigger price_withdrawal_is_final before update or delete on price_withdrawal
  for each row execute function refuse_price_change();

-- The previous release sets a price by an update of `price`.
create or replace function set_common_price() returns trigger language plpgsql as $$
begin
  insert into price_version (item, tokens, valid_from) values (old.item, new.tokens, clock_timestamp());
  return new;
end $$;
create or replace trigger price_is_set instead of update on price
  for each row execute function set_common_price();

-- Receipts that identify a message by the provider's own id. See the table provider_ref.

-- A receipt may come before the answer to its send, by seconds. One that waits longer belongs to a message that is not
-- ours: when its id is given again, that message must not get it.
create or replace function early_receipt_age() returns interval language sql immutable
as $$ select interval '10 minutes' $$;

-- An id without its spelling: in lower case, without the zeros before it. What is before the id stays: `smpp:1f0c/0012`
-- becomes `smpp:1f0c/12`.
create or replace function folded_provider_id(p_provider_id text) returns text language sql immutable
as $$ select regexp_replace(lower(p_provider_id), '^([^:]*:(?:[0-9a-f]*/)?)0+(?=.)', '\1') $$;

-- Derives the receipts of messages from those of these ids, records them, and returns where `auto` may fall back at
-- once. A message in parts has no receipt until all parts have one, or one has failed. Index probes only: one `case`
-- over two ways to find the parts of a message prevented the use of any index, and with a million ids a batch took 13
-- seconds.
create or replace function pass_on_by_ids(p_provider_id text[], p_tail bigint[])
returns table (provider_id text, phone_tail bigint, may_fall_back boolean, is_new boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ids text[];
  v_tails bigint[];
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
      select f.company_id, f.message_id, f.parts
      from (select distinct u.* from unnest(p_provider_id, p_tail) as u(provider_id, tail)) i
      join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail)
    select n.company_id, n.message_id from named n where n.parts > 1
  ) n
  join message m on m.company_id = any (array[n.company_id]) and m.id = n.message_id
  order by n.company_id, n.message_id for update of m;

  with named as materialized (
    select f.*
    from (select distinct u.* from unnest(p_provider_id, p_tail) as u(provider_id, tail)) i
    join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail
  ), news as (
    select n.provider_id, n.phone_tail, n.company_id, n.message_id, n.attempt, n.receipt, n.reason
    from named n
    where n.parts = 1 and n.message_id is not null and n.receipt is not null
    union all
    select n.provider_id, n.phone_tail, n.company_id, n.message_id, n.attempt, w.receipt, w.reason
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
  select array_agg(n.provider_id order by n.message_id), array_agg(n.phone_tail order by n.message_id),
    array_agg(n.company_id order by n.message_id), array_agg(n.message_id order by n.message_id),
    array_agg(n.attempt::integer order by n.message_id), array_agg(n.receipt order by n.message_id),
    array_agg(n.reason order by n.message_id)
  into v_ids, v_tails, v_companies, v_messages, v_attempts, v_receipts, v_reasons
  from news n;
  if v_ids is null then
    return;
  end if;

  return query
    select v_ids[c.ord], v_tails[c.ord], c.may_fall_back, c.is_new
    -- The id itself names its provider.
    from record_receipts(v_companies, v_messages, v_attempts, v_receipts, v_reasons,
      array_fill(null::text, array[cardinality(v_ids)])) c;
end $$;

-- Assigns ids to the attempts they were given to, and to them the receipts that wait for these ids. The tail is 0 for a
-- provider that gives an id once: there false is returned for an id that another message has already. Otherwise the
-- newest message takes the id, and with it the receipts.
create or replace function remember_ids(
  p_provider_id text[], p_tail bigint[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]
) returns table (ord integer, is_ours boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_ids text[];
  v_tails bigint[];
  v_early_ids text[];
  v_early_tails bigint[];
  -- Receipts that wait, and whose ids they are.
  w_ids text[];
  w_tails bigint[];
  w_own_ids text[];
  w_own_tails bigint[];
begin
  with kept as (
    insert into provider_ref as f (provider_id, phone_tail, company_id, message_id, attempt, parts, folded_id)
    select distinct on (i.provider_id, i.tail) i.provider_id, i.tail, i.company, i.id, i.attempt, i.parts,
      case when i.tail > 0 then nullif(folded_provider_id(i.provider_id), i.provider_id) end
    from unnest(p_provider_id, p_tail, p_company, p_id, p_attempt, p_parts)
      with ordinality as i(provider_id, tail, company, id, attempt, parts, n)
    order by i.provider_id, i.tail, case when i.tail = 0 then i.n else -i.n end
    on conflict on constraint provider_ref_pkey do update set
      company_id = excluded.company_id, message_id = excluded.message_id, attempt = excluded.attempt,
      parts = excluded.parts, folded_id = excluded.folded_id, created_at = clock_timestamp(),
      receipt = case when f.company_id is null and f.created_at > clock_timestamp() - early_receipt_age()
        then f.receipt end,
      reason = case when f.company_id is null and f.created_at > clock_timestamp() - early_receipt_age()
        then f.reason end
    where f.company_id is null
      or f.phone_tail > 0 and (f.message_id <> excluded.message_id or f.attempt <> excluded.attempt)
    returning f.provider_id, f.phone_tail, f.receipt
  )
  select array_agg(k.provider_id), array_agg(k.phone_tail),
    array_agg(k.provider_id) filter (where k.receipt is not null),
    array_agg(k.phone_tail) filter (where k.receipt is not null)
  into v_ids, v_tails, v_early_ids, v_early_tails from kept k;

  -- Receipts that wait under another spelling of the id, or without a phone. `offset 0` keeps the order of the join:
  -- while there are few such ids the planner would rather read them all.
  select array_agg(w.provider_id), array_agg(w.phone_tail), array_agg(i.provider_id), array_agg(i.tail)
  into w_ids, w_tails, w_own_ids, w_own_tails
  from unnest(v_ids, v_tails) as i(provider_id, tail)
  cross join lateral (
    select f.provider_id, f.phone_tail from provider_ref f
    where f.folded_id = any (array[folded_provider_id(i.provider_id)]) and f.company_id is null
    offset 0
  ) w
  where i.tail > 0 and w.phone_tail in (0, i.tail);
  if w_ids is not null then
    with taken as (
      delete from provider_ref w
      using unnest(w_ids, w_tails, w_own_ids, w_own_tails) as i(provider_id, tail, own_id, own_tail)
      where w.provider_id = any (array[i.provider_id]) and w.phone_tail = i.tail and w.company_id is null
      returning i.own_id, i.own_tail, w.receipt, w.reason, w.created_at
    ), given as (
      update provider_ref f set receipt = greatest(f.receipt, t.receipt), reason = coalesce(t.reason, f.reason)
      from taken t
      where f.provider_id = any (array[t.own_id]) and f.phone_tail = t.own_tail
        and t.created_at > clock_timestamp() - early_receipt_age()
      returning f.provider_id, f.phone_tail
    )
    select v_early_ids || array_agg(g.provider_id), v_early_tails || array_agg(g.phone_tail)
    into v_early_ids, v_early_tails from given g;
  end if;

  if v_early_ids is not null then
    perform pass_on_by_ids(v_early_ids, v_early_tails);
  end if;
  return query
    select i.n::integer, i.tail > 0 or f.company_id = i.company and f.message_id = i.id and f.attempt = i.attempt
    from unnest(p_provider_id, p_tail, p_company, p_id, p_attempt)
      with ordinality as i(provider_id, tail, company, id, attempt, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail
    order by i.n;
end $$;

-- Records receipts by the ids of providers, in any order, as often as they come. The tail is null for a receipt without a
-- phone. An id that no message has as it is written may be written in another way. One that still finds none waits.
create or replace function record_receipts_by_id(
  p_provider_id text[], p_tail bigint[], p_receipt receipt[], p_reason text[]
) returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean, is_new boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  -- The row that each receipt belongs to.
  v_ids text[];
  v_tails bigint[];
begin
  select array_agg(coalesce(exact.provider_id, other.provider_id, i.provider_id) order by i.n),
    array_agg(coalesce(exact.phone_tail, other.phone_tail, i.tail, 0) order by i.n)
  into v_ids, v_tails
  from unnest(p_provider_id, p_tail) with ordinality as i(provider_id, tail, n)
  left join lateral (
    select f.provider_id, f.phone_tail from provider_ref f
    where f.provider_id = any (array[i.provider_id]) and f.company_id is not null
      and (f.phone_tail = 0 or i.tail is null or f.phone_tail = i.tail)
    -- The sum keeps the planner from walking the index of created_at.
    order by f.created_at + interval '0' desc limit 1
  ) exact on true
  left join lateral (
    select o.provider_id, o.phone_tail from (
      select f.provider_id, f.phone_tail, f.created_at from provider_ref f
      where exact.provider_id is null and f.provider_id = any (array[folded_provider_id(i.provider_id)])
        and f.company_id is not null and f.phone_tail > 0
      union all
      select f.provider_id, f.phone_tail, f.created_at from provider_ref f
      where exact.provider_id is null and f.folded_id = any (array[folded_provider_id(i.provider_id)])
        and f.company_id is not null
    ) o
    where i.tail is null or o.phone_tail = i.tail
    order by o.created_at + interval '0' desc limit 1
  ) other on true;

  insert into provider_ref as f (provider_id, phone_tail, receipt, reason, folded_id)
  select i.provider_id, i.tail, max(i.receipt), (array_agg(i.reason order by i.receipt desc))[1],
    folded_provider_id(i.provider_id)
  from unnest(v_ids, v_tails, p_receipt, p_reason) as i(provider_id, tail, receipt, reason)
  group by i.provider_id, i.tail
  order by i.provider_id, i.tail
  on conflict on constraint provider_ref_pkey do update set
    receipt = greatest(f.receipt, excluded.receipt),
    reason = case when excluded.receipt > f.receipt or f.receipt is null then excluded.reason else f.reason end;
  return query
    select i.n::integer, f.company_id, f.message_id, coalesce(w.may_fall_back, false), coalesce(w.is_new, false)
    from unnest(v_ids, v_tails) with ordinality as i(provider_id, tail, n)
    join provider_ref f on f.provider_id = any (array[i.provider_id]) and f.phone_tail = i.tail
    left join pass_on_by_ids(v_ids, v_tails) w on w.provider_id = i.provider_id and w.phone_tail = i.tail
    order by i.n;
end $$;

-- For nodes of the release before, which know no phones.
create or replace function remember_provider_ids(
  p_provider_id text[], p_company bigint[], p_id uuid[], p_attempt integer[], p_parts integer[]
) returns table (ord integer, is_ours boolean) language sql
as $$
  select r.ord, r.is_ours from remember_ids(p_provider_id, array_fill(0::bigint, array[cardinality(p_id)]),
    p_company, p_id, p_attempt, p_parts) r
$$;

create or replace function record_provider_receipts(p_provider_id text[], p_receipt receipt[], p_reason text[])
returns table (ord integer, company_id bigint, message_id uuid, may_fall_back boolean) language sql
as $$
  select r.ord, r.company_id, r.message_id, r.may_fall_back from record_receipts_by_id(p_provider_id,
    array_fill(null::bigint, array[cardinality(p_provider_id)]), p_receipt, p_reason) r
$$;

-- Stores clicks on short links. Those of people are events; robots and previews are not told.
create or replace function add_clicks(
  p_slug_key text[], p_company bigint[], p_message uuid[], p_recipient bigint[], p_is_robot boolean, p_is_scan boolean[],
  p_device text[], p_system text[], p_browser text[], p_country text[], p_city text[], p_referrer text[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into click (slug_key, company_id, message_id, recipient, at, is_robot, is_scan, device, system, browser, country,
    city, referrer)
  select i.slug_key, i.company, i.message, i.recipient, clock_timestamp(), p_is_robot, i.is_scan, i.device::click_device,
    i.system::click_system, i.browser::click_browser, i.country, i.city, i.referrer
  from unnest(p_slug_key, p_company, p_message, p_recipient, p_is_scan, p_device, p_system, p_browser, p_country,
    p_city, p_referrer) as i(slug_key, company, message, recipient, is_scan, device, system, browser, country, city,
    referrer);
  -- The guard of add_message_events.
  if not p_is_robot
    and exists (select 1 from webhook_endpoint w where w.company_id = any (p_company) and w.deleted_at is null) then
    perform add_message_events(p_company, p_message, array_fill('link.clicked'::text, array[cardinality(p_company)]),
      null, null, p_slug_key);
  end if;
end $$;

-- As the nodes of the release before call it.
create or replace function record_clicks(
  p_slug_key text[], p_company bigint[], p_message uuid[], p_recipient bigint[], p_is_robot boolean
) returns void language sql as $$
  select add_clicks(p_slug_key, p_company, p_message, p_recipient, p_is_robot,
    array_fill(false, array[cardinality(p_slug_key)]), '{}', '{}', '{}', '{}', '{}', '{}')
$$;

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

-- Whether a receipt comes from the provider that made the attempt: the id of an attempt begins with the name of its
-- provider. Receipts of the sandbox name no provider.
create or replace function is_of_provider(p_provider_id text, p_provider text) returns boolean language sql immutable
as $$
  select p_provider is null or p_provider_id is null or starts_with(p_provider_id, p_provider || ':')
$$;

-- The usual receipt is new, for a settled message with a single attempt: it is written without a look-up first. Every
-- other one (a repeat, an early one, one of a later attempt, one of an unknown message) is left to record_receipts.
-- Each message may be named once.
--
-- The update is joined to a sorted list, and the settings leave only a plan that follows that list and probes an index
-- for each message. Locking the messages in a statement before would cost every receipt a third more.
create or replace function record_plain_receipts(
  p_company bigint[], p_id uuid[], p_receipt receipt[], p_reason text[], p_provider text[]
) returns table (ord integer, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  -- What is told of the messages that move; nothing is gathered while no company wants to hear of it.
  v_is_told boolean := exists (select 1 from webhook_endpoint w
    where w.company_id = any (p_company) and w.deleted_at is null);
  t_company bigint[] := '{}';
  t_id uuid[] := '{}';
  t_type text[] := '{}';
  t_channel text[] := '{}';
  t_cost integer[] := '{}';
  t_reason text[] := '{}';
  r record;
begin
  for r in
    update message m set receipt = i.receipt, receipt_at = clock_timestamp(), reason = coalesce(i.reason, m.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(m.delivered_at, clock_timestamp()) end
    from (
      select u.* from unnest(p_company, p_id, p_receipt, p_reason, p_provider)
        with ordinality as u(company, id, receipt, reason, provider, n)
      -- The lock order of messages, everywhere.
      order by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
      and m.state <> 'sending' and m.attempt = 1 and is_of_provider(m.provider_id, i.provider)
    returning i.n::integer, m.receipt = 'failed' and m.state = 'sent' and m.route <> '' as may_fall_back,
      m.company_id, m.id, m.receipt, m.state, m.channel, m.charged, m.reason
  loop
    ord := r.n;
    may_fall_back := r.may_fall_back;
    return next;
    if v_is_told then
      t_company := t_company || r.company_id;
      t_id := t_id || r.id;
      t_type := t_type || receipt_event(r.receipt, r.state, r.may_fall_back, true);
      t_channel := t_channel || r.channel::text;
      t_cost := t_cost || r.charged;
      t_reason := t_reason || r.reason;
    end if;
  end loop;
  if v_is_told then
    perform add_message_events(t_company, t_id, t_type, t_channel, t_cost, t_reason);
  end if;
end $$;

-- The first delivery of messages whose fallback left a price pending: by the fallback's channel, the charge moves there;
-- by an earlier one, it stays. Either way it is final, and the hold for the difference is released.
create or replace function charge_deliveries(p_company bigint[], p_id uuid[], p_by_fallback boolean[])
returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_companies bigint[];
  v_ids uuid[];
  v_holds integer[];
  v_extras integer[];
begin
  with priced as (
    update message m set hold = 0, pending_price = null,
      charged = case when i.by_fallback then s.pending_price else s.charged end
    from unnest(p_company, p_id, p_by_fallback) as i(company, id, by_fallback)
    join message s on s.company_id = any (array[i.company]) and s.id = i.id
    where m.company_id = any (array[i.company]) and m.id = i.id and s.pending_price is not null
    returning m.company_id, m.id, s.hold, m.charged - s.charged as extra
  ), sums as (
    select p.company_id, sum(p.hold) as held, sum(p.extra) as extra from priced p group by p.company_id
    -- The lock order of accounts, everywhere.
    order by p.company_id
  ), paid as (
    update account a set held = a.held - s.held, balance = a.balance - s.extra,
      entries = a.entries + (s.extra <> 0)::integer
    from sums s where a.company_id = any (array[s.company_id])
    returning a.company_id, a.balance, a.entries, s.extra
  ), posted as (
    insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
    select p.company_id, p.entries, 'charge_moved', new_id(), -p.extra, p.balance, clock_timestamp()
    from paid p where p.extra <> 0
  )
  select array_agg(p.company_id), array_agg(p.id), array_agg(p.hold), array_agg(p.extra)
  into v_companies, v_ids, v_holds, v_extras from priced p;
  perform move_key_spend(v_companies, v_ids, v_holds, v_extras);
end $$;

-- Records many receipts in one statement. They may come twice, late or out of order: the order of the `receipt` type
-- decides, and none moves a message back. Money moves only with the first delivery after a fallback, and never more
-- than was held for it. The messages are locked by company and id, in a statement that sorts them first: `order by`
-- determines the lock order only where the rows are locked above the sort.
create or replace function record_receipts(
  p_company bigint[], p_id uuid[], p_attempt integer[], p_receipt receipt[], p_reason text[], p_provider text[]
) returns table (ord integer, is_known boolean, is_new boolean, may_fall_back boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz;
  v_count integer := cardinality(p_id);
  -- The message of each receipt as it was found; null when there is none, or the receipt is another provider's.
  v_states message_state[] := array_fill(null::message_state, array[v_count]);
  v_latest smallint[] := array_fill(null::smallint, array[v_count]);
  v_is_new boolean[] := array_fill(false, array[v_count]);
  v_may_fall_back boolean[] := array_fill(false, array[v_count]);
  -- Delivered messages with a pending price.
  d_company bigint[] := '{}';
  d_id uuid[] := '{}';
  d_by_fallback boolean[] := '{}';
  -- Messages that have moved, the event of each, and the attempt whose receipt moved it.
  t_company bigint[] := '{}';
  t_id uuid[] := '{}';
  t_type text[] := '{}';
  t_attempt integer[] := '{}';
  r record;
  v_attempt record;
begin
  for r in
    select u.n, m.state, m.attempt, m.provider_id
    from unnest(p_company, p_id) with ordinality as u(company, id, n)
    join message m on m.company_id = any (array[u.company]) and m.id = u.id
    order by u.company, u.id for update of m
  loop
    if r.state <> 'sending' and p_provider[r.n] is not null then
      if r.attempt = 1 then
        continue when not is_of_provider(r.provider_id, p_provider[r.n]);
      else
        -- With several attempts each has a row, and the message shows the standing one.
        select a.state, a.provider_id into v_attempt from attempt a
        where a.company_id = p_company[r.n] and a.message_id = p_id[r.n] and a.number = p_attempt[r.n];
        continue when not found or not is_of_provider(v_attempt.provider_id, p_provider[r.n]);
        -- The provider of a fallback is not known while it is under way, so the receipt waits like an early one.
        if v_attempt.state = 'sending' then
          r.state := 'sending';
        end if;
      end if;
    end if;
    v_states[r.n] := r.state;
    v_latest[r.n] := r.attempt;
    v_is_new[r.n] := r.state = 'sending';
  end loop;
  v_now := clock_timestamp();

  if 'sending' = any (v_states) then
    insert into early_receipt (company_id, message_id, attempt, receipt, reason, at, provider)
    select i.company, i.id, i.attempt, i.receipt, i.reason, v_now, i.provider
    from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, p_provider, v_states)
      as i(company, id, attempt, receipt, reason, provider, state)
    where i.state = 'sending';
  end if;

  -- Attempts have rows of their own from the second on.
  if 1 < any (v_latest) then
    update attempt a set receipt = i.receipt, receipt_at = v_now, reason = coalesce(i.reason, a.reason),
      delivered_at = case when i.receipt >= 'delivered' then coalesce(a.delivered_at, v_now) end
    from (
      select u.company, u.id, u.attempt, max(u.receipt) as receipt,
        (array_agg(u.reason order by u.receipt desc))[1] as reason
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states)
        as u(company, id, attempt, receipt, reason, state)
      where u.state <> 'sending'
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
        bool_and(u.attempt = u.latest) filter (where u.receipt >= 'delivered') as by_fallback,
        (array_agg(u.reason order by u.receipt desc))[1] as reason,
        (array_agg(u.attempt order by u.receipt desc))[1] as attempt
      from unnest(p_company, p_id, p_attempt, p_receipt, p_reason, v_states, v_latest)
        with ordinality as u(company, id, attempt, receipt, reason, state, latest, n)
      where u.state <> 'sending'
        and (u.receipt >= 'delivered' or u.attempt = standing_attempt(u.company, u.id, u.latest))
      group by u.company, u.id
    ) i
    where m.company_id = any (array[i.company]) and m.id = i.id and (m.receipt is null or m.receipt < i.receipt)
    returning i.places, m.receipt = 'failed' and m.state = 'sent' and m.route <> '' as may_fall_back,
      i.company, i.id, i.by_fallback, m.pending_price, i.attempt,
      receipt_event(m.receipt, m.state, m.route <> '', m.attempt = i.attempt) as event
  loop
    t_company := t_company || r.company;
    t_id := t_id || r.id;
    t_type := t_type || r.event;
    t_attempt := t_attempt || r.attempt;
    if r.pending_price is not null and r.by_fallback is not null then
      d_company := d_company || r.company;
      d_id := d_id || r.id;
      d_by_fallback := d_by_fallback || r.by_fallback;
    end if;
    for k in 1 .. cardinality(r.places) loop
      v_is_new[r.places[k]] := true;
      v_may_fall_back[r.places[k]] := r.may_fall_back;
    end loop;
  end loop;

  if d_id <> '{}' then
    perform charge_deliveries(d_company, d_id, d_by_fallback);
  end if;

  -- The guard of add_message_events. The charge is read after it has moved, and the channel is that of the receipt.
  if exists (select 1 from webhook_endpoint w where w.company_id = any (t_company) and w.deleted_at is null) then
    perform add_message_events(array_agg(i.company), array_agg(i.id), array_agg(i.type),
      array_agg(coalesce(a.channel, m.channel)::text), array_agg(m.charged), array_agg(m.reason))
    from unnest(t_company, t_id, t_type, t_attempt) as i(company, id, type, attempt)
    join message m on m.company_id = any (array[i.company]) and m.id = i.id
    left join attempt a on a.company_id = any (array[i.company]) and a.message_id = i.id and a.number = i.attempt;
  end if;

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
  -- The sends that were charged or held money.
  f_companies bigint[];
  f_ids uuid[];
  f_amounts integer[];
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
    update message m set charged = 0, hold = 0, pending_price = null, state = 'unknown', route = '', reason = p_reason
    from unnest(p_company, p_id) as i(company, id)
    join message s on s.company_id = any (array[i.company]) and s.id = i.id
    where m.company_id = any (array[i.company]) and m.id = i.id and m.state = 'sent' and not exists (
      select 1 from attempt a where a.company_id = any (array[m.company_id]) and a.message_id = m.id and a.number = m.attempt
        and a.state = 'sending')
    returning s.company_id, s.id, s.charged, s.hold
  ), sums as (
    select f.company_id, sum(f.charged) as charged, sum(f.hold) as held, count(*) filter (where f.charged > 0) as n
    from freed f where f.charged > 0 or f.hold > 0 group by f.company_id
    order by f.company_id
  ), repaid as (
    update account a set balance = a.balance + s.charged, held = a.held - s.held,
      entries = a.entries + (s.charged > 0)::integer
    from sums s where a.company_id = any (array[s.company_id])
    returning a.company_id, a.balance, a.entries, s.charged, s.n
  ), posted as (
    insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
    select r.company_id, r.entries, 'charge_moved', p_cause, r.charged, -r.n, r.balance, clock_timestamp()
    from repaid r where r.charged > 0
  )
  select array_agg(f.company_id), array_agg(f.id), array_agg(f.charged + f.hold)
  into f_companies, f_ids, f_amounts from freed f where f.charged > 0 or f.hold > 0;
  if f_ids is not null then
    perform move_key_spend(f_companies, f_ids, f_amounts, array_fill(0, array[cardinality(f_ids)]));
  end if;

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
  p_others_seconds integer, p_others_max integer, p_others_day_max integer,
  p_wrong_per_hour integer, p_wrong_in_row integer
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
  v_is_test boolean;
  v_last timestamptz;
  v_added integer;
  v_limit text;
  v_until timestamptz;
  v_free_at timestamptz;
  v_price integer;
  v_crowded bigint[];
  -- Keys with a cap, and what each may still spend this month and today; null where only the other is capped.
  v_capped bigint[];
  v_month_room bigint[];
  v_day_room bigint[];
  v_place integer;
  v_most bigint;
  r record;
begin
  perform 1 from account a where a.company_id = any (p_company) order by a.company_id for update;
  v_now := clock_timestamp();

  -- The few phones that may be past a cap over all companies; the others need no further check. Test keys send
  -- nothing out, so they do not count.
  select array_agg(c.recipient) into v_crowded
  from (
    select s.recipient
    from (
      select i.recipient, 1 as sends from unnest(p_recipient, p_is_test) as i(recipient, is_test) where not i.is_test
      union all
      select g.recipient, cardinality(g.recent) from recent_sends g
      where g.recipient = any (p_recipient) and not g.is_test
    ) s
    group by s.recipient having sum(s.sends) > p_others_max
  ) c;

  -- Caps are read here and not from the node's cache, under the lock of the account: so they are exact.
  if exists (select 1 from api_key k where k.company_id = any (p_company)
    and (k.monthly_cap is not null or k.daily_cap is not null)) then
    -- The sends of a batch are microseconds apart, and all belong to one day.
    if almaty_day(v_now) <> almaty_day(v_now + interval '1 millisecond') then
      v_now := v_now + interval '1 millisecond';
    end if;
    -- Sub-queries, each a probe: a join may walk all keys when statistics say that there are few.
    select array_agg(c.key),
      array_agg(case when c.month_cap is not null then greatest(c.month_cap - c.in_month, 0) end),
      array_agg(case when c.day_cap is not null then greatest(c.day_cap - c.in_day, 0) end)
    into v_capped, v_month_room, v_day_room
    from (
      select i.key, (select k.monthly_cap from api_key k where k.id = i.key) as month_cap,
        (select k.daily_cap from api_key k where k.id = i.key) as day_cap,
        coalesce((select s.spent from key_spend s where s.company_id = i.company and s.key_id = i.key
          and s.month = almaty_month(v_now)), 0) as in_month,
        coalesce((select s.spent from key_day_spend s where s.company_id = i.company and s.key_id = i.key
          and s.day = almaty_day(v_now)), 0) as in_day
      from (select distinct u.company, u.key from unnest(p_company, p_key) as u(company, key)) i
      offset 0
    ) c
    where c.month_cap is not null or c.day_cap is not null;
  end if;

  for r in
    select i.*, case when a.debt > 0 then 0 else a.balance - a.held end as company_available, g.last_message,
      w.in_gap, w.in_hour, w.in_day, w.gap_from, w.hour_from, w.day_from, w.last,
      case when c.failed_in_row >= p_wrong_in_row or f.wrong >= p_wrong_per_hour
        then case when c.failed_in_row >= p_wrong_in_row then f.last_wrong else f.first_wrong end + interval '1 hour'
        end as guess_at
    from unnest(p_id, p_company, p_key, p_kind, p_is_test, p_recipient, p_purpose, p_prices, p_dearest,
        p_gap_seconds, p_gap_max, p_hour_max, p_day_max)
      with ordinality as i(id, company, key, kind, is_test, recipient, purpose, prices, dearest,
        gap_seconds, gap_max, hour_max, day_max, n)
    join account a on a.company_id = any (array[i.company])
    left join recent_sends g on g.company_id = i.company and g.recipient = any (array[i.recipient]) and g.kind = i.kind
      and g.is_test = i.is_test and coalesce(i.gap_max, i.day_max) is not null
    left join lateral (
      select count(*) as in_day, min(t) as day_from, max(t) as last,
        count(*) filter (where t > v_now - interval '1 hour') as in_hour,
        min(t) filter (where t > v_now - interval '1 hour') as hour_from,
        count(*) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as in_gap,
        min(t) filter (where t > v_now - make_interval(secs => i.gap_seconds)) as gap_from
      -- A time in the future comes from a clock that was set back; it must not block a phone.
      from unnest(g.recent) as t where t > v_now - interval '1 day' and t <= v_now
    ) w on g.recent is not null
    -- The guesses at codes of this kind: while none is possible, no code is sent either (see verify).
    left join code c on c.key_id = any (array[i.key]) and c.phone = i.recipient and c.purpose = i.purpose
      and coalesce(i.gap_max, i.day_max) is not null and c.failed_at <> '{}'
    left join lateral (
      select count(*) as wrong, min(t) as first_wrong, max(t) as last_wrong
      from unnest(c.failed_at) as t where t > v_now - interval '1 hour' and t <= v_now
    ) f on c.failed_at is not null
    order by i.company, i.kind, i.recipient, i.is_test, i.n
  loop
    if r.company is distinct from v_company then
      v_company := r.company;
      v_left := r.company_available;
      v_kind := null;
    end if;
    if r.kind is distinct from v_kind or r.recipient <> v_recipient or r.is_test <> v_is_test then
      v_kind := r.kind;
      v_recipient := r.recipient;
      v_is_test := r.is_test;
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

    -- Of several limits the one that lasts longest is reported: at an earlier time the send would be refused again.
    v_limit := case when r.guess_at > v_now then 'locked' end;
    v_until := case when v_limit is not null then r.guess_at else v_now end;
    if v_last is not null or v_added > 0 then
      v_free_at := null;
      if r.gap_max = 1 then
        v_free_at := case when v_added > 0 then v_now else v_last end + make_interval(secs => r.gap_seconds);
      elsif coalesce(r.in_gap, 0) + v_added >= r.gap_max then
        v_free_at := coalesce(r.gap_from, v_now) + make_interval(secs => r.gap_seconds);
      end if;
      if v_free_at > v_until then
        v_limit := 'too_soon';
        v_until := v_free_at;
      end if;
      v_free_at := greatest(
        case when coalesce(r.in_day, 0) + v_added >= r.day_max
          then coalesce(r.day_from, v_now) + interval '1 day' end,
        case when coalesce(r.in_hour, 0) + v_added >= r.hour_max
          then coalesce(r.hour_from, v_now) + interval '1 hour' end);
      if v_free_at > v_until then
        v_limit := 'too_many';
        v_until := v_free_at;
      end if;
    end if;
    if r.recipient = any (v_crowded) and r.kind <> 'group' and not r.is_test then
      v_free_at := phone_free_at(r.recipient, r.company, v_now,
        p_company, p_kind, p_is_test, p_recipient, v_verdict,
        p_others_seconds, p_others_max, p_others_day_max);
      if v_free_at > v_until then
        v_limit := 'too_many';
        v_until := v_free_at;
      end if;
    end if;
    if v_limit is not null then
      v_verdict[r.n] := v_limit;
      v_wait[r.n] := ceil(extract(epoch from v_until - v_now));
      continue;
    end if;

    -- Holds the price of the most expensive channel of the route that the balance and the caps of the key cover.
    v_available[r.n] := v_left;
    v_most := v_left;
    if v_capped is not null then
      v_place := array_position(v_capped, r.key);
      v_most := least(v_left, v_month_room[v_place], v_day_room[v_place]);
    end if;
    if r.dearest <= v_most then
      v_hold[r.n] := r.dearest;
      v_verdict[r.n] := 'reserved';
    else
      foreach v_price in array string_to_array(r.prices, ',')::integer[] loop
        if v_price <= v_most and (v_verdict[r.n] is null or v_price > v_hold[r.n]) then
          v_hold[r.n] := v_price;
          v_verdict[r.n] := 'reserved';
        elsif v_price <= v_left and v_verdict[r.n] is null then
          -- The nearest time at which a price fits.
          v_wait[r.n] := least(v_wait[r.n], ceil(extract(epoch from
            case when v_price > v_month_room[v_place] then next_almaty_month(v_now) else next_almaty_day(v_now) end
            - v_now)));
        end if;
      end loop;
      if v_verdict[r.n] is null then
        v_verdict[r.n] := case when v_wait[r.n] is null then 'short' else 'capped' end;
        continue;
      end if;
    end if;
    v_left := v_left - v_hold[r.n];
    if v_place is not null then
      v_month_room[v_place] := v_month_room[v_place] - v_hold[r.n];
      v_day_room[v_place] := v_day_room[v_place] - v_hold[r.n];
    end if;
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

  if v_capped is not null then
    insert into key_spend as s (company_id, key_id, month, spent)
    select i.company, i.key, almaty_month(v_now), sum(i.hold)
    from unnest(p_company, p_key, v_hold, v_verdict) as i(company, key, hold, verdict)
    where i.verdict = 'reserved' and i.hold > 0 and v_month_room[array_position(v_capped, i.key)] is not null
    group by i.company, i.key
    order by i.company, i.key
    on conflict (company_id, key_id, month) do update set spent = s.spent + excluded.spent;
    insert into key_day_spend as s (company_id, key_id, day, spent)
    select i.company, i.key, almaty_day(v_now), sum(i.hold)
    from unnest(p_company, p_key, v_hold, v_verdict) as i(company, key, hold, verdict)
    where i.verdict = 'reserved' and i.hold > 0 and v_day_room[array_position(v_capped, i.key)] is not null
    group by i.company, i.key
    order by i.company, i.key
    on conflict (company_id, key_id, day) do update set spent = s.spent + excluded.spent;
  end if;

  -- Microseconds make the sends of one batch distinct, so that a failed one can be removed alone.
  insert into recent_sends as g (company_id, recipient, kind, recent, last_message, is_test)
  select i.company, i.recipient, i.kind,
    array_agg(v_now + i.n * interval '1 microsecond' order by i.n), (array_agg(i.id order by i.n desc))[1], i.is_test
  from unnest(p_id, p_company, p_kind, p_is_test, p_recipient, p_gap_max, p_day_max, v_verdict)
    with ordinality as i(id, company, kind, is_test, recipient, gap_max, day_max, verdict, n)
  where i.verdict = 'reserved' and coalesce(i.gap_max, i.day_max) is not null
  group by i.company, i.recipient, i.kind, i.is_test
  order by i.company, i.recipient, i.kind, i.is_test
  on conflict (company_id, recipient, kind, is_test) do update set
    -- A group has only a limit per minute, and may get thousands of posts a day.
    recent = array(
        select t from unnest(g.recent) as t
        where t > v_now - case g.kind when 'group' then interval '1 minute' else interval '1 day' end
          and t <= v_now)
      || excluded.recent,
    last_message = excluded.last_message;

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
  e_providers text[];
  r record;
begin
  for r in
    update message m set
      state = i.state, channel = i.channel, provider_id = i.provider_id, reason = i.reason, route = i.route,
      attempt = i.attempt, hold = 0, charged = case when i.state = 'sent' then i.price else 0 end,
      settled_at = v_now,
      -- Nobody waits for a broadcast: most of its receipts come by themselves within minutes, and the others are asked
      -- for then.
      next_check_at = case when m.kind = 'broadcast' and i.state = 'sent' then v_now + interval '10 minutes'
        else m.next_check_at end
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
    update account a set held = a.held - s.held, balance = a.balance - s.charged,
      entries = a.entries + (s.charged > 0)::integer
    from sums s where a.company_id = any (array[s.company]) and (s.held > 0 or s.charged > 0)
    returning a.company_id, a.balance, a.entries, s.charged, s.n
  )
  insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
  select p.company_id, p.entries, 'charge', p_cause, -p.charged, p.n, p.balance, clock_timestamp()
  from paid p where p.charged > 0;

  -- The guard of move_key_spend, before anything is computed for it.
  if exists (select 1 from key_spend s where s.company_id = any (p_company))
    or exists (select 1 from key_day_spend s where s.company_id = any (p_company)) then
    perform move_key_spend(p_company, p_id, v_hold, v_charged);
  end if;

  -- The guard of add_message_events. Only the transition is told, never a message that was settled before.
  if exists (select 1 from webhook_endpoint w where w.company_id = any (p_company) and w.deleted_at is null) then
    perform add_message_events(p_company, p_id,
      array(select case when i.moved then
          case i.state when 'sent' then 'message.sent' when 'failed' then 'message.failed' end end
        from unnest(v_moved, v_state) with ordinality as i(moved, state, n) order by i.n),
      p_channel::text[], v_charged, p_reason);
  end if;

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
      select m.company_id, m.recipient, m.kind, m.is_test, m.created_at
      from unnest(p_company, p_id, v_state) as u(company, id, state)
      join message m on m.company_id = any (array[u.company]) and m.id = u.id
      where u.state = 'failed'
      order by u.company, m.recipient, m.kind, m.is_test
    ) i
    where g.company_id = i.company_id and g.recipient = any (array[i.recipient]) and g.kind = i.kind
      and g.is_test = i.is_test;
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
      array_agg(p.receipt), array_agg(p.reason), array_agg(p.provider)
    into e_companies, e_ids, e_attempts, e_receipts, e_reasons, e_providers
    from parked p;
    if e_ids is not null then
      perform record_receipts(e_companies, e_ids, e_attempts, e_receipts, e_reasons, e_providers);
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

-- The same for messages of broadcasts, without waiting for the disk: the lock of the account ends at once, and codes of the
-- company go on. When the database crashes, the settlements of its last half second may be lost. Nobody was told of
-- them: their messages stand as being sent, and are recovered like those of a worker that died.
create or replace function settle_bulk(
  p_company bigint[], p_id uuid[], p_state message_state[], p_channel channel[], p_price integer[],
  p_provider_id text[], p_reason text[], p_route text[], p_attempt integer[], p_attempts jsonb, p_cause uuid
) returns table (ord integer, moved boolean, state message_state, charged integer, balance bigint)
language plpgsql
as $$
begin
  -- Until the end of the transaction, and so for its commit.
  perform set_config('synchronous_commit', 'off', true);
  return query select s.* from settle(p_company, p_id, p_state, p_channel, p_price, p_provider_id, p_reason, p_route,
    p_attempt, p_attempts, p_cause) s;
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

-- What the messages of a company have cost since a time, by its ledger: what it had then, with all other entries since
-- then, less what it has now. Nearly all entries are charges, and none of them is read. A charge that was moved to a
-- cheaper channel after the time can make it negative, which counts as nothing.
create or replace function spent_since(p_company bigint, p_at timestamptz) returns bigint
language plpgsql stable as $$
declare
  v_first bigint := first_entry_since(p_company, p_at);
begin
  return greatest(0,
    coalesce((select balance_after from entry where company_id = p_company and number = v_first - 1), 0)
    + coalesce((select sum(amount) from entry
        where company_id = p_company and number >= v_first and kind not in ('charge', 'charge_moved')), 0)
    - (select balance from account where company_id = p_company));
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
      or m.attempt > 1 and is_attempt_open(m.company_id, m.id, m.attempt)
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

-- Whether an attempt is under way. A function, and not a sub-query of the updates below: when PostgreSQL 18 evaluates a row
-- again that another transaction has changed meanwhile, it chooses the partitions of a sub-query by the parameters of the
-- row before, and crashes where there are none.
create or replace function is_attempt_open(p_company bigint, p_id uuid, p_number smallint)
returns boolean language plpgsql stable
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
begin
  return exists (select from attempt a
    where a.company_id = p_company and a.message_id = p_id and a.number = p_number and a.state = 'sending');
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
        or m.attempt > 1 and is_attempt_open(m.company_id, m.id, m.attempt))
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
      m.attempt > 1 and is_attempt_open(m.company_id, m.id, m.attempt) as is_falling_back
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
  -- Of the codes that are verified.
  t_company bigint[] := '{}';
  t_message uuid[] := '{}';
  k integer := 0;
  r record;
begin
  perform from unnest(p_key, p_phone, p_purpose) as i(key, phone, purpose)
  join code c on c.key_id = any (array[i.key]) and c.phone = i.phone and c.purpose = i.purpose
  order by i.key, i.phone, i.purpose for update of c;
  v_now := clock_timestamp();

  for r in
    select i.*, c.mac as code_mac, c.company_id, c.message_id, c.verified_at, c.expires_at, c.wrong, c.failed_in_row,
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
      t_company := t_company || r.company_id;
      t_message := t_message || r.message_id;
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

  -- The guard of add_message_events.
  if t_company <> '{}'
    and exists (select 1 from webhook_endpoint w where w.company_id = any (t_company) and w.deleted_at is null) then
    perform add_message_events(t_company, t_message, array_fill('otp.verified'::text, array[cardinality(t_company)]),
      null, null, null);
  end if;

  return query
    select i.n::integer, i.verdict, i.attempts_left, i.wait_seconds
    from unnest(v_verdict, v_left, v_wait) with ordinality as i(verdict, attempts_left, wait_seconds, n)
    order by i.n;
end $$;

-- Writes the events of a batch to the outbox: one row per company and type. A null type is no event. Callers ask first
-- whether any of their companies has an endpoint, so that without one nothing is computed:
--   exists (select 1 from webhook_endpoint w where w.company_id = any (p_company) and w.deleted_at is null)
create or replace function add_message_events(
  p_company bigint[], p_id uuid[], p_type text[], p_channel text[], p_cost integer[], p_detail text[]
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into webhook_outbox (id, company_id, type, message_ids, channels, costs, details)
  select new_id(), g.company, g.type, g.ids, g.channels, g.costs, g.details
  from (
    select i.company, i.type, array_agg(i.id) as ids, array_agg(i.channel) as channels, array_agg(i.cost) as costs,
      array_agg(i.detail) as details
    from unnest(p_company, p_id, p_type, p_channel, p_cost, p_detail) as i(company, id, type, channel, cost, detail)
    where i.type is not null
    group by i.company, i.type
  ) g
  where exists (select 1 from webhook_endpoint w
    where w.company_id = any (array[g.company]) and w.deleted_at is null and g.type = any (w.events));
end $$;

-- The same for an event that is about no message.
create or replace function add_company_event(p_company bigint, p_type text, p_data jsonb) returns void language plpgsql
as $$
begin
  insert into webhook_outbox (id, company_id, type, data)
  select new_id(), p_company, p_type, p_data
  where exists (select 1 from webhook_endpoint w
    where w.company_id = p_company and w.deleted_at is null and p_type = any (w.events));
end $$;

-- The event of a receipt that has moved a message. A failure is told once it is final: no other channel is left, and none
-- is being tried.
create or replace function receipt_event(
  p_receipt receipt, p_state message_state, p_has_route boolean, p_is_latest boolean
) returns text language sql immutable
as $$
  select case
    when p_receipt = 'delivered' then 'message.delivered'
    when p_receipt = 'read' then 'message.read'
    when p_receipt = 'failed' and p_state <> 'failed' and not p_has_route and p_is_latest then 'message.failed'
  end
$$;

-- The id of an event follows from its row of the outbox and its place in it. It begins with the time of the row, as every
-- UUIDv7 does.
create or replace function webhook_event_id(p_outbox uuid, p_place bigint) returns uuid language sql immutable
as $$
  select (substr(o.hex, 1, 12) || '7' || substr(o.hash, 1, 3) || '8' || substr(o.hash, 4, 15))::uuid
  from (select replace(p_outbox::text, '-', '') as hex, md5(p_outbox::text || ' ' || p_place) as hash) o
$$;

-- Takes rows of the outbox and writes their events, with a delivery for each endpoint that wants them. Whoever dies in
-- between has written nothing, and the rows are there for the next. An endpoint that is off misses the event, and can
-- catch up later. Returns how many rows were taken: at most p_rows_max, and no more after p_events_max events, so that the
-- statement stays far below its time limit. A row holds 2,048 events at most.
--
-- There is no cursor: a commit may become visible at any later time, and a cursor would have passed its row.
create or replace function expand_webhooks(p_rows_max integer, p_events_max integer, p_short_link_base text)
returns integer language plpgsql
as $$
declare
  v_ids uuid[];
begin
  select array_agg(s.id) into v_ids
  from (
    select l.id, sum(l.events) over (order by l.id) - l.events as events_before
    from (
      select o.id, coalesce(cardinality(o.message_ids), 1) as events from webhook_outbox o
      order by o.id limit p_rows_max for update skip locked
    ) l
  ) s
  where s.events_before < p_events_max;
  if v_ids is null then
    return 0;
  end if;
  with taken as (
    delete from webhook_outbox o where o.id = any (v_ids) returning o.*
  ), items as (
    select t.id as outbox, t.company_id, t.type, t.at, t.data, coalesce(u.n, 1) as n, u.message_id, u.channel, u.cost,
      u.detail
    from taken t left join lateral unnest(t.message_ids, t.channels, t.costs, t.details)
      with ordinality as u(message_id, channel, cost, detail, n) on true
  ), events as (
    insert into webhook_event (id, company_id, type, at, is_test, phone, data)
    select webhook_event_id(i.outbox, i.n), i.company_id, i.type, i.at, coalesce(m.is_test, false),
      case when m.kind <> 'group' then m.recipient end,
      case
        when i.type = 'link.clicked' then jsonb_strip_nulls(jsonb_build_object('slug', l.slug,
          'short_url', p_short_link_base || '/' || l.slug, 'message_id', i.message_id))
        when i.type = 'otp.verified' then jsonb_build_object('message_id', i.message_id, 'purpose', m.purpose)
        when i.message_id is null then i.data
        else jsonb_build_object('channel', i.channel) || jsonb_strip_nulls(jsonb_build_object(
          'message_id', i.message_id, 'kind', m.kind, 'purpose', m.purpose, 'cost', i.cost,
          'group_id', case when m.kind = 'group' then m.recipient end,
          'broadcast_id', case when m.kind = 'broadcast' then m.request_id end,
          'state', case when i.type = 'message.fallback' then 'sent' else split_part(i.type, '.', 2) end,
          'from_channel', case when i.type = 'message.fallback' then i.detail end,
          'reason', case when i.type = 'message.failed' then i.detail end))
      end
    from items i
    left join message m on m.company_id = i.company_id and m.id = i.message_id
    left join link l on i.type = 'link.clicked' and l.slug_key = i.detail
    -- A message whose month was removed meanwhile has nothing left to be told.
    where i.message_id is null or m.id is not null
    returning id, company_id, type
  )
  insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, next_try_at)
  select e.company_id, w.id, e.id, e.type, case when w.off_at is null then 'waiting' else 'missed' end::webhook_delivery_state,
    case when w.off_at is null then clock_timestamp() end
  from events e join webhook_endpoint w
    on w.company_id = e.company_id and w.deleted_at is null and e.type = any (w.events)
      and (w.listener_until is null or w.listener_until > clock_timestamp());
  return cardinality(v_ids);
end $$;

-- Claims deliveries that are due, at most p_share at a time per endpoint over all nodes, and one of an endpoint that has
-- just timed out. Those are counted apart (p_slow_max), so that however many endpoints hang, the others have room. The
-- lock of the endpoint makes two nodes take turns. A claim whose lease has ended is due again.
--
-- p_busy are endpoints that the caller knows to have their share already: fifty that hang would each be looked at again,
-- whenever anything of the others is claimed.
create or replace function claim_webhooks(
  p_max integer, p_slow_max integer, p_share integer, p_lease_seconds integer, p_busy bigint[]
) returns table (endpoint_id bigint, event_id uuid, claim integer, tries smallint, is_slow boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_left integer := p_max;
  v_slow_left integer := p_slow_max;
  v_room integer;
  v_taken integer;
  v_endpoint record;
  r record;
begin
  for r in
    -- The endpoints that have anything waiting, each found by one look into the index, and what has waited longest first.
    with recursive waiting as (
      (select d.endpoint_id, d.next_try_at from webhook_delivery d
        where d.state = 'waiting' order by d.endpoint_id, d.next_try_at limit 1)
      union all
      select n.endpoint_id, n.next_try_at from waiting w cross join lateral (
        select d.endpoint_id, d.next_try_at from webhook_delivery d
        where d.state = 'waiting' and d.endpoint_id > w.endpoint_id order by d.endpoint_id, d.next_try_at limit 1
      ) n
    )
    select w.endpoint_id from waiting w where w.next_try_at <= v_now and w.endpoint_id <> all (p_busy)
    order by w.next_try_at
  loop
    exit when v_left <= 0 and v_slow_left <= 0;
    select e.has_timed_out into v_endpoint from webhook_endpoint e
    where e.id = r.endpoint_id and e.off_at is null and e.deleted_at is null
      and (e.paused_until is null or e.paused_until <= v_now)
    for no key update skip locked;
    continue when not found;
    v_room := case when v_endpoint.has_timed_out then least(1, v_slow_left) else least(p_share, v_left) end
      - (select count(*) from webhook_delivery t
        where t.endpoint_id = r.endpoint_id and t.is_trying and t.next_try_at > v_now);
    continue when v_room <= 0;
    return query
      update webhook_delivery d set is_trying = true, claim = d.claim + 1,
        next_try_at = v_now + make_interval(secs => p_lease_seconds)
      from (
        select t.event_id from webhook_delivery t
        where t.endpoint_id = r.endpoint_id and t.state = 'waiting' and t.next_try_at <= v_now
        order by t.next_try_at limit v_room for update skip locked
      ) i
      where d.endpoint_id = r.endpoint_id and d.event_id = i.event_id
      returning d.endpoint_id, d.event_id, d.claim, d.tries, v_endpoint.has_timed_out;
    get diagnostics v_taken = row_count;
    if v_endpoint.has_timed_out then
      v_slow_left := v_slow_left - v_taken;
    else
      v_left := v_left - v_taken;
    end if;
  end loop;
end $$;

-- Records tries: the log, what becomes of the deliveries, the figures of the hour and the health of the endpoints. A try
-- whose claim another worker has taken over meanwhile is not recorded. p_retry_seconds is null when there is no further
-- try, p_pause_seconds unless the endpoint asks for a pause. Returns for each try since when its endpoint has been failing.
create or replace function record_webhook_tries(
  p_endpoint bigint[], p_event uuid[], p_claim integer[], p_url text[], p_has_phone boolean[], p_signed_at bigint[],
  p_signature text[], p_outcome text[], p_error text[], p_status integer[], p_duration_ms integer[], p_duration_place integer[],
  p_answer text[], p_is_answer_cut boolean[], p_retry_seconds integer[], p_pause_seconds integer[], p_durations integer
) returns table (ord integer, is_recorded boolean, failing_since timestamptz)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  -- Of each try that is recorded: its number, and its company.
  v_number integer[] := array_fill(null::integer, array[cardinality(p_event)]);
  v_company bigint[] := array_fill(null::bigint, array[cardinality(p_event)]);
  r record;
begin
  -- Endpoints first, in the order of their ids, as everybody who locks one and then its deliveries.
  perform from unnest(p_endpoint) as i(endpoint)
    join webhook_endpoint e on e.id = any (array[i.endpoint])
  order by i.endpoint for no key update of e;

  for r in
    update webhook_delivery d set
      state = case when i.outcome = 'delivered' then 'delivered' when i.retry is null then 'failed' else 'waiting' end
        ::webhook_delivery_state,
      next_try_at = case when i.outcome <> 'delivered' then v_now + make_interval(secs => i.retry) end,
      is_trying = false, tries = d.tries + 1, tries_ever = d.tries_ever + 1, last_try_at = v_now,
      outcome = i.outcome, error = i.error, status = i.status, duration_ms = i.duration_ms
    from (
      select u.* from unnest(p_endpoint, p_event, p_claim, p_outcome, p_error, p_status, p_duration_ms, p_retry_seconds)
        with ordinality as u(endpoint, event, claim, outcome, error, status, duration_ms, retry, n)
      order by u.endpoint, u.event
    ) i
    where d.endpoint_id = any (array[i.endpoint]) and d.event_id = i.event and d.is_trying and d.claim = i.claim
    returning i.n, d.tries_ever, d.company_id
  loop
    v_number[r.n] := r.tries_ever;
    v_company[r.n] := r.company_id;
  end loop;

  insert into webhook_try (company_id, endpoint_id, event_id, number, at, url, has_phone, signed_at, signature, outcome,
    error, status, duration_ms, answer, is_answer_cut)
  select i.company, i.endpoint, i.event, i.number, v_now - make_interval(secs => i.duration_ms / 1000.0), i.url, i.has_phone,
    i.signed_at, i.signature, i.outcome, i.error, i.status, i.duration_ms, i.answer, i.is_cut
  from unnest(v_company, p_endpoint, p_event, v_number, p_url, p_has_phone, p_signed_at, p_signature, p_outcome, p_error,
    p_status, p_duration_ms, p_answer, p_is_answer_cut) as i(company, endpoint, event, number, url, has_phone, signed_at, signature, outcome,
    error, status, duration_ms, answer, is_cut)
  where i.number is not null;

  insert into webhook_hour as h (company_id, endpoint_id, hour, delivered, refused, timed_out, unreachable, blocked, durations)
  select max(i.company), i.endpoint, date_trunc('hour', v_now, 'UTC'), count(*) filter (where i.outcome = 'delivered'),
    count(*) filter (where i.outcome = 'refused'), count(*) filter (where i.outcome = 'timed_out'),
    count(*) filter (where i.outcome = 'unreachable'), count(*) filter (where i.outcome = 'blocked'),
    array(select count(*) filter (where j.endpoint = i.endpoint and j.number is not null and j.place = b.place)::integer
      from generate_series(1, p_durations) as b(place)
      left join unnest(p_endpoint, v_number, p_duration_place) as j(endpoint, number, place) on true
      group by b.place order by b.place)
  from unnest(v_company, p_endpoint, v_number, p_outcome) as i(company, endpoint, number, outcome)
  where i.number is not null
  group by i.endpoint
  order by i.endpoint
  on conflict (endpoint_id, hour) do update set delivered = h.delivered + excluded.delivered,
    refused = h.refused + excluded.refused, timed_out = h.timed_out + excluded.timed_out,
    unreachable = h.unreachable + excluded.unreachable, blocked = h.blocked + excluded.blocked,
    durations = array(select a + b from unnest(h.durations, excluded.durations) as s(a, b));

  -- The last try of each endpoint says how it is. A row is written only where that changes something.
  update webhook_endpoint e set
    failing_since = case when i.outcome <> 'delivered' then coalesce(e.failing_since, v_now) end,
    has_timed_out = i.outcome = 'timed_out',
    paused_until = case when i.pause is not null then v_now + make_interval(secs => i.pause)
      when i.outcome <> 'delivered' then e.paused_until end,
    last_error_at = case when i.outcome <> 'delivered' then v_now end,
    last_error = i.error, last_status = case when i.outcome <> 'delivered' then i.status end
  from (
    select distinct on (u.endpoint) u.*
    from unnest(p_endpoint, v_number, p_outcome, p_error, p_status, p_pause_seconds)
      with ordinality as u(endpoint, number, outcome, error, status, pause, n)
    where u.number is not null
    order by u.endpoint, u.outcome = 'delivered' desc, u.n desc
  ) i
  where e.id = any (array[i.endpoint])
    and (i.outcome <> 'delivered' or e.failing_since is not null or e.has_timed_out or e.last_error is not null);

  return query
    select i.n::integer, i.number is not null, e.failing_since
    from unnest(p_endpoint, v_number) with ordinality as i(endpoint, number, n)
    left join webhook_endpoint e on e.id = any (array[i.endpoint])
    order by i.n;
end $$;

reset check_function_bodies;
