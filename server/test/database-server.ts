import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { Connection } from '../src/db/database.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * Global set-up of the rings that need a database: one PostgreSQL in a folder of its own, with a
 * migrated template that every test file clones.
 */
export const TEMPLATE = 'zhiber_template';

let finish: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  const folder = createTemporaryFolder('test');
  const server = await openEmbedded({ dataDir: folder, as: 'visitor', log: () => undefined });
  finish = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await createTemplate(server.connection);
  } catch (error) {
    // Nobody tears down what was not set up.
    await finish();
    throw error;
  }
  process.env.ZHIBER_TEST_DATABASE = JSON.stringify(server.connection);
}

async function createTemplate(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  await migrate({ ...connection, database: TEMPLATE });
}

export async function globalTeardown(): Promise<void> {
  await finish?.();
}
