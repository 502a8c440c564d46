import pg from 'pg';
import type { Connection } from './database.ts';
import type { Sql } from './group-commit.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Runs long read-only work on one moment of the database, on a connection of its own: the pool of
 * the server ends every statement after two seconds, and two statements there would see two
 * moments.
 */
export async function inSnapshot<T>(
  connection: Connection,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'zhiber snapshot',
  });
  client.on('error', () => undefined); // The query under way fails with the same reason.
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query("set local statement_timeout = '10min'");
    return await work({
      query: async <Row>(text: string, values?: readonly unknown[]) =>
        (await client.query(text, values as unknown[])).rows as Row[],
    });
  } finally {
    // Nothing was written, so the end of the connection is the end of the transaction too.
    await client.end();
  }
}
