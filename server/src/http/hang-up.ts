import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';

/** How long a caller that is hung up on may take to read its last answer. */
const LINGER_MS = 1_000;

/**
 * Whether more of the body is on its way than anybody here will read. It is not read to its end,
 * because whoever sends it decides how long that takes.
 */
export function hasEndlessBody(raw: IncomingMessage): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = raw.headers;
  return !raw.complete && (encoding !== undefined || Number(length) > BODY_BYTES_MAX);
}

/** Whether this answer is the last its connection may have. Node says so, but would not close it. */
export function isLastOfConnection(raw: ServerResponse): boolean {
  const { maxRequestsOnConnectionReached } = raw as { maxRequestsOnConnectionReached?: boolean };
  return maxRequestsOnConnectionReached === true;
}

/** Leaves what still comes unread, so that the caller waits and nothing is swallowed. */
export function leaveUnread(raw: IncomingMessage): void {
  raw.pause();
  // Node reads bodies that nobody has asked for to their end; asking for nothing prevents it.
  raw.read(0);
  const { socket } = raw;
  socket.destroySoon = () => hangUp(socket);
}

/**
 * Ends a connection after its last answer. Closing one with unread bytes resets it, and the reset
 * overtakes the answer: so the caller first gets the time to read it.
 */
export function hangUp(socket: Socket, lastWords = ''): void {
  socket.end(lastWords);
  socket.pause();
  // A request that is still being read on it would go on reading.
  socket.on('resume', () => socket.pause());
  const limit = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(limit));
}
