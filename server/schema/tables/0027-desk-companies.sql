-- The companies at the operator's desk: search, corrections of balances by two people, and cabinets opened for viewing.

-- The search over all companies: words of the name, БИН, the beginning of an address or of a key.
-- These characters part words: the parser would take `shop.kz` for one, and in the locale C a quotation mark for a letter.
create index company_name_words on company using gin (to_tsvector('simple', translate(name, './-_@&+:«»“”„’—–', '                ')));
create index company_name_start on company (lower(name) text_pattern_ops);
create index company_business_id on company (business_id) where business_id is not null;
create index person_email_start on person (email text_pattern_ops) where email is not null;
create index api_key_start on api_key (shown_start text_pattern_ops);
create index guard_decision_company on guard_decision (company_id, minute);

-- Corrections that operators have entered at the desk. A small one is applied at once; a larger one waits for another
-- operator.
create table correction_request (
  id uuid primary key,
  -- Of the page that asked, which may repeat it.
  request_id text not null unique,
  company_id bigint not null references company,
  amount bigint not null check (amount <> 0),
  reason text not null check (length(reason) between 1 and 500),
  asked_by text not null references operator,
  asked_at timestamptz not null default clock_timestamp(),
  -- Null when no second person was needed.
  expires_at timestamptz,
  decided_by text references operator,
  decided_at timestamptz,
  -- That of its entry, once it is applied.
  cause uuid unique,
  check (decided_by <> asked_by),
  check ((decided_by is null) = (decided_at is null)),
  check (cause is null or expires_at is null or decided_by is not null)
);
create index correction_request_company on correction_request (company_id, asked_at);
create index correction_request_asked on correction_request (asked_by, asked_at);
create index correction_request_waiting on correction_request (expires_at) where decided_at is null and expires_at is not null;

-- Cabinets that operators have opened for viewing. Each belongs to a session of the desk and ends with it.
create table company_view (
  id text primary key,
  token_hash bytea not null unique,
  operator_session_id text not null references operator_session on delete cascade,
  company_id bigint not null references company,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null
);
create index company_view_session on company_view (operator_session_id);
