import type { Credentials } from '../accounts/person-store.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { PersonId } from '../ids.ts';
import { hashOfToken } from '../token.ts';

export type StoredOperator = {
  personId: PersonId;
  name: string;
  email: string | null;
  createdAt: Date;
  joinedAt: Date | null;
  removedAt: Date | null;
  hasSecondFactor: boolean;
};

/** Everybody who is or was an operator, the oldest first. */
export async function findOperators(sql: Sql): Promise<StoredOperator[]> {
  return await sql.query<StoredOperator>(
    `select p.id as "personId", p.name, p.email, o.created_at as "createdAt", o.joined_at as "joinedAt",
       o.removed_at as "removedAt",
       exists (select from person_with_second_factor f where f.person_id = p.id) as "hasSecondFactor"
     from operator o join person p on p.id = o.person_id order by o.created_at, p.id`,
  );
}

export async function isOperator(sql: Sql, personId: PersonId): Promise<boolean> {
  const rows = await sql.query(
    'select from operator where person_id = $1 and joined_at is not null and removed_at is null',
    [personId],
  );
  return rows.length > 0;
}

/** Of an operator with this address. Anybody else is unknown here, whatever password they have. */
export async function findOperatorCredentials(
  sql: Sql,
  email: string,
): Promise<Credentials | undefined> {
  const [row] = await sql.query<{ id: PersonId; password_hash: string | null }>(
    `select p.id, p.password_hash from person p join operator o on o.person_id = p.id
     where p.email = $1 and o.joined_at is not null and o.removed_at is null`,
    [email],
  );
  return row && { personId: row.id, hash: row.password_hash ?? undefined };
}

/** Makes a person an operator, also one who was removed. False for one who is. */
export async function insertOperator(
  tx: Transaction,
  { personId, hasJoined }: { personId: PersonId; hasJoined: boolean },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into operator as o (person_id, joined_at) values ($1, case when $2 then clock_timestamp() end)
     on conflict (person_id) do update
       set created_at = clock_timestamp(), joined_at = excluded.joined_at, removed_at = null
       where o.removed_at is not null or o.joined_at is null
     returning 1`,
    [personId, hasJoined],
  );
  return rows.length === 1;
}

/** False when the person is no operator. */
export async function setRemoved(tx: Transaction, personId: PersonId): Promise<boolean> {
  const rows = await tx.query(
    `update operator set removed_at = clock_timestamp()
     where person_id = $1 and removed_at is null returning 1`,
    [personId],
  );
  return rows.length === 1;
}

/** From now on the person has to use a welcome link first. False when they are no operator. */
export async function setUnjoined(tx: Transaction, personId: PersonId): Promise<boolean> {
  const rows = await tx.query(
    'update operator set joined_at = null where person_id = $1 and removed_at is null returning 1',
    [personId],
  );
  return rows.length === 1;
}

/** How long a welcome link works. */
const WELCOME_HOURS = 24;

/** In place of an earlier one. */
export async function replaceWelcome(
  tx: Transaction,
  { personId, tokenHash }: { personId: PersonId; tokenHash: Buffer },
): Promise<{ endsAt: Date }> {
  await dropWelcome(tx, personId);
  const [row] = await tx.query<{ endsAt: Date }>(
    `insert into operator_welcome (token_hash, person_id, ends_at)
     values ($1, $2, clock_timestamp() + interval '${WELCOME_HOURS} hours') returning ends_at as "endsAt"`,
    [tokenHash, personId],
  );
  return row as { endsAt: Date };
}

export async function dropWelcome(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query('delete from operator_welcome where person_id = $1', [personId]);
}

export type Welcome = { name: string; email: string; phone: string | null; endsAt: Date };

const IS_VALID = `w.token_hash = $1 and w.ends_at > clock_timestamp()
  and o.person_id = w.person_id and o.removed_at is null and o.joined_at is null`;

/** Whom a link that still works is for. */
export async function findWelcome(sql: Sql, token: string): Promise<Welcome | undefined> {
  const rows = await sql.query<Welcome>(
    `select p.name, p.email, p.phone::text as phone, w.ends_at as "endsAt"
     from operator_welcome w, operator o, person p where ${IS_VALID} and p.id = o.person_id`,
    [hashOfToken(token)],
  );
  return rows[0];
}

/** Consumes a link: from now on the person is an operator. Succeeds for exactly one caller. */
export async function takeWelcome(
  tx: Transaction,
  token: string,
): Promise<{ personId: PersonId; name: string } | undefined> {
  const rows = await tx.query<{ personId: PersonId; name: string }>(
    `with taken as (
       delete from operator_welcome w using operator o where ${IS_VALID} returning w.person_id
     ), joined as (
       update operator o set joined_at = clock_timestamp() from taken where o.person_id = taken.person_id
     )
     select p.id as "personId", p.name from taken join person p on p.id = taken.person_id`,
    [hashOfToken(token)],
  );
  return rows[0];
}
