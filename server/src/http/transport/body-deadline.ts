import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Context } from '../../context.ts';
import { answerBrokenRequest } from './broken-requests.ts';

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Ends requests whose body does not arrive in time. Node has one limit for all, and that is the one
 * of files: a slow line needs minutes for what a person uploads.
 */
export function limitBodyTime(server: Server, ctx: Context, timeoutMs: number): void {
  // First, so that a handler finds the deadline that it lifts.
  server.prependListener('request', (request: IncomingMessage) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === '0')) return;
    const deadline = setTimeout(() => {
      if (request.complete) return;
      answerBrokenRequest(ctx, new Error('the body did not arrive in time'), request.socket);
    }, timeoutMs);
    deadlines.set(request, deadline);
    request.once('close', () => clearTimeout(deadline));
  });
}

/** Ends connections that send nothing at all. Node waits for them as long as for a whole request. */
export function limitSilence(server: Server, timeoutMs: number): void {
  server.on('connection', (socket: Socket) => {
    const deadline = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy();
    }, timeoutMs);
    socket.once('close', () => clearTimeout(deadline));
  });
}

/** For a file of a person who may send one: only the limit of Node is left. */
export function allowLongBody(request: IncomingMessage): void {
  clearTimeout(deadlines.get(request));
}
