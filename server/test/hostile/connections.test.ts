/** Callers that are slow, silent, endless, ahead of the answers, or gone. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../start/serve-harness.ts';
import { compareMemory, type Memory, useHostileServer } from './hostile-server.ts';
import { readJsonAnswer, takeAnswer, takeAnswers } from './raw/raw-answers.ts';
import { chunkedHeaders, GOOD_BODY, goodHeaders, request } from './raw/raw-case.ts';
import { flood, type Heard, inWaves, say, several } from './raw/raw-socket.ts';
import { assertWholeSends, readBalance } from './whole-sends.ts';

const MB = 1_000_000;
const FLOOD_BYTES = 100 * MB;
/** What the server may read of it, with all else that it does meanwhile. */
const READ_BYTES_MAX = MB;
const SILENT_CONNECTIONS = 2_000;
const PIPELINED = 100_000;
/** The most one connection may ask before it is closed. */
const REQUESTS_PER_CONNECTION = 1_000;
const GONE_CALLERS = 200;

const report: string[] = [];
let warm: Memory;
/** The slow ones take as long as the server lets them, so they begin with the file. */
let slow: Record<'headers' | 'body' | 'silent' | 'refused', Promise<Heard[]>>;

const hostile = useHostileServer({
  async prepare() {
    for (let i = 0; i < 300; i++) await health();
    warm = await hostile.memory();
    slow = {
      headers: several(20, () => drip('POST /api/otp/send HTTP/1.1\r\nX-Slow: ')),
      body: several(20, () =>
        drip(request(hostile.keys.live, { headers: withLength(1_000), body: '{' })),
      ),
      silent: inWaves(SILENT_CONNECTIONS, () => say(hostile.port, '', { quietMs: 90_000 })),
      refused: several(20, () => drip('junk\r\n\r\n')),
    };
  },
});

const withLength = (length: number) => [
  ...goodHeaders(hostile.keys.live),
  `Content-Length: ${length}`,
];

/** Sends a byte now and then, for as long as the server bears it. */
function drip(start: string | Buffer): Promise<Heard> {
  return say(hostile.port, start, {
    quietMs: 90_000,
    goOn(socket) {
      const timer = setInterval(() => socket.write('x'), 500);
      socket.once('close', () => clearInterval(timer));
    },
  });
}

async function health(): Promise<void> {
  assert.equal((await ask(hostile.port, { path: '/health' })).status, 200);
}

test('two thousand silent connections and sixty slow ones keep nobody waiting', async () => {
  // While the slowest of them are still there: none of these waits for one of those.
  let isLetGo = false;
  void slow.body.then(() => {
    isLetGo = true;
  });
  let served = 0;
  for (; served < 50 && !isLetGo; served++) await health();
  assert(served > 0, 'nobody was served beside them');
  report.push(`${served} health checks beside ${SILENT_CONNECTIONS + 60} slow callers`);
});

describe('a body without end is not swallowed', () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
  const long = `Content-Length: ${FLOOD_BYTES}`;
  const key = () => hostile.keys.live;
  const open =
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
    ['without a key', open('/api/otp/send', long), piece, 'missing_api_key'],
    ['without a key, in chunks', open('/api/otp/send', inChunks), chunk, 'missing_api_key'],
    ['to a path that is not there', open('/api/nothing', long), piece, 'not_found'],
    [
      'of another type',
      open('/try/switches', long, 'Content-Type: x/y'),
      piece,
      'method_not_allowed',
    ],
    ['to the health check', open('/api/health', long), piece, 'ok'],
    ['to the health check, in chunks', open('/api/health', inChunks), chunk, 'ok'],
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
    ['where junk has begun', () => Buffer.from('junk\r\n\r\n'), piece, 'validation_error'],
  ];
  let most = 0;
  for (const [name, start, more, expected] of cases) {
    test(name, async () => {
      const before = hostile.readBytes();
      const heard = await say(hostile.port, start(), {
        goOn: (socket) => flood(socket, more, FLOOD_BYTES),
      });
      assert(heard.hungUp, 'the connection stays open');
      const taken = hostile.readBytes() - before;
      assert(taken < READ_BYTES_MAX, `${taken} bytes were read`);
      most = Math.max(most, taken);
      const [answer] = takeAnswers(heard.bytes);
      assert(answer, 'no answer arrived');
      const body = readJsonAnswer(name, answer);
      assert.equal(body.success ? 'ok' : body.error_code, expected);
    });
  }

  test('the refusal of a large upload arrives every time', async () => {
    const uploads = Array.from({ length: 40 }, () =>
      say(hostile.port, request(key(), { headers: withLength(3 * MB), body: '' }), {
        goOn: (socket) => flood(socket, piece, 3 * MB),
      }),
    );
    for (const { bytes } of await Promise.all(uploads)) {
      assert.equal(takeAnswers(bytes)[0]?.status, 413);
    }
    report.push(
      `${cases.length} floods of ${FLOOD_BYTES / MB} MB: at most ${(most / MB).toFixed(1)} MB read, ` +
        'each answered; 40 of 40 uploads of 3 MB read their 413',
    );
  });
});

test('what comes in one piece after another is one request', async () => {
  const whole = request(hostile.keys.live);
  const heard = await say(hostile.port, '', {
    isEnough: (bytes) => takeAnswer(bytes) !== undefined,
    async goOn(socket) {
      socket.setNoDelay(true);
      for (const byte of whole) {
        socket.write(Buffer.of(byte));
        await pause(1);
      }
    },
  });
  assert.equal(takeAnswers(heard.bytes)[0]?.status, 200);
});

test('a caller that waits to be asked for its body is asked', async () => {
  const length = `Content-Length: ${GOOD_BODY.length}`;
  const headers = [...goodHeaders(hostile.keys.live), length, 'Expect: 100-continue'];
  const heard = await say(hostile.port, request('', { headers, body: '' }), {
    isEnough: (bytes) => /^HTTP\/1\.1 200 /m.test(bytes.toString('latin1')),
    goOn: (socket) => {
      socket.once('data', () => socket.write(GOOD_BODY));
    },
  });
  const [asked, answer] = takeAnswers(heard.bytes);
  assert.deepEqual([asked?.status, answer?.status], [100, 200]);
});

describe('requests sent ahead of their answers', () => {
  const numbered = (path: string, from: number, count: number) =>
    Array.from(
      { length: count },
      (_, i) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: n-${from + i}\r\n\r\n`,
    ).join('');
  const idsOf = (bytes: Buffer) =>
    [...bytes.toString('latin1').matchAll(/^x-request-id: n-(\d+)\r$/gm)].map(([, n]) => Number(n));
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

  test('are answered in their order', async () => {
    const heards = await several(20, () =>
      say(
        hostile.port,
        numbered('/api/health', 0, 200).replace(/\r\n$/, 'Connection: close\r\n\r\n'),
      ),
    );
    for (const { bytes } of heards) assert.deepEqual(idsOf(bytes), upTo(200));
  });

  test('are bounded: the connection is closed after a thousand, and memory stays', async () => {
    const before = await hostile.memory();
    const startedAt = performance.now();
    const heard = await say(hostile.port, '', {
      goOn(socket) {
        const blocks = Array.from({ length: PIPELINED / 1_000 }, (_, i) =>
          numbered('/api/health', i * 1_000, 1_000),
        );
        for (const block of blocks) socket.write(block);
      },
    });
    const ids = idsOf(heard.bytes);
    assert(heard.hungUp);
    assert.deepEqual(ids, upTo(REQUESTS_PER_CONNECTION));
    assert(!/^HTTP\/1\.1 [^2]/m.test(heard.bytes.toString('latin1')), 'all were answered with 200');
    const { heapRatio, rssRatio, text } = compareMemory(before, await hostile.memory());
    assert(heapRatio <= 1.2 && rssRatio <= 1.5, text);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    report.push(
      `${PIPELINED} requests ahead: ${ids.length} answered in order in ${seconds} s, ${text}`,
    );
  });
});

test('a caller that is gone at once leaves a whole send or none', async () => {
  const phones = Array.from(
    { length: GONE_CALLERS },
    (_, i) => `7702${String(i).padStart(7, '0')}`,
  );
  const balance = await readBalance(hostile);
  const gone = phones.map(async (phone, i) => {
    const socket = connect(hostile.port, 'localhost');
    await once(socket, 'connect');
    const body = JSON.stringify({ phone: `+${phone}` });
    const bytes = request(hostile.keys.live, { path: '/api/otp/send', body });
    // Some cut their last bytes off, some leave politely, some with a reset, some a moment later.
    if (i % 4 === 0) return leave(socket, bytes.subarray(0, -3));
    if (i % 4 === 1) return leave(socket, bytes, 'end');
    if (i % 4 === 2) return leave(socket, bytes);
    return leave(socket, bytes, 'reset', 1 + (i % 13));
  });
  await Promise.all(gone);
  const sent = await assertWholeSends(hostile, phones, balance);
  const cut = phones.filter((_, i) => i % 4 === 0);
  assert(!cut.some((phone) => sent.includes(phone)), 'half a request has sent nothing');
  report.push(`${phones.length} callers gone at once: ${sent.length} whole sends, no half one`);
});

async function leave(socket: Socket, bytes: Buffer, how: 'end' | 'reset' = 'reset', afterMs = 0) {
  socket.on('error', () => undefined);
  socket.write(bytes);
  if (afterMs > 0) await pause(afterMs);
  if (how === 'end') socket.end();
  else socket.resetAndDestroy();
}

describe('a slow caller is let go in time, with an answer', () => {
  /** Not before this time; and later only as far as the machine is busy, or nobody would hang up. */
  const letGoAfter = async (heards: Promise<Heard[]>, fromMs: number) => {
    const all = await heards;
    for (const { hungUp, elapsedMs } of all) {
      assert(hungUp, 'the connection stays open');
      assert(elapsedMs >= fromMs, `after ${elapsedMs} ms`);
    }
    return all;
  };
  const refused = (all: Heard[]) => {
    for (const { bytes } of all) {
      const [answer, ...others] = takeAnswers(bytes);
      assert(answer && others.length === 0);
      assert.equal(readJsonAnswer('slow', answer).error_code, 'validation_error');
    }
  };

  test('who sends a header byte by byte, after 10 s', async () => {
    refused(await letGoAfter(slow.headers, 9_500));
  });
  test('who says nothing at all, after 10 s', async () => {
    await letGoAfter(slow.silent, 9_500);
  });
  test('who sends a body byte by byte, after 15 s', async () => {
    refused(await letGoAfter(slow.body, 14_500));
  });
  test('who was refused and does not leave, before all others', async () => {
    const all = await letGoAfter(slow.refused, 0);
    refused(all);
    const others = [...(await slow.headers), ...(await slow.body)];
    const first = Math.min(...others.map(({ elapsedMs }) => elapsedMs));
    for (const { elapsedMs } of all) assert(elapsedMs < first, `${elapsedMs} and ${first} ms`);
  });
});

test('after all of it the process is the same, its log clean, its memory flat', async () => {
  const { heapRatio, rssRatio, text } = compareMemory(warm, await hostile.memory());
  assert(heapRatio <= 1.3 && rssRatio <= 1.6, `memory has grown: ${text}`);
  await hostile.assertUnharmed();
  console.log([...report, text].join('\n'));
});
