-- The ledger: rows are added, never changed. The cause is a UUIDv7 made before the transaction, so that posting
-- the same thing twice is a conflict and not a second posting.

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

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed';
end $$;
create trigger entry_is_final before update or delete on entry
  for each row execute function refuse_change();
create trigger entry_is_kept before truncate on entry
  for each statement execute function refuse_change();

-- Adds an entry and moves the balance. The account is locked by the caller or here; both come to the same.
create function post_entry(p_company bigint, p_kind entry_kind, p_amount bigint, p_cause uuid)
returns bigint language plpgsql as $$
declare
  v_balance bigint;
begin
  update account set balance = balance + p_amount where company_id = p_company
    returning balance into strict v_balance;
  insert into entry (company_id, kind, cause, amount, balance_after, created_at)
    values (p_company, p_kind, p_cause, p_amount, v_balance, clock_timestamp());
  return v_balance;
end $$;
