import pg from 'pg';
import type { Logger } from 'pino';
import { within } from '../runtime/deadline.ts';
import { type Connection, LONG_CONNECT_TIMEOUT_MS, PrimaryClient } from './connection.ts';
import { createGroup, type Group, type GroupStatement, StatementNotSent } from './group-commit.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { withSession } from './session.ts';
import type { Sql } from './sql.ts';
import { isUnanswered } from './sql-errors.ts';
import { createUnanswered, type Unanswered } from './unanswered.ts';

/** An open transaction. What must happen inside one takes it as its first, required argument. */
export type Transaction = Sql;

export type Maintenance = Sql & { transaction: Database['transaction'] };

export type Database = Sql & {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs an item of a group statement in one batch with the other items that have gathered. */
  inGroup<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result>;
  /** Whether the database accepts writes right now, and answers them; never throws. */
  isUp(): Promise<boolean>;
  /** How many statements the server has not answered in time, and works on still. */
  countUnanswered(): number;
  /** From now on transactions and groups fail as if the database were away; undefined ends that. */
  refuse(reason: string | undefined): void;
  /**
   * Runs maintenance on a connection of its own, with a longer statement timeout than requests have
   * and a shorter lock timeout, so that its locks do not delay sends.
   */
  maintain<T>(work: (db: Maintenance) => Promise<T>): Promise<T>;
  /** Runs work on one connection of the pool, for code with statements of its own (the job queue). */
  onClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

const POOL_SIZE = 16;
// A new connection plans every statement again, and its first requests pay for that.
const IDLE_TIMEOUT_MS = 600_000;

type Timeouts = {
  connectMs: number;
  statementMs: number;
  lockMs: number;
  answerMs: number;
  idleInTransactionMs: number;
};

/**
 * PostgreSQL and the driver wait for ever by default. With the default statement timeout of 1,500
 * ms, a caller gets "come back later" within two seconds.
 */
function timeoutsFor(statementMs: number): Timeouts {
  const share = (parts: number) => Math.round((statementMs * parts) / 15);
  return {
    connectMs: share(10),
    statementMs,
    // Longer than PostgreSQL's deadlock_timeout of one second, so that a deadlock is reported as
    // such, and retried.
    lockMs: share(11),
    // A frozen server cannot time out its own statement; the client can.
    answerMs: share(17),
    // Releases the locks of a process that stands still in the middle of a transaction.
    idleInTransactionMs: share(50),
  };
}

/** For maintenance: one statement may read a slice of a table from a slow disk. */
const LONG_STATEMENT_TIMEOUT_MS = 60_000;
/** Later statements queue behind a lock request on a whole table, and that may be every send. */
const SHORT_LOCK_TIMEOUT_MS = 200;

const BIGINT_OID = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === BIGINT_OID
      ? readSafeInteger
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * Money and ids are integers that a JavaScript number holds exactly. Anything else is a bug and
 * throws instead of being rounded.
 */
function readSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`not a safe integer: ${text}`);
  return value;
}

export function openDatabase(
  connection: Connection,
  log: Logger,
  statementMs: number,
  {
    connectionsMax = POOL_SIZE,
    applicationName = 'zhiber',
    direct,
  }: { connectionsMax?: number; applicationName?: string; direct?: Connection } = {},
): Database {
  const timeouts = timeoutsFor(statementMs);
  const { pool, endPool } = openPool(connection, log, {
    timeouts,
    connectionsMax,
    applicationName,
    isPooled: direct !== undefined,
  });
  const unanswered = createUnanswered({
    countWorking: () => countWorking(direct ?? connection, { timeouts, applicationName }),
    log,
  });
  const withClient = <T>(work: (client: pg.PoolClient) => Promise<T>) =>
    onClientOf(pool, unanswered, work);
  const sql = retryConflicts({
    query: <Row>(...args: Parameters<Sql['query']>) =>
      withClient((client) => toSql(client).query<Row>(...args)),
  });
  let refusal: string | undefined;
  const refuseIfNeeded = () => {
    if (refusal !== undefined) throw new StatementNotSent(refusal);
    // Half of the connections stay for statements that only read, which a hung standby lets pass.
    const count = unanswered.count();
    if (count * 2 >= connectionsMax) throw new StatementNotSent(`${count} statements unanswered`);
  };
  const groups = new Map<unknown, Group<unknown, unknown>>();
  let asking: Promise<boolean> | undefined;

  return {
    ...sql,
    pool,
    onClient: withClient,
    async transaction(work) {
      refuseIfNeeded();
      return await withClient((client) => inTransaction(client, work));
    },
    maintain: (work) => maintain(direct ?? connection, timeouts, work),
    async inGroup<Item, Result>(statement: GroupStatement<Item, Result>, item: Item) {
      refuseIfNeeded();
      let group = groups.get(statement) as Group<Item, Result> | undefined;
      if (group === undefined) {
        group = createGroup(statement, sql);
        groups.set(statement, group as unknown as Group<unknown, unknown>);
      }
      return await group.add(item);
    },
    countUnanswered: unanswered.count,
    refuse(reason) {
      refusal = reason;
    },
    async isUp() {
      if (refusal !== undefined || unanswered.count() > 0) return false;
      // Anybody may ask, and as often as they like.
      asking ??= isWritable(sql).finally(() => {
        asking = undefined;
      });
      return await asking;
    },
    async close() {
      await Promise.all([...groups.values()].map((group) => group.idle()));
      unanswered.close();
      await endPool();
    },
  };
}

/** A read-only server can neither send nor verify. */
async function isWritable(sql: Sql): Promise<boolean> {
  try {
    const rows = await sql.query<{ is_writable: boolean }>(
      `select not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean)
         as is_writable`,
    );
    return rows[0]?.is_writable ?? false;
  } catch {
    return false;
  }
}

function openPool(
  connection: Connection,
  log: Logger,
  {
    timeouts,
    connectionsMax,
    applicationName,
    isPooled,
  }: { timeouts: Timeouts; connectionsMax: number; applicationName: string; isPooled: boolean },
): { pool: pg.Pool; endPool(): Promise<void> } {
  const pool = new pg.Pool({
    ...connection,
    // Its type says that clients are made without options.
    Client: PrimaryClient as unknown as new () => pg.ClientBase,
    types,
    max: connectionsMax,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: timeouts.answerMs,
    // PgBouncer refuses these parameters; there they are those of the role.
    ...(isPooled ? {} : sessionLimits(timeouts)),
    application_name: applicationName,
    keepAlive: true,
  });
  const connected = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    connected.add(client);
    // A checked-out idle client emits an error of its own when the server dies. Without a listener
    // that would end the process.
    client.on('error', (error) => log.debug(error, 'database client'));
  });
  pool.on('remove', (client) => connected.delete(client));
  pool.on('error', (error) => log.warn({ reason: error.message }, 'database connection lost'));

  // checkOut adds one listener per waiting caller, and their number is not bounded.
  pool.setMaxListeners(0);

  const waitUntilClosed = () =>
    new Promise<void>((resolve) => {
      const resolveIfClosed = () => {
        if (connected.size === 0) resolve();
      };
      pool.on('remove', resolveIfClosed);
      resolveIfClosed();
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
      await within(timeouts.connectMs, waitUntilClosed());
    },
  };
}

function sessionLimits(timeouts: Timeouts) {
  return {
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
  };
}

/**
 * Makes the time limits those of the role in this database, for connections through PgBouncer, which
 * gives each transaction to another session.
 */
export async function limitRole(direct: Connection, statementMs: number): Promise<void> {
  await withSession(direct, 'zhiber limits', async (client) => {
    const { rows } = await client.query<{ database: string; config: string[] | null }>(
      `select quote_ident(current_database()) as database,
         (select setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
          where s.setrole = current_user::regrole and d.datname = current_database()) as config`,
    );
    const [{ database, config } = { database: '', config: [] }] = rows;
    for (const [name, value] of Object.entries(sessionLimits(timeoutsFor(statementMs)))) {
      if (config?.includes(`${name}=${value}`)) continue;
      await client.query(`alter role current_user in database ${database} set ${name} = ${value}`);
    }
  });
}

/**
 * How many processes of the server are busy for longer than a statement may take, asked on a
 * connection of its own.
 */
async function countWorking(
  connection: Connection,
  { timeouts, applicationName }: { timeouts: Timeouts; applicationName: string },
): Promise<number> {
  const client = new PrimaryClient({
    ...connection,
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.statementMs,
    application_name: 'zhiber probe',
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ working: number }>(
      `select count(*)::integer as working from pg_stat_activity
       where usename = current_user and application_name = $1 and state = 'active'
         and query_start < clock_timestamp() - make_interval(secs => $2::double precision / 1000)`,
      [applicationName, timeouts.statementMs],
    );
    return rows[0]?.working ?? 0;
  } finally {
    await client.end();
  }
}

/** Runs the work on a connection of the pool. After a failure the connection is discarded. */
async function onClientOf<T>(
  pool: pg.Pool,
  unanswered: Unanswered,
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
    if (isUnanswered(failure)) unanswered.keep(client);
    else client.release(failure);
  }
}

/**
 * Takes an idle, a newly opened or a released connection, whichever is available first. The pool
 * alone would wait only for the new one, and on a busy machine that may exceed the connect timeout.
 */
function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  const canPoolServe = pool.idleCount > pool.waitingCount || pool.totalCount >= pool.options.max;
  const next = pool.connect();
  if (canPoolServe) return next;
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const finish = (settle: () => void) => {
      isSettled = true;
      pool.off('release', onRelease);
      settle();
    };
    const take = (client: pg.PoolClient) => {
      if (isSettled) client.release();
      else finish(() => resolve(client));
    };
    const fail = (error: unknown) => {
      if (!isSettled) finish(() => reject(error));
    };
    const onRelease = () => {
      // The pool serves its own queue first. With an empty queue the client is idle after this
      // event.
      if (pool.waitingCount > 0) return;
      setImmediate(() => {
        if (!isSettled && pool.idleCount > 0) pool.connect().then(take, fail);
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
    const result = await work(toSql(client));
    await client.query('commit');
    return result;
  } catch (error) {
    // A statement that is not answered would keep the rollback waiting as well.
    if (!isUnanswered(error)) await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function maintain<T>(
  connection: Connection,
  timeouts: Timeouts,
  work: (db: Maintenance) => Promise<T>,
): Promise<T> {
  const client = new PrimaryClient({
    ...connection,
    types,
    connectionTimeoutMillis: LONG_CONNECT_TIMEOUT_MS,
    query_timeout: LONG_STATEMENT_TIMEOUT_MS + timeouts.answerMs,
    statement_timeout: LONG_STATEMENT_TIMEOUT_MS,
    lock_timeout: SHORT_LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    application_name: 'zhiber maintenance',
    keepAlive: true,
  });
  await client.connect();
  try {
    return await work({
      ...toSql(client),
      transaction: (inside) => inTransaction(client, inside),
    });
  } finally {
    await client.end();
  }
}

export function toSql(client: pg.ClientBase): Sql {
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
