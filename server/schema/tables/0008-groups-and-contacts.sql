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
