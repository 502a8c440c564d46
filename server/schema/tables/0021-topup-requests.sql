-- A second click, or a repeat after a lost answer, sends the same request id and gets the same order.
alter table payment_order add column request_id text;
create unique index payment_order_request on payment_order (company_id, request_id);

-- The unpaid orders of a company, for its page and for their limit.
create index payment_order_open on payment_order (company_id, id) where state in ('pending', 'checking', 'manual');
