import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/** Server-sent events to one page. */
export type EventStream = {
  send(event: string, content: object): void;
  /** Once the page, or the server, has ended it. */
  onEnd(hear: () => void): void;
};

export type EventStreams = {
  /**
   * Answers a request with a stream, from here on open. Throws a Problem when there are too many.
   * Whoever opened it, such as a session, may have only a few.
   */
  open(request: FastifyRequest, reply: FastifyReply, owner?: string): EventStream;
};

const HEARTBEAT_MS = 15_000;
const UNREAD_BYTES_MAX = 1024 * 1024;
const STREAMS_MAX = 2_000;
/** As many as a browser opens to one server. */
const STREAMS_PER_OWNER_MAX = 6;
/** Pages connect again by themselves, and then it is looked again what their person may. */
const OWNED_LIFE_MS = 5 * 60_000;

/** The streams of one scope. They end when the server stops, which would wait for them. */
export function createEventStreams(app: FastifyInstance): EventStreams {
  const open = new Map<() => void, string | undefined>();
  app.addHook('preClose', async () => {
    for (const end of open.keys()) end();
  });

  return {
    open(request, reply, owner) {
      refuseTooMany([...open.values()], owner);
      reply.hijack();
      const stream = reply.raw;
      stream.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': request.id,
      });
      // Without this the page would not know that it is connected before something happens.
      stream.flushHeaders();
      const end = () => stream.end();
      open.set(end, owner);
      const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS);
      const life = owner === undefined ? undefined : setTimeout(end, OWNED_LIFE_MS);
      stream.once('close', () => {
        clearInterval(heartbeat);
        clearTimeout(life);
        open.delete(end);
      });
      return {
        send(event, content) {
          if (stream.writableEnded) return;
          stream.write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`);
          // Whoever does not read would have everything kept for them; the page connects again.
          if (stream.writableLength > UNREAD_BYTES_MAX) stream.destroy();
        },
        onEnd: (hear) => stream.once('close', hear),
      };
    },
  };
}

function refuseTooMany(owners: readonly (string | undefined)[], owner: string | undefined): void {
  if (owners.length >= STREAMS_MAX) throw new Problem('service_unavailable');
  const own = owner === undefined ? 0 : owners.filter((other) => other === owner).length;
  if (own >= STREAMS_PER_OWNER_MAX) throw new Problem('too_many_streams');
}
