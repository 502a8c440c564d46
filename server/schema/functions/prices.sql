create or replace function count_price_change() returns trigger language plpgsql as $$
begin
  update price_revision set revision = revision + 1;
  return null;
end $$;
create or replace trigger price_version_added after insert on price_version
  for each statement execute function count_price_change();
create or replace trigger price_withdrawn after insert on price_withdrawal
  for each statement execute function count_price_change();

create or replace function refuse_price_change() returns trigger language plpgsql as $$
begin
  raise exception 'prices are never changed, only replaced by later ones';
end $$;
create or replace trigger price_version_is_final before update or delete on price_version
  for each row execute function refuse_price_change();
create or replace trigger price_version_is_kept before truncate on price_version
  for each statement execute function refuse_price_change();
create or replace trigger price_withdrawal_is_final before update or delete on price_withdrawal
  for each row execute function refuse_price_change();

-- The previous release sets a price by an update of `price`.
create or replace function set_common_price() returns trigger language plpgsql as $$
begin
  insert into price_version (item, tokens, valid_from) values (old.item, new.tokens, clock_timestamp());
  return new;
end $$;
create or replace trigger price_is_set instead of update on price
  for each row execute function set_common_price();
