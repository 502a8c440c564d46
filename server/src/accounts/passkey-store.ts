import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { PersonId } from '../ids.ts';
import { hashOfToken } from '../token.ts';

/** What a challenge is for. An answer that was given for one use is refused for another. */
export type ChallengeUse = 'sign_in' | 'desk_sign_in' | 'second_step' | 'proof' | 'new_passkey';

export type Challenge = {
  challenge: string;
  use: ChallengeUse;
  /** A secret of the browser that asks: its session, or a token that was given to it. */
  browser: string;
  /** Undefined when anybody may answer: a sign-in. */
  personId: PersonId | undefined;
};

/** Enough for a prompt of the system, and for a phone that has to be found first. */
export const CHALLENGE_SECONDS = 5 * 60;

export async function insertChallenge(sql: Sql, given: Challenge): Promise<void> {
  await sql.query(
    `insert into passkey_challenge (challenge_hash, use, browser_hash, person_id, ends_at)
     values ($1, $2, $3, $4, clock_timestamp() + interval '${CHALLENGE_SECONDS} seconds')`,
    [hashOfToken(given.challenge), given.use, hashOfToken(given.browser), given.personId ?? null],
  );
}

/** Consumes a challenge. True for exactly one caller: the browser that asked, within the time. */
export async function takeChallenge(sql: Sql, given: Challenge): Promise<boolean> {
  const rows = await sql.query(
    `delete from passkey_challenge where challenge_hash = $1 and use = $2 and browser_hash = $3
       and person_id is not distinct from $4 and ends_at > clock_timestamp() returning 1`,
    [hashOfToken(given.challenge), given.use, hashOfToken(given.browser), given.personId ?? null],
  );
  return rows.length === 1;
}

export type StoredPasskey = {
  id: string;
  credentialId: string;
  personId: PersonId;
  name: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  createdAt: Date;
  usedAt: Date | null;
};

const COLUMNS = `id, credential_id as "credentialId", person_id as "personId", name,
  public_key as "publicKey", counter, transports, created_at as "createdAt", used_at as "usedAt"`;

export async function findPasskey(
  sql: Sql,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const rows = await sql.query<StoredPasskey>(
    `select ${COLUMNS} from passkey where credential_id = $1`,
    [credentialId],
  );
  return rows[0];
}

/** The oldest first. */
export async function findPasskeysOf(sql: Sql, personId: PersonId): Promise<StoredPasskey[]> {
  return await sql.query<StoredPasskey>(
    `select ${COLUMNS} from passkey where person_id = $1 order by created_at, id`,
    [personId],
  );
}

export type NewPasskey = Omit<StoredPasskey, 'createdAt' | 'usedAt'>;

/** False when the device has already given this passkey, to whomever. */
export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<boolean> {
  const rows = await tx.query(
    `insert into passkey (id, credential_id, person_id, name, public_key, counter, transports)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning 1`,
    [
      passkey.id,
      passkey.credentialId,
      passkey.personId,
      passkey.name,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
    ],
  );
  return rows.length === 1;
}

/**
 * Records a use. False when the counter of the device has not grown, which means that somebody has
 * a copy of the passkey. Most devices do not count, and always say 0.
 */
export async function recordUse(
  sql: Sql,
  { id, counter }: { id: string; counter: number },
): Promise<boolean> {
  const rows = await sql.query(
    `update passkey set counter = $2, used_at = clock_timestamp()
     where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
    [id, counter],
  );
  return rows.length === 1;
}

/** False when the person has no such passkey. */
export async function setPasskeyName(
  sql: Sql,
  { personId, id, name }: { personId: PersonId; id: string; name: string },
): Promise<boolean> {
  const rows = await sql.query(
    'update passkey set name = $3 where person_id = $1 and id = $2 returning 1',
    [personId, id, name],
  );
  return rows.length === 1;
}

/** Undefined when the person has no such passkey. */
export async function deletePasskey(
  tx: Transaction,
  personId: PersonId,
  id: string,
): Promise<{ name: string } | undefined> {
  const rows = await tx.query<{ name: string }>(
    'delete from passkey where person_id = $1 and id = $2 returning name',
    [personId, id],
  );
  return rows[0];
}

export async function deletePasskeysOf(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query('delete from passkey where person_id = $1', [personId]);
}
