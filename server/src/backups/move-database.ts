import type pg from 'pg';
import type { Logger } from 'pino';
import { type Audit, auditIn, readAudit } from '../billing/invariant-store.ts';
import type { Clock } from '../clock.ts';
import {
  type Closed,
  closeDatabase,
  DatabaseClosed,
  describeClosed,
  findClosed,
  reopenDatabase,
} from '../db/closed-database.ts';
import type { Connection } from '../db/connection.ts';
import { toSql } from '../db/database.ts';
import { type Progress, startDump } from '../db/dump/dump-database.ts';
import { isEmpty, loadDump } from '../db/dump/load-dump.ts';
import { parseDump } from '../db/dump/parse-dump.ts';
import { migrate } from '../db/migrate.ts';
import { asUnreachable, openPlace, type Place } from '../db/open-storage.ts';
import { withSession } from '../db/session.ts';
import type { Sql } from '../db/sql.ts';
import { BackupRefused } from './backup-refused.ts';
import { countUsers, hasFacts, setAside } from './place-store.ts';

export type MoveOptions = {
  log: Logger;
  clock: Clock;
  onProgress?: (progress: Progress) => void;
  onRowsLoaded?: () => void;
  /** Called with what closes a database, should the process have to end. */
  onOpen?: (close: () => Promise<unknown>) => void;
};

export type Moved = {
  /** The name of the new place, without a password. */
  to: string;
  /** Undefined when an earlier try had moved them. */
  rows: Record<string, number> | undefined;
  /** The schema that has what was at the new place before. */
  setAside: string | undefined;
};

/** What a place is called where people read it. */
export function describePlace({ databaseUrl, dataDir }: Place): string {
  if (databaseUrl === undefined) return `the embedded database in ${dataDir}`;
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const host = hostname || (searchParams.get('host') ?? 'localhost');
  return `the database ${pathname.slice(1)} at ${host}:${port || (searchParams.get('port') ?? 5432)}`;
}

/**
 * Copies a database to another place, with nobody writing, and closes the old one: it refuses to be
 * used, and names the new place. A database that was moved away before is set aside to make room. A
 * crash leaves the old one open, or a new one that opens when the same move is made again.
 */
export async function moveDatabase(from: Place, to: Place, options: MoveOptions): Promise<Moved> {
  if (from.databaseUrl === to.databaseUrl) {
    throw new BackupRefused('The database is there already.');
  }
  const source = await openNamed(from, 'DATABASE_URL', options);
  try {
    const target = await openNamed(to, '--to', options);
    try {
      return await withSession(source.connection, 'zhiber move', async (client) => {
        await refuseUsed(client, from);
        return await moveTo(client, target.connection, { from, to, options });
      });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

type Move = { from: Place; to: Place; options: MoveOptions };

async function openNamed(place: Place, setting: string, { log, onOpen }: MoveOptions) {
  const opened = await openPlace(place, 'visitor', log);
  onOpen?.(opened.close);
  try {
    await withSession(opened.connection, 'zhiber move', async () => undefined);
    return opened;
  } catch (error) {
    await opened.close();
    throw place.databaseUrl === undefined ? error : asUnreachable(error, setting);
  }
}

async function refuseUsed(client: pg.Client, from: Place): Promise<void> {
  const users = await countUsers(toSql(client));
  if (users === 0) return;
  throw new BackupRefused(
    `A server uses ${describePlace(from)} (${users} connections): stop all servers, then move it.`,
  );
}

async function moveTo(client: pg.Client, target: Connection, move: Move): Promise<Moved> {
  const sql = toSql(client);
  const to = describePlace(move.to);
  const closed = (await hasFacts(sql)) ? await findClosed(sql) : undefined;
  const there = await readTarget(target);
  if (closed?.reason === 'moved' && closed.to === to && there === 'loading') {
    await inTarget(target, reopenDatabase);
    return { to, rows: undefined, setAside: undefined };
  }
  if (closed !== undefined) throw new DatabaseClosed(describeClosed(closed));
  if (there === 'in use') {
    throw new BackupRefused(
      `There is data in ${to} already, and nothing is moved over it: name an empty database.`,
    );
  }
  const aside =
    there === 'empty'
      ? undefined
      : await inTarget(target, (tx) => setAside(tx, move.options.clock.now()));
  const { rows, end } = await copy(client, target, move);
  // A server that was about to start when this began has not been able to write, but is there now.
  await refuseUsed(client, move.from);
  await closeDatabase(sql, { reason: 'moved', to, at: move.options.clock.now().toISOString() });
  await end();
  await inTarget(target, reopenDatabase);
  return { to, rows, setAside: aside };
}

/** Leaves the source in the transaction in which nobody else can write. */
async function copy(
  client: pg.Client,
  target: Connection,
  { from, options }: Move,
): Promise<{ rows: Record<string, number>; end(): Promise<void> }> {
  const { onProgress, onRowsLoaded } = options;
  const { chunks, end } = await startDump(client, { isExclusive: true, onProgress });
  const loading: Closed = { reason: 'loading', from: describePlace(from) };
  const rows = await withSession(target, 'zhiber move', async (into) =>
    loadDump(into, await parseDump(chunks), {
      ...(onRowsLoaded !== undefined && { onRowsLoaded }),
      beforeCommit: (tx) => closeDatabase(tx, loading),
    }),
  );
  await migrate(target);
  // In this order, because an audit also complains about what has become old.
  const copied = await readAudit(target);
  compareAudits(await auditIn(toSql(client)), copied);
  return { rows, end };
}

function compareAudits(source: Audit, copied: Audit): void {
  const { violations } = source;
  const differs = Object.entries(copied.violations).filter(
    ([name, count]) => count > violations[name as keyof typeof violations],
  );
  const isSame = JSON.stringify(source.totals) === JSON.stringify(copied.totals);
  if (differs.length === 0 && isSame) return;
  throw new BackupRefused(
    `The copy differs from its source (${differs.map(([name]) => name).join(', ') || 'totals'}), so nothing was moved.`,
  );
}

async function readTarget(target: Connection): Promise<'empty' | 'in use' | Closed['reason']> {
  return await inTarget(target, async (sql) => {
    if (await isEmpty(sql)) return 'empty';
    const closed = (await hasFacts(sql)) ? await findClosed(sql) : undefined;
    return closed?.reason ?? 'in use';
  });
}

async function inTarget<T>(target: Connection, work: (sql: Sql) => Promise<T>): Promise<T> {
  return await withSession(target, 'zhiber move', (client) => work(toSql(client)));
}
