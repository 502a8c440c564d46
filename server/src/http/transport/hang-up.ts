import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';

/** How long a client may take to read its last answer before the socket is destroyed. */
const LINGER_MS = 1_000;

/**
 * Whether an unread rest of the body is chunked or over the limit. Such a body is not drained,
 * because the client decides how long that takes.
 */
export function hasUnboundedBody(raw: IncomingMessage): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = raw.headers;
  return !raw.complete && (encoding !== undefined || Number(length) > BODY_BYTES_MAX);
}

/** Whether the connection reached its request limit. Node sets the flag but does not close. */
export function isLastOfConnection(raw: ServerResponse): boolean {
  const { maxRequestsOnConnectionReached } = raw as { maxRequestsOnConnectionReached?: boolean };
  return maxRequestsOnConnectionReached === true;
}

/** Stops reading the rest of the body, so that TCP back-pressure makes the client wait. */
export function leaveUnread(raw: IncomingMessage): void {
  raw.pause();
  // Node drains a body that was never read from; a read of zero bytes prevents it.
  raw.read(0);
  const { socket } = raw;
  socket.destroySoon = () => hangUp(socket);
}

/**
 * Ends a connection after its last answer. Closing a socket with unread bytes sends a reset, which
 * can overtake the answer, so the client first gets `LINGER_MS` to read it.
 */
export function hangUp(socket: Socket, lastBytes = ''): void {
  socket.end(lastBytes);
  socket.pause();
  // A request whose body is still being parsed would resume the socket.
  socket.on('resume', () => socket.pause());
  const limit = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(limit));
}
