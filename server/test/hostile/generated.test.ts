/**
 * Property test: valid and mutated requests, generated from the OpenAPI description, over real
 * connections. Every answer must match the description, and none may be a 5xx. A failing request is
 * shrunk and printed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES } from '@zhiber/contract/api/errors.ts';
import fc from 'fast-check';
import { checkAnswer } from '../check-answer.ts';
import { IS_FULL } from '../is-full.ts';
import { type Generated, requestArbitrary } from './arbitraries/requests.ts';
import { compareMemory, type Memory, useHostileServer } from './hostile-server.ts';
import { createKeepAliveClient, type KeepAliveClient } from './keep-alive-client.ts';
import { type RawAnswer, readJsonAnswer, takeAnswers } from './raw/raw-answers.ts';
import { sendRaw } from './raw/raw-socket.ts';

const REQUESTS = IS_FULL ? 250_000 : 3_000;
const BATCH = 500;
const CONNECTIONS = 48;
/** Batches in flight: while one is answered, the next is generated. */
const BATCHES_AHEAD = 2;
const SEED = Number(process.env.ZHIBER_TEST_SEED ?? Date.now() % 1_000_000_000);
const HEAP_RATIO_MAX = 1.3;

const seen = new Map<string, number>();
let requests: fc.Arbitrary<Generated>;

const hostile = useHostileServer({
  async prepare() {
    const { zhiber } = hostile;
    const company = String(hostile.server().facts.company_id);
    await zhiber('topup', '--company', company, '--amount', '100000000');
    const revoked = await hostile.key();
    await zhiber('key', 'revoke', String(revoked.keyId));
    const bound = await hostile.key('--domain', 'shop.kz');
    const slow = await hostile.key('--rate', '1');
    const smsOnly = await hostile.key('--channels', 'sms');
    const { live, test: tester } = hostile.keys;
    requests = requestArbitrary({
      valid: [live, live, tester, smsOnly.key],
      refused: [revoked.key, bound.key, slow.key, `${live.slice(0, -1)}!`, live.slice(0, -1)],
    });
  },
});

/** The bytes of a request on the wire. */
function toBytes({ method, path, headers, body, flips }: Generated): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = Buffer.concat([head, body ?? Buffer.alloc(0)]);
  for (const [at, by] of flips) {
    const index = at % bytes.length;
    bytes[index] = (bytes[index] as number) ^ by;
  }
  return bytes;
}

/** Sends one request and fails unless its answer is valid. */
async function sendAndCheck(client: KeepAliveClient, request: Generated): Promise<void> {
  if (request.flips.length > 0) return sendCorrupted(request);
  const answer = await client.send(toBytes(request), request.method === 'HEAD');
  assert(answer, 'the server closed the connection without an answer');
  assertValidAnswer(request, answer);
}

/** Corrupted bytes may contain any number of requests, so they get their own connection. */
async function sendCorrupted(request: Generated): Promise<void> {
  const bytes = toBytes(request);
  const received = await sendRaw(hostile.port, bytes, { halfCloses: true });
  const failures = received.bytes.toString('latin1').match(/^HTTP\/1\.1 5\d\d .*$/gm);
  assert.equal(failures, null);
  // The answers to HEAD cannot be parsed together with others.
  if (bytes.toString('latin1', 0, 5) === 'HEAD ') return;
  for (const answer of takeAnswers(received.bytes)) {
    if (answer.headers['content-type']?.startsWith('application/json')) recordOutcome(answer);
  }
}

function recordOutcome(answer: RawAnswer): ReturnType<typeof readJsonAnswer> {
  const body = readJsonAnswer(`${answer.status}`, answer);
  const outcome = body.error_code ?? String(answer.status);
  seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  return body;
}

/** Pages, what they load, their twins in Markdown, feeds and the map of the site. */
const PAGE_TYPES =
  /^(?:text\/(?:html|css|javascript|plain|markdown)|image\/|application\/(?:atom\+xml|feed\+json|xml))/;

function assertValidAnswer(request: Generated, answer: RawAnswer): void {
  const { status, headers } = answer;
  assert(status < 500, `${status}: ${answer.body}`);
  const isApi = /^\/api(?:[/?]|$)/.test(request.path);
  assert.match(headers['x-request-id'] ?? '', /^[A-Za-z0-9._-]{1,64}$/);
  if (request.method === 'HEAD') return;
  if (!isApi && !headers['content-type']?.startsWith('application/json')) {
    assert.match(headers['content-type'] ?? '', status === 302 ? /^$/ : PAGE_TYPES);
    seen.set(`page ${status}`, (seen.get(`page ${status}`) ?? 0) + 1);
    return;
  }
  const body = recordOutcome(answer);
  if (!isApi || request.path.startsWith('/api/openapi.json')) return;
  const path = request.path.slice('/api'.length);
  // Another spelling of a path may reach an endpoint, but is not in the description.
  if (status === 200 && /[%?#]/.test(path)) return;
  checkAnswer({ path, method: request.method, status, body, headers });
}

/** Shrinks a failing request and prints how to reproduce it. */
async function reportFailure(failure: Failure): Promise<never> {
  const { seed, index, request, error } = failure;
  const client = createKeepAliveClient(hostile.port, 1);
  const property = fc.asyncProperty(requests, (smaller) => sendAndCheck(client, smaller));
  const shrunk = await fc.check(property, { seed, path: String(index), numRuns: index + 1 });
  client.close();
  const [smallest] = shrunk.counterexample ?? [request];
  const remark = shrunk.failed ? '' : ' (not reproduced alone)';
  return assert.fail(
    `seed ${seed}, request ${index}${remark}: ${String(error)}\n` +
      `${toBytes(smallest).toString('latin1')}\n${String(shrunk.errorInstance ?? '')}`,
  );
}

/** Clears the sandbox inbox first, because it keeps thousands of messages in memory. */
async function readMemory(): Promise<Memory> {
  await fetch(`http://localhost:${hostile.port}/try/messages`, { method: 'DELETE' });
  return hostile.memory();
}

type Failure = { seed: number; index: number; request: Generated; error: unknown };

async function runBatch(client: KeepAliveClient, seed: number): Promise<Failure | undefined> {
  const batch = fc.sample(requests, { seed, numRuns: BATCH });
  const failures: Failure[] = [];
  await Promise.all(
    batch.map((request, index) =>
      sendAndCheck(client, request).catch((error: unknown) => {
        failures.push({ seed, index, request, error });
      }),
    ),
  );
  return failures[0];
}

test(`${REQUESTS} generated requests: none fails, and memory does not grow`, async () => {
  console.log(`seed ${SEED}: ZHIBER_TEST_SEED=${SEED} generates the same requests`);
  const client = createKeepAliveClient(hostile.port, CONNECTIONS);
  const startedAt = performance.now();
  let first: Memory | undefined;
  const batches = REQUESTS / BATCH;
  for (let batch = 0; batch < batches; batch += BATCHES_AHEAD) {
    const seeds = Array.from({ length: BATCHES_AHEAD }, (_, i) => SEED + batch + i);
    const outcomes = await Promise.all(seeds.map((seed) => runBatch(client, seed)));
    const failure = outcomes.find((outcome) => outcome !== undefined);
    if (failure !== undefined) await reportFailure(failure);
    if (first === undefined && batch >= batches / 10) first = await readMemory();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  client.close();
  assert(first);
  const { heapRatio, rssRatio, text } = compareMemory(first, await readMemory());
  const codes = ERROR_CODES.filter((code) => seen.has(code));
  console.log(
    `${REQUESTS} generated requests in ${seconds.toFixed(0)} s (${Math.round(REQUESTS / seconds)}/s): ` +
      `no failure, ${codes.length} of ${ERROR_CODES.length} codes seen; ${text}`,
  );
  console.log(
    [...seen]
      .sort(([, a], [, b]) => b - a)
      .map(([what, n]) => `${what} ${n}`)
      .join(', '),
  );
  assert(heapRatio <= HEAP_RATIO_MAX && rssRatio <= HEAP_RATIO_MAX, `memory has grown: ${text}`);
  await hostile.assertUnharmed();
});
