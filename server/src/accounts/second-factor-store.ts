import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { PersonId } from '../ids.ts';

/** An app with codes or a passkey. */
export async function hasSecondFactor(sql: Sql, personId: PersonId): Promise<boolean> {
  const rows = await sql.query('select from person_with_second_factor where person_id = $1', [
    personId,
  ]);
  return rows.length > 0;
}

/** Stores an unconfirmed secret in place of an earlier one. False when a confirmed one exists. */
export async function prepareSecret(
  sql: Sql,
  { personId, sealed }: { personId: PersonId; sealed: Buffer },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into second_factor as f (person_id, sealed_secret) values ($1, $2)
     on conflict (person_id) do update set sealed_secret = excluded.sealed_secret
       where f.confirmed_at is null returning 1`,
    [personId, sealed],
  );
  return rows.length === 1;
}

export async function findSecret(
  sql: Sql,
  personId: PersonId,
): Promise<{ sealed: Buffer; isOn: boolean } | undefined> {
  const rows = await sql.query<{ sealed: Buffer; isOn: boolean }>(
    `select sealed_secret as sealed, confirmed_at is not null as "isOn"
     from second_factor where person_id = $1`,
    [personId],
  );
  return rows[0];
}

/** True for the first use of a time step. Steps before the last used one are refused as well. */
export async function takeStep(sql: Sql, personId: PersonId, step: number): Promise<boolean> {
  const rows = await sql.query(
    `update second_factor set last_step = $2
     where person_id = $1 and last_step < $2 and confirmed_at is not null returning 1`,
    [personId, step],
  );
  return rows.length === 1;
}

/** Consumes a recovery code. True for exactly one caller. */
export async function takeRecoveryCode(
  sql: Sql,
  personId: PersonId,
  mac: Buffer,
): Promise<boolean> {
  const rows = await sql.query(
    'delete from recovery_code where person_id = $1 and mac = $2 returning 1',
    [personId, mac],
  );
  return rows.length === 1;
}

/**
 * Confirms exactly the secret that the code was checked against. Its time step cannot be used
 * again.
 */
export async function turnOn(
  tx: Transaction,
  { personId, sealed, step }: { personId: PersonId; sealed: Buffer; step: number },
): Promise<boolean> {
  const rows = await tx.query(
    `update second_factor set confirmed_at = clock_timestamp(), last_step = $3
     where person_id = $1 and sealed_secret = $2 and confirmed_at is null returning 1`,
    [personId, sealed, step],
  );
  return rows.length === 1;
}

/** In place of earlier ones. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  personId: PersonId,
  macs: readonly Buffer[],
): Promise<void> {
  await tx.query('delete from recovery_code where person_id = $1', [personId]);
  await tx.query('insert into recovery_code (person_id, mac) select $1, unnest($2::bytea[])', [
    personId,
    macs,
  ]);
}

export async function turnOff(tx: Transaction, personId: PersonId): Promise<void> {
  await tx.query('delete from second_factor where person_id = $1', [personId]);
}

/** Recovery codes end with the last second factor that they stand in for. */
export async function dropNeedlessRecoveryCodes(
  tx: Transaction,
  personId: PersonId,
): Promise<void> {
  await tx.query(
    `delete from recovery_code where person_id = $1
       and not exists (select from person_with_second_factor where person_id = $1)`,
    [personId],
  );
}
