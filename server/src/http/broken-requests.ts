import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';
import type { Context } from '../context.ts';
import { newRequestId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { toErrorReply } from './errors.ts';
import { hangUp } from './hang-up.ts';

const TEXTS: Readonly<Record<number, string>> = {
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  422: 'Unprocessable Content',
};

/** What Node would answer in its own words, or not at all, is answered like everything else. */
export function answerOddRequests(server: Server, ctx: Context): void {
  server.on('connect', (_request, socket) => {
    refuse(ctx, new Problem('method_not_allowed'), socket as Socket, 'allow: GET, HEAD, POST\r\n');
  });
  // A body that will be refused for its size need not be sent at all.
  server.on('checkContinue', (request, response) => {
    if (!(Number(request.headers['content-length']) > BODY_BYTES_MAX)) response.writeContinue();
    server.emit('request', request, response);
  });
  // Any other expectation may be ignored, says RFC 9110.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

const hungUpOn = new WeakSet<Socket>();

/**
 * What is not even HTTP gets an answer of the usual form too, and is hung up on; but only after the
 * answers to the good requests before it, or one of those would be taken for this refusal.
 */
export function answerBrokenRequest(
  ctx: Context,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (hungUpOn.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answering = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (answering?.req.complete) {
    answering.once('close', () => answerBrokenRequest(ctx, error, socket));
    return;
  }
  const isTooLarge = TOO_LARGE.has(error.code ?? '');
  refuse(ctx, new Problem(isTooLarge ? 'payload_too_large' : 'validation_error'), socket);
}

const TOO_LARGE = new Set(['HPE_HEADER_OVERFLOW', 'HPE_CHUNK_EXTENSIONS_OVERFLOW']);

function refuse(ctx: Context, problem: Problem, socket: Socket, moreHeaders = ''): void {
  hungUpOn.add(socket);
  const { publicUrl } = ctx.urls;
  const { status, body } = toErrorReply(problem, { requestId: newRequestId(), publicUrl });
  const text = JSON.stringify(body);
  hangUp(
    socket,
    `HTTP/1.1 ${status} ${TEXTS[status]}\r\n${moreHeaders}` +
      'content-type: application/json; charset=utf-8\r\n' +
      `x-request-id: ${body.request_id}\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}
