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
