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
