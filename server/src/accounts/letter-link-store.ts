import type { Lang } from '@zhiber/contract/languages.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { PersonId } from '../ids.ts';
import { hashOfToken } from '../token.ts';
import type { PersonalFacts } from './judge-password.ts';

export type LetterLink =
  | { kind: 'sign_up'; email: string; name: string; language: Lang }
  | { kind: 'new_email'; email: string; personId: PersonId };

const ENDS_AT = `clock_timestamp() + interval '24 hours'`;
/** Shorter, because a password is more sensitive than an address, and its owner is waiting. */
const RESET_ENDS_AT = `clock_timestamp() + interval '1 hour'`;

export async function insertLink(sql: Sql, tokenHash: Buffer, link: LetterLink): Promise<void> {
  const isSignUp = link.kind === 'sign_up';
  await sql.query(
    `insert into letter_link (token_hash, kind, email, person_id, name, language, ends_at)
     values ($1, $2, $3, $4, $5, $6, ${ENDS_AT})`,
    [
      tokenHash,
      link.kind,
      link.email,
      isSignUp ? null : link.personId,
      isSignUp ? link.name : null,
      isSignUp ? link.language : null,
    ],
  );
}

/**
 * A password reset link for the person with this address. For an unknown address the same statement
 * runs; its link then works for nobody, and undefined is returned.
 */
export async function insertResetLink(
  sql: Sql,
  tokenHash: Buffer,
  email: string,
): Promise<{ language: Lang | null } | undefined> {
  const rows = await sql.query<{ person_id: string | null; language: Lang | null }>(
    `insert into letter_link (token_hash, kind, email, person_id, language, ends_at)
     select $1, 'new_password', $2, p.id, p.language, ${RESET_ENDS_AT}
     from (select) one left join person p on p.email = $2 
     returning person_id, language`,
    [tokenHash, email],
  );
  const [row] = rows;
  return row === undefined || row.person_id === null ? undefined : { language: row.language };
}

export type TakenLink = {
  kind: 'sign_up' | 'new_email' | 'new_password';
  email: string;
  person_id: PersonId | null;
  name: string | null;
  language: Lang | null;
};

/**
 * Consumes a link and returns its purpose. A new address is confirmed only by the person who
 * requested it.
 */
export async function takeLink(
  tx: Transaction,
  { token, kind, userId }: { token: string; kind: TakenLink['kind']; userId: PersonId | null },
): Promise<TakenLink | undefined> {
  const rows = await tx.query<TakenLink>(
    `delete from letter_link where token_hash = $1 and kind = $2 and ends_at > clock_timestamp()
       and (kind <> 'new_email' or person_id = $3)
     returning kind, email, person_id, name, language`,
    [hashOfToken(token), kind, userId],
  );
  return rows[0];
}

/** The person whom a link that still works is for: in the letter, or already known. */
export async function findLinkOwner(
  sql: Sql,
  token: string,
  kind: TakenLink['kind'],
): Promise<PersonalFacts | undefined> {
  const rows = await sql.query<PersonalFacts>(
    `select coalesce(p.name, l.name) as name, l.email, p.phone::text as phone
     from letter_link l left join person p on p.id = l.person_id
     where l.token_hash = $1 and l.kind = $2 and l.ends_at > clock_timestamp()`,
    [hashOfToken(token), kind],
  );
  return rows[0];
}

/** After a change of address or password, no older letter may change it back. */
export async function dropLinksOf(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query('delete from letter_link where person_id = $1', [personId]);
}
