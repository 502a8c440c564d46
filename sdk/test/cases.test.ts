/** One behaviour in three languages: every case of `sdk/cases` with every packed client. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import calls from '../cases/calls.json' with { type: 'json' };
import errorClasses from '../cases/error-classes.json' with { type: 'json' };
import { type ScriptedAnswer, type SeenRequest, startAnsweringServer } from './answering-server.ts';
import { type Driver, type Outcome, startDriver, type Task, WAYS, type Way } from './driver.ts';
import { createFlippedVectors, createVectors } from './webhook-vectors.ts';

type Case = Task & {
  name: string;
  answers: ScriptedAnswer[];
  expect: {
    requests: number;
    path?: string;
    body?: object;
    idempotency_key?: string;
    origin?: string;
    /** Seconds between the requests, at least. */
    waits?: number[];
    result?: Record<string, unknown>;
    error?: Record<string, unknown>;
    /** Refused before any request, as what the language calls a wrong argument. */
    mistake?: boolean;
  };
};

const KEY = 'zk_test_0000000000000000000000000000000000000';
const CASES = [...(calls as Case[]), ...casesOfCatalogue()];

/** Every code of the catalogue, in the class of the table. */
function casesOfCatalogue(): Case[] {
  return Object.entries(errorClasses).flatMap(([name, codes]) =>
    codes.map((code) => ({
      name: `${code} is a ${name}`,
      operation: 'send_code',
      request: { phone: '+77011234567' },
      client: { retries_max: 0 },
      answers: [
        {
          status: ERRORS[code as ErrorCode].status,
          body: { success: false, message: ERRORS[code as ErrorCode].message, error_code: code },
        },
      ],
      expect: {
        requests: 1,
        error: { class: name, code, message: ERRORS[code as ErrorCode].message },
      },
    })),
  );
}

test('every code of the catalogue has a class', () => {
  const placed = Object.values(errorClasses).flat();
  assert.deepEqual(placed.toSorted(), Object.keys(ERRORS).toSorted());
});

type Run = {
  driver: Driver | undefined;
  outcomes: Map<string, Promise<Outcome>>;
  requests: Map<string, SeenRequest[]>;
  close(): Promise<void>;
};

/** All cases at once: most of their time is waiting, and clients have to bear it. */
async function startRun(way: Way): Promise<Run> {
  const driver = await startDriver(way);
  const server = await startAnsweringServer();
  const outcomes = new Map<string, Promise<Outcome>>();
  const requests = new Map<string, SeenRequest[]>();
  const close = async () => {
    await driver?.close();
    await server.close();
  };
  for (const [index, { name, answers, client, operation, request }] of CASES.entries()) {
    const { baseUrl, seen } = server.prepare(`case-${index}`, answers);
    requests.set(name, seen);
    const settings = { api_key: KEY, base_url: `${baseUrl}/`, ...client };
    const run = driver?.run({ client: settings, operation: operation ?? '', request });
    // A driver that dies fails each test that waits for it, not the process.
    run?.catch(() => undefined);
    if (run !== undefined) outcomes.set(name, run);
  }
  return { driver, outcomes, requests, close };
}

const WAY_NAMES = Object.keys(WAYS) as Way[];
const runs = new Map<Way, Run>();
before(async () => {
  const started = await Promise.allSettled(
    WAY_NAMES.map(async (way) => runs.set(way, await startRun(way))),
  );
  // After all of them: what has been started is closed below, also when another one failed.
  for (const one of started) if (one.status === 'rejected') throw one.reason;
});
after(async () => {
  await Promise.all([...runs.values()].map((run) => run.close()));
});

for (const way of WAY_NAMES) {
  describe(way, () => {
    for (const { name, expect, operation } of CASES) {
      test(name, async (t) => {
        const run = runs.get(way);
        const outcome = await run?.outcomes.get(name);
        if (outcome === undefined) return t.skip('not installed');
        const seen = run?.requests.get(name) ?? [];
        checkOutcome(outcome, expect);
        assert.equal(seen.length, expect.requests, JSON.stringify(outcome));
        checkRequests(seen, expect, operation ?? '');
      });
    }

    test('every call has an Idempotency-Key of its own', async (t) => {
      const run = runs.get(way);
      if (run?.driver === undefined) return t.skip('not installed');
      await Promise.all(run.outcomes.values());
      const firsts = [...run.requests.values()].flatMap(([first]) => first ?? []);
      const keys = firsts.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
      assert.ok(keys.length > 50, String(keys.length));
      assert.equal(new Set(keys).size, keys.length);
    });

    for (const [index, { name }] of createVectors().entries()) {
      test(name, async (t) => {
        const driver = runs.get(way)?.driver;
        // Signed now: the tests before may have taken a while.
        const vector = createVectors()[index];
        if (driver === undefined || vector === undefined) return t.skip('not installed');
        const { result, error } = await driver.run({ webhook: vector.call });
        if (vector.expect === 'ok') {
          assert.deepEqual([result?.id, error], ['msg_1', undefined]);
          assert.deepEqual(result?.data, JSON.parse(vector.body).data);
        } else {
          assert.deepEqual([error?.class, error?.code], ['WebhookError', vector.expect]);
        }
      });
    }

    test('a webhook with any one bit changed', async (t) => {
      const driver = runs.get(way)?.driver;
      if (driver === undefined) return t.skip('not installed');
      for (const { name, call } of createFlippedVectors()) {
        const { error } = await driver.run({ webhook: call });
        assert.equal(error?.code, 'wrong_signature', name);
      }
    });
  });
}

function checkOutcome({ result, error }: Outcome, expect: Case['expect']): void {
  const told = JSON.stringify({ result, error });
  if (expect.mistake) {
    const mistakes = ['TypeError', 'ValueError', 'InvalidArgumentException'];
    assert(mistakes.includes(error?.class ?? ''), told);
    return;
  }
  const [actual, expected] =
    expect.error === undefined ? [result, expect.result] : [error, expect.error];
  const names = Object.keys(expected ?? {});
  const picked = Object.fromEntries(names.map((name) => [name, actual?.[name]]));
  assert.deepEqual(picked, expected, told);
}

function checkRequests(seen: SeenRequest[], expect: Case['expect'], operation: string): void {
  const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
  assert(keys.size <= 1, 'an Idempotency-Key for each attempt');
  for (const { method, path, headers, body } of seen) {
    assert.match(headers['user-agent'] ?? '', /^zhiber-(node|python|php)\/\d+\.\d+\.\d+$/);
    assert.equal(headers.origin, expect.origin);
    if (expect.path !== undefined) assert.equal(path, expect.path);
    if (operation === 'health') {
      assert.deepEqual([method, headers.authorization, body], ['GET', undefined, '']);
      continue;
    }
    assert.deepEqual([method, headers.authorization], ['POST', `Bearer ${KEY}`]);
    assert.match(headers['content-type'] ?? '', /^application\/json/);
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    if (expect.idempotency_key === undefined) assert.match([...keys].join(), uuid);
    else assert.deepEqual([...keys], [expect.idempotency_key]);
    if (expect.body !== undefined) assert.deepEqual(JSON.parse(body), expect.body);
    assert.equal(body, seen[0]?.body, 'a retry has another body');
  }
  for (const [index, seconds] of (expect.waits ?? []).entries()) {
    const gap = ((seen[index + 1]?.atMs ?? 0) - (seen[index]?.atMs ?? 0)) / 1_000;
    // A timer may fire a few milliseconds early.
    assert(gap >= seconds - 0.02, `waited ${gap} s before request ${index + 2}`);
  }
}
