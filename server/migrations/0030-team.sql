-- Who belongs to which company, in which role; who was invited; and who changed what.

alter table company
  add column business_id text check (business_id ~ '^[0-9]{12}$'),
  add column language text not null default 'ru' check (language in ('ru', 'kk', 'both')),
  add column brand text check (length(brand) between 1 and 40);

alter table api_key add column created_by text references person;

-- Apart from the key itself, whose every change makes all nodes read their keys anew. To the minute.
create table key_use (
  key_id bigint primary key references api_key,
  used_at timestamptz not null
);

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
  -- Accepted or withdrawn.
  closed_at timestamptz,
  primary key (company_id, id)
);

-- Records are never changed. Each carries a hash over itself and the one before it in its company, so that a record
-- that was edited or taken out by somebody who can reach the table is noticed.
create table audit_record (
  company_id bigint not null references company,
  id bigint not null,
  at timestamptz not null,
  -- Null for the operator's command line. The name stays as it was then.
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

create function audit_hash(p_before bytea, p_record audit_record) returns bytea language sql immutable as $$
  select sha256(p_before || convert_to(concat_ws(E'\x1f', p_record.company_id, p_record.id,
    extract(epoch from p_record.at), coalesce(p_record.person_id, '-'), coalesce(p_record.person_name, '-'),
    p_record.action, p_record.object, coalesce(p_record.before::text, '-'), coalesce(p_record.after::text, '-'),
    coalesce(p_record.address, '-'), coalesce(p_record.device, '-'), coalesce(p_record.request_id, '-')), 'UTF8'))
$$;

-- Fills in the number and the hash. The company's row is locked, so that two records never follow the same one.
create function chain_audit() returns trigger language plpgsql as $$
declare
  v_last audit_record;
begin
  perform from company where id = new.company_id for no key update;
  select * into v_last from audit_record where company_id = new.company_id order by id desc limit 1;
  new.id := coalesce(v_last.id, 0) + 1;
  new.hash := audit_hash(coalesce(v_last.hash, ''::bytea), new);
  return new;
end $$;
create trigger audit_is_chained before insert on audit_record for each row execute function chain_audit();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit records are never changed';
end $$;
create trigger audit_is_final before update or delete on audit_record
  for each row execute function refuse_audit_change();
create trigger audit_is_kept before truncate on audit_record
  for each statement execute function refuse_audit_change();

-- Phones and business numbers for which a welcome bonus has been credited: one bonus each, however many companies
-- somebody creates.
create table welcomed (
  subject text primary key,
  company_id bigint not null references company,
  at timestamptz not null default clock_timestamp()
);
create index welcomed_company on welcomed (company_id);
