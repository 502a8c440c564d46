-- Notices of payment providers: what was read of each, so that one that nobody finished can be handled without asking
-- who sent it again; and when the next try is due.

alter table payment_notice
  add column reference text not null,
  -- The order, the result and the payment that it reports.
  add column content jsonb not null,
  add column tries integer not null default 0,
  add column next_try_at timestamptz;

drop index payment_notice_unhandled;
create index payment_notice_due on payment_notice (next_try_at) where next_try_at is not null;
-- What has come for an order, for people.
create index payment_notice_reference on payment_notice (reference, id);

-- Orders that end when their time is over.
create index payment_order_ending on payment_order (expires_at) where state in ('pending', 'checking');
