import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { run } from './cluster.ts';
import type { Folders } from './folders.ts';

/** Only part of the socket's file name; nothing listens on this port. */
export const SOCKET_PORT = 5432;
/** A larger log is renamed at the next start; one old log is kept. */
const LOG_BYTES_MAX = 1_000_000;
/** A fast shutdown writes all changed pages to disk first. */
const STOP_LIMIT_MS = 60_000;
const EXIT_LIMIT_MS = 2_000;
const POLL_MS = 5;

/**
 * Passed on the command line at every start, so that a newer Zhiber brings its own settings.
 * Nothing that a person sent may reach the log: errors go only to the client that caused them.
 */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  // Of several processes each has a pool.
  max_connections: '200',
  max_wal_size: '2GB',
  // WAL files kept for reuse: all commits wait while a new one is created.
  min_wal_size: '512MB',
  wal_compression: 'on',
  checkpoint_timeout: '15min',
  // After a crash PostgreSQL ends, and the supervision starts it anew. On its own it would recover in
  // place, and when the disk was still full then, it waited for ever for a process that had ended.
  restart_after_crash: 'off',
  jit: 'off',
  // Well below the lock and statement timeouts, so that a deadlock is found before they pass.
  deadlock_timeout: '200ms',
  timezone: 'UTC',
  log_timezone: 'UTC',
  autovacuum_naptime: '15s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  autovacuum_vacuum_cost_limit: '1000',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
} as const;

export type Place = {
  folders: Folders;
  binaries: Binaries;
  account: Account | undefined;
  /** The port it listened on before and must use again, on systems where it has one. */
  port?: number;
};

/** What postmaster.pid says. The file survives a killed server, so it alone proves nothing. */
export function findPidFile(folders: Folders): { pid: number; port: number } | undefined {
  try {
    const lines = readFileSync(path.join(folders.cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3]) || SOCKET_PORT } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process named in postmaster.pid is alive and is the server of this cluster. */
export function isRunning(folders: Folders): boolean {
  const found = findPidFile(folders);
  if (found === undefined || !isAlive(found.pid)) return false;
  if (process.platform !== 'linux') return true;
  return workingDirOf(String(found.pid)) === realpathSync(folders.cluster);
}

/** Starts the server so that it outlives this process. It is ready once it accepts a connection. */
export async function spawnPostmaster({
  folders,
  binaries,
  account,
  port,
}: Place): Promise<ChildProcess> {
  await removeStaleLocks(folders);
  await limitLog(folders.logFile);
  const log = await open(folders.logFile, 'a', 0o600);
  try {
    const settings = { ...SETTINGS, ...(await addressSettings(folders, port)) };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(binaries.postgres, ['-D', realpathSync(folders.cluster), ...flags], {
      ...account,
      cwd: account === undefined ? undefined : '/',
      // A session of its own: Ctrl-C in the terminal reaches only this process, which then stops
      // the server in order.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      windowsHide: true,
    });
    child.on('error', () => {
      // Reported by its exit: a child that never started has no pid.
    });
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/**
 * Stops the server with a fast shutdown, which closes open connections, and waits for its end.
 * pg_ctl does not do the waiting: it mistakes a server that is started meanwhile for the old one.
 */
export async function stopPostmaster({ folders, binaries, account }: Place): Promise<void> {
  const pid = findPidFile(folders)?.pid;
  if (pid === undefined) return;
  const cluster = realpathSync(folders.cluster);
  await run(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-W'], account);
  const isInPidFile = () => findPidFile(folders)?.pid === pid;
  if (!(await waitUntilFalse(isInPidFile, STOP_LIMIT_MS))) {
    throw new Error(`no shutdown within ${STOP_LIMIT_MS / 1_000} s`);
  }
  // The pid file is removed a moment before the process ends.
  await waitUntilFalse(() => isAlive(pid), EXIT_LIMIT_MS);
}

async function waitUntilFalse(isTrue: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isTrue()) {
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

export async function lastLogLines(folders: Folders, count = 8): Promise<string> {
  const text = await readFile(folders.logFile, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

async function addressSettings(
  folders: Folders,
  port: number | undefined,
): Promise<Record<string, string>> {
  if (process.platform === 'win32') {
    return { listen_addresses: '127.0.0.1', port: String(port ?? (await findFreePort())) };
  }
  return {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: folders.socketDir,
    unix_socket_permissions: '0700',
  };
}

/**
 * After a crash the pid in the lock files may belong to an unrelated process, and PostgreSQL would
 * then refuse to start. The files are removed only when no process works in the cluster's folder: a
 * surviving process of the old server would write to the same files as the new one.
 */
async function removeStaleLocks(folders: Folders): Promise<void> {
  if (process.platform !== 'linux') return;
  const socketLock = path.join(folders.socketDir, `.s.PGSQL.${SOCKET_PORT}.lock`);
  const pids = [findPidFile(folders)?.pid, findFirstNumber(socketLock)];
  if (!pids.some((pid) => pid !== undefined && isAlive(pid))) return;
  const cluster = realpathSync(folders.cluster);
  const isInUse = readdirSync('/proc').some(
    (name) => /^\d+$/.test(name) && workingDirOf(name) === cluster,
  );
  if (isInUse) return;
  await rm(path.join(folders.cluster, 'postmaster.pid'), { force: true });
  await rm(socketLock, { force: true });
}

function findFirstNumber(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** All processes of PostgreSQL have the cluster's folder as their working directory. */
function workingDirOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function limitLog(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && found.size > LOG_BYTES_MAX) await rename(file, `${file}.1`);
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
