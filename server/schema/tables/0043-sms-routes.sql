-- Numbers that were ported to another operator: the digits of a phone name the operator that first gave it out.
create table ported_number (
  phone bigint primary key,
  -- As in the numbering plan: `beeline`.
  operator text not null
);

-- What an accepted SMS has beside its attempt: one part by the only provider needs no row.
create table sms_attempt (
  company_id bigint not null,
  message_id uuid not null,
  number smallint not null,
  -- Providers charge for each.
  parts smallint not null,
  -- Why this provider was tried first, or null for the only one.
  why text check (why in ('operator', 'price', 'delivery', 'sample', 'order', 'failover')),
  -- Of the phone, where it is known.
  operator text,
  primary key (company_id, message_id, number)
) partition by range (message_id);
