import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { Registry } from 'prom-client';
import { type CompanyId, newId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import type { Load, Outcome, OutgoingMessage } from './channel.ts';
import { createFigures } from './figures.ts';
import { protect } from './protect.ts';
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

/** A protected provider that answers each message when it is told to. */
function open(changes: Partial<Provider> = {}) {
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
  const said: string[] = [];
  const log = pino({}, { write: (line) => said.push(JSON.parse(line).msg) });
  const kept = protect({ ...provider, ...changes }, { figures, log });
  const signal = new AbortController().signal;
  const question = { ...message, to: '77010000001' as Phone, providerId: '7', secondsAgo: 30 };
  return {
    waiting,
    said,
    ask: () => kept.readStatus?.(question, signal),
    figures: () => figures.read()[0],
    send: () => kept.send(message, signal),
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

test('the log tells when a provider is left alone, and when it works again', async () => {
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
    'a provider does not work, and is left alone but for a try a second',
    'a provider works again',
  ]);
});

test('messages that were lost together with a link do not close the provider', async () => {
  const { waiting, figures, send } = open();
  const calls = Array.from({ length: 20 }, send);
  for (const { resolve } of waiting) resolve({ ...unknown, isLinkLost: true });
  await Promise.all(calls);
  assert.equal(figures()?.circuit, 'closed');
  assert.equal(figures()?.attempts.unknown, 20);
});

test('one that does not answer questions is not asked on and on, and still gets messages', async () => {
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

test('a provider that cannot be asked has no questions', () => {
  assert.equal(open().ask(), undefined);
});
