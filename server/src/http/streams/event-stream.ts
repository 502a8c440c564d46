import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const HEARTBEAT_MS = 15_000;
const UNREAD_BYTES_MAX = 1024 * 1024;

/** Server-sent events to one page, until it leaves or the server stops. */
export type EventStream = {
  send(event: string, content: object): void;
  /** Runs once, however the stream ends. */
  onEnd(work: () => void): void;
  end(): void;
};

export type EventStreams = {
  open(request: FastifyRequest, reply: FastifyReply): EventStream;
};

/** The streams of a scope. All of them end when the server stops: they would hold it up for ever. */
export function createEventStreams(scope: FastifyInstance): EventStreams {
  const ends = new Set<() => void>();
  scope.addHook('preClose', async () => {
    for (const end of ends) end();
  });

  return {
    open(request, reply) {
      reply.hijack();
      const stream = reply.raw;
      stream.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-request-id': request.id,
      });
      // Without this the page would not know that it is connected before something happens.
      stream.flushHeaders();
      const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS);
      const end = () => {
        stream.end();
      };
      ends.add(end);
      stream.once('close', () => {
        clearInterval(heartbeat);
        ends.delete(end);
      });
      return {
        end,
        onEnd: (work) => void stream.once('close', work),
        send(event, content) {
          stream.write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`);
          // Whoever does not read would have everything kept for them; the page simply connects
          // again.
          if (stream.writableLength > UNREAD_BYTES_MAX) stream.destroy();
        },
      };
    },
  };
}
