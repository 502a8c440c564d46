-- Files in the archive, a row for each: written when the file was read back and had the rows that it should. A month is
-- dropped when its files have all of its rows.
create table archived_file (
  table_name text not null,
  month date not null,
  -- The pages of the month that are in it.
  from_page bigint not null,
  to_page bigint not null,
  file text not null,
  row_count bigint not null,
  bytes bigint not null,
  sha256 text not null,
  archived_at timestamptz not null default clock_timestamp(),
  primary key (table_name, month, from_page)
);
