import type { ADMIN_JOBS_ENDPOINTS, DeskJob } from '@zhiber/contract/admin/jobs.ts';
import type { StoredJob } from '../../db/job-queue.ts';
import { listJobs, retryJob, retryWork, runJob } from '../../operators/jobs.ts';
import { actorOf } from '../../operators/sign-in.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_JOBS_HANDLERS: AdminHandlersOf<typeof ADMIN_JOBS_ENDPOINTS> = {
  async jobs({ ctx }) {
    const { queues, work } = await listJobs(ctx);
    return {
      success: true,
      queues: queues.map(({ cron, nextAt, jobs, ...queue }) => ({
        ...queue,
        cron: cron ?? null,
        next_at: nextAt?.toISOString() ?? null,
        jobs: jobs.map(toJob),
      })),
      work: work.map(({ kind, overdue, oldestAt, givenUp }) => ({
        kind,
        overdue,
        oldest_at: oldestAt?.toISOString() ?? null,
        given_up: givenUp,
      })),
    };
  },
  async retryJob({ ctx }, { params, operator, origin }) {
    const job = { queue: params.queue ?? '', id: params.job_id ?? '' };
    return { success: true, is_changed: await retryJob(ctx, actorOf(operator, origin), job) };
  },
  async runJob({ ctx }, { params, operator, origin }) {
    const queue = params.queue ?? '';
    return { success: true, is_changed: await runJob(ctx, actorOf(operator, origin), queue) };
  },
  async retryWork({ ctx }, { params, operator, origin }) {
    const kind = params.kind ?? '';
    return { success: true, retried: await retryWork(ctx, actorOf(operator, origin), kind) };
  },
};

function toJob({ createdAt, startedAt, completedAt, ...job }: StoredJob): DeskJob {
  return {
    ...job,
    created_at: createdAt.toISOString(),
    started_at: startedAt?.toISOString() ?? null,
    completed_at: completedAt?.toISOString() ?? null,
  };
}
