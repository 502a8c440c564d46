-- Providers whose permanent connections one node holds at a time.
create table provider_lease (
  provider text primary key,
  node text not null,
  until timestamptz not null
) with (fillfactor = 50);

-- Messages that other nodes hand to the holder. Lost with a crash of the database: what becomes of them is then unknown.
create unlogged table handed_message (
  id uuid primary key,
  provider text not null,
  -- Nobody takes it later.
  take_until timestamptz not null,
  -- The message with its text, sealed by the secret of the installation.
  sealed bytea not null,
  -- The node that has taken it.
  taken_by text,
  outcome jsonb,
  -- Who handed it has stopped waiting: the outcome is settled as unknown.
  is_given_up boolean not null default false
) with (fillfactor = 50);
create index on handed_message (provider, take_until) where taken_by is null;
