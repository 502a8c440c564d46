import { connect, type Socket } from 'node:net';
import { type RawAnswer, takeAnswer } from './raw/raw-answers.ts';

/** Undefined when the server hung up without an answer. */
export type Reply = RawAnswer | undefined;

type Waiting = { bytes: Buffer; toHead: boolean; resolve(reply: Reply): void };

/**
 * A lean client: some connections that stay open, one request at a time on each, written as the
 * bytes that are given. A connection that the server has ended is replaced.
 */
export function createKeepAliveClient(port: number, connections: number) {
  const queue: Waiting[] = [];
  const lines = Array.from({ length: connections }, () => createLine(port, queue));
  return {
    send(bytes: Buffer, toHead = false): Promise<Reply> {
      return new Promise((resolve) => {
        queue.push({ bytes, toHead, resolve });
        lines.find((line) => line.isFree())?.takeNext();
      });
    },
    close(): void {
      for (const line of lines) line.close();
    },
  };
}

export type KeepAliveClient = ReturnType<typeof createKeepAliveClient>;

function createLine(port: number, queue: Waiting[]) {
  let socket: Socket | undefined;
  let current: Waiting | undefined;
  let heard: Buffer = Buffer.alloc(0);

  const answerWith = (reply: Reply) => {
    const done = current;
    current = undefined;
    heard = Buffer.alloc(0);
    done?.resolve(reply);
    takeNext();
  };
  const open = (): Socket => {
    const opened = connect(port, 'localhost').setNoDelay(true);
    opened.on('data', (chunk) => {
      if (socket !== opened) return;
      heard = heard.length === 0 ? chunk : Buffer.concat([heard, chunk]);
      const taken = current && takeAnswer(heard, current.toHead);
      if (taken === undefined) return;
      if (taken.answer.headers.connection === 'close') forget(opened);
      answerWith(taken.answer);
    });
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      if (current !== undefined) answerWith(undefined);
    });
    return opened;
  };
  const forget = (closing: Socket) => {
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
      if (socket !== undefined) forget(socket);
    },
  };
}
