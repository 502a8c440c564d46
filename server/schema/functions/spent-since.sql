-- What the messages of a company have cost since a time, by its ledger: what it had then, with all other entries since
-- then, less what it has now. Nearly all entries are charges, and none of them is read. A charge that was moved to a
-- cheaper channel after the time can make it negative, which counts as nothing.
create or replace function spent_since(p_company bigint, p_at timestamptz) returns bigint
language plpgsql stable as $$
declare
  v_first bigint := first_entry_since(p_company, p_at);
begin
  return greatest(0,
    coalesce((select balance_after from entry where company_id = p_company and number = v_first - 1), 0)
    + coalesce((select sum(amount) from entry
        where company_id = p_company and number >= v_first and kind not in ('charge', 'charge_moved')), 0)
    - (select balance from account where company_id = p_company));
end $$;
