import type { ServerResponse } from 'node:http';
import type { Right } from '@zhiber/contract/cabinet/rights.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyId, PersonId } from '../../ids.ts';
import { Problem } from '../../problem.ts';

/** The heartbeat interval, and how long a client may take to read the rest of an ended stream. */
export type StreamTimes = { heartbeatMs: number; lastReadMs: number };

const TIMES: StreamTimes = { heartbeatMs: 15_000, lastReadMs: 2_000 };
const UNREAD_BYTES_MAX = 1024 * 1024;
const OWNED_STREAMS_MAX = 500;
/**
 * One stream per browser tab, and browsers stop at six connections per site. A person with many
 * sessions, or a company with many people, leaves room for the others.
 */
const STREAMS_MAX = { sessionId: 5, personId: 20, companyId: 100 } as const;
/** Pages reconnect by themselves, and every reconnect checks the person's rights again. */
const OWNED_LIFE_MS = 5 * 60_000;

/** Server-sent events to one page, until it disconnects or the server stops. */
export type EventStream = {
  send(event: string, content: object): void;
  /** Runs once, however the stream ends. */
  onEnd(work: () => void): void;
  end(): void;
};

/** Who reads a stream, and the right that it needs. */
export type StreamOwner = {
  sessionId: string;
  personId: PersonId;
  companyId: CompanyId;
  right: Right;
};

export type EventStreams = {
  /**
   * Throws when the session, the person, the company or all owners together have too many streams.
   */
  open(request: FastifyRequest, reply: FastifyReply, owner?: StreamOwner): EventStream;
  /** The owners of the open streams, one for each stream. */
  owners(): StreamOwner[];
  end(owner: StreamOwner): void;
};

/** The streams of a scope. All end when the server stops: an open one would block shutdown. */
export function createEventStreams(
  scope: FastifyInstance,
  times: StreamTimes = TIMES,
): EventStreams {
  const openStreamEnds = new Set<() => void>();
  // One entry per open stream of an owner.
  const owned = new Map<StreamOwner, () => void>();
  let isClosing = false;
  scope.addHook('preClose', async () => {
    isClosing = true;
    for (const end of openStreamEnds) end();
  });

  return {
    owners: () => [...owned.keys()],
    end: (owner) => owned.get(owner)?.(),
    open(request, reply, owner) {
      if (owner !== undefined) refuseTooMany([...owned.keys()], owner);
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
      if (owner !== undefined) owned.set(owner, end);
      onClose(stream, () => {
        clearInterval(heartbeat);
        clearTimeout(lifetime);
        clearTimeout(lastRead);
        openStreamEnds.delete(end);
        if (owner !== undefined) owned.delete(owner);
      });
      // Ended, not refused: a page reconnects after an end, and gives up after an error.
      if (isClosing) end();
      return {
        end,
        onEnd: (work) => onClose(stream, work),
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

/** At once for a page that left before its stream was opened: it has emitted `close` already. */
function onClose(stream: ServerResponse, work: () => void): void {
  if (stream.closed) work();
  else stream.once('close', work);
}

function refuseTooMany(owners: readonly StreamOwner[], owner: StreamOwner): void {
  if (owners.length >= OWNED_STREAMS_MAX) throw new Problem('service_unavailable');
  for (const by of ['sessionId', 'personId', 'companyId'] as const) {
    const own = owners.filter((other) => other[by] === owner[by]);
    if (own.length >= STREAMS_MAX[by]) throw new Problem('too_many_streams');
  }
}
