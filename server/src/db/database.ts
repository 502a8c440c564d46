import pg from 'pg';
import type { Logger } from 'pino';
import { within } from '../clock.ts';
import { createGroup, type Group, type GroupStatement, type Sql } from './group-commit.ts';
import { runningAgain } from './run-again.ts';

/** A transaction that is open; passed first, and required, to whatever must happen inside it. */
export type Transaction = Sql;

export type Maintenance = Sql & { transaction: Database['transaction'] };

export type Database = Sql & {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs an item of a group statement together with whatever else has gathered. */
  inGroup<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result>;
  /** Whether the database can be written to right now; never throws. */
  isUp(): Promise<boolean>;
  /**
   * Work that nobody waits for, on a connection of its own: its statements may take longer, and give
   * up sooner on a lock that a send may want.
   */
  maintain<T>(work: (own: Maintenance) => Promise<T>): Promise<T>;
  /** The pool itself, for parts that bring their own statements (the job queue). */
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string };

const POOL_SIZE = 16;
// A new connection plans every statement anew, at the cost of whoever comes first.
const IDLE_TIMEOUT_MS = 600_000;

type Timeouts = {
  connectMs: number;
  statementMs: number;
  lockMs: number;
  answerMs: number;
  idleInTransactionMs: number;
};

/**
 * PostgreSQL and the driver wait for ever by default. With the 1,500 ms that a statement may take by
 * default, a caller hears "come back later" within two seconds.
 */
function timeoutsOf(statementMs: number): Timeouts {
  const share = (parts: number) => Math.round((statementMs * parts) / 15);
  return {
    connectMs: share(10),
    statementMs,
    // Longer than the second after which PostgreSQL looks for a deadlock, which is run again.
    lockMs: share(11),
    // The server cannot time out a statement while it is itself stopped; the client can.
    answerMs: share(17),
    // Releases the locks of a process that stands still in the middle of a transaction.
    idleInTransactionMs: share(50),
  };
}

/** Of maintenance: a slice of a table that is read from a slow disk. */
const LONG_STATEMENT_TIMEOUT_MS = 60_000;
/** Whoever comes after a lock on a whole table waits behind it, and that may be every send. */
const SHORT_LOCK_TIMEOUT_MS = 200;

const BIGINT_OID = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === BIGINT_OID
      ? readSafeInteger
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * Money and ids are integers that JavaScript can hold exactly; anything else is a bug, not a
 * rounding.
 */
function readSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`not a safe integer: ${text}`);
  return value;
}

export function openDatabase(connection: Connection, log: Logger, statementMs: number): Database {
  const timeouts = timeoutsOf(statementMs);
  const { pool, endPool } = openPool(connection, log, timeouts);
  const sql = runningAgain({
    query: <Row>(...asked: Parameters<Sql['query']>) =>
      withClient(pool, (client) => sqlOf(client).query<Row>(...asked)),
  });
  const groups = new Map<unknown, Group<unknown, unknown>>();

  return {
    ...sql,
    pool,
    transaction: (work) => withClient(pool, (client) => inTransaction(client, work)),
    maintain: (work) => maintain(connection, timeouts, work),
    inGroup<Item, Result>(statement: GroupStatement<Item, Result>, item: Item) {
      let group = groups.get(statement) as Group<Item, Result> | undefined;
      if (group === undefined) {
        group = createGroup(statement, sql);
        groups.set(statement, group as unknown as Group<unknown, unknown>);
      }
      return group.add(item);
    },
    async isUp() {
      try {
        // A server that only reads can neither send nor verify.
        const rows = await sql.query<{ is_writable: boolean }>(
          `select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean)
             as is_writable`,
        );
        return rows[0]?.is_writable ?? false;
      } catch {
        return false;
      }
    },
    async close() {
      await Promise.all([...groups.values()].map((group) => group.idle()));
      await endPool();
    },
  };
}

function openPool(
  connection: Connection,
  log: Logger,
  timeouts: Timeouts,
): { pool: pg.Pool; endPool(): Promise<void> } {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: POOL_SIZE,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: timeouts.answerMs,
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    application_name: 'zhiber',
    keepAlive: true,
  });
  const connected = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    connected.add(client);
    // A client that is checked out and idle when the server dies emits an error of its own; without a
    // listener that would end the process.
    client.on('error', (error) => log.debug(error, 'database client'));
  });
  pool.on('remove', (client) => connected.delete(client));
  pool.on('error', (error) => log.warn({ reason: error.message }, 'database connection lost'));

  // One for each who waits for a connection, and nobody knows how many do.
  pool.setMaxListeners(0);

  const allDisconnected = () =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (connected.size === 0) resolve();
      };
      pool.on('remove', check);
      check();
    });
  return {
    pool,
    /**
     * `pool.end()` resolves before its connections are closed. A server that is stopped meanwhile
     * would terminate them, and the log would call them lost. Both waits are bounded: a server that
     * hangs never closes a connection, and `pool.end()` waits for one that is released after it began.
     */
    async endPool() {
      await within(timeouts.idleInTransactionMs, pool.end());
      await within(timeouts.connectMs, allDisconnected());
    },
  };
}

/** On a connection of the pool, which does not get it back after a failure. */
async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await checkOut(pool);
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

/**
 * A connection that is idle, newly opened or given back by somebody, whichever is there first. The pool
 * itself would wait for the new one alone, and on a busy machine that may take longer than it may.
 */
function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  const isAtHand = pool.idleCount > pool.waitingCount || pool.totalCount >= POOL_SIZE;
  const next = pool.connect();
  if (isAtHand) return next;
  return new Promise((resolve, reject) => {
    let isOver = false;
    const finish = (settle: () => void) => {
      isOver = true;
      pool.off('release', onRelease);
      settle();
    };
    const take = (client: pg.PoolClient) => {
      if (isOver) client.release();
      else finish(() => resolve(client));
    };
    const fail = (error: unknown) => {
      if (!isOver) finish(() => reject(error));
    };
    const onRelease = () => {
      // The pool gives it to those in its queue; without any, it is idle after this event.
      if (pool.waitingCount > 0) return;
      setImmediate(() => {
        if (!isOver && pool.idleCount > 0) pool.connect().then(take, fail);
      });
    };
    pool.on('release', onRelease);
    next.then(take, fail);
  });
}

async function inTransaction<T>(
  client: pg.ClientBase,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    await client.query('begin');
    const result = await work(sqlOf(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function maintain<T>(
  connection: Connection,
  timeouts: Timeouts,
  work: (own: Maintenance) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    types,
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: LONG_STATEMENT_TIMEOUT_MS + timeouts.answerMs,
    statement_timeout: LONG_STATEMENT_TIMEOUT_MS,
    lock_timeout: SHORT_LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    application_name: 'zhiber maintenance',
    keepAlive: true,
  });
  client.on('error', () => undefined); // The query under way fails with the same reason.
  await client.connect();
  try {
    return await work({
      ...sqlOf(client),
      transaction: (inside) => inTransaction(client, inside),
    });
  } finally {
    await client.end();
  }
}

function sqlOf(client: pg.ClientBase): Sql {
  return {
    async query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
      const result = await client.query({
        text,
        values: values as unknown[],
        ...(name === undefined ? {} : { name }),
      });
      return result.rows as Row[];
    },
  };
}
