import { existsSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';

/** What a sandbox keeps in its data folder. Anything else in there belongs to somebody else. */
const OWN_FILES = ['postgres.log', 'database-password', 'secret', 'refused-sends', 'status'];

/**
 * Removes the data of a stopped sandbox with an embedded database. False when its database still
 * runs, because another process uses it.
 */
export async function removeSandboxData(dataDir: string): Promise<boolean> {
  const cluster = path.join(dataDir, 'postgres');
  if (existsSync(path.join(cluster, 'postmaster.pid'))) return false;
  // Where the folder is private to root, the cluster stands elsewhere, and this is a link to it.
  const real = await realpath(cluster).catch(() => cluster);
  for (const target of [real, cluster, ...OWN_FILES.map((name) => path.join(dataDir, name))]) {
    await rm(target, { recursive: true, force: true });
  }
  return true;
}
