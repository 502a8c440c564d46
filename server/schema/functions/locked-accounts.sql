-- Those of the accounts that another transaction keeps locked. Statements lock accounts for a moment all the time, so a
-- locked row is waited for: an eighth of the lock timeout, for all rows together.
create or replace function locked_accounts(p_companies bigint[]) returns setof bigint
language plpgsql
as $$
declare
  v_until timestamptz := clock_timestamp() + current_setting('lock_timeout')::interval / 8;
  v_company bigint;
begin
  foreach v_company in array p_companies loop
    perform set_config('lock_timeout',
      greatest(1, floor(extract(epoch from v_until - clock_timestamp()) * 1000)) || 'ms', true);
    begin
      perform from account a where a.company_id = v_company for update;
      -- Rolling the block back releases the lock at once, not after the wait for the other rows.
      raise sqlstate 'ZH001';
    exception
      when lock_not_available then return next v_company;
      when sqlstate 'ZH001' then null;
    end;
  end loop;
end $$;
