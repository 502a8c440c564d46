/** What a caller can write to the socket, however odd, has its answer; the table is the contract. */
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { compareMemory, type Memory, useHostileServer } from './hostile-server.ts';
import { NUMBERS, SHAPES, SIZES, TEXTS, TYPES } from './raw/body-cases.ts';
import { FRAMING, PATHS, REQUEST_LINES } from './raw/framing-cases.ts';
import { readJsonAnswer, takeAnswers } from './raw/raw-answers.ts';
import type { RawCase } from './raw/raw-case.ts';
import { say } from './raw/raw-socket.ts';

let warm: Memory;
const hostile = useHostileServer({
  async prepare() {
    await tellAll();
    warm = await hostile.memory();
  },
});
/** The table is said once to warm up, then as often as this to see memory stay. */
const ROUNDS = 5;
let told = 0;

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

async function tell(raw: RawCase): Promise<void> {
  const expected = typeof raw.expects === 'string' ? [raw.expects] : raw.expects;
  const heard = await say(hostile.port, raw.bytes(hostile.keys.live), {
    ends: raw.ends ?? false,
    // Where the server must hang up, that is waited for; elsewhere the answers are enough.
    ...(raw.hangsUp ? {} : { isEnough: (bytes) => isAnswered(bytes, expected.length) }),
  });
  told += 1;
  const answers = takeAnswers(heard.bytes);
  const outcomes = answers.map((answer) => {
    const body = readJsonAnswer(raw.name, answer);
    return body.success ? 'ok' : body.error_code;
  });
  assert.deepEqual(outcomes, expected, raw.name);
  if (raw.hangsUp) {
    assert(heard.hungUp, `${raw.name}: the connection stays open`);
    assert.equal(answers.at(-1)?.headers.connection, 'close', raw.name);
  }
}

/** The whole table, a subject at once. What differs is told by the test of its own. */
async function tellAll(): Promise<void> {
  for (const [, cases] of ALL) await Promise.allSettled(cases.map(tell));
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
    for (const raw of cases) test(raw.name, () => tell(raw));
  });
}

test('of a field that came twice, the last one is kept', async () => {
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

test('a prototype that came in a body has changed nothing', async () => {
  const rows = await hostile.sql(`select 1 from link where slug like 'polluted%'`);
  assert.deepEqual(rows, []);
});

describe('every method of HTTP', () => {
  const paths = [...Object.values(ENDPOINTS).map(({ path }) => `/api${path}`), '/', '/s/x', '/try'];
  // CONNECT names no path and is in the table.
  for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
    test(`${method} is served or refused, with a body or without`, async () => {
      for (const path of paths) {
        for (const body of ['', '{', '\0'.repeat(100)]) {
          await tellMethod(method, path, body);
        }
      }
    });
  }
});

async function tellMethod(method: string, path: string, body: string): Promise<void> {
  const label = `${method} ${path} ${JSON.stringify(body).slice(0, 20)}`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const heard = await say(hostile.port, `${head}\r\n\r\n${body}`);
  told += 1;
  const [answer] = takeAnswers(heard.bytes, method === 'HEAD');
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

test('after all of it the process is the same, its log clean, its memory flat', async () => {
  for (let round = 0; round < ROUNDS; round++) await tellAll();
  const { heapRatio, rssRatio, text } = compareMemory(warm, await hostile.memory());
  assert(heapRatio <= 1.3 && rssRatio <= 1.5, `memory has grown: ${text}`);
  await hostile.assertUnharmed();
  const cases = ALL.reduce((total, [, some]) => total + some.length, 0);
  console.log(`${cases} ways to write a request, ${told} told: each its answer; ${text}`);
});
