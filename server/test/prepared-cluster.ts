/**
 * Creating a database cluster and its schema takes more than a second of one core. `npm test`
 * creates one for all rings, and each server of a test begins with a copy of it. Without it (a
 * single test file, another system) every server creates its own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { openEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { letOthersEnter } from './temporary-folder.ts';

async function prepareCluster(dataDir: string): Promise<void> {
  letOthersEnter(dataDir);
  const database = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
  try {
    await migrate(database.connection);
  } finally {
    await database.stop();
  }
}

/** Copies the prepared cluster into a data folder that does not exist yet. */
export function copyPreparedCluster(dataDir: string): void {
  const prepared = process.env.ZHIBER_TEST_CLUSTER;
  if (prepared === undefined || existsSync(dataDir)) return;
  const cluster = path.join(prepared, 'postgres');
  // Under root, in a folder that other users cannot reach, the cluster lies elsewhere.
  if (lstatSync(cluster).isSymbolicLink()) return;
  // The mode that the service gives to a new data folder.
  mkdirSync(dataDir, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const password = path.join(prepared, 'database-password');
  const { status, stderr } = spawnSync('cp', ['-a', cluster, password, dataDir]);
  if (status !== 0) throw new Error(`the prepared cluster was not copied: ${stderr}`);
}

if (import.meta.main) await prepareCluster(process.argv[2] as string);
