-- What one node tells the others of its virtual phone, in batches: messages of test keys and of a sandbox, never live ones.
-- Bounded by number and age.
create unlogged table sandbox_news (
  node text not null,
  number bigint not null,
  at timestamptz not null default clock_timestamp(),
  -- Sealed by the secret of the installation, because messages have codes.
  sealed bytea not null,
  primary key (node, number)
);
