/**
 * What every provider over HTTP comes to when its other side breaks, and what the simulator has
 * taken by then.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Simulator } from '../../../simulators/frame/http-simulator.ts';
import type { Plan } from '../../../simulators/frame/plan.ts';
import type { Outcome, OutgoingMessage } from '../../src/channels/channel.ts';
import type { Provider } from '../../src/channels/provider.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { newId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';

export const PHONE = '77010000001' as Phone;
const HANG_LIMIT_MS = 400;
const LIMIT_MS = 5_000;

type Fault = {
  plan: Plan;
  results: readonly Outcome['result'][];
  /** How many messages the simulator believes to be on their way. */
  taken: number;
};

const unknown = ['unknown'] as const;
const FAULTS: Record<string, Fault> = {
  'no answer': { plan: { does: 'hang' }, results: unknown, taken: 1 },
  'no answer, and nothing taken': {
    plan: { does: 'hang', isTaken: false },
    results: unknown,
    taken: 0,
  },
  'a reset before the answer': { plan: { does: 'reset_before' }, results: unknown, taken: 0 },
  'a reset within the answer': { plan: { does: 'reset_during' }, results: unknown, taken: 1 },
  // The reset may overtake the answer; both are true.
  'a reset after the answer': {
    plan: { does: 'reset_after' },
    results: ['accepted', 'unknown'],
    taken: 1,
  },
  'an answer that drips': { plan: { does: 'drip' }, results: unknown, taken: 1 },
  '500': { plan: { does: 'fail', code: 500 }, results: unknown, taken: 0 },
  '500 after the message was taken': {
    plan: { does: 'fail', code: 500, isTaken: true },
    results: unknown,
    taken: 1,
  },
  '502': { plan: { does: 'fail', code: 502 }, results: unknown, taken: 0 },
  '503': { plan: { does: 'fail', code: 503 }, results: unknown, taken: 0 },
  '302': { plan: { does: 'fail', code: 302 }, results: unknown, taken: 0 },
  '429': {
    plan: { does: 'fail', code: 429, retryAfter: 5 },
    results: ['unavailable'],
    taken: 0,
  },
  '401': { plan: { does: 'fail', code: 401 }, results: ['unavailable'], taken: 0 },
  '403': { plan: { does: 'fail', code: 403 }, results: ['unavailable'], taken: 0 },
};
const FORMS = [
  'html',
  'half_json',
  'empty',
  'no_content',
  'no_id',
  'wrong_type',
  'endless',
  'packed',
] as const;
for (const form of FORMS) {
  FAULTS[`an answer of the form ${form}`] = {
    plan: { does: 'malformed', form },
    results: unknown,
    taken: 1,
  };
}

type Setting = { provider: Provider; simulator: Simulator };

/** Each fault against a provider and its simulator, and a provider whose other side is away. */
export function testFaults(open: {
  together(): Promise<Setting>;
  provider(url: string): Provider;
}): void {
  for (const [name, { plan, results, taken }] of Object.entries(FAULTS)) {
    test(`${name}: ${results.join(' or ')}`, async (t) => {
      const { provider, simulator } = await open.together();
      t.after(() => close({ provider, simulator }));
      simulator.plans.add({ ...plan, receipts: [] });
      const isSlow = plan.does === 'hang' || plan.does === 'drip';
      const outcome = await sendTo(provider, message(), isSlow ? HANG_LIMIT_MS : LIMIT_MS);
      assert.ok(results.includes(outcome.result), JSON.stringify(outcome));
      assert.equal(simulator.journal.taken().length, taken);
    });
  }

  test('nobody listening: unavailable', async (t) => {
    const provider = open.provider(await addressOfNobody());
    t.after(() => provider.stop?.());
    assert.deepEqual(await sendTo(provider, message()), {
      result: 'unavailable',
      reason: 'Провайдер недоступен',
    });
    const { ok, detail } = await provider.check(AbortSignal.timeout(LIMIT_MS));
    assert.equal(ok, false);
    assert.match(detail, /could not be reached \(ECONNREFUSED\)/);
  });

  test('a message after a fault goes out', async (t) => {
    const { provider, simulator } = await open.together();
    t.after(() => close({ provider, simulator }));
    simulator.plans.add({ does: 'reset_during', times: 1, receipts: [] });
    assert.equal((await sendTo(provider, message())).result, 'unknown');
    const next = await sendTo(provider, message({ text: 'Код 112233' }));
    assert.equal(next.result, 'accepted');
  });
}

export function message(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    ref: { companyId: 17 as CompanyId, messageId: newId(Date.now()) as MessageId, attempt: 1 },
    keyId: 1,
    isTest: false,
    to: { phone: PHONE },
    load: 'code',
    text: 'Жібер: код 482913. Никому его не сообщайте.',
    language: 'ru',
    code: '482913',
    ttlSeconds: 300,
    ...changes,
  };
}

export function sendTo(
  provider: Provider,
  outgoing: OutgoingMessage,
  limitMs = LIMIT_MS,
): Promise<Outcome> {
  return provider.send(outgoing, AbortSignal.timeout(limitMs));
}

export async function close({ provider, simulator }: Setting): Promise<void> {
  await provider.stop?.();
  await simulator.close();
}

export type Words = [status: number, body: unknown, outcome: Outcome];

/** What a provider makes of answers that its simulator would never give. */
export function testWords(words: Record<string, Words>, open: (url: string) => Provider): void {
  for (const [name, [status, body, outcome]] of Object.entries(words)) {
    test(`an answer with ${name}: ${outcome.result}`, async (t) => {
      const provider = open((await openParrot(t, status, body)).url);
      t.after(() => provider.stop?.());
      assert.deepEqual(await sendTo(provider, message()), outcome);
    });
  }
}

/** A server that has one answer to everything, and remembers what it was asked for. */
export async function openParrot(
  t: TestContext,
  status: number,
  body: unknown,
): Promise<{ url: string; paths: (string | undefined)[] }> {
  const paths: (string | undefined)[] = [];
  const server = createHttpServer((request, response) => {
    paths.push(request.url);
    response.writeHead(status);
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

export const UNCLEAR: Outcome = { result: 'unknown', reason: 'Провайдер ответил непонятно' };

async function addressOfNobody(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
