import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { Registry } from 'prom-client';
import { type CompanyId, newId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import type { ContentKind, Outcome, OutgoingMessage } from './channel.ts';
import { withCircuitBreaker } from './circuit-breaker.ts';
import type { Provider } from './provider.ts';
import { createProviderMetrics } from './provider-metrics.ts';

const IN_FLIGHT_MAX = 256;
const accepted: Outcome = { result: 'accepted', providerId: '7' };
const unknown: Outcome = { result: 'unknown', reason: 'тишина' };
const overloaded: Outcome = { result: 'unavailable', reason: 'Провайдер перегружен' };

const message: OutgoingMessage = {
  ref: { companyId: 1 as CompanyId, messageId: newId(1), attempt: 1 },
  keyId: 1,
  isTest: false,
  to: { phone: '77010000001' as Phone },
  content: 'code',
  language: 'ru',
  text: 'Код 123456',
  code: '123456',
};

/** A protected provider whose answers the test resolves by hand. */
function open(changes: Partial<Provider> = {}) {
  const waiting: PromiseWithResolvers<Outcome>[] = [];
  const provider: Provider = {
    name: 'smsc',
    channel: 'sms',
    carries: new Set<ContentKind>(['code']),
    receiptKey: 'ref',
    deduplicates: false,
    canQueryByRef: false,
    send() {
      const answer = Promise.withResolvers<Outcome>();
      waiting.push(answer);
      return answer.promise;
    },
    check: async () => ({ ok: true, detail: '' }),
  };
  const metrics = createProviderMetrics(new Registry());
  const said: string[] = [];
  const log = pino({}, { write: (line) => said.push(JSON.parse(line).msg) });
  const kept = withCircuitBreaker({ ...provider, ...changes }, { metrics, log });
  const signal = new AbortController().signal;
  const question = { ...message, to: '77010000001' as Phone, providerId: '7', secondsAgo: 30 };
  return {
    waiting,
    said,
    ask: () => kept.readStatus?.(question, signal),
    metrics: () => metrics.read()[0],
    send: () => kept.send(message, signal),
  };
}

/** The result of a call so far, without waiting for it. */
const soFar = (call: Promise<Outcome> | undefined) =>
  Promise.race([call, nextTurn('under way' as const)]);

test('the 257th message in flight is turned away at once, the others are unaffected', async () => {
  const { waiting, metrics, send } = open();
  const calls = Array.from({ length: IN_FLIGHT_MAX }, send);
  assert.equal(waiting.length, IN_FLIGHT_MAX, 'all are with the provider');
  assert.deepEqual(await soFar(send()), overloaded);
  assert.equal(waiting.length, IN_FLIGHT_MAX, 'it was not given to the provider');
  assert.equal(await soFar(calls[0]), 'under way');
  assert.equal(metrics()?.inFlight, IN_FLIGHT_MAX);
  assert.equal(metrics()?.skipped['too many at once'], 1);

  for (const { resolve } of waiting) resolve(accepted);
  assert.deepEqual(new Set(await Promise.all(calls)), new Set([accepted]));
  assert.equal(metrics()?.inFlight, 0);
});

test('a slot is released whatever the outcome', async () => {
  const { waiting, send } = open();
  const calls = Array.from({ length: IN_FLIGHT_MAX }, send);
  const endings: ((answer: PromiseWithResolvers<Outcome> | undefined) => void)[] = [
    (answer) => answer?.resolve(accepted),
    (answer) => answer?.resolve(unknown),
    (answer) => answer?.reject(new Error('it broke its promise')),
  ];
  for (const [i, end] of endings.entries()) {
    assert.deepEqual(await soFar(send()), overloaded);
    end(waiting[i]);
    await Promise.allSettled([calls[i]]);
    const next = send();
    assert.equal(await soFar(next), 'under way');
    waiting.at(-1)?.resolve(accepted);
    // This call released its own slot; the extra send fills it for the next round.
    assert.deepEqual(await soFar(next), accepted);
    void send();
  }
});

test('a message over the in-flight limit is not counted as a failure', async () => {
  const { waiting, metrics, send } = open();
  const calls = Array.from({ length: IN_FLIGHT_MAX }, send);
  for (let i = 0; i < 20; i++) assert.deepEqual(await soFar(send()), overloaded);
  assert.equal(metrics()?.circuit, 'closed');
  for (const { resolve } of waiting) resolve(accepted);
  await Promise.all(calls);
  assert.deepEqual(metrics()?.attempts, {
    accepted: IN_FLIGHT_MAX,
    refused: 0,
    unavailable: 0,
    unknown: 0,
  });
});

test('the log says when the circuit opens and when it closes', async () => {
  const { waiting, said, send } = open();
  const calls = Array.from({ length: 6 }, send);
  for (const { resolve } of waiting.slice(0, 5)) resolve(unknown);
  await Promise.all(calls.slice(0, 5));
  assert.deepEqual(await send(), {
    result: 'unavailable',
    reason: 'Провайдер временно отключён из-за сбоев',
  });
  waiting[5]?.resolve(accepted);
  await calls[5];
  assert.equal(await soFar(send()), 'under way');
  assert.deepEqual(said, [
    'circuit opened: provider fails, one probe a second',
    'circuit closed: provider works again',
  ]);
});

test('messages lost with a connection do not open the circuit', async () => {
  const { waiting, metrics, send } = open();
  const calls = Array.from({ length: 20 }, send);
  for (const { resolve } of waiting) resolve({ ...unknown, isConnectionLost: true });
  await Promise.all(calls);
  assert.equal(metrics()?.circuit, 'closed');
  assert.equal(metrics()?.attempts.unknown, 20);
});

test('failing status queries open their own circuit, and messages still go out', async () => {
  let asked = 0;
  const { ask, send } = open({
    async readStatus() {
      asked += 1;
      return { known: 'unclear' };
    },
  });
  for (let i = 0; i < 50; i++) assert.deepEqual(await ask(), { known: 'unclear' });
  assert.equal(asked, 5);
  assert.equal(await soFar(send()), 'under way');
});

test('a provider without status queries gets none', () => {
  assert.equal(open().ask(), undefined);
});
