import { RETRIED_WORK } from '@zhiber/contract/admin/jobs.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import type { QueueState } from '../db/job-queue.ts';
import { isId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { listWaitingWork, retryGivenUp, type WaitingWork } from './waiting-work-store.ts';

type Ctx = Pick<Context, 'db' | 'jobs' | 'payments'>;

/** The jobs by schedule, and the work that waits in our own tables. */
export async function listJobs({
  db,
  jobs,
}: Ctx): Promise<{ queues: QueueState[]; work: WaitingWork[] }> {
  return { queues: await jobs.list(), work: await listWaitingWork(db) };
}

/** Another try for a job that failed for good. False when it is not one any more. */
export async function retryJob(
  { db, jobs }: Ctx,
  actor: Actor,
  { queue, id }: { queue: string; id: string },
): Promise<boolean> {
  if (!isId(id)) throw new Problem('not_found');
  return await db.transaction(async (tx) => {
    const isRetried = await jobs.retry(tx, { queue, id });
    if (isRetried === undefined) throw new Problem('not_found');
    if (isRetried) await recordOperatorAct(tx, actor, { action: 'job.retried', object: queue });
    return isRetried;
  });
}

/** Runs a job as soon as possible. False when one is waiting already. */
export async function runJob({ db, jobs }: Ctx, actor: Actor, queue: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const outcome = await jobs.runNow(tx, queue);
    if (outcome === undefined) throw new Problem('not_found');
    if (outcome === 'waiting') return false;
    await recordOperatorAct(tx, actor, { action: 'job.run', object: queue });
    return true;
  });
}

/** Another try for everything of a kind that was given up. Returns how many. */
export async function retryWork(
  { db, payments }: Ctx,
  actor: Actor,
  name: string,
): Promise<number> {
  const kind = RETRIED_WORK.find((one) => one === name);
  if (kind === undefined) throw new Problem('not_found');
  // Of a provider that makes none, a refund is the operator's own work.
  const refunding = payments.filter((provider) => provider.refund !== undefined);
  return await db.transaction(async (tx) => {
    const providers = refunding.map((provider) => provider.name);
    const count = await retryGivenUp(tx, kind, providers);
    const act = { action: 'work.retried', object: kind, after: { count } } as const;
    if (count > 0) await recordOperatorAct(tx, actor, act);
    return count;
  });
}
