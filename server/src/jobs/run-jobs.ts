import type { Context } from '../context.ts';
import { makePartitions } from '../installation/upkeep-store.ts';
import { countFigures } from '../operators/count-figures.ts';
import { auditMonths } from './audit-months.ts';
import { measureStatus } from './measure-status.ts';
import { removeOutdated } from './remove-outdated.ts';
import { retryLocks } from './retry-locks.ts';

type Job = { name: string; cron: string; run(ctx: Context, signal: AbortSignal): Promise<unknown> };

const MONTHS_AHEAD = 2;
/** Well before the queue considers a job lost; the next run continues with the rest. */
const MINUTES_MAX = 10;

/** All jobs. Times are UTC. Missing any of them for days is harmless. */
const JOBS: readonly Job[] = [
  { name: 'make-partitions', cron: '17 1 * * *', run: makeMonths },
  { name: 'remove-outdated', cron: '41 * * * *', run: removeOutdated },
  { name: 'audit-months', cron: '23 2 * * *', run: auditMonths },
  { name: 'count-figures', cron: '7 * * * *', run: countFigures },
  { name: 'measure-status', cron: '*/5 * * * *', run: measureStatus },
];

/** Starts the job queue; each job runs on one node at a time, with retries. */
export async function runJobs(ctx: Context): Promise<{ stop(): Promise<void> }> {
  // After a long stop partitions may be missing, and the nightly job would come too late.
  await makeMonths(ctx);
  const shutdown = new AbortController();
  for (const { name, cron, run } of JOBS) {
    await ctx.jobs.work({
      name,
      cron,
      async run() {
        const limit = AbortSignal.timeout(MINUTES_MAX * 60_000);
        const result = await run(ctx, AbortSignal.any([shutdown.signal, limit]));
        ctx.log.info({ job: name, result }, 'job done');
      },
    });
  }
  return {
    async stop() {
      shutdown.abort();
      await ctx.jobs.stop();
    },
  };
}

async function makeMonths(ctx: Context): Promise<number> {
  return await ctx.db.maintain((db) => retryLocks(() => makePartitions(db, MONTHS_AHEAD)));
}
