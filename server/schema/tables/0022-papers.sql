-- Acts of services and fiscal receipts.

-- An act of a month that is over: its number and its whole content, stored once, so that everybody who asks for it
-- later gets the same paper.
create table act (
  company_id bigint not null references company,
  month date not null check (extract(day from month) = 1),
  -- Without gaps.
  number bigint not null unique,
  -- JSON, kept as the text that the hash covers.
  content text not null,
  hash bytea not null,
  created_at timestamptz not null,
  primary key (company_id, month)
);
insert into paper_number (kind, last) values ('act', 0);

create index payment_credited on payment (company_id, credited_at);

-- The cash register that fiscal receipts come from.
create table fiscal_register (
  name text primary key,
  since timestamptz not null,
  -- Payments up to this receipt have their row in fiscal_receipt. Receipt numbers are committed in their order, so that
  -- none can be missed.
  last_receipt_number bigint not null,
  -- One operation at a time: the process that works with the register, until it has answered or this time is over.
  leased_until timestamptz not null,
  -- Since the first receipt after the last end of a shift; null while none is open.
  shift_since timestamptz
);

create type fiscal_state as enum ('waiting', 'registered', 'failed');

-- A sale for every payment and a return for every refund. The id is that of the payment or of the refund, and the number
-- by which the register recognises a repeated request.
create table fiscal_receipt (
  id uuid primary key,
  payment_id uuid not null references payment,
  company_id bigint not null references company,
  is_return boolean not null,
  amount bigint not null check (amount > 0),
  state fiscal_state not null default 'waiting',
  tries integer not null default 0,
  next_try_at timestamptz,
  -- Of the last try.
  error text,
  created_at timestamptz not null,
  registered_at timestamptz,
  number text,
  url text,
  -- What a return has to repeat of its sale.
  basis jsonb,
  check ((state = 'waiting') = (next_try_at is not null)),
  check ((state = 'registered') = (number is not null))
);
create index fiscal_receipt_due on fiscal_receipt (next_try_at) where next_try_at is not null;
create index fiscal_receipt_payment on fiscal_receipt (payment_id);
