-- The entries of a company are numbered 1, 2, 3 … in the order in which they changed its balance. The number is counted
-- in the account, under the lock that every change of the balance takes, so it needs no clock: times can be equal, or
-- run backwards when a clock is set back.

alter table account add column entries bigint not null default 0;
alter table entry add column number bigint;

alter table entry disable trigger user;
update entry e set number = n.number
from (select company_id, kind, cause, row_number() over (partition by company_id order by created_at, cause, kind) as number
  from entry) n
where e.company_id = n.company_id and e.kind = n.kind and e.cause = n.cause;
alter table entry enable trigger user;
update account a set entries = (select count(*) from entry e where e.company_id = a.company_id);

alter table entry alter column number set not null;
create index entry_number on entry (company_id, number);
-- Nearly all entries are charges. The others are found without reading past them.
create index entry_number_no_charge on entry (company_id, number) where kind not in ('charge', 'charge_moved');

-- Why the operator corrected a balance. The id is the cause of the entry.
create table correction (
  id uuid primary key,
  company_id bigint not null references company,
  reason text not null check (length(reason) between 1 and 500)
);

-- What the messages of an hour cost by their purpose. Null stands for what has none, and for all purposes of an hour
-- beyond the largest.
create table spend_hour (
  company_id bigint not null,
  hour timestamptz not null,
  kind message_kind not null,
  purpose text,
  charged bigint not null,
  unique nulls not distinct (company_id, hour, kind, purpose)
);
-- Hours that were counted without it are counted again, as far back as the page looks and there are messages.
delete from counted_hour where hour >= greatest(clock_timestamp() - interval '92 days',
  (select max(month) + interval '1 month' from removed_month) at time zone 'UTC');
