/**
 * A barrier for requests. Each request has its own connection and is sent except for its last byte.
 * Once the server has read the head of every request, all last bytes are written in one loop. So
 * only the work races: connections, headers and API keys have been dealt with.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { checkAnswer } from '../check-answer.ts';
import type { ApiAnswer } from '../harness.ts';

export type ApiRequest = {
  path: string;
  key: string;
  body: object;
  headers?: Record<string, string>;
};

/** An answer with its raw body, to be compared byte for byte. */
export type RawAnswer = ApiAnswer & { text: string };

export type Release = {
  /** In the order of the requests. */
  answers: RawAnswer[];
  /** The time from the release to the end of the last answer. */
  ms: number;
};

type HeldRequest = {
  socket: Socket;
  /** Resolves when the server has read the head and waits for the body. */
  headRead: Promise<void>;
  release(): void;
  answer: Promise<RawAnswer>;
};

// The accept queue of a listening socket holds a few hundred connections.
const CONNECTING_MAX = 250;
/** Shorter than the 15 s after which the server drops an incomplete request. */
const HOLD_LIMIT_MS = 12_000;
/** A request without its last byte does nothing, so a busy machine may read them all another time. */
const HOLDS_MAX = 5;
const ANSWER_LIMIT_MS = 30_000;
const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/;

/**
 * Sends requests to these ports in turn, all released at one moment. `meanwhile` runs after the
 * release, while the requests are being answered.
 */
export async function releaseTogether(
  ports: readonly number[],
  requests: readonly ApiRequest[],
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<Release> {
  const held = await holdAll(ports, requests);
  try {
    const answering = startLimit(ANSWER_LIMIT_MS, () => 'not every request was answered');
    const releasedAt = performance.now();
    for (const { release } of held) release();
    const other = meanwhile();
    const all = Promise.all(held.map(({ answer }) => answer));
    const answers = await Promise.race([all, answering.exceeded]);
    const ms = performance.now() - releasedAt;
    answering.stop();
    await other;
    requests.forEach(({ path }, at) => {
      checkAnswer({ path, method: 'POST', ...(answers[at] as RawAnswer) });
    });
    return { answers, ms };
  } finally {
    for (const { socket } of held) socket.destroy();
  }
}

/** Sends every request except for its last byte. All were read within the limit. */
async function holdAll(
  ports: readonly number[],
  requests: readonly ApiRequest[],
): Promise<HeldRequest[]> {
  for (let holds = 1; ; holds++) {
    const held: HeldRequest[] = [];
    const limit = startLimit(HOLD_LIMIT_MS, () => `not all ${held.length} requests were read`);
    try {
      for (let from = 0; from < requests.length; from += CONNECTING_MAX) {
        const wave = requests
          .slice(from, from + CONNECTING_MAX)
          .map((request, at) => hold(ports[(from + at) % ports.length] as number, request));
        held.push(...wave);
        await Promise.race([Promise.all(wave.map(({ headRead }) => headRead)), limit.exceeded]);
      }
      return held;
    } catch (error) {
      for (const { socket } of held) socket.destroy();
      if (!(error instanceof LimitExceeded) || holds === HOLDS_MAX) throw error;
    } finally {
      limit.stop();
    }
  }
}

/** Sends a request except for its last byte. */
function hold(port: number, request: ApiRequest): HeldRequest {
  const bytes = encodeRequest(port, request);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const read = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<RawAnswer>();
  // Only one of the two is awaited. The other must not end the process as an unhandled rejection.
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
    if (CONTINUE.test(received)) read.resolve();
    const answer = received.replace(CONTINUE, '');
    // A server that is too busy to look up the key may answer 503 at once.
    if (!isReleased && answer !== '' && !answer.startsWith('HTTP/1.1 503 ')) {
      fail(new Error(`answered before it was released: ${received}`));
    }
  });
  socket.on('error', fail);
  socket.on('end', () => {
    try {
      answered.resolve(readAnswer(received.replace(CONTINUE, '')));
    } catch (error) {
      fail(error as Error);
    }
  });
  socket.write(bytes.subarray(0, -1));
  return {
    socket,
    headRead: read.promise,
    release() {
      isReleased = true;
      if (!socket.writableEnded) socket.write(bytes.subarray(-1));
    },
    answer: answered.promise,
  };
}

/** With `expect: 100-continue` the server confirms that it has read the head. */
function encodeRequest(port: number, { path, key, body, headers }: ApiRequest): Buffer {
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
  return { status, headers, text, body: JSON.parse(text) as ApiAnswer['body'] };
}

class LimitExceeded extends Error {}

/** `exceeded` rejects after this time, unless it is stopped. */
function startLimit(ms: number, message: () => string): { exceeded: Promise<never>; stop(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const timer = setTimeout(() => reject(new LimitExceeded(`after ${ms} ms: ${message()}`)), ms);
  return { exceeded: promise, stop: () => clearTimeout(timer) };
}
