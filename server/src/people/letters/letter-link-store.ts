import type { Lang } from '@zhiber/contract/cabinet/fields.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/group-commit.ts';
import type { PersonId } from '../../ids.ts';

export type LetterLink =
  | { kind: 'sign_up'; email: string; name: string; hash: string; language: Lang }
  | { kind: 'new_email'; email: string; personId: PersonId };

const ENDS_AT = `clock_timestamp() + interval '24 hours'`;
/** A password is worth more than an address, and whoever asked for a new one is waiting for it. */
const RESET_ENDS_AT = `clock_timestamp() + interval '1 hour'`;

export async function insertLink(sql: Sql, mac: Buffer, link: LetterLink): Promise<void> {
  const isSignUp = link.kind === 'sign_up';
  await sql.query(
    `insert into letter_link (mac, kind, email, person_id, name, password_hash, language, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, ${ENDS_AT})`,
    [
      mac,
      link.kind,
      link.email,
      isSignUp ? null : link.personId,
      isSignUp ? link.name : null,
      isSignUp ? link.hash : null,
      isSignUp ? link.language : null,
    ],
  );
}

/**
 * A link to choose a new password, for whoever has the address. The same statement when nobody has:
 * its link then leads nowhere, and undefined is returned.
 */
export async function insertResetLink(
  sql: Sql,
  mac: Buffer,
  email: string,
): Promise<{ language: Lang | null } | undefined> {
  const rows = await sql.query<{ person_id: string | null; language: Lang | null }>(
    `insert into letter_link (mac, kind, email, person_id, language, ends_at)
     select $1, 'new_password', $2, p.id, p.language, ${RESET_ENDS_AT}
     from (select) one left join person p on p.email = $2 and p.email_verified
     returning person_id, language`,
    [mac, email],
  );
  const [row] = rows;
  return row === undefined || row.person_id === null ? undefined : { language: row.language };
}

export type TakenLink = {
  kind: 'sign_up' | 'new_email' | 'new_password';
  email: string;
  person_id: PersonId | null;
  name: string | null;
  password_hash: string | null;
  language: Lang | null;
};

/** What a link is for, once: it is gone then. An address is changed only by who asked for it. */
export async function takeLink(
  tx: Transaction,
  { mac, kinds, visitorId }: { mac: Buffer; kinds: string[]; visitorId: PersonId | null },
): Promise<TakenLink | undefined> {
  const rows = await tx.query<TakenLink>(
    `delete from letter_link where mac = $1 and kind = any ($2) and ends_at > clock_timestamp()
       and (kind <> 'new_email' or person_id = $3)
     returning kind, email, person_id, name, password_hash, language`,
    [mac, kinds, visitorId],
  );
  return rows[0];
}

export async function isOpenLink(sql: Sql, mac: Buffer, kind: TakenLink['kind']): Promise<boolean> {
  const rows = await sql.query(
    'select from letter_link where mac = $1 and kind = $2 and ends_at > clock_timestamp()',
    [mac, kind],
  );
  return rows.length > 0;
}

/** Once an address or a password is another one, no older letter may change it back. */
export async function dropLinksOf(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query('delete from letter_link where person_id = $1', [personId]);
}
