import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';
import { allowLongBody } from './body-deadline.ts';

/** Files come as they are, and as a stream: their encoding is a part of them. */
export function streamFiles(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/octet-stream', (_request, stream, done) =>
    done(null, stream),
  );
}

type Stream = NodeJS.ReadableStream & {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Buffer>;
};

/**
 * The bytes of the file that an endpoint takes; undefined for one that takes none. More bytes than
 * the limit are refused as they come, and by what the headers promise.
 */
export function readFileBody(
  request: FastifyRequest,
  bytesMax: number | undefined,
): AsyncGenerator<Buffer> | undefined {
  const { body } = request;
  const isStream = typeof (body as Stream | undefined)?.iterator === 'function';
  if (isStream !== (bytesMax !== undefined)) throw new Problem('unsupported_media_type');
  if (bytesMax === undefined) return undefined;
  if (request.headers['content-encoding'] !== undefined) {
    throw new Problem('unsupported_media_type');
  }
  if (Number(request.headers['content-length']) > bytesMax) throw new Problem('payload_too_large');
  allowLongBody(request.raw);
  return readUpTo(body as Stream, bytesMax);
}

/** The stream stays open when its reader stops: destroying it would take the answer with it. */
async function* readUpTo(stream: Stream, bytesMax: number): AsyncGenerator<Buffer> {
  const iterator = stream.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  let total = 0;
  while (true) {
    // The client has left: there is nobody to answer, and nothing is wrong here.
    const next = await iterator.next().catch(() => {
      throw new Problem('file_unreadable');
    });
    if (next.done) return;
    total += next.value.length;
    if (total > bytesMax) throw new Problem('payload_too_large');
    yield next.value;
  }
}
