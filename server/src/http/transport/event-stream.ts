import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/** The heartbeat interval, and how long a client may take to read the rest of an ended stream. */
export type StreamTimes = { heartbeatMs: number; lastReadMs: number };

const TIMES: StreamTimes = { heartbeatMs: 15_000, lastReadMs: 2_000 };
const UNREAD_BYTES_MAX = 1024 * 1024;
/** One stream per browser tab; browsers themselves stop at six connections per site. */
const STREAMS_PER_OWNER_MAX = 5;
const OWNED_STREAMS_MAX = 500;
/** Pages reconnect by themselves, and every reconnect checks the person's rights again. */
const OWNED_LIFE_MS = 5 * 60_000;

/** Server-sent events to one page, until it disconnects or the server stops. */
export type EventStream = {
  send(event: string, content: object): void;
  /** Runs once, however the stream ends. */
  onEnd(work: () => void): void;
  end(): void;
};

export type EventStreams = {
  /** Throws when one owner, such as a session, or all owners together have too many streams. */
  open(request: FastifyRequest, reply: FastifyReply, owner?: string): EventStream;
};

/** The streams of a scope. All end when the server stops: an open one would block shutdown. */
export function createEventStreams(
  scope: FastifyInstance,
  times: StreamTimes = TIMES,
): EventStreams {
  const openStreamEnds = new Set<() => void>();
  // One entry per open stream.
  const owners: string[] = [];
  let isClosing = false;
  scope.addHook('preClose', async () => {
    isClosing = true;
    for (const end of openStreamEnds) end();
  });

  return {
    open(request, reply, owner) {
      if (owner !== undefined) refuseTooMany(owners, owner);
      reply.hijack();
      const stream = reply.raw;
      stream.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // Kept alive after its stream, the connection would block a shutdown.
        connection: 'close',
        'x-content-type-options': 'nosniff',
        'x-request-id': request.id,
      });
      // Without this the browser reports the stream as open only with the first event.
      stream.flushHeaders();
      // A write to a disconnected client fails; an unhandled error event would end the process.
      stream.on('error', () => undefined);
      const heartbeat = setInterval(() => stream.write(': still here\n\n'), times.heartbeatMs);
      let lastRead: NodeJS.Timeout | undefined;
      const end = () => {
        if (stream.writableEnded) return;
        clearInterval(heartbeat);
        // A client that has stopped reading would hold its buffer and connection for ever.
        lastRead = setTimeout(() => stream.destroy(), times.lastReadMs);
        stream.end();
      };
      openStreamEnds.add(end);
      const lifetime = owner === undefined ? undefined : setTimeout(end, OWNED_LIFE_MS);
      if (owner !== undefined) owners.push(owner);
      stream.once('close', () => {
        clearInterval(heartbeat);
        clearTimeout(lifetime);
        clearTimeout(lastRead);
        openStreamEnds.delete(end);
        if (owner !== undefined) owners.splice(owners.indexOf(owner), 1);
      });
      // Ended, not refused: a page reconnects after an end, and gives up after an error.
      if (isClosing) end();
      return {
        end,
        onEnd: (work) => void stream.once('close', work),
        send(event, content) {
          if (stream.writableEnded) return;
          stream.write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`);
          // Back-pressure: a client that does not read is disconnected before its buffer grows
          // further. The page reconnects by itself.
          if (stream.writableLength > UNREAD_BYTES_MAX) stream.destroy();
        },
      };
    },
  };
}

function refuseTooMany(owners: readonly string[], owner: string): void {
  if (owners.length >= OWNED_STREAMS_MAX) throw new Problem('service_unavailable');
  const own = owners.filter((other) => other === owner);
  if (own.length >= STREAMS_PER_OWNER_MAX) throw new Problem('too_many_streams');
}
