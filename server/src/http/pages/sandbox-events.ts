import { EVENT_TYPES, type EventType } from '@zhiber/contract/api/events.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { listenerSecretOf, listenToEvents, triggerEvent } from '../../webhooks/listen-to-events.ts';
import { readSandboxKey, readWait } from './inbox.ts';

/**
 * Events for `zhiber listen`: a terminal fetches what a webhook would be sent, and forwards it to a
 * server that nobody else can reach. Outside the contract, like the inbox of the virtual phone.
 */
export function addSandboxEvents(app: FastifyInstance, ctx: Context): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.get('/sandbox/events', async (request, reply) => {
    const { companyId } = await readSandboxKey(ctx, request);
    const { events } = request.query as { events?: unknown };
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const found = await listenToEvents(ctx, {
      companyId,
      events: events === undefined ? EVENT_TYPES : String(events).split(',').map(readType),
      waitMs: readWait(request) * 1_000,
      signal: AbortSignal.any([gone.signal, closing.signal]),
    });
    return { success: true, secret: listenerSecretOf(ctx, companyId), events: found };
  });

  app.post('/sandbox/events', async (request) => {
    const { companyId } = await readSandboxKey(ctx, request);
    const type = readType((request.body as { type?: unknown } | null)?.type);
    return { success: true, ...(await triggerEvent(ctx, companyId, type)) };
  });
}

function readType(text: unknown): EventType {
  const type = EVENT_TYPES.find((each) => each === text);
  if (type !== undefined) return type;
  throw new Problem('validation_error', {
    errors: { type: [`Одно из: ${EVENT_TYPES.join(', ')}`] },
  });
}
