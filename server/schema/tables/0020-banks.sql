-- Lines of bank statements that the operator imported, and the bank of the sandbox.

-- Money that came in, each line once. One that names no order waits until the operator matches it.
create table bank_statement_line (
  id uuid primary key,
  -- Of what identifies the line, so that the same file twice adds nothing.
  hash bytea not null unique,
  -- The number of the document; some banks leave it out.
  bank_reference text,
  paid_at timestamptz not null,
  amount bigint not null check (amount > 0),
  purpose text not null,
  payer_name text,
  payer_business_id text check (payer_business_id ~ '^[0-9]{12}$'),
  -- Set before the payment is credited: the line can then be credited to no other order.
  order_id uuid references payment_order,
  payment_id uuid references payment,
  -- The name of the operator who imported it, and of the one who matched it by hand.
  imported_by text not null,
  matched_by text,
  imported_at timestamptz not null,
  check (payment_id is null or order_id is not null)
);
create index bank_statement_line_unmatched on bank_statement_line (id) where payment_id is null;

-- What the sandbox bank knows. A bank would keep it elsewhere: nothing of ours refers to it.
create table sandbox_bank_order (
  reference text primary key,
  amount bigint not null check (amount > 0),
  description text not null,
  expires_at timestamptz not null,
  cancelled_at timestamptz
);

create table sandbox_bank_payment (
  id text primary key,
  reference text not null references sandbox_bank_order,
  amount bigint not null check (amount > 0),
  paid_at timestamptz not null,
  refunded bigint not null default 0 check (refunded between 0 and amount),
  -- The ids of the refunds that were asked for, so that a repeated one is made once.
  refund_ids text[] not null default '{}',
  -- Null when the service did not take the last notice about it.
  notified_at timestamptz
);
create index sandbox_bank_payment_order on sandbox_bank_payment (reference, id);
