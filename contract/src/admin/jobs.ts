import Type, { type Static } from 'typebox';
import { Count, Instant, orNull } from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

export const JOB_STATES = [
  'created',
  'retry',
  'active',
  'completed',
  'cancelled',
  'failed',
] as const;

export const DeskJob = Type.Object({
  id: Type.String(),
  state: Type.Enum([...JOB_STATES]),
  created_at: Instant,
  started_at: orNull(Instant),
  completed_at: orNull(Instant),
  tries: Count,
  /** The message of the error; null when there was none. */
  error: orNull(Type.String()),
});
export type DeskJob = Static<typeof DeskJob>;

/**
 * Work that waits in our own tables until it is done. Rows that are only waiting for their time are
 * not in it.
 */
export const WAITING_WORK = ['notices', 'orders', 'refunds', 'messages', 'early_receipts'] as const;
export type WaitingKind = (typeof WAITING_WORK)[number];
/** What can be tried again by hand after it was given up. */
export const RETRIED_WORK = ['notices', 'refunds'] as const;

export const ADMIN_JOBS_ENDPOINTS = {
  jobs: {
    method: 'GET',
    path: '/jobs',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      queues: Type.Array(
        Type.Object({
          name: Type.String(),
          /** Null for a queue that runs on demand alone. In UTC. */
          cron: orNull(Type.String()),
          next_at: orNull(Instant),
          waiting: Count,
          active: Count,
          failed: Count,
          /** The newest, and all that failed for good. */
          jobs: Type.Array(DeskJob),
        }),
      ),
      work: Type.Array(
        Type.Object({
          kind: Type.Enum([...WAITING_WORK]),
          /** Overdue: the watch should have done it by now. */
          overdue: Count,
          oldest_at: orNull(Instant),
          /** Nobody tries these any more, until an operator does. */
          given_up: Count,
        }),
      ),
    }),
  },
  /** Another try for a job that failed for good. */
  retryJob: {
    method: 'POST',
    path: '/jobs/:queue/:job_id/retry',
    policy: 'operator',
    answer: Type.Object({ success: Type.Literal(true), is_changed: Type.Boolean() }),
  },
  /** Runs a job as soon as possible, beside its schedule. Does nothing while one is waiting. */
  runJob: {
    method: 'POST',
    path: '/jobs/:queue/run',
    policy: 'operator',
    answer: Type.Object({ success: Type.Literal(true), is_changed: Type.Boolean() }),
  },
  /** Another try for everything of a kind that was given up. */
  retryWork: {
    method: 'POST',
    path: '/jobs/work/:kind/retry-all',
    policy: 'operator',
    needsProof: true,
    answer: Type.Object({ success: Type.Literal(true), retried: Count }),
  },
} as const satisfies Record<string, AdminEndpoint>;
