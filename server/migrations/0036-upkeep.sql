-- What the removal of old rows and months needs.

-- Tables without an index on age are walked in the order of their pages, a bounded number in each run: an index on a
-- column that every send changes would cost each of them a second page. This is where the next run goes on.
create table upkeep_position (
  table_name text primary key,
  next_page bigint not null
);

-- What was charged for the messages of months that are gone. The ledger is kept for ever, and is compared with the
-- messages; written in the transaction that removes the month.
create table removed_month (
  company_id bigint not null,
  month date not null,
  messages bigint not null,
  charged bigint not null,
  primary key (company_id, month)
);

-- A month that is about to be removed takes no changes any more, so that what was charged in it can be added up without
-- a lock. A receipt that is more than a month late does nothing, as it will when the month is gone.
create function keep_month_closed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    raise exception 'the month % is being removed', tg_table_name;
  end if;
  return null;
end $$;
