/** Unusual and invalid requests as raw bytes, each with its documented answer. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { compareMemory, type Memory, useHostileServer } from './hostile-server.ts';
import { NUMBERS, SHAPES, SIZES, TEXTS, TYPES } from './raw/body-cases.ts';
import { FRAMING, PATHS, REQUEST_LINES } from './raw/framing-cases.ts';
import { readJsonAnswer, takeAnswers } from './raw/raw-answers.ts';
import type { RawCase } from './raw/raw-case.ts';
import { sendRaw } from './raw/raw-socket.ts';

let warm: Memory;
const hostile = useHostileServer({
  async prepare() {
    await sendAllCases();
    warm = await hostile.memory();
  },
});
/** All cases run once as warm-up, then this many times to see that memory does not grow. */
const ROUNDS = 5;
let requestsSent = 0;

const ALL: readonly [string, readonly RawCase[]][] = [
  ['the framing of a request', FRAMING],
  ['the request line', REQUEST_LINES],
  ['the path', PATHS],
  ['the size of a body', SIZES],
  ['the shape of a body', SHAPES],
  ['texts in a body', TEXTS],
  ['the type of a body', TYPES],
  ['numbers in a body', NUMBERS],
];

async function sendCase(raw: RawCase): Promise<void> {
  const expected = typeof raw.expects === 'string' ? [raw.expects] : raw.expects;
  const received = await sendRaw(hostile.port, raw.bytes(hostile.keys.live), {
    halfCloses: raw.halfCloses ?? false,
    // When the server must close the connection, wait for that; otherwise for the answers.
    ...(raw.closesConnection ? {} : { isComplete: (bytes) => isAnswered(bytes, expected.length) }),
  });
  requestsSent += 1;
  const answers = takeAnswers(received.bytes);
  const outcomes = answers.map((answer) => {
    const body = readJsonAnswer(raw.name, answer);
    return body.success ? 'ok' : body.error_code;
  });
  assert.deepEqual(outcomes, expected, raw.name);
  if (raw.closesConnection) {
    assert(received.isClosedByServer, `${raw.name}: the connection stays open`);
    assert.equal(answers.at(-1)?.headers.connection, 'close', raw.name);
  }
}

/** Sends all cases, a subject at a time. Failures are ignored here; each case has its own test. */
async function sendAllCases(): Promise<void> {
  for (const [, cases] of ALL) await Promise.allSettled(cases.map(sendCase));
}

function isAnswered(bytes: Buffer, count: number): boolean {
  try {
    return takeAnswers(bytes).length >= count;
  } catch {
    return false;
  }
}

for (const [subject, cases] of ALL) {
  describe(subject, () => {
    for (const raw of cases) test(raw.name, () => sendCase(raw));
  });
}

test('the last value of a repeated field is used', async () => {
  const body = '{"url":"https://first.kz","url":"https://last.kz/","alias":"twice"}';
  const made = await fetch(`http://localhost:${hostile.port}/api/links/shorten`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${hostile.keys.live}`,
      'content-type': 'application/json',
    },
    body,
  });
  assert.equal(made.status, 200);
  const opened = await fetch(`http://localhost:${hostile.port}/s/twice`, { redirect: 'manual' });
  assert.equal(opened.headers.get('location'), 'https://last.kz/');
});

test('a prototype in a body changes nothing', async () => {
  const rows = await hostile.sql(`select 1 from link where slug like 'polluted%'`);
  assert.deepEqual(rows, []);
});

describe('every method of HTTP', () => {
  const paths = [...Object.values(ENDPOINTS).map(({ path }) => `/api${path}`), '/', '/s/x', '/try'];
  // CONNECT has no path and is among the cases above.
  for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
    test(`${method} is served or refused, with and without a body`, async () => {
      for (const path of paths) {
        for (const body of ['', '{', '\0'.repeat(100)]) {
          await sendMethod(method, path, body);
        }
      }
    });
  }
});

async function sendMethod(method: string, path: string, body: string): Promise<void> {
  const label = `${method} ${path} ${JSON.stringify(body).slice(0, 20)}`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const received = await sendRaw(hostile.port, `${head}\r\n\r\n${body}`);
  requestsSent += 1;
  const [answer] = takeAnswers(received.bytes, method === 'HEAD');
  assert(answer, label);
  assert(answer.status < 500, `${label}: ${answer.status}`);
  assert.match(answer.headers['x-request-id'] ?? '', /./, label);
  const endpoint = Object.values(ENDPOINTS).find((known) => `/api${known.path}` === path);
  const isServed = (endpoint?.methods as readonly string[] | undefined)?.includes(method);
  if (endpoint === undefined || isServed) return;
  assert.equal(answer.status, 405, label);
  assert.equal(answer.headers.allow?.includes('POST'), true, label);
  if (method !== 'HEAD') readJsonAnswer(label, answer);
}

test('the process survives with a clean log and flat memory', async () => {
  for (let round = 0; round < ROUNDS; round++) await sendAllCases();
  const { heapRatio, rssRatio, text } = compareMemory(warm, await hostile.memory());
  assert(heapRatio <= 1.3 && rssRatio <= 1.5, `memory has grown: ${text}`);
  await hostile.assertUnharmed();
  const cases = ALL.reduce((total, [, some]) => total + some.length, 0);
  console.log(`${cases} cases, ${requestsSent} requests, each answered as expected; ${text}`);
});
