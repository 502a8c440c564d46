import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../db/sql-errors.ts';
import { createSemaphore } from '../../runtime/semaphore.ts';
import { receiveNotice } from '../../topups/handle-notice.ts';
import { createForgedLog } from './forged-log.ts';
import { readRawBodies, toRawRequest } from './raw-request.ts';

const BODY_BYTES_MAX = 64 * 1024;

export type NoticeLimits = {
  atOnceMax: number;
  /** Further ones are refused, and the provider repeats them. */
  waitingMax: number;
  waitMsMax: number;
};

/**
 * A quarter of the database connections: a flood of notices must leave the others to sends. Only
 * authenticated ones wait, so that no stranger fills the queue.
 */
const LIMITS: NoticeLimits = { atOnceMax: 4, waitingMax: 1_000, waitMsMax: 20_000 };

/**
 * What payment providers report. A notice is authenticated, then stored, and only then handled and
 * answered, so that the provider repeats one that was lost.
 */
export function addPaymentNotices(
  scope: FastifyInstance,
  ctx: Context,
  { atOnceMax, ...limits }: NoticeLimits = LIMITS,
): void {
  readRawBodies(scope);
  const semaphore = createSemaphore(atOnceMax);
  for (const provider of ctx.payments) {
    if (provider.readNotice === undefined) continue;
    const noteForged = createForgedLog(ctx, provider.name);
    scope.route<{ Params: { script: string } }>({
      method: ['GET', 'POST'],
      url: `/payments/${provider.name}/:script`,
      bodyLimit: BODY_BYTES_MAX,
      async handler(request, reply) {
        const { script: scriptName } = request.params;
        const raw = toRawRequest(request);
        const notice = provider.readNotice?.({ ...raw, scriptName });
        if (notice === undefined) {
          noteForged();
          return reply.code(403).send({ success: false, message: 'Подпись не подтверждена' });
        }
        const { stored, failed } = notice.answers;
        const askAgain = () => reply.code(503).type(failed.contentType).send(failed.body);
        const release = await semaphore.acquire(limits);
        if (release === undefined) return askAgain();
        // In a GET everything is in the query.
        const body = raw.method === 'GET' ? request.url : raw.body.toString('utf8');
        try {
          await receiveNotice(ctx, provider, { notice, body });
        } catch (error) {
          if (!isDatabaseAway(error)) ctx.log.error({ err: error }, 'notice not stored');
          return askAgain();
        } finally {
          release();
        }
        return reply.type(stored.contentType).send(stored.body);
      },
    });
  }
}
