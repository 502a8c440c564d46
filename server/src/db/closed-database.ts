import type { Connection } from './connection.ts';
import { toSql } from './database.ts';
import { withSession } from './session.ts';
import type { Sql } from './sql.ts';

/** Why nobody may use a database: it is only a part of one yet, or what is left of one. */
export type Closed =
  | { reason: 'loading'; from: string }
  | { reason: 'moved'; to: string; at: string };

/** The database must not be used; the message says which one to use. */
export class DatabaseClosed extends Error {}

/** Held by whoever copies a database that must not change meanwhile. */
export const COPY_LOCK = 7_410_002;
const FACT = 'closed';

export async function findClosed(sql: Sql): Promise<Closed | undefined> {
  const [row] = await sql.query<{ value: string }>(
    'select value from installation where name = $1',
    [FACT],
  );
  return row === undefined ? undefined : (JSON.parse(row.value) as Closed);
}

export async function closeDatabase(sql: Sql, closed: Closed): Promise<void> {
  await sql.query(
    `insert into installation (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [FACT, JSON.stringify(closed)],
  );
}

export async function reopenDatabase(sql: Sql): Promise<void> {
  await sql.query('delete from installation where name = $1', [FACT]);
}

export function describeClosed(closed: Closed): string {
  if (closed.reason === 'moved') {
    return `This database was moved to ${closed.to} on ${closed.at.slice(0, 10)}: use that one. \`zhiber move\` brings it back.`;
  }
  return `This database is not complete: ${closed.from} was being loaded into it when that was interrupted. Run the same command again.`;
}

/** Throws unless the database may be used. */
export async function refuseClosed(connection: Connection): Promise<void> {
  const closed = await withSession(connection, 'zhiber start', async (client) => {
    // A move under way ends first. Held for the statement alone: PgBouncer gives the next one to another session.
    await client.query('select pg_advisory_xact_lock_shared($1)', [COPY_LOCK]);
    return await findClosed(toSql(client));
  });
  if (closed !== undefined) throw new DatabaseClosed(describeClosed(closed));
}
