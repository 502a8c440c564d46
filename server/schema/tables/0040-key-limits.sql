-- The daily cap of a key, and the end of its life.

-- Tenge per day of Almaty, and when the key ends; null means no cap, and no end.
alter table api_key add column daily_cap bigint check (daily_cap > 0),
  add column expires_at timestamptz,
  add constraint test_key_has_no_daily_cap check (daily_cap is null or not is_test);
drop index api_key_capped;
create index api_key_capped on api_key (company_id, id) where monthly_cap is not null or daily_cap is not null;

-- What a key with a daily cap has spent in a day, as key_spend has it for a month. A table of its own: nodes of the
-- release before delete the rows of a key from key_spend when it has no monthly cap.
create table key_day_spend (
  company_id bigint not null,
  key_id bigint not null,
  day date not null,
  spent bigint not null default 0,
  -- False until what the key had spent in the day before it got its cap is added.
  is_counted boolean not null default true,
  primary key (company_id, key_id, day),
  check (spent >= 0 or not is_counted)
);
