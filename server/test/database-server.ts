import { rm } from 'node:fs/promises';
import pg from 'pg';
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
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrate({ ...server.connection, database: TEMPLATE });

  process.env.ZHIBER_TEST_DATABASE = JSON.stringify(server.connection);
  finish = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

export async function globalTeardown(): Promise<void> {
  await finish?.();
}
