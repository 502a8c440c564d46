/**
 * The PostgreSQL that comes with Zhiber: made on the first start, started when nobody else has it
 * running, joined when somebody has, stopped by the last one out. It outlives a killed process on
 * purpose: the next start simply joins it, and nothing has to be repaired.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './embedded/binaries.ts';
import { accountFor, DATABASE, ensureCluster, ROLE } from './embedded/cluster.ts';
import { exists, prepareFolders, readPassword } from './embedded/folders.ts';
import {
  isRunning,
  lastLogLines,
  type Place,
  readPidFile,
  SOCKET_PORT,
  spawnPostmaster,
  stopPostmaster,
} from './embedded/postmaster.ts';
import {
  becomeOwner,
  type Connection,
  enter,
  findOwnerPid,
  isLastOut,
  leave,
  type Presence,
} from './embedded/presence.ts';
import { EmbeddedRefused } from './embedded/refused.ts';

export type EmbeddedDatabase = {
  connection: Connection;
  version: string;
  /** True when another process had it running already. */
  joined: boolean;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** owner: the server itself, one per data folder. visitor: a command that comes and goes. */
  as: 'owner' | 'visitor';
  log(line: string): void;
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

/** Recovery after a crash replays what the log holds, at most a few GB: minutes, not seconds. */
const START_LIMIT_MS = 5 * 60_000;
/** Starts that end at once: one may have lost a race, a second met the last backend of a killed
 * server; this many in a row, over some seconds, is a fault that will not go away. */
const FAILED_STARTS_MAX = 20;
const PAUSE_MS = 25;

/** Opens the database of a data folder, and makes, starts or joins it as needed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const account = await accountFor(options.dataDir);
  const folders = await prepareFolders(options.dataDir, account);
  const binaries = await findBinaries(account);
  const place: Place = { folders, binaries, account };
  const password = await readPassword(folders);
  if (!(await exists(folders.cluster))) {
    options.log(`Making a new database in ${folders.dataDir}`);
    await ensureCluster({ ...place, password });
  }
  const { presence, connection, joined } = await startOrJoin(place, password, options.as);
  const stop = () => stopOrLeave(place, presence, options.log);
  if (options.as === 'owner' && !(await becomeOwner(presence))) {
    const pid = await findOwnerPid(presence);
    await leave(presence.client);
    throw new DataFolderInUse(folders.dataDir, pid);
  }
  const version = await readVersion(presence);
  return { connection: { ...connection, database: DATABASE }, version, joined, stop };
}

async function startOrJoin(place: Place, password: string, role: string) {
  const deadline = Date.now() + START_LIMIT_MS;
  let child: ChildProcess | undefined;
  let failedStarts = 0;
  while (Date.now() < deadline) {
    const connection = connectionTo(place, password);
    const presence = await tryEnter(connection, role);
    if (presence !== undefined) {
      const joined = child === undefined || child.pid !== readPidFile(place.folders)?.pid;
      return { presence, connection, joined };
    }
    if (child !== undefined && hasEnded(child)) {
      child = undefined;
      failedStarts += 1;
      if (failedStarts >= FAILED_STARTS_MAX) break;
      await pause(PAUSE_MS * failedStarts);
    }
    if (child === undefined && !isRunning(place.folders)) child = await spawnPostmaster(place);
    await pause(PAUSE_MS);
  }
  throw new EmbeddedRefused(
    `PostgreSQL did not start. The end of ${place.folders.logFile}:\n` +
      (await lastLogLines(place.folders)),
  );
}

/** Undefined means not yet: it is not there, still starting, or just stopping. */
async function tryEnter(connection: Connection, role: string): Promise<Presence | undefined> {
  try {
    return await enter(connection, role);
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') {
      throw new EmbeddedRefused(
        'The database refuses the password in the file database-password of the data folder. ' +
          'Put the right file back, or set DATA_DIR to another folder.',
      );
    }
    return undefined;
  }
}

function connectionTo({ folders }: Place, password: string): Connection {
  const common = { user: ROLE, password, database: DATABASE };
  if (process.platform !== 'win32') {
    return { host: folders.socketDir, port: SOCKET_PORT, ...common };
  }
  return { host: '127.0.0.1', port: readPidFile(folders)?.port ?? SOCKET_PORT, ...common };
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function readVersion({ client }: Presence): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return rows[0]?.server_version ?? 'unknown';
}

/** Stops the server when nobody else uses it; calling it twice does no harm. */
async function stopOrLeave(
  place: Place,
  presence: Presence,
  log: (line: string) => void,
): Promise<void> {
  // Without its connection this process cannot tell who else is there, so it leaves things be.
  if (presence.isLost()) return;
  try {
    // An error here means that the server went away by itself in this very moment.
    const isLast = await isLastOut(presence).catch(() => false);
    if (isLast) await stopPostmaster(place);
  } catch (error) {
    log(`PostgreSQL was left running: ${(error as Error).message}`);
  } finally {
    await leave(presence.client);
  }
}
