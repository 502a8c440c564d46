import { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { type Connection, LONG_CONNECT_TIMEOUT_MS } from '../db/database.ts';
import { makePartitions } from '../installation/upkeep-store.ts';
import { removeOutdated } from './remove-outdated.ts';
import { retryLocks } from './retry-locks.ts';

type Job = { name: string; cron: string; run(ctx: Context, signal: AbortSignal): Promise<unknown> };

const MONTHS_AHEAD = 2;
/** For the queue's own statements, which touch a few rows each. */
const STATEMENT_LIMIT_MS = 8_000;
/** Well before the queue considers a job lost; the next run continues with the rest. */
const REMOVE_MINUTES_MAX = 10;

/** All jobs. Times are UTC. Missing either for days is harmless. */
const JOBS: readonly Job[] = [
  { name: 'make-partitions', cron: '17 1 * * *', run: makeMonths },
  {
    name: 'remove-outdated',
    cron: '41 * * * *',
    run: (ctx, signal) =>
      removeOutdated(
        ctx,
        AbortSignal.any([signal, AbortSignal.timeout(REMOVE_MINUTES_MAX * 60_000)]),
      ),
  },
];

/** Starts the job queue; each job runs on one node at a time, with retries. */
export async function runJobs(
  ctx: Context,
  connection: Connection,
): Promise<{ stop(): Promise<void> }> {
  // pg-boss passes all of these to its pool, also those missing from its types.
  const options = {
    ...connection,
    max: 2,
    application_name: 'zhiber jobs',
    connectionTimeoutMillis: LONG_CONNECT_TIMEOUT_MS,
    // By default a statement waits for ever, and a shutdown with it.
    query_timeout: STATEMENT_LIMIT_MS,
    statement_timeout: STATEMENT_LIMIT_MS,
  };
  const boss = new PgBoss(options);
  let isStopped = false;
  boss.on('error', (error) => {
    // pg-boss does not wait for its connections to close; a database that stops next breaks them.
    ctx.log[isStopped ? 'debug' : 'warn']({ reason: error.message }, 'job queue');
  });
  await boss.start();
  // After a long stop partitions may be missing, and the nightly job would come too late.
  await makeMonths(ctx);
  const shutdown = new AbortController();
  for (const job of JOBS) {
    await boss.createQueue(job.name, { policy: 'singleton', retryLimit: 3, retryBackoff: true });
    await boss.work(job.name, async () => {
      const result = await job.run(ctx, shutdown.signal);
      ctx.log.info({ job: job.name, result }, 'job done');
    });
    await boss.schedule(job.name, job.cron);
  }
  return {
    async stop() {
      shutdown.abort();
      await boss.stop({ graceful: true, timeout: 5_000 });
      isStopped = true;
    },
  };
}

async function makeMonths(ctx: Context): Promise<number> {
  return await ctx.db.maintain((db) => retryLocks(() => makePartitions(db, MONTHS_AHEAD)));
}
