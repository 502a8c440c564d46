import { type Connection, PrimaryClient } from '../src/db/connection.ts';

/** Runs SQL on a session of its own, which does not depend on the server under test. */
export async function queryOnce<Row = Record<string, unknown>>(
  connection: Connection,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new PrimaryClient(connection);
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
