-- State of the removal of old rows and months.

-- Tables without an index on age are scanned in page order, a bounded number of pages per run: an index on a column
-- that every send changes would cost each send a second page. This is where the next run continues.
create table upkeep_position (
  table_name text primary key,
  next_page bigint not null
);

-- Charges for the messages of removed months. The ledger is kept for ever, and is compared with the messages; written
-- in the transaction that removes the month.
create table removed_month (
  company_id bigint not null,
  month date not null,
  messages bigint not null,
  charged bigint not null,
  primary key (company_id, month)
);
