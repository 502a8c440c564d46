/**
 * A cluster of an older major version of PostgreSQL cannot be opened by a newer one. It is started
 * once more by its own programs, and its rows are copied into a new cluster beside it. Then the two
 * change places. Until then the old one is not touched, and afterwards it is kept.
 */
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { toSql } from '../database.ts';
import { type Progress, startDump } from '../dump/dump-database.ts';
import { isEmpty, loadDump } from '../dump/load-dump.ts';
import { parseDump } from '../dump/parse-dump.ts';
import { withSession } from '../session.ts';
import { DATABASE } from './cluster.ts';
import { fetchBinaries } from './fetch-binaries.ts';
import { exists, type Folders, isAlreadyExistsError } from './folders.ts';
import { isAlive, type Place, stopPostmaster } from './postmaster.ts';
import { leave, tryExclusiveLock } from './presence.ts';
import { EmbeddedRefused } from './refused.ts';
import { startOrJoin } from './start-or-join.ts';
import type { Report } from './supervise.ts';

const PROGRESS_MS = 10_000;
const LOCK_POLL_MS = 200;

export type Upgrade = {
  place: Place;
  password: string;
  log: Report;
  openNew(options: {
    dataDir: string;
    as: 'visitor';
    log: Report;
  }): Promise<{ connection: Connection; stop(): Promise<void> }>;
};

/** The major version of a cluster; undefined when there is none. */
export async function findMajor(cluster: string): Promise<number | undefined> {
  const text = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

/** Brings the cluster of a data folder to the major version of the programs, if it is older. */
export async function upgradeCluster(upgrade: Upgrade): Promise<void> {
  const { folders, binaries } = upgrade.place;
  const major = await findMajor(folders.cluster);
  if (major === binaries.major && !(await exists(newFolder(folders)))) return;
  // A crash between the two renames leaves no cluster, and a new one that is complete.
  if (major === undefined && !(await exists(completeFile(folders)))) return;
  if (major !== undefined && major > binaries.major) {
    throw new EmbeddedRefused(
      `The database in ${folders.dataDir} is of PostgreSQL ${major}, and this Zhiber brings ${binaries.major}: start the newer Zhiber that it comes from.`,
    );
  }
  await withLockFile(path.join(folders.dataDir, 'postgres-upgrade.pid'), () =>
    upgradeAlone(upgrade),
  );
}

async function upgradeAlone(upgrade: Upgrade): Promise<void> {
  const { folders, binaries } = upgrade.place;
  if (await exists(completeFile(folders))) return await changePlaces(folders);
  const major = await findMajor(folders.cluster);
  // Another process has done it meanwhile.
  if (major === undefined || major === binaries.major) return;
  const startedAt = performance.now();
  upgrade.log(
    `The database in ${folders.dataDir} is of PostgreSQL ${major}: it is copied into a new one of PostgreSQL ${binaries.major}, and the old one is kept.`,
    'warn',
  );
  await copyCluster(upgrade, major);
  await writeFile(completeFile(folders), '', { flush: true });
  await changePlaces(folders);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  upgrade.log(`The database is of PostgreSQL ${binaries.major} now; it took ${seconds} s.`, 'warn');
}

/** The data folder in which the new cluster is made. */
function newFolder({ dataDir }: Folders): string {
  return path.join(dataDir, 'postgres-upgrade');
}

/** Says that the new cluster has everything. */
function completeFile(folders: Folders): string {
  return path.join(newFolder(folders), 'complete');
}

async function copyCluster(upgrade: Upgrade, major: number): Promise<void> {
  const { place, password } = upgrade;
  const { folders, account } = place;
  const binaries = await fetchBinaries(folders.dataDir, major, account);
  const old: Place = { ...place, binaries };
  const { presence, connection } = await startOrJoin(old, password, { role: 'upgrade' });
  try {
    if (!(await tryExclusiveLock(presence))) {
      throw new EmbeddedRefused(
        `The database in ${folders.dataDir} is of PostgreSQL ${major} and in use by another process: stop that first.`,
      );
    }
    await copyInto(upgrade, { ...connection, database: DATABASE }).finally(() =>
      stopPostmaster(old),
    );
  } finally {
    await leave(presence.client);
  }
}

async function copyInto({ place, password, log, openNew }: Upgrade, from: Connection) {
  const { folders, account } = place;
  const dataDir = newFolder(folders);
  const options = { dataDir, as: 'visitor', log } as const;
  if (await exists(path.join(dataDir, 'postgres'))) {
    // What an interrupted upgrade has left may still run.
    await (await openNew(options)).stop();
    await rm(await realpath(path.join(dataDir, 'postgres')), { recursive: true });
  }
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { mode: account === undefined ? 0o700 : 0o711 });
  await writeFile(path.join(dataDir, path.basename(folders.passwordFile)), password, {
    mode: 0o600,
  });
  const fresh = await openNew(options);
  try {
    await copyDatabase(from, fresh.connection, log);
  } finally {
    await fresh.stop();
  }
}

async function copyDatabase(from: Connection, to: Connection, log: Report): Promise<void> {
  await withSession(from, 'zhiber upgrade', async (client) => {
    if (await isEmpty(toSql(client))) return;
    let loggedAt = performance.now();
    const onProgress = ({ done, total }: Progress) => {
      if (performance.now() - loggedAt < PROGRESS_MS) return;
      loggedAt = performance.now();
      log(`${Math.floor((100 * done) / total)} % of the database are copied.`, 'warn');
    };
    const { chunks } = await startDump(client, { isExclusive: true, onProgress });
    await withSession(to, 'zhiber upgrade', async (into) => {
      await loadDump(into, await parseDump(chunks));
    });
  });
}

/** May be repeated after a crash at any point of it. */
async function changePlaces(folders: Folders): Promise<void> {
  const fresh = path.join(newFolder(folders), 'postgres');
  if (await exists(fresh)) {
    const major = await findMajor(folders.cluster);
    const day = new Date().toISOString().slice(0, 19).replaceAll(':', '');
    if (major !== undefined) await rename(folders.cluster, `${folders.cluster}-${major}-${day}`);
    await rename(fresh, folders.cluster);
  }
  await rm(newFolder(folders), { recursive: true, force: true });
}

/** Two processes of one data folder, such as a server and its worker, start at the same moment. */
async function withLockFile(file: string, work: () => Promise<void>): Promise<void> {
  while (!(await tryWrite(file))) {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    if (pid > 0 && !isAlive(pid)) await rm(file, { force: true });
    else await pause(LOCK_POLL_MS);
  }
  try {
    await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryWrite(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!isAlreadyExistsError(error)) throw error;
    return false;
  }
}
