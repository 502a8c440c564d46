import pg from 'pg';
import { type Connection, LONG_CONNECT_TIMEOUT_MS } from './database.ts';
import type { Sql } from './sql.ts';

/**
 * Runs long read-only work on one snapshot of the database, on a connection of its own: the pool of
 * the server ends every statement within two seconds by default, and two statements there would see
 * two snapshots.
 */
export async function inSnapshot<T>(
  connection: Connection,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: LONG_CONNECT_TIMEOUT_MS,
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
    // Nothing was written, so closing the connection is enough to end the transaction.
    await client.end();
  }
}
