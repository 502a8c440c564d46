import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import type { Phone } from '../phone.ts';

export type Person = {
  name: string;
  email: string | null;
  phone: string | null;
  language: Lang | null;
  hasPassword: boolean;
  /** An app with codes or a passkey. */
  hasSecondFactor: boolean;
  hasCodeApp: boolean;
  hasPasskey: boolean;
};

export async function readPerson(sql: Sql, personId: PersonId): Promise<Person> {
  const rows = await sql.query<Omit<Person, 'hasSecondFactor'>>(
    `select p.name, p.email, '+' || p.phone as phone, p.language,
       p.password_hash is not null as "hasPassword",
       exists (select from second_factor f where f.person_id = p.id and f.confirmed_at is not null)
         as "hasCodeApp",
       exists (select from passkey k where k.person_id = p.id) as "hasPasskey"
     from person p where p.id = $1`,
    [personId],
  );
  const person = rows[0] as Omit<Person, 'hasSecondFactor'>;
  return { ...person, hasSecondFactor: person.hasCodeApp || person.hasPasskey };
}

/** Locks a person until the transaction ends, so that changes of their factors follow each other. */
export async function lockPerson(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query('select from person where id = $1 for no key update', [personId]);
}

/** The companies of a person, in the order they joined. */
export async function listCompanies(
  sql: Sql,
  personId: PersonId,
): Promise<{ id: CompanyId; name: string; role: Role }[]> {
  return await sql.query<{ id: CompanyId; name: string; role: Role }>(
    `select c.id, c.name, m.role from member m join company c on c.id = m.company_id
     where m.person_id = $1 order by m.joined_at, c.id`,
    [personId],
  );
}

/** The person with a phone, created if there is none. Concurrent calls create only one. */
export async function findOrAddByPhone(
  sql: Sql,
  person: { id: string; phone: Phone; name: string; language?: Lang },
): Promise<PersonId> {
  const rows = await sql.query<{ id: PersonId }>(
    `insert into person (id, name, phone, language) values ($1, $2, $3, $4)
     on conflict (phone) do update set phone = excluded.phone returning id`,
    [person.id, person.name, person.phone, person.language ?? null],
  );
  return (rows[0] as { id: PersonId }).id;
}

/** Undefined when the address is taken. */
export async function addByEmail(
  tx: Transaction,
  person: {
    id: string;
    name: string;
    email: string;
    /** Null until they choose one. */
    passwordHash: string | null;
    language: Lang | null;
  },
): Promise<PersonId | undefined> {
  const rows = await tx.query<{ id: PersonId }>(
    `insert into person (id, name, email, password_hash, language) values ($1, $2, $3, $4, $5)
     on conflict (email) do nothing returning id`,
    [person.id, person.name, person.email, person.passwordHash, person.language],
  );
  return rows[0]?.id;
}

const DEMO_OWNER = 'demo-owner';

/** The owner of the demo company, created on the first visit. */
export async function addDemoOwner(sql: Sql, companyId: CompanyId): Promise<PersonId> {
  await sql.query(
    `with owner as (
       insert into person (id, name) values ('${DEMO_OWNER}', 'Демо')
       on conflict (id) do update set id = excluded.id returning id)
     insert into member (company_id, person_id, role) select $1, id, 'owner' from owner
     on conflict do nothing`,
    [companyId],
  );
  return DEMO_OWNER as PersonId;
}

/** A person with an e-mail address, found by it or by the person id. */
export async function findByAccount(
  sql: Sql,
  account: string,
): Promise<{ email: string; language: Lang | null } | undefined> {
  const rows = await sql.query<{ email: string; language: Lang | null }>(
    'select email, language from person where email is not null and (email = $1 or id = $1)',
    [account],
  );
  return rows[0];
}

/** The hash is undefined for a person without a password. */
export type Credentials = { personId: PersonId; hash: string | undefined };

/** The person with an address, and the hash of their password if they have one. */
export async function findCredentials(sql: Sql, email: string): Promise<Credentials | undefined> {
  const rows = await sql.query<{ id: PersonId; password_hash: string | null }>(
    'select id, password_hash from person where email = $1',
    [email],
  );
  const [row] = rows;
  return row && { personId: row.id, hash: row.password_hash ?? undefined };
}

/** Undefined when the person has no password. */
export async function findPasswordHash(sql: Sql, personId: PersonId): Promise<string | undefined> {
  const rows = await sql.query<{ hash: string | null }>(
    'select password_hash as hash from person where id = $1',
    [personId],
  );
  return rows[0]?.hash ?? undefined;
}

/** Null: nobody signs in with a password until a new one is set. */
export async function setPasswordHash(
  tx: Transaction,
  personId: PersonId,
  hash: string | null,
): Promise<void> {
  await tx.query(
    'update person set password_hash = $2, updated_at = clock_timestamp() where id = $1',
    [personId, hash],
  );
}

export async function isKnownEmail(sql: Sql, email: string): Promise<boolean> {
  return (await sql.query('select from person where email = $1', [email])).length > 0;
}

export async function updateProfile(
  sql: Sql,
  personId: PersonId,
  profile: { name?: string | undefined; language?: Lang | undefined },
): Promise<void> {
  await sql.query(
    `update person set name = coalesce($2, name), language = coalesce($3, language),
       updated_at = clock_timestamp() where id = $1`,
    [personId, profile.name ?? null, profile.language ?? null],
  );
}

/** Fails on `person_phone_key` when another person has that phone. */
export async function setPhone(sql: Sql, personId: PersonId, phone: Phone): Promise<void> {
  await sql.query('update person set phone = $2, updated_at = clock_timestamp() where id = $1', [
    personId,
    phone,
  ]);
}

/** Fails on `person_email_key` when another person has that address. */
export async function setEmail(tx: Transaction, personId: PersonId, email: string): Promise<void> {
  await tx.query(`update person set email = $2, updated_at = clock_timestamp() where id = $1`, [
    personId,
    email,
  ]);
}

export async function isBlocked(sql: Sql, personId: PersonId): Promise<boolean> {
  const rows = await sql.query('select from person where id = $1 and blocked_at is not null', [
    personId,
  ]);
  return rows.length > 0;
}

/** Blocks a person with a reason, or unblocks without one. False when nothing changes. */
export async function setBlocked(
  tx: Transaction,
  personId: PersonId,
  reason: string | undefined,
): Promise<boolean> {
  const rows = await tx.query(
    `update person set blocked_because = $2::text,
       blocked_at = case when $2::text is not null then clock_timestamp() end
     where id = $1 and (blocked_at is null) = ($2::text is not null) returning 1`,
    [personId, reason ?? null],
  );
  return rows.length === 1;
}

/** The person with this e-mail address or phone. */
export async function findByContact(
  sql: Sql,
  contact: { email: string } | { phone: Phone },
): Promise<{ personId: PersonId; name: string } | undefined> {
  const [column, value] = 'email' in contact ? ['email', contact.email] : ['phone', contact.phone];
  const rows = await sql.query<{ personId: PersonId; name: string }>(
    `select id as "personId", name from person where ${column} = $1`,
    [value],
  );
  return rows[0];
}
