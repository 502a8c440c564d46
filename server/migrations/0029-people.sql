-- People who use the cabinet. The phone is in digits, as everywhere; a person has an e-mail address, a phone, or both.

create table person (
  id text primary key,
  name text not null check (length(name) between 1 and 200),
  email text not null unique,
  email_verified boolean not null default false,
  phone bigint unique,
  language text check (language in ('ru', 'kk', 'en')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
