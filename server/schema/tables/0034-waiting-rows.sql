-- The broadcast that a recipient waits for. Of all indexes only its own has this column, so those who wait are found by
-- it whatever the statistics say. By any other one every claim would pass all recipients that were sent to before.
alter table broadcast_row add column waits_for uuid generated always as (
  case when verdict = 'send' and message_id is null and skipped is null then broadcast_id end) stored;
drop index broadcast_row_waiting;
create index broadcast_row_waiting on broadcast_row (waits_for, number) where waits_for is not null;
