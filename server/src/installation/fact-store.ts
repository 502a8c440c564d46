import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';

/** A fact about this installation. */
export async function findFact(sql: Sql, name: string): Promise<string | undefined> {
  const rows = await sql.query<{ value: string }>(
    'select value from installation where name = $1',
    [name],
  );
  return rows[0]?.value;
}

/** Stores a fact unless there is one by that name. Returns the stored value. */
export async function storeFactOnce(sql: Sql, name: string, value: string): Promise<string> {
  await sql.query(
    'insert into installation (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  );
  return (await findFact(sql, name)) as string;
}

/** Until the transaction ends, other nodes that decide about this fact wait. */
export async function lockFact(tx: Transaction, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('zhiber fact ' || $1, 0))`, [name]);
}

/** Stores a fact, or replaces it. */
export async function storeFact(sql: Sql, name: string, value: string): Promise<void> {
  await sql.query(
    'insert into installation (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [name, value],
  );
}
