import { connect, type Socket } from 'node:net';
import { type RawAnswer, takeAnswer } from './raw/raw-answers.ts';

/** Undefined when the server closed the connection without an answer. */
export type Reply = RawAnswer | undefined;

type Waiting = { bytes: Buffer; isHead: boolean; resolve(reply: Reply): void };

/**
 * A minimal client with a pool of keep-alive connections, one request at a time on each. It sends
 * the given bytes unchanged, and replaces a connection that the server has closed.
 */
export function createKeepAliveClient(port: number, connections: number) {
  const queue: Waiting[] = [];
  const pool = Array.from({ length: connections }, () => createConnection(port, queue));
  return {
    send(bytes: Buffer, isHead = false): Promise<Reply> {
      return new Promise((resolve) => {
        queue.push({ bytes, isHead, resolve });
        pool.find((connection) => connection.isFree())?.takeNext();
      });
    },
    close(): void {
      for (const connection of pool) connection.close();
    },
  };
}

export type KeepAliveClient = ReturnType<typeof createKeepAliveClient>;

function createConnection(port: number, queue: Waiting[]) {
  let socket: Socket | undefined;
  let current: Waiting | undefined;
  let received: Buffer = Buffer.alloc(0);

  const resolveCurrent = (reply: Reply) => {
    const done = current;
    current = undefined;
    received = Buffer.alloc(0);
    done?.resolve(reply);
    takeNext();
  };
  const open = (): Socket => {
    const opened = connect(port, 'localhost').setNoDelay(true);
    opened.on('data', (chunk) => {
      if (socket !== opened) return;
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const taken = current && takeAnswer(received, current.isHead);
      if (taken === undefined) return;
      if (taken.answer.headers.connection === 'close') dropSocket(opened);
      resolveCurrent(taken.answer);
    });
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      if (current !== undefined) resolveCurrent(undefined);
    });
    return opened;
  };
  const dropSocket = (closing: Socket) => {
    socket = undefined;
    closing.destroy();
  };
  const takeNext = () => {
    current = queue.shift();
    if (current === undefined) return;
    socket ??= open();
    socket.write(current.bytes);
  };
  return {
    isFree: () => current === undefined,
    takeNext,
    close: () => {
      if (socket !== undefined) dropSocket(socket);
    },
  };
}
