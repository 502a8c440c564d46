/**
 * How the schema is changed while nodes use it: by one process at a time, and without a lock that
 * sends would wait for.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Connection, LONG_CONNECT_TIMEOUT_MS, PrimaryClient } from './connection.ts';
import { MigrationRefused } from './schema-version.ts';
import { isConflict, isLockTimeout } from './sql-errors.ts';

/** Held by whoever changes the schema or loads a database. */
export const MIGRATION_LOCK = 7_410_001;
const LOCK_POLL_MS = 100;
/** Every later statement on a table queues behind one that waits to change it. */
const STEP_LOCK_TIMEOUT_MS = 100;
const STEP_PAUSE_MS = 300;
/** A transaction that holds a table for longer is one that somebody forgot. */
const STEP_LIMIT_MS = 600_000;

/**
 * Runs work while nobody else changes the schema. The lock belongs to a transaction of another
 * connection, because PgBouncer may give each transaction of a session to another server process. It
 * is polled: building an index waits for all statements under way, also for one that waits for a lock.
 */
export async function withMigrationLock<T>(
  connection: Connection,
  work: () => Promise<T>,
): Promise<T> {
  const holder = new PrimaryClient({
    ...connection,
    connectionTimeoutMillis: LONG_CONNECT_TIMEOUT_MS,
    application_name: 'zhiber migration lock',
  });
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  holder.on('error', lost.reject);
  await holder.connect();
  try {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0');
    // Without parameters: a statement with them keeps its snapshot, which the index would wait for.
    const tryLock = `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as is_held`;
    while ((await holder.query(tryLock)).rows[0].is_held !== true) {
      await pause(LOCK_POLL_MS);
    }
    return await Promise.race([work(), lost.promise]);
  } finally {
    await holder.end();
  }
}

/**
 * Runs a step of a migration in a transaction. It gives up a lock that it does not get at once, lets
 * the others go on, and tries again.
 */
export async function runStep(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await retryLocks(async () => {
    await client.query('begin');
    try {
      await client.query(
        `set local lock_timeout = ${STEP_LOCK_TIMEOUT_MS}; set local statement_timeout = 0`,
      );
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Runs the statements of a file of indexes one by one, outside a transaction. They can be repeated: an
 * index that a crash has left half built is dropped and built again.
 */
export async function buildIndexes(client: pg.Client, text: string): Promise<void> {
  for (const statement of splitStatements(text)) {
    const name = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1];
    if (name === undefined && !/^drop index concurrently if exists /i.test(statement)) {
      throw new Error(`a file of indexes can repeat each of its statements: ${statement}`);
    }
    await retryLocks(async () => {
      if (name !== undefined && (await isHalfBuilt(client, name))) {
        await client.query(`drop index concurrently if exists ${name}`);
      }
      await client.query(statement);
    });
  }
}

function splitStatements(text: string): string[] {
  const code = text.replaceAll(/^\s*--.*$/gm, '');
  return code
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

async function isHalfBuilt(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  return rowCount === 1;
}

async function retryLocks(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + STEP_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) && !isConflict(error)) throw error;
      if (Date.now() > deadline) {
        throw new MigrationRefused(
          'A transaction keeps a table locked, so the database cannot be migrated: see pg_stat_activity for the oldest one, end it and start again.',
          { cause: error },
        );
      }
    }
    // Uneven, so that two that hinder each other do not meet again.
    await pause(STEP_PAUSE_MS * (0.5 + Math.random()));
  }
}
