import { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import type { Connection } from '../db/database.ts';
import { makePartitions, removeOutdated } from './upkeep-store.ts';

type Job = { name: string; cron: string; run(ctx: Context): Promise<unknown> };

const MONTHS_AHEAD = 2;
/** Of the queue's own statements, which touch a few rows each. */
const STATEMENT_LIMIT_MS = 8_000;

/** Every job there is. Times are UTC; both are harmless to miss for days. */
const JOBS: readonly Job[] = [
  {
    name: 'make-partitions',
    cron: '17 1 * * *',
    run: (ctx) => makePartitions(ctx.db, MONTHS_AHEAD),
  },
  { name: 'remove-outdated', cron: '41 * * * *', run: (ctx) => removeOutdated(ctx.db) },
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
  boss.on('error', (error) => ctx.log.warn({ reason: error.message }, 'job queue'));
  await boss.start();
  // Months may be missing after a long stop, and then there is no waiting for the night.
  await makePartitions(ctx.db, MONTHS_AHEAD);
  for (const job of JOBS) {
    await boss.createQueue(job.name, { policy: 'singleton', retryLimit: 3, retryBackoff: true });
    await boss.work(job.name, async () => {
      ctx.log.info({ job: job.name, result: await job.run(ctx) }, 'job done');
    });
    await boss.schedule(job.name, job.cron);
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}
