-- A UUIDv7 of now, as `newId` of the server makes them. PostgreSQL has a function of its own only from 18 on.
create or replace function new_id() returns uuid language sql volatile as $$
  select (lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;
