import type { Lang } from '@zhiber/contract/cabinet/fields.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/** Of people without an e-mail address: the column wants one, and nobody ever can have this. */
const NO_EMAIL = '@phone.invalid';
const SHOWN_EMAIL = `case when p.email_verified then p.email end`;

export type Person = {
  name: string;
  email: string | null;
  phone: string | null;
  language: Lang | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
};

export async function findPerson(sql: Sql, personId: PersonId): Promise<Person> {
  const rows = await sql.query<Person>(
    `select p.name, ${SHOWN_EMAIL} as email, '+' || p.phone as phone, p.language,
       exists (select from credential c where c.person_id = p.id and c.password_hash is not null)
         as "hasPassword",
       exists (select from second_factor f where f.person_id = p.id and f.confirmed_at is not null)
         as "hasSecondFactor"
     from person p where p.id = $1`,
    [personId],
  );
  return rows[0] as Person;
}

/** Every company of a person, the one they joined first first. */
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

/** The person of a phone, made now if there is none; two at once make one. */
export async function findOrAddByPhone(
  sql: Sql,
  person: { id: string; phone: Phone; name: string },
): Promise<PersonId> {
  const rows = await sql.query<{ id: PersonId }>(
    `insert into person (id, name, email, phone) values ($1, $2, $1 || '${NO_EMAIL}', $3)
     on conflict (phone) do update set phone = excluded.phone returning id`,
    [person.id, person.name, person.phone],
  );
  return (rows[0] as { id: PersonId }).id;
}

/** Undefined when somebody has the address already. */
export async function addByEmail(
  tx: Transaction,
  person: { id: string; name: string; email: string; language: Lang | null },
): Promise<PersonId | undefined> {
  const rows = await tx.query<{ id: PersonId }>(
    `insert into person (id, name, email, email_verified, language) values ($1, $2, $3, true, $4)
     on conflict (email) do nothing returning id`,
    [person.id, person.name, person.email, person.language],
  );
  return rows[0]?.id;
}

const DEMO_OWNER = 'demo-owner';

/** The owner of the demo company, made with the first visit. */
export async function addDemoOwner(sql: Sql, companyId: CompanyId): Promise<PersonId> {
  await sql.query(
    `with owner as (
       insert into person (id, name, email) values ('${DEMO_OWNER}', 'Демо', '${DEMO_OWNER}${NO_EMAIL}')
       on conflict (id) do update set id = excluded.id returning id)
     insert into member (company_id, person_id, role) select $1, id, 'owner' from owner
     on conflict do nothing`,
    [companyId],
  );
  return DEMO_OWNER as PersonId;
}

/** Who has a confirmed address, by it or by their id. */
export async function findByAccount(
  sql: Sql,
  account: string,
): Promise<{ email: string; language: Lang | null } | undefined> {
  const rows = await sql.query<{ email: string; language: Lang | null }>(
    'select email, language from person where email_verified and (email = $1 or id = $1)',
    [account],
  );
  return rows[0];
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
  await tx.query(
    `update person set email = $2, email_verified = true, updated_at = clock_timestamp() where id = $1`,
    [personId, email],
  );
}
