import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Folders } from './folders.ts';
import { isAlive } from './postmaster.ts';

/**
 * Who uses the database now. Every process holds one connection with a shared advisory lock for as
 * long as it uses it, so the last one out can tell that it is the last and may stop the server. The
 * locks live in the database `postgres`, away from the application's own advisory locks; they
 * vanish with their process, even a killed one. They also vanish when PostgreSQL crashes, and a
 * visitor may be back before the owner is: so the owner leaves its pid in a file as well.
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
  /** Resolves when the connection breaks, however that comes about. */
  lost: Promise<void>;
};

const PRESENCE_LOCK = 7_001;
const OWNER_LOCK = 7_002;

const OWNER_WAIT_MS = 3_000;
const QUERY_LIMIT_MS = 5_000;
const LEAVE_LIMIT_MS = 1_000;

/** Connects and takes the shared lock; undefined when somebody is about to stop the server. */
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
    const note = () => {
      isLost = true;
      resolve();
    };
    // Without a listener for errors the loss of the server would end this process.
    client.on('error', note).on('end', note);
  });
  try {
    await client.connect();
    if (await take(client, 'pg_try_advisory_lock_shared', PRESENCE_LOCK)) {
      return { client, isLost: () => isLost, lost };
    }
  } catch (error) {
    await leave(client);
    throw error;
  }
  await leave(client);
  return undefined;
}

/** Takes the one place of the owner; waits a little, because the last owner may just be leaving. */
export async function becomeOwner(presence: Presence): Promise<boolean> {
  const deadline = Date.now() + OWNER_WAIT_MS;
  while (!(await take(presence.client, 'pg_try_advisory_lock', OWNER_LOCK))) {
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
 * Gives up the shared lock and asks for it alone. True means that nobody else is left and nobody
 * can come in any more, until the server has stopped.
 */
export async function isLastOut(presence: Presence): Promise<boolean> {
  const { client } = presence;
  await client.query('select pg_advisory_unlock_all()');
  return take(client, 'pg_try_advisory_lock', PRESENCE_LOCK);
}

export async function announceOwner({ ownerFile }: Folders): Promise<void> {
  await writeFile(ownerFile, `${process.pid}\n`, { mode: 0o600 });
}

export async function withdrawOwner({ ownerFile }: Folders): Promise<void> {
  await rm(ownerFile, { force: true });
}

/** Whether the server that owns the folder lives, in another process than this one. */
export function isOwnerAlive({ ownerFile }: Folders): boolean {
  try {
    const pid = Number(readFileSync(ownerFile, 'utf8'));
    return pid > 0 && pid !== process.pid && isAlive(pid);
  } catch {
    return false;
  }
}

/** Hangs up. A server that hangs does not confirm it, and is not waited for. */
export async function leave(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {
    // The connection is already gone, which is what was wanted.
  });
  await Promise.race([ended, pause(LEAVE_LIMIT_MS, undefined, { ref: false })]);
  (client as pg.Client & { unref(): void }).unref();
}

async function take(client: pg.Client, lockFunction: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${lockFunction}($1) as taken`, [
    lock,
  ]);
  return rows[0]?.taken === true;
}
