-- Counts every change of any key. A node that reads the same count again may go on trusting what it knows of all keys:
-- one row a second instead of one look-up a second for each of thousands of keys.

create table key_version (
  id boolean primary key default true check (id),
  version bigint not null
);
insert into key_version (version) values (1);

create function count_key_change() returns trigger language plpgsql as $$
begin
  update key_version set version = version + 1;
  return null;
end $$;
create trigger api_key_changed after insert or update or delete or truncate on api_key
  for each statement execute function count_key_change();
