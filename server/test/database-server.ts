import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { copyDatabase, type ServerConnection } from './copy-database.ts';
import { copyPreparedCluster } from './prepared-cluster.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * Global set-up of the test rings that need a database: one PostgreSQL server in a temporary folder,
 * with a migrated template database that every test file clones.
 */
export const TEMPLATE = 'zhiber_template';

let finish: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  const folder = path.join(createTemporaryFolder('test'), 'data');
  copyPreparedCluster(folder);
  const server = await openEmbedded({ dataDir: folder, as: 'visitor', log: () => undefined });
  finish = async () => {
    await server.stop();
    await rm(path.dirname(folder), { recursive: true, force: true });
  };
  try {
    await createTemplate(server.connection);
  } catch (error) {
    // The runner calls no teardown after a failed set-up.
    await finish();
    throw error;
  }
  process.env.ZHIBER_TEST_DATABASE = JSON.stringify(server.connection);
}

/** A copy of the database of the cluster, which is migrated already when the cluster was prepared. */
async function createTemplate(connection: ServerConnection): Promise<void> {
  await migrate(connection);
  await copyDatabase(connection, { from: connection.database, to: TEMPLATE });
}

export async function globalTeardown(): Promise<void> {
  await finish?.();
}
