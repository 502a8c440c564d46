-- Top-ups: orders, the payments that came for them, what payment providers reported, and refunds.

alter type entry_kind add value 'refund';
-- A refund of the payment that brought the first bonus takes the bonus back.
alter type entry_kind add value 'bonus_taken_back';
-- A refund that the provider refused is given back.
alter type entry_kind add value 'refund_refused';
-- What a top-up pays of a debt.
alter type entry_kind add value 'debt_paid';

-- A refund can be larger than what is left. The rest is owed: paid sends are refused until a top-up has paid it.
alter table account add column debt bigint not null default 0 check (debt >= 0);

create type payment_order_state as enum ('pending', 'checking', 'manual', 'paid', 'expired', 'cancelled');

create table payment_order (
  id uuid primary key,
  company_id bigint not null references company,
  -- The short code that a payer types and a bank statement names.
  reference text not null unique check (reference ~ '^[A-Z0-9-]{6,20}$'),
  provider text not null,
  amount bigint not null check (amount > 0),
  payer_name text not null check (length(payer_name) between 1 and 200),
  -- БИН or ИИН, for the papers.
  payer_business_id text check (payer_business_id ~ '^[0-9]{12}$'),
  state payment_order_state not null default 'pending',
  -- The provider's own id of the order, its QR as text, and the address that opens the payer's bank.
  provider_id text,
  qr text,
  pay_url text,
  created_by text references person,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null once the provider need not be asked again.
  next_check_at timestamptz,
  checks integer not null default 0,
  closed_at timestamptz,
  unique (provider, provider_id)
);
create index payment_order_company on payment_order (company_id, id);
create index payment_order_due on payment_order (next_check_at) where next_check_at is not null;

-- Money that arrived. Each is credited once, in the transaction that adds the row; its id is the cause of its entries.
create table payment (
  id uuid primary key,
  company_id bigint not null references company,
  -- Null for one that the operator entered without an order.
  order_id uuid references payment_order,
  provider text not null,
  provider_payment_id text not null,
  amount bigint not null check (amount > 0),
  bonus bigint not null default 0 check (bonus >= 0),
  payer_name text,
  payer_business_id text check (payer_business_id ~ '^[0-9]{12}$'),
  paid_at timestamptz not null,
  credited_at timestamptz not null,
  -- Flags for people: paid after the order had ended, paid once more, paid another amount than asked.
  is_late boolean not null default false,
  is_repeated boolean not null default false,
  is_other_amount boolean not null default false,
  -- Asked and done refunds together.
  refunded bigint not null default 0 check (refunded between 0 and amount),
  -- Without gaps.
  receipt_number bigint not null unique,
  unique (provider, provider_payment_id)
);
create index payment_company on payment (company_id, id);
create index payment_order_payments on payment (order_id);

-- Numbers of papers, one after the other: the row stays locked until the paper is stored.
create table paper_number (
  kind text primary key,
  last bigint not null
);
insert into paper_number (kind, last) values ('receipt', 0);

-- What a provider reported, stored before it is answered. One that was never handled, because the process died, is
-- handled at the next start.
create table payment_notice (
  id uuid primary key,
  provider text not null,
  received_at timestamptz not null,
  body text not null,
  handled_at timestamptz,
  outcome text
);
create index payment_notice_unhandled on payment_notice (id) where handled_at is null;

create type refund_state as enum ('asked', 'done', 'refused');

create table refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  company_id bigint not null references company,
  amount bigint not null check (amount > 0),
  -- Of the amount and of the bonus that goes with it: what the balance covered, and what it did not.
  taken bigint not null check (taken >= 0),
  owed bigint not null check (owed >= 0),
  bonus bigint not null default 0 check (bonus >= 0),
  -- Of what was owed: what was still unpaid when the provider refused the refund.
  debt_cancelled bigint not null default 0,
  state refund_state not null,
  reason text not null,
  -- The name of the operator; null when the provider reported it.
  asked_by text,
  provider_refund_id text,
  asked_at timestamptz not null,
  settled_at timestamptz,
  next_try_at timestamptz,
  tries integer not null default 0,
  check (taken + owed = amount + bonus),
  check (debt_cancelled between 0 and owed),
  unique (payment_id, provider_refund_id)
);
create index refund_due on refund (next_try_at) where next_try_at is not null;

-- Top-ups made before there were payments.
insert into payment (id, company_id, provider, provider_payment_id, amount, bonus, paid_at, credited_at, receipt_number)
select t.cause, t.company_id, 'terminal', t.cause::text, t.amount, coalesce(b.amount, 0), t.created_at, t.created_at,
  row_number() over (order by t.created_at, t.cause)
from entry t
left join entry b on b.company_id = t.company_id and b.kind = 'first_topup_bonus' and b.cause = t.cause
where t.kind = 'topup';
update paper_number set last = (select count(*) from payment) where kind = 'receipt';
