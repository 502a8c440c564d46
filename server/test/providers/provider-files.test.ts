/**
 * The examples of docs/provider-files, with gateways that speak what they describe. Each test is
 * named "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { refused, unavailable, unknown } from '../../src/channels/failed-outcome.ts';
import { UNCLEAR_ANSWER } from '../../src/channels/http/provider-answer.ts';
import { shortRefText } from '../../src/channels/short-ref.ts';
import { canBeXml } from '../../src/runtime/xml.ts';
import {
  formJsonGateway,
  openExample,
  plainTextGateway,
  signedReports,
  xmlGateway,
  xmlReports,
} from './rig/gateways.ts';
import {
  acceptedId,
  askStatus,
  codeMessage,
  groupMessage,
  linkMessage,
  newRef,
  posted,
  soon,
} from './rig/messages.ts';

const HARD_TEXT = 'Код 482913 & "50%" <b>\nжаңа+жол; a=b?c#d \'\\ 😀';
const LATE = 'SMS не доставлено вовремя: телефон выключен или вне сети';

describe('a GET with a query, answered in plain text', () => {
  const open = async (t: Parameters<typeof openExample>[0]) => {
    const gateway = plainTextGateway();
    const { provider } = await openExample(t, 'plain-text.json', gateway);
    return { gateway, provider };
  };

  test('Express text: a code with every hard character: taken whole', async (t) => {
    const { gateway, provider } = await open(t);
    const outcome = await provider.send(codeMessage({ text: HARD_TEXT }), soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: '1000' });
    assert.deepEqual(gateway.taken, [
      { id: '1000', to: '77010000001', text: HARD_TEXT, from: 'Magnum', others: { valid: '5' } },
    ]);
  });

  test('Express text: a link of a company: its name is told, and no lifetime', async (t) => {
    const { gateway, provider } = await open(t);
    await provider.send(linkMessage({ sender: 'Kaspi', ttlSeconds: undefined }), soon());
    const [taken] = gateway.taken;
    assert.deepEqual([taken?.from, taken?.others], ['Kaspi', { valid: undefined }]);
  });

  const ERRORS = {
    1: unavailable('Оператор SMS не принял учётные данные сервиса'),
    2: refused('Неверный номер телефона'),
    3: unavailable('На счёте у оператора SMS нет денег'),
    9: unknown('У оператора SMS произошла ошибка'),
    77: refused('Оператор SMS не принял сообщение'),
    oops: UNCLEAR_ANSWER,
  };
  for (const [code, expected] of Object.entries(ERRORS)) {
    test(`Express text: error ${code}: ${expected.result}`, async (t) => {
      const { gateway, provider } = await open(t);
      gateway.nextError = code;
      assert.deepEqual(await provider.send(codeMessage(), soon()), expected);
    });
  }

  test('Express text: the status by its id: as the gateway says, or unclear', async (t) => {
    const { gateway, provider } = await open(t);
    const providerId = acceptedId(await provider.send(codeMessage(), soon()));
    const isAccepted = { known: 'accepted', providerId };
    gateway.states.set(providerId, 'SENT');
    assert.deepEqual(await askStatus(provider, { providerId }), isAccepted);
    gateway.states.set(providerId, 'DELIVERED');
    const delivered = { ...isAccepted, receipt: 'delivered' };
    assert.deepEqual(await askStatus(provider, { providerId }), delivered);
    gateway.states.set(providerId, 'EXPIRED');
    const failed = { ...isAccepted, receipt: 'failed', reason: LATE };
    assert.deepEqual(await askStatus(provider, { providerId }), failed);
    assert.deepEqual(await askStatus(provider, { providerId: '7' }), { known: 'unclear' });
    assert.deepEqual(await askStatus(provider, {}), { known: 'unclear' });
  });

  test('Express text: the balance: told', async (t) => {
    const { provider } = await open(t);
    assert.deepEqual(await provider.check(soon()), {
      ok: true,
      detail: 'The gateway works; the balance is 1520.50 KZT.',
      balance: '1520.50 KZT',
    });
  });
});

describe('a form, answered in JSON, with signed receipts', () => {
  const open = async (t: Parameters<typeof openExample>[0]) => {
    const gateway = formJsonGateway();
    const { provider } = await openExample(t, 'form-json.json', gateway);
    return { gateway, provider };
  };

  test('Express form: a code with every hard character: taken whole', async (t) => {
    const { gateway, provider } = await open(t);
    const outcome = await provider.send(codeMessage({ text: HARD_TEXT }), soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: 'm-0' });
    const others = { ttl: '300', report_to: 'https://zhiber.example/callbacks/form-sms' };
    assert.deepEqual(gateway.taken, [
      { id: 'm-0', to: '+77010000001', text: HARD_TEXT, from: 'Magnum', others },
    ]);
  });

  test('Express form: a repeated message: sent once', async (t) => {
    const { gateway, provider } = await open(t);
    const message = codeMessage();
    const first = await provider.send(message, soon());
    assert.deepEqual(await provider.send(message, soon()), first);
    assert.equal(gateway.taken.length, 1);
    assert.equal(provider.deduplicates, true);
  });

  const ERRORS = {
    invalid_recipient: refused('Неверный номер телефона'),
    no_credit: unavailable('На счёте у оператора SMS нет денег'),
    402: unavailable('На счёте у оператора SMS нет денег'),
    strange: UNCLEAR_ANSWER,
  };
  for (const [code, expected] of Object.entries(ERRORS)) {
    test(`Express form: error ${code}: ${expected.result}`, async (t) => {
      const { gateway, provider } = await open(t);
      gateway.nextError = code;
      assert.deepEqual(await provider.send(codeMessage(), soon()), expected);
    });
  }

  test('Express form: the status by our reference: as the gateway says, or nothing', async (t) => {
    const { gateway, provider } = await open(t);
    const ref = newRef();
    assert.equal(provider.canQueryByRef, true);
    assert.deepEqual(await askStatus(provider, { ref }), { known: 'nothing' });
    await provider.send(codeMessage({ ref }), soon());
    assert.deepEqual(await askStatus(provider, { ref }), { known: 'accepted', providerId: 'm-0' });
    gateway.states.set('m-0', 'rejected');
    const rejected = { known: 'refused', reason: 'Оператор SMS отклонил сообщение' };
    assert.deepEqual(await askStatus(provider, { ref }), rejected);
  });

  test('Express form: several receipts: they count with their signature only', async (t) => {
    const { provider } = await open(t);
    const [one, other] = [newRef(), newRef()];
    const { body, headers } = signedReports([
      { external_id: shortRefText(one), state: 'delivered' },
      { external_id: shortRefText(other), state: 'undelivered', description: 'Абонент занят' },
      { external_id: 'of somebody else', state: 'delivered' },
    ]);
    assert.deepEqual(provider.readCallback?.(posted(body, headers)), {
      reports: [
        { ref: one, receipt: 'delivered' },
        { ref: other, receipt: 'failed', reason: 'Абонент занят' },
      ],
      answer: { contentType: 'application/json', body: '{"ok":true}' },
    });
    assert.equal(provider.readCallback?.(posted(`${body} `, headers)), undefined);
    assert.equal(provider.readCallback?.(posted(body)), undefined);
  });
});

describe('XML with a login, and receipts to an address with a secret', () => {
  const open = async (t: Parameters<typeof openExample>[0]) => {
    const gateway = xmlGateway();
    const { provider } = await openExample(t, 'xml.json', gateway);
    return { gateway, provider };
  };

  test('Express XML: a code with every hard character: taken whole', async (t) => {
    const { gateway, provider } = await open(t);
    const outcome = await provider.send(codeMessage({ text: HARD_TEXT }), soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: 'x0' });
    assert.deepEqual(gateway.taken, [
      { id: 'x0', to: '77010000001', text: HARD_TEXT, from: 'Magnum', others: { report: 'yes' } },
    ]);
  });

  const ERRORS = {
    10: refused('Неверный номер телефона'),
    20: unavailable('На счёте у оператора SMS нет денег'),
    99: UNCLEAR_ANSWER,
  };
  for (const [code, expected] of Object.entries(ERRORS)) {
    test(`Express XML: error ${code}: ${expected.result}`, async (t) => {
      const { gateway, provider } = await open(t);
      gateway.nextError = code;
      assert.deepEqual(await provider.send(codeMessage(), soon()), expected);
    });
  }

  test('Express XML: several receipts: they count at the secret address only', async (t) => {
    const { provider } = await open(t);
    const body = xmlReports([
      { id: 'x0', status: 'DELIVRD', to: '77010000001' },
      { id: 'x1', status: 'EXPIRED' },
      { id: 'x2', status: 'ENROUTE' },
    ]);
    const call = (pathSecret?: string) => provider.readCallback?.({ ...posted(body), pathSecret });
    assert.deepEqual(call('in the path/1')?.reports, [
      { providerId: 'x0', receipt: 'delivered', phone: '77010000001' },
      { providerId: 'x1', receipt: 'failed', reason: LATE },
    ]);
    assert.equal(call('in the path/2'), undefined);
    assert.equal(call(), undefined);
  });

  test('Express XML: the balance: told', async (t) => {
    const { provider } = await open(t);
    assert.equal((await provider.check(soon())).balance, '700 KZT');
  });
});

describe('whatever the text, the gateways take exactly that text', () => {
  const anyText = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 70 }),
      fc.string({ unit: fc.constantFrom(...'&=?#+%<>"\'[];\r\n\t ҚЯ'), minLength: 1 }),
    )
    .filter(canBeXml);
  const gateways = [
    ['Express text', 'plain-text.json', plainTextGateway],
    ['Express form', 'form-json.json', formJsonGateway],
    ['Express XML', 'xml.json', xmlGateway],
  ] as const;
  for (const [peer, file, createGateway] of gateways) {
    test(`${peer}: any text: taken exactly`, async (t) => {
      const gateway = createGateway();
      const { provider } = await openExample(t, file, gateway);
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const outcome = await provider.send(codeMessage({ text }), soon());
          assert.equal(outcome.result, 'accepted');
          assert.equal(gateway.taken.at(-1)?.text, text);
        }),
        { numRuns: 200 },
      );
    });
  }
});

test('Express XML: a text that XML cannot hold: refused before it is sent', async (t) => {
  const gateway = xmlGateway();
  const { provider } = await openExample(t, 'xml.json', gateway);
  const outcome = await provider.send(codeMessage({ text: 'a\u0001b' }), soon());
  assert.deepEqual(outcome, refused('Сообщение содержит знаки, которые провайдер не принимает'));
  assert.deepEqual(gateway.taken, []);
});

test('Express text: forty sends at once: as many in flight as the file allows, and no more', async (t) => {
  const AT_ONCE = 16;
  const gateway = plainTextGateway();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let inFlight = 0;
  let most = 0;
  const app = express().use(async (request, response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    response.once('close', () => {
      inFlight -= 1;
    });
    // Any more would come meanwhile.
    if (inFlight === AT_ONCE) setTimeout(release, 50);
    await released;
    gateway.app(request, response);
  });
  const { provider } = await openExample(t, 'plain-text.json', { ...gateway, app });
  const sends = Array.from({ length: 40 }, () => provider.send(codeMessage(), soon()));
  const outcomes = await Promise.all(sends);
  assert.ok(outcomes.every(({ result }) => result === 'accepted'));
  assert.equal(most, AT_ONCE);
});

test('Express XML: a message to a group: refused', async (t) => {
  const { provider } = await openExample(t, 'xml.json', xmlGateway());
  const outcome = await provider.send(groupMessage('1'), soon());
  assert.deepEqual(outcome, refused('Провайдер не отправляет сообщения в группы'));
});

test('Express text: no answer: unknown', async (t) => {
  const over = new AbortController();
  const app = express().use(() => over.abort());
  const { provider } = await openExample(t, 'plain-text.json', { ...plainTextGateway(), app });
  const outcome = await provider.send(codeMessage(), over.signal);
  assert.deepEqual(outcome, unknown('Провайдер не ответил'));
});
