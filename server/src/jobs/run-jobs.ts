import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import { makePartitions } from '../installation/upkeep-store.ts';
import { countFigures } from '../operators/count-figures.ts';
import { auditMonths } from './audit-months.ts';
import { backUp } from './back-up.ts';
import { measureStatus } from './measure-status.ts';
import { removeOutdated } from './remove-outdated.ts';
import { retryLocks } from './retry-locks.ts';

type Job = {
  name: string;
  cron: string;
  minutesMax?: number;
  /** Whether this node does it; every node when not given. */
  isWanted?(config: Config): boolean;
  run(ctx: Context, signal: AbortSignal): Promise<unknown>;
};

const MONTHS_AHEAD = 2;
/** Well before the queue considers a job lost; the next run continues with the rest. */
const MINUTES_MAX = 10;

/** A large database is copied and restored within it. */
const BACKUP_MINUTES_MAX = 8 * 60;

/** All jobs. Times are UTC. Missing any of them for days is harmless. */
const JOBS: readonly Job[] = [
  { name: 'make-partitions', cron: '17 1 * * *', run: makeMonths },
  { name: 'remove-outdated', cron: '41 * * * *', run: removeOutdated },
  { name: 'audit-months', cron: '23 2 * * *', run: auditMonths },
  {
    name: 'back-up',
    cron: '10 22 * * *',
    minutesMax: BACKUP_MINUTES_MAX,
    isWanted: ({ backupDir }) => backupDir !== undefined,
    run: backUp,
  },
  { name: 'count-figures', cron: '7 * * * *', run: countFigures },
  { name: 'measure-status', cron: '*/5 * * * *', run: measureStatus },
];

/** Starts the job queue; each job runs on one node at a time, with retries. */
export async function runJobs(ctx: Context): Promise<{ stop(): Promise<void> }> {
  // After a long stop partitions may be missing, and the nightly job would come too late.
  await makeMonths(ctx);
  const shutdown = new AbortController();
  for (const { name, cron, minutesMax, isWanted, run } of JOBS) {
    if (isWanted?.(ctx.config) === false) continue;
    await ctx.jobs.work({
      name,
      cron,
      minutesMax,
      async run() {
        const limit = AbortSignal.timeout((minutesMax ?? MINUTES_MAX) * 60_000);
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
