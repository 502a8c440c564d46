import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Folders } from './folders.ts';
import { isAlive } from './postmaster.ts';

/**
 * Tracks which processes use the database. Each holds one connection with a shared advisory lock
 * for as long as it uses it, so the last one can tell that it is the last and may stop the server.
 * The locks are in the database `postgres`, apart from the application's own advisory locks, and
 * end with their process, even a killed one. They are also lost when PostgreSQL crashes, and a
 * visitor may reconnect before the owner does: so the owner also writes its pid to a file.
 */
export type Connection = {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
};

export type Presence = {
  client: pg.Client;
  isLost(): boolean;
  /** Resolves when the connection breaks, for any reason. */
  lost: Promise<void>;
};

const PRESENCE_LOCK = 7_001;
const OWNER_LOCK = 7_002;

const OWNER_WAIT_MS = 3_000;
const QUERY_LIMIT_MS = 5_000;
const LEAVE_LIMIT_MS = 1_000;

/**
 * Connects and takes the shared lock; undefined when another process is about to stop the server.
 */
export async function enter(connection: Connection, role: string): Promise<Presence | undefined> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    application_name: `zhiber ${role} ${process.pid}`,
    connectionTimeoutMillis: QUERY_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
  });
  let isLost = false;
  const lost = new Promise<void>((resolve) => {
    const markLost = () => {
      isLost = true;
      resolve();
    };
    // Without an error listener, losing the server would end this process.
    client.on('error', markLost).on('end', markLost);
  });
  try {
    await client.connect();
    if (await tryLock(client, 'pg_try_advisory_lock_shared', PRESENCE_LOCK)) {
      return { client, isLost: () => isLost, lost };
    }
  } catch (error) {
    await leave(client);
    throw error;
  }
  await leave(client);
  return undefined;
}

/** Takes the owner lock; waits up to three seconds, because the last owner may just be stopping. */
export async function becomeOwner(presence: Presence): Promise<boolean> {
  const deadline = Date.now() + OWNER_WAIT_MS;
  while (!(await tryLock(presence.client, 'pg_try_advisory_lock', OWNER_LOCK))) {
    if (Date.now() > deadline) return false;
    await pause(50);
  }
  return true;
}

export async function findOwnerPid(presence: Presence): Promise<number | undefined> {
  const { rows } = await presence.client.query<{ application_name: string }>(
    `select a.application_name
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
    [OWNER_LOCK],
  );
  return Number(rows[0]?.application_name.split(' ')[2]) || undefined;
}

/**
 * Releases the shared lock and tries the exclusive one. True means that no other process is
 * connected, and none can join until the server has stopped.
 */
export async function tryExclusiveLock(presence: Presence): Promise<boolean> {
  const { client } = presence;
  await client.query('select pg_advisory_unlock_all()');
  return tryLock(client, 'pg_try_advisory_lock', PRESENCE_LOCK);
}

export async function writeOwnerFile({ ownerFile }: Folders): Promise<void> {
  await writeFile(ownerFile, `${process.pid}\n`, { mode: 0o600 });
}

export async function removeOwnerFile({ ownerFile }: Folders): Promise<void> {
  await rm(ownerFile, { force: true });
}

/** Whether the owner of the folder is alive, in another process than this one. */
export function isOwnerAlive({ ownerFile }: Folders): boolean {
  try {
    const pid = Number(readFileSync(ownerFile, 'utf8'));
    return pid > 0 && pid !== process.pid && isAlive(pid);
  } catch {
    return false;
  }
}

/**
 * Closes the connection. A server that hangs does not confirm it, so the wait is limited to a
 * second.
 */
export async function leave(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {
    // The connection is closed already.
  });
  await Promise.race([ended, pause(LEAVE_LIMIT_MS, undefined, { ref: false })]);
  (client as pg.Client & { unref(): void }).unref();
}

async function tryLock(client: pg.Client, lockFunction: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${lockFunction}($1) as taken`, [
    lock,
  ]);
  return rows[0]?.taken === true;
}
