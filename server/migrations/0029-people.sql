-- People who use the cabinet, and how they prove who they are. Whatever is secret here is of no use to somebody who
-- reads the table: passwords are hashed, tokens count only together with a signature made outside the database, and
-- codes, links and addresses of attempts are kept as authentication codes under the installation's secret.

create table person (
  id text primary key,
  name text not null check (length(name) between 1 and 200),
  -- Of a person without one, an address nobody can have: it is never shown, and no letter goes there.
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  -- In digits, as everywhere.
  phone bigint unique,
  language text check (language in ('ru', 'kk', 'en')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table credential (
  id text primary key,
  person_id text not null references person on delete cascade,
  provider_id text not null,
  account_id text not null,
  password_hash text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (person_id, provider_id)
);

create table session (
  id text primary key,
  token text not null unique,
  person_id text not null references person on delete cascade,
  -- The company they are in right now; chosen with the first request.
  company_id bigint references company,
  address text,
  device text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  seen_at timestamptz not null default clock_timestamp(),
  -- When they last proved who they are.
  confirmed_at timestamptz not null default clock_timestamp(),
  -- Whoever has a second factor is not signed in before it has been shown.
  second_factor_at timestamptz
);
create index session_person on session (person_id);

-- It counts once a first code of the app has been right. A step of the app's clock is accepted once.
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

-- Links of letters. An account that is signed up for by e-mail exists once its link has been opened, with the very
-- name and password of that letter.
create table letter_link (
  mac bytea primary key,
  kind text not null check (kind in ('sign_up', 'new_email', 'new_password')),
  email text not null,
  person_id text references person on delete cascade,
  name text,
  password_hash text,
  language text check (language in ('ru', 'kk', 'en')),
  ends_at timestamptz not null
);
create index letter_link_end on letter_link (ends_at);

-- Attempts to sign in, of an account, of an address, or of both together. They pass within the hour, so a crash may
-- forget them, and a flood of them must not make those who send wait for the disk.
create unlogged table sign_in_limit (
  subject bytea primary key,
  recent timestamptz[] not null
);
