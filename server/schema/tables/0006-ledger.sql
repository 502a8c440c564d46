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
