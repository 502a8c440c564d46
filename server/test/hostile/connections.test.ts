/** Callers that are slow or silent, flood the server, pipeline requests or disconnect. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../start/serve-harness.ts';
import { assertCompleteSends, readBalance } from './complete-sends.ts';
import { compareMemory, type Memory, useHostileServer } from './hostile-server.ts';
import { readJsonAnswer, takeAnswer, takeAnswers } from './raw/raw-answers.ts';
import { chunkedHeaders, GOOD_BODY, goodHeaders, request } from './raw/raw-case.ts';
import { flood, type Received, repeat, repeatInWaves, sendRaw } from './raw/raw-socket.ts';

const MB = 1_000_000;
const FLOOD_BYTES = 100 * MB;
/** How much the process may read meanwhile, from all sources. */
const READ_BYTES_MAX = MB;
const SILENT_CONNECTIONS = 2_000;
const PIPELINED = 100_000;
/** The server closes a connection after this many requests. */
const REQUESTS_PER_CONNECTION = 1_000;
const DISCONNECTED_CALLERS = 200;

const report: string[] = [];
let warm: Memory;
/** Started first, because they last until the server's timeouts. */
let slow: Record<'headers' | 'body' | 'silent' | 'refused', Promise<Received[]>>;

const hostile = useHostileServer({
  async prepare() {
    for (let i = 0; i < 300; i++) await health();
    warm = await hostile.memory();
    slow = {
      headers: repeat(20, () => drip('POST /api/otp/send HTTP/1.1\r\nX-Slow: ')),
      body: repeat(20, () =>
        drip(request(hostile.keys.live, { headers: withLength(1_000), body: '{' })),
      ),
      silent: repeatInWaves(
        SILENT_CONNECTIONS,
        () => sendRaw(hostile.port, '', { silenceMs: 90_000 }),
        health,
      ),
      refused: repeat(20, () => drip('junk\r\n\r\n')),
    };
  },
});

const withLength = (length: number) => [
  ...goodHeaders(hostile.keys.live),
  `Content-Length: ${length}`,
];

/** Sends one byte at a time until the server closes the connection. */
function drip(start: string | Buffer): Promise<Received> {
  return sendRaw(hostile.port, start, {
    silenceMs: 90_000,
    sendMore(socket) {
      const timer = setInterval(() => socket.write('x'), 500);
      socket.once('close', () => clearInterval(timer));
    },
  });
}

async function health(): Promise<void> {
  assert.equal((await ask(hostile.port, { path: '/health' })).status, 200);
}

test('2000 silent connections and 60 slow ones do not block other callers', async () => {
  // Counts the calls served before the slow callers are closed.
  let isDisconnected = false;
  void slow.body.then(() => {
    isDisconnected = true;
  });
  let served = 0;
  for (; served < 50 && !isDisconnected; served++) await health();
  assert(served > 0, 'no call was served during the slow ones');
  report.push(`${served} health checks during ${SILENT_CONNECTIONS + 60} slow callers`);
});

describe('the server stops reading an endless body', () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
  const long = `Content-Length: ${FLOOD_BYTES}`;
  const key = () => hostile.keys.live;
  const keyless =
    (path: string, ...headers: string[]) =>
    (): Buffer =>
      request('', { path, headers: ['Host: localhost', ...headers], body: '' });
  const keyed =
    (...headers: string[]) =>
    (): Buffer =>
      request(key(), { headers: [...goodHeaders(key()), ...headers], body: '' });
  const inChunks = 'Transfer-Encoding: chunked';

  const cases: [string, () => Buffer, Buffer, string][] = [
    ['with its length', keyed(long), piece, 'payload_too_large'],
    ['in chunks', keyed(inChunks), chunk, 'payload_too_large'],
    ['without a key', keyless('/api/otp/send', long), piece, 'missing_api_key'],
    ['without a key, in chunks', keyless('/api/otp/send', inChunks), chunk, 'missing_api_key'],
    ['to an unknown path', keyless('/api/nothing', long), piece, 'not_found'],
    [
      'of another type',
      keyless('/try/switches', long, 'Content-Type: x/y'),
      piece,
      'method_not_allowed',
    ],
    ['to the health check', keyless('/api/health', long), piece, 'ok'],
    ['to the health check, in chunks', keyless('/api/health', inChunks), chunk, 'ok'],
    ['in a header', () => Buffer.from('GET / HTTP/1.1\r\nX: '), piece, 'payload_too_large'],
    [
      'in the extension of a chunk',
      () =>
        Buffer.concat([
          request(key(), { headers: chunkedHeaders(key()), body: '' }),
          Buffer.from('1;'),
        ]),
      piece,
      'payload_too_large',
    ],
    ['after junk', () => Buffer.from('junk\r\n\r\n'), piece, 'validation_error'],
  ];
  let mostRead = 0;
  for (const [name, start, more, expected] of cases) {
    test(name, async () => {
      const before = hostile.readBytes();
      const received = await sendRaw(hostile.port, start(), {
        sendMore: (socket) => flood(socket, more, FLOOD_BYTES),
      });
      assert(received.isClosedByServer, 'the connection stays open');
      const taken = hostile.readBytes() - before;
      assert(taken < READ_BYTES_MAX, `${taken} bytes were read`);
      mostRead = Math.max(mostRead, taken);
      const [answer] = takeAnswers(received.bytes);
      assert(answer, 'no answer arrived');
      const body = readJsonAnswer(name, answer);
      assert.equal(body.success ? 'ok' : body.error_code, expected);
    });
  }

  test('the client always receives the refusal of a large upload', async () => {
    const uploads = Array.from({ length: 40 }, () =>
      sendRaw(hostile.port, request(key(), { headers: withLength(3 * MB), body: '' }), {
        sendMore: (socket) => flood(socket, piece, 3 * MB),
      }),
    );
    for (const { bytes } of await Promise.all(uploads)) {
      assert.equal(takeAnswers(bytes)[0]?.status, 413);
    }
    report.push(
      `${cases.length} floods of ${FLOOD_BYTES / MB} MB: at most ${(mostRead / MB).toFixed(1)} MB read, ` +
        'each answered; 40 of 40 uploads of 3 MB received 413',
    );
  });
});

test('a request sent byte by byte is served', async () => {
  const whole = request(hostile.keys.live);
  const received = await sendRaw(hostile.port, '', {
    isComplete: (bytes) => takeAnswer(bytes) !== undefined,
    async sendMore(socket) {
      socket.setNoDelay(true);
      for (const byte of whole) {
        socket.write(Buffer.of(byte));
        await pause(1);
      }
    },
  });
  assert.equal(takeAnswers(received.bytes)[0]?.status, 200);
});

test('Expect: 100-continue is answered with 100', async () => {
  const length = `Content-Length: ${GOOD_BODY.length}`;
  const headers = [...goodHeaders(hostile.keys.live), length, 'Expect: 100-continue'];
  const received = await sendRaw(hostile.port, request('', { headers, body: '' }), {
    isComplete: (bytes) => /^HTTP\/1\.1 200 /m.test(bytes.toString('latin1')),
    sendMore: (socket) => {
      socket.once('data', () => socket.write(GOOD_BODY));
    },
  });
  const [interim, answer] = takeAnswers(received.bytes);
  assert.deepEqual([interim?.status, answer?.status], [100, 200]);
});

describe('pipelined requests', () => {
  const numbered = (path: string, from: number, count: number) =>
    Array.from(
      { length: count },
      (_, i) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: n-${from + i}\r\n\r\n`,
    ).join('');
  const readIds = (bytes: Buffer) =>
    [...bytes.toString('latin1').matchAll(/^x-request-id: n-(\d+)\r$/gm)].map(([, n]) => Number(n));
  const firstNumbers = (count: number) => Array.from({ length: count }, (_, i) => i);

  test('are answered in order', async () => {
    const outcomes = await repeat(20, () =>
      sendRaw(
        hostile.port,
        numbered('/api/health', 0, 200).replace(/\r\n$/, 'Connection: close\r\n\r\n'),
      ),
    );
    for (const { bytes } of outcomes) assert.deepEqual(readIds(bytes), firstNumbers(200));
  });

  test('are limited to 1000 per connection, and memory does not grow', async () => {
    const before = await hostile.memory();
    const startedAt = performance.now();
    const received = await sendRaw(hostile.port, '', {
      sendMore(socket) {
        const blocks = Array.from({ length: PIPELINED / 1_000 }, (_, i) =>
          numbered('/api/health', i * 1_000, 1_000),
        );
        for (const block of blocks) socket.write(block);
      },
    });
    const ids = readIds(received.bytes);
    assert(received.isClosedByServer);
    assert.deepEqual(ids, firstNumbers(REQUESTS_PER_CONNECTION));
    assert(
      !/^HTTP\/1\.1 [^2]/m.test(received.bytes.toString('latin1')),
      'every answer must be 200',
    );
    const { heapRatio, rssRatio, text } = compareMemory(before, await hostile.memory());
    assert(heapRatio <= 1.2 && rssRatio <= 1.5, text);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    report.push(
      `${PIPELINED} pipelined requests: ${ids.length} answered in order in ${seconds} s, ${text}`,
    );
  });
});

test('a caller that disconnects at once causes a complete send or none', async () => {
  const phones = Array.from(
    { length: DISCONNECTED_CALLERS },
    (_, i) => `7702${String(i).padStart(7, '0')}`,
  );
  const balance = await readBalance(hostile);
  const disconnected = phones.map(async (phone, i) => {
    const socket = connect(hostile.port, 'localhost');
    await once(socket, 'connect');
    const body = JSON.stringify({ phone: `+${phone}` });
    const bytes = request(hostile.keys.live, { path: '/api/otp/send', body });
    // An incomplete request, a normal close, a reset, and a reset after some milliseconds.
    if (i % 4 === 0) return sendAndDisconnect(socket, bytes.subarray(0, -3));
    if (i % 4 === 1) return sendAndDisconnect(socket, bytes, 'end');
    if (i % 4 === 2) return sendAndDisconnect(socket, bytes);
    return sendAndDisconnect(socket, bytes, 'reset', 1 + (i % 13));
  });
  await Promise.all(disconnected);
  const sent = await assertCompleteSends(hostile, phones, balance);
  const cut = phones.filter((_, i) => i % 4 === 0);
  assert(!cut.some((phone) => sent.includes(phone)), 'an incomplete request must send nothing');
  report.push(
    `${phones.length} callers disconnected at once: ${sent.length} complete sends, no partial one`,
  );
});

async function sendAndDisconnect(
  socket: Socket,
  bytes: Buffer,
  how: 'end' | 'reset' = 'reset',
  afterMs = 0,
) {
  socket.on('error', () => undefined);
  socket.write(bytes);
  if (afterMs > 0) await pause(afterMs);
  if (how === 'end') socket.end();
  else socket.resetAndDestroy();
}

describe('a slow caller is disconnected by a timeout, with an answer', () => {
  /** Asserts only the lower limit, because a busy machine may be late. */
  const assertDisconnected = async (outcomes: Promise<Received[]>, fromMs: number) => {
    const all = await outcomes;
    for (const { isClosedByServer, elapsedMs } of all) {
      assert(isClosedByServer, 'the connection stays open');
      assert(elapsedMs >= fromMs, `after ${elapsedMs} ms`);
    }
    return all;
  };
  const assertRefused = (all: Received[]) => {
    for (const { bytes } of all) {
      const [answer, ...others] = takeAnswers(bytes);
      assert(answer && others.length === 0);
      assert.equal(readJsonAnswer('slow', answer).error_code, 'validation_error');
    }
  };

  test('that sends a header byte by byte, after 10 s', async () => {
    assertRefused(await assertDisconnected(slow.headers, 9_500));
  });
  test('that sends nothing, after 10 s', async () => {
    await assertDisconnected(slow.silent, 9_500);
  });
  test('that sends a body byte by byte, after 15 s', async () => {
    assertRefused(await assertDisconnected(slow.body, 14_500));
  });
  test('that was refused and keeps sending, before all others', async () => {
    const all = await assertDisconnected(slow.refused, 0);
    assertRefused(all);
    const others = [...(await slow.headers), ...(await slow.body)];
    const first = Math.min(...others.map(({ elapsedMs }) => elapsedMs));
    for (const { elapsedMs } of all) assert(elapsedMs < first, `${elapsedMs} and ${first} ms`);
  });
});

test('the process survives with a clean log and flat memory', async () => {
  const { heapRatio, rssRatio, text } = compareMemory(warm, await hostile.memory());
  assert(heapRatio <= 1.3 && rssRatio <= 1.6, `memory has grown: ${text}`);
  await hostile.assertUnharmed();
  console.log([...report, text].join('\n'));
});
