-- Whom a messenger lets us write to: people who have proved their phone to the bot, groups that the bot is in, and
-- people who wrote to the business within the last day.

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
