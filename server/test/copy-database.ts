import type { Connection } from '../src/db/connection.ts';
import { queryOnce } from './query-once.ts';

export type ServerConnection = Exclude<Connection, { connectionString: string }>;

/**
 * Copies a database that nobody is connected to, as files: through the log, which is the default,
 * it takes ten times as long.
 */
export async function copyDatabase(
  server: ServerConnection,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const text = `create database ${to} template ${from} strategy file_copy`;
  await queryOnce({ ...server, database: 'postgres' }, text);
}
