-- The monthly cap of a key, and alerts about a low balance.

-- Tenge per month; null means no cap. Test keys take no money.
alter table api_key add column monthly_cap bigint check (monthly_cap > 0),
  add constraint test_key_has_no_cap check (monthly_cap is null or not is_test);
create index api_key_capped on api_key (company_id, id) where monthly_cap is not null;

-- What a key with a cap has spent in a month: the charges and holds of the messages it made in that month. Other keys
-- have no rows here. A row changes only under the lock of its company's account, like all money.
create table key_spend (
  company_id bigint not null,
  key_id bigint not null,
  -- The first day of the month in Almaty.
  month date not null,
  spent bigint not null default 0,
  -- False until what the key had spent in the month before it got its cap is added.
  is_counted boolean not null default true,
  primary key (company_id, key_id, month),
  check (spent >= 0 or not is_counted)
);

-- To whom and when a low balance is announced. Companies without a row get no alert.
create table balance_alert (
  company_id bigint primary key references company,
  -- Tenge; null means off.
  threshold bigint check (threshold > 0),
  -- Null: the members who may see the balance.
  emails text[] check (cardinality(emails) between 1 and 10),
  -- Members who may see the balance get it in Telegram as well, if they have written to the bot.
  tells_members_in_telegram boolean not null default false,
  telegram_group_id bigint references messenger_group on delete set null,
  -- Announced, and the balance has not been above the threshold since.
  is_announced boolean not null default false,
  announced_at timestamptz,
  -- A node that announces it does so until then.
  claimed_until timestamptz
);
