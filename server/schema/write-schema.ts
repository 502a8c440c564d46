/** Writes schema.sql: the schema of a fresh database after all files of tables/ and functions/. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describeSchema } from '../src/db/describe-schema.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';

const FILE = path.join(import.meta.dirname, 'schema.sql');

const dataDir = mkdtempSync(path.join(tmpdir(), 'zhiber-schema-'));
const embedded = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
try {
  await migrate(embedded.connection);
  const client = new pg.Client(embedded.connection);
  await client.connect();
  const sql = {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
  };
  const head = '-- Made by `npm run schema` from tables/ and functions/; a test keeps it so.\n\n';
  writeFileSync(FILE, head + (await describeSchema(sql)));
  await client.end();
} finally {
  await embedded.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
