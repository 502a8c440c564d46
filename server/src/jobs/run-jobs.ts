import { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import type { Connection } from '../db/database.ts';
import { removeOutdated } from './remove-outdated.ts';
import { retryLocks } from './retry-locks.ts';
import { makePartitions } from './upkeep-store.ts';

type Job = { name: string; cron: string; run(ctx: Context, signal: AbortSignal): Promise<unknown> };

const MONTHS_AHEAD = 2;
/** Of the queue's own statements, which touch a few rows each. */
const STATEMENT_LIMIT_MS = 8_000;
/** Well before the queue takes a job for lost; the next run goes on with what is left. */
const REMOVE_MINUTES_MAX = 10;

/** Every job there is. Times are UTC; both are harmless to miss for days. */
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
  // It hands these on to its pool, also those that its types do not know.
  const options = {
    ...connection,
    max: 2,
    application_name: 'zhiber jobs',
    connectionTimeoutMillis: 2_000,
    // By default it waits for ever, and a stop with it.
    query_timeout: STATEMENT_LIMIT_MS,
    statement_timeout: STATEMENT_LIMIT_MS,
  };
  const boss = new PgBoss(options);
  let isStopped = false;
  boss.on('error', (error) => {
    // It does not wait for its connections to close, and a database that stops next ends them.
    ctx.log[isStopped ? 'debug' : 'warn']({ reason: error.message }, 'job queue');
  });
  await boss.start();
  // Months may be missing after a long stop, and then there is no waiting for the night.
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
  return await ctx.db.maintain((own) => retryLocks(() => makePartitions(own, MONTHS_AHEAD)));
}
