import { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import type { Connection } from '../db/database.ts';
import { makePartitions, removeOutdated } from './upkeep-store.ts';

type Job = { name: string; cron: string; run(ctx: Context): Promise<unknown> };

const MONTHS_AHEAD = 2;

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
  const boss = new PgBoss({
    ...connection,
    max: 2,
    application_name: 'zhiber jobs',
    connectionTimeoutMillis: 2_000,
  });
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
