import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';
import type { Context } from '../../context.ts';
import { newRequestId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { toErrorReply } from './errors.ts';
import { hangUp } from './hang-up.ts';
import { httpsOnlyHeaders } from './https-only.ts';

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  422: 'Unprocessable Content',
};

/** Answers CONNECT and Expect in the usual form; Node would use its own texts, or no answer. */
export function answerOddRequests(server: Server, ctx: Context): void {
  server.on('connect', (_request, socket) => {
    refuse(ctx, new Problem('method_not_allowed'), socket as Socket, 'allow: GET, HEAD, POST\r\n');
  });
  // No 100 Continue for a body that is too large: the client need not send it.
  server.on('checkContinue', (request, response) => {
    if (!(Number(request.headers['content-length']) > BODY_BYTES_MAX)) response.writeContinue();
    server.emit('request', request, response);
  });
  // RFC 9110 allows any other expectation to be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

const refusedSockets = new WeakSet<Socket>();

/**
 * Answers bytes that are not valid HTTP in the usual error form and closes the connection. It waits
 * for the answers to earlier pipelined requests, or a client would match this one to the wrong
 * request.
 */
export function answerBrokenRequest(
  ctx: Context,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (refusedSockets.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const currentResponse = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (currentResponse?.req.complete) {
    currentResponse.once('close', () => answerBrokenRequest(ctx, error, socket));
    return;
  }
  const isTooLarge = TOO_LARGE.has(error.code ?? '');
  refuse(ctx, new Problem(isTooLarge ? 'payload_too_large' : 'validation_error'), socket);
}

const TOO_LARGE = new Set(['HPE_HEADER_OVERFLOW', 'HPE_CHUNK_EXTENSIONS_OVERFLOW']);

function refuse(ctx: Context, problem: Problem, socket: Socket, moreHeaders = ''): void {
  refusedSockets.add(socket);
  const { publicUrl } = ctx.urls;
  const { status, body } = toErrorReply(problem, { requestId: newRequestId(), publicUrl });
  const text = JSON.stringify(body);
  const httpsOnly = Object.entries(httpsOnlyHeaders(ctx.config));
  hangUp(
    socket,
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\n${moreHeaders}` +
      httpsOnly.map(([name, value]) => `${name}: ${value}\r\n`).join('') +
      'content-type: application/json; charset=utf-8\r\n' +
      `x-request-id: ${body.request_id}\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}
