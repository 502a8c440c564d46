-- Becomes a part of the key a release later, when every node writes it: repeated requests are forgotten after a day, and the
-- use of a key is written again with each use.
alter table idempotency add column company_id bigint;
alter table key_use add column company_id bigint;
