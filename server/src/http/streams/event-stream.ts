import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/** How often a page hears that it is connected, and how long an ended one may take to read the rest. */
export type StreamTimes = { heartbeatMs: number; lastReadMs: number };

const TIMES: StreamTimes = { heartbeatMs: 15_000, lastReadMs: 2_000 };
const UNREAD_BYTES_MAX = 1024 * 1024;
/** Each tab of a browser has one; browsers themselves stop at six for one site. */
const STREAMS_PER_OWNER_MAX = 5;
const OWNED_STREAMS_MAX = 500;
/** Pages connect again by themselves, and then it is looked again what their person may. */
const OWNED_LIFE_MS = 5 * 60_000;

/** Server-sent events to one page, until it leaves or the server stops. */
export type EventStream = {
  send(event: string, content: object): void;
  /** Runs once, however the stream ends. */
  onEnd(work: () => void): void;
  end(): void;
};

export type EventStreams = {
  /** Refused when the owner, such as a session, has as many as may be, or all owners together. */
  open(request: FastifyRequest, reply: FastifyReply, owner?: string): EventStream;
};

/** The streams of a scope. All of them end when the server stops: they would hold it up for ever. */
export function createEventStreams(
  scope: FastifyInstance,
  times: StreamTimes = TIMES,
): EventStreams {
  const ends = new Set<() => void>();
  const owners: string[] = [];
  scope.addHook('preClose', async () => {
    for (const end of ends) end();
  });

  return {
    open(request, reply, owner) {
      if (owner !== undefined) refuseTooMany(owners, owner);
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
      // What is written to a page that has just gone fails; unheard, that would end the process.
      stream.on('error', () => undefined);
      const heartbeat = setInterval(() => stream.write(': still here\n\n'), times.heartbeatMs);
      let lastRead: NodeJS.Timeout | undefined;
      const end = () => {
        if (stream.writableEnded) return;
        clearInterval(heartbeat);
        // A page that has stopped reading would keep the rest, and its connection, for ever.
        lastRead = setTimeout(() => stream.destroy(), times.lastReadMs);
        stream.end();
      };
      ends.add(end);
      const life = owner === undefined ? undefined : setTimeout(end, OWNED_LIFE_MS);
      if (owner !== undefined) owners.push(owner);
      stream.once('close', () => {
        clearInterval(heartbeat);
        clearTimeout(life);
        clearTimeout(lastRead);
        ends.delete(end);
        if (owner !== undefined) owners.splice(owners.indexOf(owner), 1);
      });
      return {
        end,
        onEnd: (work) => void stream.once('close', work),
        send(event, content) {
          if (stream.writableEnded) return;
          stream.write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`);
          // Whoever does not read would have everything kept for them; the page simply connects
          // again.
          if (stream.writableLength > UNREAD_BYTES_MAX) stream.destroy();
        },
      };
    },
  };
}

function refuseTooMany(owners: readonly string[], owner: string): void {
  if (owners.length >= OWNED_STREAMS_MAX) throw new Problem('service_unavailable');
  const own = owners.filter((one) => one === owner);
  if (own.length >= STREAMS_PER_OWNER_MAX) throw new Problem('too_many_streams');
}
