/**
 * The embedded PostgreSQL: created on the first start, started when it is not running, joined when
 * another process runs it, restarted when it dies under a running server, stopped by the last
 * process that uses it. It survives a killed process on purpose: the next start joins it, and
 * nothing has to be recovered.
 */
import path from 'node:path';
import { findBinaries } from './embedded/binaries.ts';
import { accountFor, DATABASE, ensureCluster } from './embedded/cluster.ts';
import { exists, prepareFolders, readPassword } from './embedded/folders.ts';
import { isRunning, type Place, stopPostmaster } from './embedded/postmaster.ts';
import {
  becomeOwner,
  type Connection,
  findOwnerPid,
  isOwnerAlive,
  leave,
  type Presence,
  removeOwnerFile,
  tryExclusiveLock,
  writeOwnerFile,
} from './embedded/presence.ts';
import { EmbeddedRefused } from './embedded/refused.ts';
import { type Entered, enterRunning, startOrJoin } from './embedded/start-or-join.ts';
import { type Report, supervise } from './embedded/supervise.ts';
import { findMajor, upgradeCluster } from './embedded/upgrade-cluster.ts';

export type EmbeddedDatabase = {
  connection: Connection;
  version: string;
  /** True when another process was running it already. */
  joined: boolean;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** owner: the server itself, one per data folder. visitor: a short-lived command. */
  as: 'owner' | 'visitor';
  log: Report;
};

/** Another server already owns this data folder. */
export class DataFolderInUse extends EmbeddedRefused {
  readonly pid: number | undefined;

  constructor(dataDir: string, pid: number | undefined) {
    const who = pid === undefined ? 'another process' : `another process (pid ${pid})`;
    super(`The database in ${dataDir} is in use by ${who}. Stop it, or set DATA_DIR.`);
    this.name = 'DataFolderInUse';
    this.pid = pid;
  }
}

/** How long a stop waits to connect to a server that is still starting. */
const STOP_ENTER_LIMIT_MS = 10_000;

/** Opens the database of a data folder; creates, starts or joins it as needed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const account = await accountFor(options.dataDir);
  const folders = await prepareFolders(options.dataDir, account);
  const binaries = await findBinaries(account);
  const place: Place = { folders, binaries, account };
  const password = await readPassword(folders);
  await upgradeCluster({ place, password, log: options.log, openNew: openEmbedded });
  if (!(await exists(folders.cluster))) {
    options.log(`Creating a new database in ${folders.dataDir}`, 'debug');
    await ensureCluster({ ...place, password });
  }
  const { as: role, log } = options;
  const entered = await enterAs(place, password, { role });
  const { connection, joined } = entered;
  if (role === 'owner') await writeOwnerFile(folders);
  const version = await readVersion(entered.presence);
  const supervision =
    role === 'owner'
      ? supervise({
          presence: entered.presence,
          // The pool has one fixed address, so the server is restarted at the same one.
          restart: (signal) =>
            enterAs({ ...place, port: connection.port }, password, { role, signal }),
          log,
        })
      : undefined;
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await supervision?.end();
    const presence = supervision === undefined ? entered.presence : supervision.presence();
    await stopOrLeave({ place, password, role, log }, presence);
  };
  return {
    connection: { ...connection, database: DATABASE },
    version,
    joined,
    stop: () => (stopping ??= stop()),
  };
}

/** The major version that the next start will leave, and the one it will bring. */
export async function findPendingUpgrade(
  dataDir: string,
): Promise<{ from: number; to: number } | undefined> {
  const from = await findMajor(path.join(dataDir, 'postgres'));
  const { major: to } = await findBinaries(undefined);
  return from === undefined || from >= to ? undefined : { from, to };
}

/** Starts or joins the server. An owner also takes the owner lock. */
async function enterAs(
  place: Place,
  password: string,
  options: { role: EmbeddedOptions['as']; signal?: AbortSignal },
): Promise<Entered> {
  const entered = await startOrJoin(place, password, options);
  const { presence } = entered;
  try {
    if (options.role === 'visitor' || (await becomeOwner(presence))) return entered;
    throw new DataFolderInUse(place.folders.dataDir, await findOwnerPid(presence));
  } catch (error) {
    await leave(presence.client);
    throw error;
  }
}

async function readVersion({ client }: Presence): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return rows[0]?.server_version ?? 'unknown';
}

/** Stops the server when no other process uses it. */
async function stopOrLeave(
  opened: { place: Place; password: string; role: string; log: Report },
  known: Presence | undefined,
): Promise<void> {
  const { place, password, role, log } = opened;
  // Only a connection shows which other processes are connected, so a lost one is replaced.
  const presence =
    known === undefined || known.isLost()
      ? await enterRunning(place, password, { role, limitMs: STOP_ENTER_LIMIT_MS })
      : known;
  if (presence === undefined) {
    if (isRunning(place.folders)) log('PostgreSQL was left running: it does not answer.', 'warn');
    return;
  }
  try {
    if (role === 'owner') await removeOwnerFile(place.folders);
    if ((await tryExclusiveLock(presence)) && !isOwnerAlive(place.folders))
      await stopPostmaster(place);
  } catch (error) {
    // A server that is not running has stopped by itself just now: nothing to report.
    if (isRunning(place.folders)) {
      log(`PostgreSQL was left running: ${(error as Error).message}`, 'warn');
    }
  } finally {
    await leave(presence.client);
  }
}
