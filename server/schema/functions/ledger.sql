create or replace function refuse_entry_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed';
end $$;
create or replace trigger entry_is_final before update or delete on entry
  for each row execute function refuse_entry_change();
create or replace trigger entry_is_kept before truncate on entry
  for each statement execute function refuse_entry_change();

-- Adds an entry and updates the balance. The update locks the account, unless the caller has done so; the number of the
-- entry is counted under this lock.
create or replace function post_entry(p_company bigint, p_kind entry_kind, p_amount bigint, p_cause uuid)
returns bigint language plpgsql as $$
declare
  v_balance bigint;
  v_number bigint;
begin
  update account set balance = balance + p_amount, entries = entries + 1 where company_id = p_company
    returning balance, entries into strict v_balance, v_number;
  insert into entry (company_id, number, kind, cause, amount, balance_after, created_at)
    values (p_company, v_number, p_kind, p_cause, p_amount, v_balance, clock_timestamp());
  return v_balance;
end $$;

-- The number of the first entry of a company since a time, or the next number when there is none. Numbers have no gaps,
-- so twenty probes find it among a million entries. A clock that was set back makes the border blurred and never wrong:
-- each entry is on one side of it.
create or replace function first_entry_since(p_company bigint, p_at timestamptz) returns bigint
language plpgsql stable as $$
declare
  v_low bigint := 1;
  v_high bigint := coalesce((select entries from account where company_id = p_company), 0) + 1;
  v_middle bigint;
begin
  while v_low < v_high loop
    v_middle := (v_low + v_high) / 2;
    if (select created_at from entry where company_id = p_company and number = v_middle) < p_at then
      v_low := v_middle + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end $$;
