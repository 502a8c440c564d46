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
