import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/group-commit.ts';
import type { PersonId } from '../../ids.ts';

/** Undefined when the person has no password. */
export async function findPasswordHash(sql: Sql, personId: PersonId): Promise<string | undefined> {
  const rows = await sql.query<{ hash: string | null }>(
    `select password_hash as hash from credential where person_id = $1 and provider_id = 'credential'`,
    [personId],
  );
  return rows[0]?.hash ?? undefined;
}

/** In the form in which better-auth looks for it: the account of a password is the person's own id. */
export async function setPasswordHash(
  tx: Transaction,
  personId: PersonId,
  hash: string,
): Promise<void> {
  await tx.query(
    `insert into credential (id, person_id, provider_id, account_id, password_hash)
     values ($1, $1, 'credential', $1, $2)
     on conflict (person_id, provider_id) do update
       set password_hash = excluded.password_hash, updated_at = clock_timestamp()`,
    [personId, hash],
  );
}
