-- Members of companies and their roles, invitations, and the audit log.

create table member (
  company_id bigint not null references company,
  person_id text not null references person,
  role text not null check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'viewer')),
  joined_at timestamptz not null default clock_timestamp(),
  primary key (company_id, person_id)
);
create index member_person on member (person_id, company_id);

create table invitation (
  company_id bigint not null references company,
  id bigint generated always as identity,
  role text not null check (role in ('owner', 'manager', 'developer', 'accountant', 'marketer', 'viewer')),
  token_hash bytea not null unique,
  note text check (length(note) <= 200),
  invited_by text not null references person,
  created_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  -- When it was accepted or withdrawn.
  closed_at timestamptz,
  primary key (company_id, id)
);

-- Records are never changed. Each has a hash over itself and the previous record of its company, which shows when
-- somebody with access to the table has edited or removed a record.
create table audit_record (
  company_id bigint not null references company,
  id bigint not null,
  at timestamptz not null,
  -- Null for the operator's command line. The name stays as it was at that time.
  person_id text references person,
  person_name text,
  action text not null,
  object text not null,
  before jsonb,
  after jsonb,
  address text,
  device text,
  request_id text,
  hash bytea not null,
  primary key (company_id, id)
);

-- Phones and business numbers for which a welcome bonus was credited: one bonus each, however many companies a person
-- creates.
create table welcomed (
  subject text primary key,
  company_id bigint not null references company,
  at timestamptz not null default clock_timestamp()
);
create index welcomed_company on welcomed (company_id);
