import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { isAlive } from '../db/embedded/postmaster.ts';
import { openEmbedded } from '../db/embedded.ts';
import { type Restored, type RestoreOptions, restoreBackup } from './restore-backup.ts';

const PREFIX = 'zhiber-check-';

/**
 * Proves a backup by restoring it into a PostgreSQL of its own in a temporary folder, which is then
 * removed. Throws when it cannot be restored; what its audit says is in the result.
 */
export async function checkBackup(config: Config, options: RestoreOptions): Promise<Restored> {
  await removeAbandoned(options.log);
  const folder = await mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  // Under root another user runs PostgreSQL, and has to reach its folder.
  await chmod(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  try {
    const target = { ...config, databaseUrl: undefined, dataDir };
    return await restoreBackup(target, { ...options, isCheck: true });
  } finally {
    await removeScratch(folder);
  }
}

/** What a killed check has left: its database may still run. */
async function removeAbandoned(log: Logger): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(tmpdir(), name);
    try {
      // Whoever leaves a database last stops it.
      const options = { dataDir: path.join(folder, 'data'), as: 'visitor', log: () => {} } as const;
      await (await openEmbedded(options)).stop();
      await removeScratch(folder);
    } catch (error) {
      log.debug({ err: error, folder }, 'an abandoned check was not removed');
    }
  }
}

async function removeScratch(folder: string): Promise<void> {
  const cluster = path.join(folder, 'data', 'postgres');
  // Where the folder is private to root, the cluster stands elsewhere, and this is a link to it.
  const real = await realpath(cluster).catch(() => cluster);
  await rm(real, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
