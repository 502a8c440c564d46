create or replace function count_key_change() returns trigger language plpgsql as $$
begin
  update key_version set version = version + 1;
  return null;
end $$;
-- A suspension or another sender name of the company changes its keys as well.
create or replace trigger company_suspended after update of suspended_at, sender_name on company
  for each statement execute function count_key_change();
create or replace trigger api_key_changed after insert or update or delete or truncate on api_key
  for each statement execute function count_key_change();
