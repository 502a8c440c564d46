create or replace function refuse_entry_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed';
end $$;
create or replace trigger entry_is_final before update or delete on entry
  for each row execute function refuse_entry_change();
create or replace trigger entry_is_kept before truncate on entry
  for each statement execute function refuse_entry_change();

-- Adds an entry and updates the balance. The update locks the account, unless the caller has done so.
create or replace function post_entry(p_company bigint, p_kind entry_kind, p_amount bigint, p_cause uuid)
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
