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
