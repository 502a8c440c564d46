import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../db/sql-errors.ts';
import { Problem } from '../../problem.ts';
import { createSemaphore, type Release } from '../../runtime/semaphore.ts';
import { receiveNotice } from '../../topups/handle-notice.ts';
import { createForgedLog } from './forged-log.ts';
import { readRawBodies, toRawRequest } from './raw-request.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** A quarter of the database connections: a flood of notices must leave the others to sends. */
const AT_ONCE_MAX = 4;
/** Further ones are refused, and the provider repeats them. */
const WAITING_MAX = 500;
const WAIT_MS_MAX = 10_000;

/**
 * What payment providers report. A notice is authenticated, then stored, and only then handled and
 * answered, so that the provider repeats one that was lost.
 */
export function addPaymentNotices(scope: FastifyInstance, ctx: Context): void {
  readRawBodies(scope);
  const enter = createEntrance();
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
        const leave = await enter();
        const { stored, failed } = notice.answers;
        // In a GET everything is in the query.
        const body = raw.method === 'GET' ? request.url : raw.body.toString('utf8');
        try {
          await receiveNotice(ctx, provider, { notice, body });
        } catch (error) {
          if (!isDatabaseAway(error)) ctx.log.error({ err: error }, 'notice not stored');
          return reply.code(503).type(failed.contentType).send(failed.body);
        } finally {
          leave();
        }
        return reply.type(stored.contentType).send(stored.body);
      },
    });
  }
}

/** Lets few in at a time, and few wait. */
function createEntrance(): () => Promise<Release> {
  const semaphore = createSemaphore(AT_ONCE_MAX);
  let waiting = 0;
  return async () => {
    if (waiting >= WAITING_MAX) throw new Problem('service_unavailable');
    waiting += 1;
    const release = await semaphore.acquire({ waitMsMax: WAIT_MS_MAX });
    waiting -= 1;
    if (release === undefined) throw new Problem('service_unavailable');
    return release;
  };
}
