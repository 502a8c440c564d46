import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { createLazy } from '../runtime/cache.ts';
import type { Connection } from './connection.ts';
import { openDatabase, type Transaction } from './database.ts';

/** Jobs by a schedule, each on one node at a time, with retries. Started by its first use. */
export type JobQueue = {
  /** Runs a job by its schedule from now on. */
  work(job: ScheduledJob): Promise<void>;
  list(): Promise<QueueState[]>;
  /**
   * Another try for a job that failed for good. False when it is not one any more, undefined for an
   * unknown queue.
   */
  retry(tx: Transaction, job: { queue: string; id: string }): Promise<boolean | undefined>;
  /**
   * Runs a job as soon as possible. `waiting`: one that has not begun is there already. Undefined
   * for an unknown name.
   */
  runNow(tx: Transaction, queue: string): Promise<'added' | 'waiting' | undefined>;
  stop(): Promise<void>;
};

export type ScheduledJob = {
  name: string;
  cron: string;
  /** How long a run may take; 15 minutes when not given. */
  minutesMax?: number | undefined;
  run(): Promise<void>;
};

export type QueueState = {
  name: string;
  cron: string | undefined;
  nextAt: Date | undefined;
  waiting: number;
  active: number;
  failed: number;
  /** The newest, and all that failed for good. */
  jobs: StoredJob[];
};

export type StoredJob = {
  id: string;
  state: JobWithMetadata['state'];
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  tries: number;
  error: string | null;
};

/** For the queue's own statements, which touch a few rows each. */
const STATEMENT_LIMIT_MS = 8_000;
const CONNECTIONS_MAX = 2;
const RETRIES_MAX = 3;
/** A job that takes so many times as long as it may is lost: its process died, or hangs. */
const LOST_AFTER = 1.5;
const NEWEST_MAX = 10;
const ERROR_LENGTH_MAX = 2_000;
/** Queues of the library itself. */
const OWN_PREFIX = '__pgboss__';

export function openJobQueue(connection: Connection, log: Logger): JobQueue {
  // Its own pool would open another connection for each statement that is not answered in time.
  const db = openDatabase(connection, log, STATEMENT_LIMIT_MS, {
    connectionsMax: CONNECTIONS_MAX,
    applicationName: 'zhiber jobs',
  });
  const executeSql = (text: string, values?: unknown[]) =>
    db.onClient((client) => client.query(text, values));
  const boss = new PgBoss({ db: { executeSql } });
  let isStarted = false;
  let isStopped = false;
  boss.on('error', (error) => {
    log[isStopped ? 'debug' : 'warn']({ reason: error.message }, 'job queue');
  });
  const start = createLazy(async () => {
    isStarted = true;
    await boss.start();
    return boss;
  });
  /** The library throws for names that no queue can have. */
  const isKnown = async (name: string) =>
    (await boss.getQueues()).some((queue) => queue.name === name) && !name.startsWith(OWN_PREFIX);

  return {
    async work({ name, cron, minutesMax, run }) {
      await start();
      const retries = { retryLimit: RETRIES_MAX, retryBackoff: true };
      const limit = minutesMax && { expireInSeconds: minutesMax * 60 * LOST_AFTER };
      await boss.createQueue(name, { policy: 'singleton', ...retries, ...limit });
      await boss.work(name, run);
      await boss.schedule(name, cron);
    },
    async list() {
      await start();
      const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
      const queues = (await boss.getQueues()).filter(({ name }) => !name.startsWith(OWN_PREFIX));
      const states: QueueState[] = [];
      for (const { name } of queues.toSorted((a, b) => a.name.localeCompare(b.name))) {
        // Bounded by the time for which the queue keeps ended jobs.
        const jobs = await boss.findJobs<object>(name);
        const cron = schedules.get(name);
        const nextAt = cron === undefined ? undefined : boss.previewSchedule(cron, { count: 1 })[0];
        states.push({ name, cron, nextAt, ...stateOf(jobs) });
      }
      return states;
    },
    async retry(tx, { queue, id }) {
      await start();
      if (!(await isKnown(queue))) return undefined;
      const done = await boss.retry(queue, id, { db: inTransaction(tx) });
      return (done as { affected: number }).affected === 1;
    },
    async runNow(tx, queue) {
      await start();
      if (!(await isKnown(queue))) return undefined;
      const db = inTransaction(tx);
      const waiting = await boss.findJobs(queue, { queued: true, db });
      if (waiting.length > 0) return 'waiting';
      await boss.send(queue, null, { db });
      return 'added';
    },
    async stop() {
      if (isStarted) await boss.stop({ graceful: true, timeout: 5_000 });
      isStopped = true;
      await db.close();
    },
  };
}

/** Lets a statement of the queue take part in a transaction of ours. */
function inTransaction(tx: Transaction) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      return { rows: await tx.query<Record<string, unknown>>(text, values) };
    },
  };
}

function stateOf(jobs: readonly JobWithMetadata[]): Omit<QueueState, 'name' | 'cron' | 'nextAt'> {
  const count = (...states: JobWithMetadata['state'][]) =>
    jobs.filter(({ state }) => states.includes(state)).length;
  const newestFirst = jobs.toSorted((a, b) => b.createdOn.getTime() - a.createdOn.getTime());
  return {
    waiting: count('created', 'retry'),
    active: count('active'),
    failed: count('failed'),
    jobs: newestFirst
      .filter(({ state }, place) => state === 'failed' || place < NEWEST_MAX)
      .map(toStoredJob),
  };
}

function toStoredJob(job: JobWithMetadata): StoredJob {
  const { id, state, createdOn, startedOn, completedOn, retryCount, output } = job;
  return {
    id,
    state,
    createdAt: createdOn,
    startedAt: startedOn ?? null,
    completedAt: completedOn,
    tries: startedOn === null ? 0 : retryCount + 1,
    error: state === 'completed' ? null : errorText(output),
  };
}

/** A thrown error is stored as an object with a message; anything else is shown as it is. */
function errorText(output: unknown): string | null {
  if (output === null || output === undefined) return null;
  const { message } = output as { message?: unknown };
  const text = typeof message === 'string' ? message : JSON.stringify(output);
  return text.slice(0, ERROR_LENGTH_MAX);
}
