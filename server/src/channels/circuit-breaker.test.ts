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
const noRoom: Outcome = {
  result: 'unavailable',
  reason: 'Провайдер занят более срочными сообщениями',
};
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
    sendBulk: (until = signal) => kept.send({ ...message, isBulk: true }, until),
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

test('a message that was not offered to the provider is no sign, good or bad', async () => {
  const crowded = { result: 'refused', reason: 'Не успевает', isNotOffered: true } as const;
  const down = { result: 'unavailable', reason: 'Не подключён', isNotOffered: true } as const;
  const { waiting, metrics, send } = open();
  const calls = Array.from({ length: 12 }, send);
  const outcomes = [
    ...Array(4).fill(unknown),
    ...Array(3).fill(crowded),
    ...Array(3).fill(down),
    unknown,
    crowded,
  ];
  for (const [i, outcome] of outcomes.entries()) {
    assert.equal(metrics()?.circuit, i <= 10 ? 'closed' : 'open', `before the outcome ${i}`);
    waiting[i]?.resolve(outcome);
    await calls[i];
  }
  assert.equal(metrics()?.circuit, 'open');
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

test('bulk messages take at most half of the places, and codes always find one', async () => {
  const { waiting, metrics, send, sendBulk } = open();
  const bulk = Array.from({ length: IN_FLIGHT_MAX / 2 + 2 }, () => sendBulk());
  await nextTurn();
  assert.equal(waiting.length, IN_FLIGHT_MAX / 2);
  const code = send();
  assert.equal(waiting.length, IN_FLIGHT_MAX / 2 + 1, 'a code is with the provider at once');
  waiting.at(-1)?.resolve(accepted);
  assert.deepEqual(await code, accepted);

  assert.equal(waiting.length, IN_FLIGHT_MAX / 2 + 1, 'the place of a code is not for bulk');
  waiting[0]?.resolve(accepted);
  await bulk[0];
  await nextTurn();
  assert.equal(waiting.length, IN_FLIGHT_MAX / 2 + 2, 'the place of a bulk message is');
  assert.equal(metrics()?.inFlight, IN_FLIGHT_MAX / 2);
});

test('a provider that takes few at once gets half of them as bulk, and none while all are taken', async () => {
  const { waiting, send, sendBulk } = open({ inFlightMax: 4 });
  const codes = Array.from({ length: 4 }, send);
  const bulk = Array.from({ length: 3 }, () => sendBulk());
  assert.equal(await soFar(bulk[0]), 'under way');
  assert.equal(waiting.length, 4);
  for (const place of [0, 1, 2]) waiting[place]?.resolve(accepted);
  await Promise.all(codes.slice(0, 3));
  await nextTurn();
  assert.equal(waiting.length, 6, 'two of the three that came free');
});

test('a provider with a single place carries bulk messages when nobody else needs it', async () => {
  const { waiting, sendBulk } = open({ inFlightMax: 1 });
  const bulk = [sendBulk(), sendBulk()];
  await nextTurn();
  assert.equal(waiting.length, 1);
  waiting[0]?.resolve(accepted);
  assert.deepEqual(await bulk[0], accepted);
  await nextTurn();
  assert.equal(waiting.length, 2);
});

test('a bulk message that finds no room in time, or is called off, was never sent', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { waiting, metrics, sendBulk } = open({ inFlightMax: 2 });
  void sendBulk();
  const late = sendBulk();
  const patience = new AbortController();
  const calledOff = sendBulk(patience.signal);
  patience.abort();
  assert.deepEqual(await calledOff, noRoom);
  t.mock.timers.tick(1_499);
  assert.equal(await soFar(late), 'under way');
  t.mock.timers.tick(1);
  assert.deepEqual(await late, noRoom);
  assert.equal(waiting.length, 1);
  assert.equal(metrics()?.skipped['too many at once'], 2);
  assert.equal(metrics()?.inFlight, 1);

  waiting[0]?.resolve(accepted);
  await nextTurn();
  const next = sendBulk();
  await nextTurn();
  assert.equal(waiting.length, 2, 'those who left hold no place');
  waiting[1]?.resolve(accepted);
  assert.deepEqual(await next, accepted);
});

test('bulk messages over the limits of a provider do not keep codes away from it', async () => {
  const { waiting, metrics, sendBulk } = open();
  const fail = async (outcome: Outcome) => {
    const call = sendBulk();
    await nextTurn();
    waiting.at(-1)?.resolve(outcome);
    await call;
  };
  for (let i = 0; i < 10; i++) await fail({ result: 'unavailable', reason: 'реже' });
  assert.equal(metrics()?.circuit, 'closed');
  for (let i = 0; i < 5; i++) await fail(unknown);
  assert.equal(metrics()?.circuit, 'open', 'a provider that does not answer answers nobody');
});

test('what a provider carries may change', () => {
  let carries: ReadonlySet<ContentKind> = new Set(['code']);
  const provider: Provider = {
    name: 'whatsapp-cloud',
    channel: 'whatsapp',
    get carries() {
      return carries;
    },
    receiptKey: 'ref',
    deduplicates: false,
    canQueryByRef: false,
    send: async () => accepted,
    check: async () => ({ ok: true, detail: '' }),
  };
  const metrics = createProviderMetrics(new Registry());
  const kept = withCircuitBreaker(provider, { metrics, log: pino({ level: 'silent' }) });
  carries = new Set(['code', 'broadcast']);
  assert.ok(kept.carries.has('broadcast'));
});
