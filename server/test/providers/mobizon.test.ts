import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { refused, unknown } from '../../src/channels/failed-outcome.ts';
import { UNCLEAR_ANSWER } from '../../src/channels/http/provider-answer.ts';
import type { CallbackContent } from '../../src/channels/provider.ts';
import { openMobizon } from '../../src/channels/sms/mobizon.ts';
import { MOBIZON, openMobizonRig } from './provider-rigs.ts';
import { startParrot } from './rig/local-server.ts';
import { acceptedId, askStatus, codeMessage, posted, QUIET, soon } from './rig/messages.ts';
import { testAnswers, testCallbacks, testRefusals } from './rig/tables.ts';
import { TOOLS } from './rig/tools.ts';

test('mobizon: a code goes out with the shortest validity, and its link as it is', async (t) => {
  const { provider, simulator } = await openMobizonRig(t, { settings: { sender: 'ZHIBER' } });
  const text = 'Код 482913 https://zhbr.kz/a?b=1&c=+ қазақша';
  acceptedId(await provider.send(codeMessage({ content: 'code_with_link', text }), soon()));
  const [taken] = simulator.journal.taken();
  assert.partialDeepStrictEqual(taken, { to: '77010000001', text });
  assert.deepEqual(taken?.details, {
    from: 'ZHIBER',
    'params[validity]': '60',
    'params[shortenLinks]': '0',
  });
});

test('mobizon: without a sender the account chooses one', async (t) => {
  const { provider, simulator } = await openMobizonRig(t);
  acceptedId(await provider.send(codeMessage({ content: 'text' }), soon()));
  assert.equal(simulator.journal.taken()[0]?.details?.from, undefined);
});

describe('mobizon: refusals', () => {
  testRefusals(openMobizonRig, {
    1: refused('Неверный номер телефона'),
    2: 'refused',
    3: 'unknown',
    4: 'unavailable',
    5: 'unavailable',
    6: 'unavailable',
    8: 'unavailable',
    9: 'unavailable',
    10: 'unknown',
    11: 'refused',
    12: 'refused',
    13: 'unavailable',
    14: 'unavailable',
    15: 'unknown',
    30: 'unavailable',
    77: refused('Оператор SMS не принял сообщение (ошибка 77)'),
    98: 'unknown',
    99: 'refused',
    100: 'unknown',
    999: 'unknown',
    moderation: unknown('Оператор SMS проверяет сообщение вручную'),
  });

  testAnswers(openMobizonRig, {
    'everything in texts': [
      200,
      { code: '0', data: { messageId: '169', status: '2' } },
      { result: 'accepted', providerId: '169' },
    ],
    'no sending': [200, { code: 0, data: { messageId: 169 } }, UNCLEAR_ANSWER],
    'an odd sending': [200, { code: 0, data: { messageId: 169, status: 3 } }, UNCLEAR_ANSWER],
    'no message': [200, { code: 0, data: { status: 2 } }, UNCLEAR_ANSWER],
    'an odd message': [200, { code: 0, data: { messageId: {}, status: 2 } }, UNCLEAR_ANSWER],
    'no content': [200, { code: 0, data: null }, UNCLEAR_ANSWER],
    'no code': [200, { data: { messageId: 169, status: 2 } }, UNCLEAR_ANSWER],
    'an odd code': [200, { code: { toString: 1 } }, UNCLEAR_ANSWER],
    'a code and the status 500': [500, { code: 1, data: '' }, UNCLEAR_ANSWER],
    'a field that says nothing': [
      200,
      { code: 1, data: { constructor: 'odd' } },
      refused('Оператор SMS не принял параметры сообщения'),
    ],
    'a sender that is not registered': [
      200,
      { code: 1, data: { from: 'odd' } },
      refused('Имя отправителя не зарегистрировано у оператора SMS'),
    ],
  });
});

describe('mobizon: a status that is queried', () => {
  const STATUSES: Record<string, [receipt: string | undefined, reason?: RegExp]> = {
    NEW: [undefined],
    ENQUEUD: [undefined],
    ACCEPTD: [undefined],
    PDLIVRD: [undefined],
    DELIVRD: ['delivered'],
    UNDELIV: ['failed', /не доставлено/],
    REJECTD: ['failed', /отклонил/],
    EXPIRED: ['failed', /вовремя/],
    DELETED: ['failed', /удалил/],
  };
  for (const [status, [receipt, reason]] of Object.entries(STATUSES)) {
    test(`${status}: ${receipt ?? 'nothing final'}`, async (t) => {
      const { provider, simulator } = await openMobizonRig(t);
      simulator.plans.add(QUIET);
      const id = acceptedId(await provider.send(codeMessage(), soon()));
      await simulator.report(id, 'failed', { failure: status });
      const known = await askStatus(provider, { providerId: id });
      assert.ok(known?.known === 'accepted');
      assert.deepEqual([known.providerId, known.receipt], [id, receipt]);
      assert.match(known.reason ?? '', reason ?? /^$/);
    });
  }

  test('of an unknown message, or in unknown words, is unclear', async (t) => {
    const { provider, simulator } = await openMobizonRig(t);
    assert.deepEqual(await askStatus(provider, { providerId: '1' }), { known: 'unclear' });
    simulator.plans.add(QUIET);
    const id = acceptedId(await provider.send(codeMessage(), soon()));
    for (const failure of ['SOMETHING', 'constructor']) {
      await simulator.report(id, 'failed', { failure });
      assert.deepEqual(await askStatus(provider, { providerId: id }), { known: 'unclear' });
    }
  });

  test('of another message says nothing of this one', async (t) => {
    const body = { code: 0, data: [{ id: 170, status: 'DELIVRD' }] };
    const { url } = await startParrot(t, { status: 200, body });
    const { provider } = await openMobizonRig(t, { settings: { url } });
    assert.deepEqual(await askStatus(provider, { providerId: '169' }), { known: 'unclear' });
  });

  test('is the truth that a webhook only points to', async (t) => {
    const { provider, simulator, desk } = await openMobizonRig(t);
    simulator.plans.add(QUIET);
    const id = acceptedId(await provider.send(codeMessage(), soon()));
    assert.deepEqual(await simulator.report(id, 'delivered'), [200]);
    assert.deepEqual(desk.contents, [{ reports: [], unproven: [id] }]);
    const known = await askStatus(provider, { providerId: id });
    assert.deepEqual(known, { known: 'accepted', providerId: id, receipt: 'delivered' });
  });
});

test('mobizon: a check tells the balance, or that the key is wrong', async (t) => {
  const right = await openMobizonRig(t, { simulator: { balance: '120.5000' } });
  assert.deepEqual(await right.provider.check(soon()), {
    ok: true,
    detail: 'Mobizon works; the balance is 120.5000 KZT.',
    balance: '120.5000 KZT',
  });
  const wrong = await openMobizonRig(t, { settings: { apiKey: 'wrong-key' } });
  assert.deepEqual(await wrong.provider.check(soon()), {
    ok: false,
    detail: 'Mobizon did not accept the API key.',
  });
});

describe('mobizon: webhooks', () => {
  const EVENT = {
    eventId: 26,
    eventType: 'sms-delivery-report',
    eventCreateTs: '2026-01-15 11:42:28',
    webhookId: 1,
    attempt: 1,
    data: {
      campaignId: 245,
      messageId: 169,
      segNum: 1,
      statusUpdateTs: '2026-01-15 11:42:08',
      status: 'DELIVRD',
      to: '77010000001',
    },
    sign: '5cdebbb611d765bad163d765e8637830b6fd4060',
  };
  const ASKED: CallbackContent = { reports: [], unproven: ['169'] };
  const NOTHING: CallbackContent = { reports: [], unproven: [] };
  const event = (changes: object) => posted({ ...EVENT, ...changes });
  const { data } = EVENT;

  testCallbacks(() => openMobizon(MOBIZON, TOOLS), {
    'as documented': [event({}), ASKED],
    'with numbers as texts': [event({ eventId: '26', attempt: '1' }), ASKED],
    // The signature does not cover it; what it says is therefore not believed.
    'with a status that was changed': [event({ data: { ...data, status: 'X' } }), ASKED],
    'of another kind': [event({ eventType: 'form-submission' }), NOTHING],
    'without a message': [event({ data: null }), NOTHING],
    'with an odd message id': [event({ data: { messageId: { toString: 1 } } }), NOTHING],
    'with another event id': [event({ eventId: 27 }), undefined],
    'with another attempt': [event({ attempt: 2 }), undefined],
    'with a flipped bit': [event({ sign: EVENT.sign.replace(/0$/, '1') }), undefined],
    'without a signature': [event({ sign: undefined }), undefined],
    'with an odd signature': [event({ sign: ['a'] }), undefined],
    'with odd parts': [event({ eventId: { toString: 1 } }), undefined],
    'that is no object': [posted('[]'), undefined],
    'that is no JSON': [posted('eventId=26'), undefined],
    'that is empty': [posted(''), undefined],
  });

  const sign = createHash('sha1').update('26|1|2026-01-15 11:42:28|').digest('hex');
  for (const callbackSecret of [undefined, '']) {
    testCallbacks(() => openMobizon({ ...MOBIZON, callbackSecret }, TOOLS), {
      [`signed with nothing, where the secret is «${callbackSecret}»`]: [
        event({ sign }),
        undefined,
      ],
    });
  }
});
