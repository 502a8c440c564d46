import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { DATABASE, ROLE } from './cluster.ts';
import {
  findPidFile,
  isRunning,
  lastLogLines,
  type Place,
  SOCKET_PORT,
  spawnPostmaster,
} from './postmaster.ts';
import { type Connection, enter, type Presence } from './presence.ts';
import { EmbeddedRefused } from './refused.ts';

/** Crash recovery replays the WAL, at most a few GB: minutes, not seconds. */
const START_LIMIT_MS = 5 * 60_000;
/**
 * Starts that exit at once. One may have lost a race, a second may have met the last backend of a
 * killed server; this many in a row, over some seconds, is a lasting fault.
 */
const FAILED_STARTS_MAX = 20;
const PAUSE_MS = 25;

export type Entered = { presence: Presence; connection: Connection; joined: boolean };

/**
 * Starts the server if it is not running, and connects. A running server is only waited for,
 * however long it hangs: it may recover, and a second one would corrupt its files.
 */
export async function startOrJoin(
  place: Place,
  password: string,
  options: { role: string; signal?: AbortSignal },
): Promise<Entered> {
  const deadline = Date.now() + START_LIMIT_MS;
  let child: ChildProcess | undefined;
  let failedStarts = 0;
  // An abort does not stop the wait for a server that was started here: the caller must know what
  // became of it.
  const isCancelled = () => options.signal?.aborted === true && child === undefined;
  while (Date.now() < deadline && !isCancelled()) {
    const connection = connectionTo(place, password);
    const presence = await tryEnter(connection, options.role);
    if (presence !== undefined) {
      const joined = child === undefined || child.pid !== findPidFile(place.folders)?.pid;
      return { presence, connection, joined };
    }
    if (child !== undefined && hasEnded(child)) {
      child = undefined;
      failedStarts += 1;
      if (failedStarts >= FAILED_STARTS_MAX) break;
      await pause(PAUSE_MS * failedStarts);
    }
    if (isCancelled()) break;
    if (child === undefined && !isRunning(place.folders)) child = await spawnPostmaster(place);
    await pause(PAUSE_MS);
  }
  throw new EmbeddedRefused(
    `PostgreSQL did not start. The end of ${place.folders.logFile}:\n` +
      (await lastLogLines(place.folders)),
  );
}

/** Connects to a server for as long as it runs, within the limit; undefined when that failed. */
export async function enterRunning(
  place: Place,
  password: string,
  options: { role: string; limitMs: number },
): Promise<Presence | undefined> {
  const deadline = Date.now() + options.limitMs;
  while (isRunning(place.folders) && Date.now() < deadline) {
    const presence = await tryEnter(connectionTo(place, password), options.role);
    if (presence !== undefined) return presence;
    await pause(PAUSE_MS);
  }
  return undefined;
}

/** Undefined means not yet: the server is absent, still starting, or stopping. */
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
  return { host: '127.0.0.1', port: findPidFile(folders)?.port ?? SOCKET_PORT, ...common };
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
