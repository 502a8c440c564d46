/**
 * Requests that are released together. Each has a connection of its own and is sent but for its
 * last byte; once the server has read the head of every one of them, all last bytes leave in one
 * loop. What is then raced is the work alone: connections, headers and keys have been dealt with.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { checkAnswer } from '../check-answer.ts';
import type { Answered } from '../harness.ts';

export type Question = {
  path: string;
  key: string;
  body: object;
  headers?: Record<string, string>;
};

/** An answer with its body as it came, to be compared byte for byte. */
export type RawAnswer = Answered & { text: string };

export type Release = {
  /** In the order of the questions. */
  answers: RawAnswer[];
  /** From the first last byte to the end of the last answer. */
  ms: number;
};

const NOTHING_MORE = async () => undefined;

type Held = {
  socket: Socket;
  /** Resolves when the server has read the head and waits for the rest. */
  isRead: Promise<void>;
  release(): void;
  answer: Promise<RawAnswer>;
};

// A listening socket queues a few hundred connections that nobody has taken up yet.
const CONNECTING_MAX = 250;
/** The server lets a request go that is not complete after 15 s; holding must be over before. */
const HOLD_LIMIT_MS = 12_000;
const ANSWER_LIMIT_MS = 30_000;
const GO_AHEAD = /^HTTP\/1\.1 100 Continue\r\n\r\n/;

/**
 * Puts questions to the servers at these ports in turn, all at one moment. What is to be done while
 * they are being answered begins when the last of them has left.
 */
export async function releaseTogether(
  ports: readonly number[],
  questions: readonly Question[],
  meanwhile: () => Promise<unknown> = NOTHING_MORE,
): Promise<Release> {
  const held: Held[] = [];
  try {
    const holding = limit(HOLD_LIMIT_MS, () => `${held.length} requests were not taken up`);
    for (let from = 0; from < questions.length; from += CONNECTING_MAX) {
      const wave = questions
        .slice(from, from + CONNECTING_MAX)
        .map((question, at) => hold(ports[(from + at) % ports.length] as number, question));
      held.push(...wave);
      await Promise.race([Promise.all(wave.map(({ isRead }) => isRead)), holding.isOver]);
    }
    holding.stop();

    const answering = limit(ANSWER_LIMIT_MS, () => 'not every request was answered');
    const releasedAt = performance.now();
    for (const { release } of held) release();
    const happened = meanwhile();
    const all = Promise.all(held.map(({ answer }) => answer));
    const answers = await Promise.race([all, answering.isOver]);
    const ms = performance.now() - releasedAt;
    answering.stop();
    await happened;
    questions.forEach(({ path }, at) => {
      checkAnswer({ path, method: 'POST', ...(answers[at] as RawAnswer) });
    });
    return { answers, ms };
  } finally {
    for (const { socket } of held) socket.destroy();
  }
}

/** Sends a request but for its last byte. */
function hold(port: number, question: Question): Held {
  const request = requestText(port, question);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const read = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<RawAnswer>();
  // Whoever waits hears of it; the other of the two promises must not end the process.
  read.promise.catch(() => undefined);
  answered.promise.catch(() => undefined);
  const fail = (error: Error) => {
    read.reject(error);
    answered.reject(error);
  };
  let received = '';
  let isReleased = false;

  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    received += text;
    const isToldToGoOn = GO_AHEAD.test(received);
    if (isToldToGoOn) read.resolve();
    const answer = received.replace(GO_AHEAD, '');
    // A server that is too busy to look up the key may say so at once.
    if (!isReleased && answer !== '' && !answer.startsWith('HTTP/1.1 503 ')) {
      fail(new Error(`answered before it was released: ${received}`));
    }
  });
  socket.on('error', fail);
  socket.on('end', () => {
    try {
      answered.resolve(readAnswer(received.replace(GO_AHEAD, '')));
    } catch (error) {
      fail(error as Error);
    }
  });
  socket.write(request.subarray(0, -1));
  return {
    socket,
    isRead: read.promise,
    release() {
      isReleased = true;
      if (!socket.writableEnded) socket.write(request.subarray(-1));
    },
    answer: answered.promise,
  };
}

/** The server says that it has read the head because it is asked whether to go on. */
function requestText(port: number, { path, key, body, headers }: Question): Buffer {
  const content = JSON.stringify(body);
  const lines = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
    expect: '100-continue',
    connection: 'close',
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /api${path} HTTP/1.1\r\n${head.join('')}\r\n${content}`);
}

function readAnswer(received: string): RawAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const text = rest.join('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
      return [name.toLowerCase(), value];
    }),
  );
  assert.equal(headers['content-length'], String(Buffer.byteLength(text)), `cut off: ${received}`);
  return { status, headers, text, body: JSON.parse(text) as Answered['body'] };
}

/** Fails a race against it when the time is over. */
function limit(ms: number, message: () => string): { isOver: Promise<never>; stop(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const timer = setTimeout(() => reject(new Error(`after ${ms} ms: ${message()}`)), ms);
  return { isOver: promise, stop: () => clearTimeout(timer) };
}
