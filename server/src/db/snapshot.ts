import type { Connection } from './connection.ts';
import { toSql } from './database.ts';
import { withSession } from './session.ts';
import type { Sql } from './sql.ts';

/**
 * Runs long read-only work on one snapshot of the database: two statements of the pool would see two
 * snapshots.
 */
export async function inSnapshot<T>(
  connection: Connection,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  return await withSession(connection, 'zhiber snapshot', async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    await client.query("set local statement_timeout = '10min'");
    // Nothing was written, so closing the connection is enough to end the transaction.
    return await work(toSql(client));
  });
}
