import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { type CompanyId, newId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import type { Load, Outcome, OutgoingMessage } from './channel.ts';
import { createFigures } from './figures.ts';
import { guard } from './guard.ts';
import type { Provider } from './provider.ts';

const IN_FLIGHT_MAX = 256;
const accepted: Outcome = { result: 'accepted', providerId: '7' };
const unknown: Outcome = { result: 'unknown', reason: 'тишина' };
const overloaded: Outcome = { result: 'unavailable', reason: 'Провайдер перегружен' };

const message: OutgoingMessage = {
  ref: { companyId: 1 as CompanyId, messageId: newId(1), attempt: 1 },
  keyId: 1,
  isTest: false,
  to: { phone: '77010000001' as Phone },
  load: 'code',
  language: 'ru',
  text: 'Код 123456',
  code: '123456',
};

/** A guarded provider that answers each message when it is told to. */
function open() {
  const waiting: PromiseWithResolvers<Outcome>[] = [];
  const provider: Provider = {
    name: 'smsc',
    channel: 'sms',
    carries: new Set<Load>(['code']),
    receiptsBy: 'ref',
    deduplicates: false,
    tellsByRef: false,
    send() {
      const answer = Promise.withResolvers<Outcome>();
      waiting.push(answer);
      return answer.promise;
    },
    check: async () => ({ ok: true, detail: '' }),
  };
  const figures = createFigures(new Registry());
  const guarded = guard(provider, figures);
  const signal = new AbortController().signal;
  return {
    waiting,
    figures: () => figures.read()[0],
    send: () => guarded.send(message, signal),
  };
}

/** What has come of a call by now, without waiting for anybody. */
const soFar = (call: Promise<Outcome> | undefined) =>
  Promise.race([call, nextTurn('under way' as const)]);

test('the 257th message at once is turned away at once, and the others are not disturbed', async () => {
  const { waiting, figures, send } = open();
  const calls = Array.from({ length: IN_FLIGHT_MAX }, send);
  assert.equal(waiting.length, IN_FLIGHT_MAX, 'all are with the provider');
  assert.deepEqual(await soFar(send()), overloaded);
  assert.equal(waiting.length, IN_FLIGHT_MAX, 'it was not given to the provider');
  assert.equal(await soFar(calls[0]), 'under way');
  assert.equal(figures()?.inFlight, IN_FLIGHT_MAX);
  assert.equal(figures()?.skipped['too many at once'], 1);

  for (const { resolve } of waiting) resolve(accepted);
  assert.deepEqual(new Set(await Promise.all(calls)), new Set([accepted]));
  assert.equal(figures()?.inFlight, 0);
});

test('a place that becomes free is used again, whatever came of the message', async () => {
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
    // It gives its own place back, which the next round starts without.
    assert.deepEqual(await soFar(next), accepted);
    void send();
  }
});

test('being turned away is no failure of the provider', async () => {
  const { waiting, figures, send } = open();
  const calls = Array.from({ length: IN_FLIGHT_MAX }, send);
  for (let i = 0; i < 20; i++) assert.deepEqual(await soFar(send()), overloaded);
  assert.equal(figures()?.circuit, 'closed');
  for (const { resolve } of waiting) resolve(accepted);
  await Promise.all(calls);
  assert.deepEqual(figures()?.attempts, {
    accepted: IN_FLIGHT_MAX,
    refused: 0,
    unavailable: 0,
    unknown: 0,
  });
});
