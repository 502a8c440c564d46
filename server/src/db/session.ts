import type pg from 'pg';
import { type Connection, LONG_CONNECT_TIMEOUT_MS, PrimaryClient } from './connection.ts';

/**
 * Runs work on a connection of its own: the pool of the server ends every statement within two
 * seconds by default.
 */
export async function withSession<T>(
  connection: Connection,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new PrimaryClient({
    ...connection,
    connectionTimeoutMillis: LONG_CONNECT_TIMEOUT_MS,
    application_name: applicationName,
    keepAlive: true,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
