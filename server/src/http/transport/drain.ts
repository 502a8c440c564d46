import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextLoopTurn, setTimeout as pause } from 'node:timers/promises';

/** How long requests that clients have already sent may take to be read. */
const STOP_LISTENING_AFTER_MS = 250;

/** The length of the accept queue, by Node's default. */
const ACCEPT_QUEUE_MAX = 511;

export type Drain = {
  /** Accepts what has been sent, and closes the connections that hold no request. */
  start(): Promise<void>;
  isClosing(): boolean;
};

/**
 * Prepares a server for its shutdown. Node closes only connections that wait for their next
 * request, and enforces its time limits no more. A connection that a browser has opened ahead of
 * need, or a request that never arrives whole, would block the shutdown.
 */
export function drainOnClose(server: Server, requestTimeoutMs: number): Drain {
  let isClosing = false;
  /** The newest response of every open connection. */
  const responses = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket: Socket) => {
    responses.set(socket, undefined);
    socket.once('close', () => responses.delete(socket));
  });
  server.on('request', (request, response) => responses.set(request.socket, response));

  return {
    isClosing: () => isClosing,
    async start() {
      isClosing = true;
      closeAcceptQueue(server);
      await pause(STOP_LISTENING_AFTER_MS);
      await drainAcceptQueue(server);
      for (const [socket, response] of responses) {
        if (response === undefined && socket.bytesRead === 0) socket.destroy();
      }
      const cutIncomplete = () => {
        for (const [socket, response] of responses) {
          if (!isUnderWay(response)) socket.destroy();
        }
      };
      setTimeout(cutIncomplete, requestTimeoutMs).unref();
    },
  };
}

/** Whether a whole request has arrived and is not answered yet. */
function isUnderWay(response: ServerResponse | undefined): boolean {
  if (response === undefined) return false;
  return response.req.complete && !response.writableEnded;
}

/**
 * Sets the accept queue to length 0, so that new clients wait in their own connect. A connection
 * in the queue when the socket closes would be reset, perhaps with its request already sent.
 */
function closeAcceptQueue(server: Server): void {
  const { _handle: handle } = server as { _handle?: { listen?(queueLength: number): void } };
  handle?.listen?.(0);
}

/**
 * Waits until the accept queue is empty. Node treats a connection whose request has not been read
 * yet as idle, and would close it. Each turn of the event loop accepts one connection and reads the
 * one before; on a busy machine the 250 ms before may have been only a few turns. The turns are
 * bounded, so that clients who keep coming cannot block the shutdown.
 */
async function drainAcceptQueue(server: Server): Promise<void> {
  let arrivals = 0;
  const count = () => {
    arrivals += 1;
  };
  server.on('connection', count).on('request', count);
  for (let turns = 0, seen = -1; seen !== arrivals && turns < ACCEPT_QUEUE_MAX; turns++) {
    seen = arrivals;
    await nextLoopTurn();
    await nextLoopTurn();
  }
  server.off('connection', count).off('request', count);
}
