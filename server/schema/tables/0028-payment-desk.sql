-- The desk of payments: lines of statements that are credited to a company without an order, and what an operator has
-- looked at.

-- Set, like the order, before the payment is credited: the line can then be credited to nobody else.
alter table bank_statement_line add column company_id bigint references company,
  drop constraint bank_statement_line_check,
  add constraint line_has_one_target check (order_id is null or company_id is null),
  add constraint credited_line_has_target check (payment_id is null or order_id is not null or company_id is not null);

-- What needs no decision any more: a statement line that is no top-up, a notice, a flagged payment.
create table payment_review (
  id uuid primary key,
  kind text not null check (kind in ('line', 'notice', 'payment')),
  note text check (length(note) between 1 and 500),
  reviewed_by text not null,
  reviewed_at timestamptz not null default clock_timestamp()
);

create index payment_order_manual on payment_order (id) where state = 'manual';
create index refund_open on refund (id) where state = 'asked';
create index payment_flagged on payment (id) where is_late or is_repeated or is_other_amount;
-- Notices that somebody has to look at.
create index payment_notice_odd on payment_notice (id)
  where handled_at is null or outcome in ('unknown_order', 'other_order', 'manual');
