/** Access to the database server that `database-server.ts` starts for the test files of a ring. */
import assert from 'node:assert/strict';
import { copyDatabase, type ServerConnection } from './copy-database.ts';
import { TEMPLATE } from './database-server.ts';

export function readTestServer(): ServerConnection {
  const connection = process.env.ZHIBER_TEST_DATABASE;
  assert(
    connection,
    'run this through npm test, or with --test-global-setup=server/test/database-server.ts',
  );
  return JSON.parse(connection);
}

/** Creates a database as a copy of the migrated template. It is removed with the server. */
export async function cloneTemplate(database: string): Promise<ServerConnection> {
  const server = readTestServer();
  await copyDatabase(server, { from: TEMPLATE, to: database });
  return { ...server, database };
}

/** The DATABASE_URL of a connection. The host may be the folder of a Unix socket. */
export function toDatabaseUrl({
  host,
  port,
  user,
  password = '',
  database,
}: ServerConnection): string {
  const rest = new URLSearchParams({ host, port: String(port), user, password });
  return `postgresql:///${database}?${rest}`;
}
