import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../src/channels/channel.ts';
import type { GreenApiSettings } from '../../src/channels/whatsapp/green-api.ts';
import { INSTANCE, openGreenRig, SECRETS } from './green-api-rig.ts';
import { type Answered, testAnswers } from './rig/answers.ts';
import { QUICK_FAULTS, testFaults } from './rig/faults.ts';
import { codeMessage, LINK, linkMessage, PHONE, soon } from './rig/messages.ts';

const GROUP = '120363043968066561@g.us';

describe('what goes over the wire', () => {
  const MESSAGES = {
    'a code': codeMessage(),
    'a code with a link': codeMessage({
      load: 'code_with_link',
      text: `Код 482913 ${LINK}`,
      link: LINK,
    }),
    'a text': linkMessage(),
    'a text to a group': linkMessage({ load: 'group', to: { group: GROUP } }),
  };
  for (const [name, message] of Object.entries(MESSAGES)) {
    test(`${name} is its text, without a preview`, async (t) => {
      const { provider, simulator } = await openGreenRig(t);
      assert.ok(provider.carries.has(message.load));
      const outcome = await provider.send(message, soon());
      const [taken] = simulator.journal.taken();
      assert.deepEqual(outcome, { result: 'accepted', providerId: taken?.id });
      const chatId = 'group' in message.to ? GROUP : `${PHONE}@c.us`;
      assert.deepEqual(taken?.details, { chatId, message: message.text, linkPreview: false });
    });
  }

  for (const group of ['-1001234567890', 'Соседи', '0202221234@g.us', `${PHONE}@c.us`, '']) {
    test(`«${group}» is no group of WhatsApp, and nothing is sent`, async (t) => {
      const { provider, simulator } = await openGreenRig(t);
      const message = linkMessage({ load: 'group', to: { group } });
      assert.deepEqual(await provider.send(message, soon()), {
        result: 'refused',
        reason: 'Это не группа WhatsApp',
      });
      assert.deepEqual(simulator.journal.lines, []);
    });
  }

  test('a token that is no plain word still is one part of the address', async (t) => {
    const token = 'a/b?c#d e';
    const { provider } = await openGreenRig(t, { settings: { token }, simulator: { token } });
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  });
});

describe('what it says no with', () => {
  const REFUSALS: Record<string, [result: Outcome['result'], reason: string]> = {
    400: ['refused', 'Провайдер WhatsApp не принял сообщение'],
    401: ['unavailable', 'Провайдер WhatsApp не принимает ключ доступа'],
    403: ['unavailable', 'Провайдер WhatsApp не принимает ключ доступа'],
    404: ['unavailable', 'Адрес провайдера WhatsApp указан неверно'],
    408: ['unknown', 'Провайдер WhatsApp ответил непонятно'],
    418: ['refused', 'Провайдер WhatsApp отказал в отправке (код 418)'],
    429: ['unavailable', 'Достигнут лимит отправки WhatsApp'],
    466: ['unavailable', 'Исчерпан тариф провайдера WhatsApp'],
    499: ['unknown', 'Провайдер WhatsApp ответил непонятно'],
    starting: ['unavailable', 'Аккаунт WhatsApp у провайдера не подключён'],
    not_authorized: ['unavailable', 'Аккаунт WhatsApp у провайдера не подключён'],
    deleted: ['unavailable', 'Аккаунт WhatsApp у провайдера не подключён'],
    expired: ['unavailable', 'Не оплачен аккаунт у провайдера WhatsApp'],
  };
  for (const [code, [result, reason]] of Object.entries(REFUSALS)) {
    test(`${code}: ${result}`, async (t) => {
      const { provider, simulator } = await openGreenRig(t);
      simulator.plans.add({ does: 'refuse', code });
      assert.deepEqual(await provider.send(codeMessage(), soon()), { result, reason });
      assert.deepEqual(simulator.journal.taken(), []);
    });
  }

  const quota = { correspondentsStatus: { status: 'CORRESPONDENTS_QUOTE_EXCEEDED' } };
  const ANSWERS: Answered[] = [
    [201, { idMessage: '3EB0' }, 'accepted'],
    [302, { idMessage: '3EB0' }, 'unknown'],
    [500, { idMessage: '3EB0' }, 'unknown'],
    [200, { idMessage: '' }, 'unknown'],
    [200, { idMessage: 7 }, 'unknown'],
    [200, quota, 'unknown'],
    [400, 'instance account not authorized', 'unavailable'],
    [400, '<html>', 'refused'],
  ];
  testAnswers(ANSWERS, openGreenRig);

  const WRONG: Record<string, Partial<GreenApiSettings>> = {
    'a wrong token': { token: 'another' },
    'a wrong instance': { instanceId: '1101000002' },
  };
  for (const [name, settings] of Object.entries(WRONG)) {
    test(`${name}: unavailable`, async (t) => {
      const { provider, simulator } = await openGreenRig(t, { settings });
      assert.equal((await provider.send(codeMessage(), soon())).result, 'unavailable');
      assert.deepEqual(simulator.journal.taken(), []);
    });
  }

  const CALLS: Record<string, unknown> = {
    'a phone without its kind': { chatId: PHONE, message: 'Привет' },
    'no words': { chatId: `${PHONE}@c.us`, message: '' },
    'too many words': { chatId: `${PHONE}@c.us`, message: 'я'.repeat(20_001) },
    'an odd preview': { chatId: `${PHONE}@c.us`, message: 'Привет', linkPreview: 'no' },
  };
  for (const [name, call] of Object.entries(CALLS)) {
    test(`the simulator refuses ${name}`, async (t) => {
      const { simulator } = await openGreenRig(t);
      const url = `${simulator.url}/waInstance${INSTANCE}/sendMessage/${SECRETS.token}`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(call) });
      assert.equal(response.status, 400);
      assert.deepEqual(simulator.journal.taken(), []);
    });
  }
});

testFaults(openGreenRig, { 401: 'unavailable', 403: 'unavailable' });

describe('the check of the set-up', () => {
  for (const state of [
    'authorized',
    'notAuthorized',
    'blocked',
    'sleepMode',
    'starting',
    'yellowCard',
  ]) {
    test(`an instance that is ${state}`, async (t) => {
      const { provider } = await openGreenRig(t, { simulator: { state } });
      assert.deepEqual(await provider.check(soon()), {
        ok: state === 'authorized',
        detail: `The instance is ${state}.`,
      });
    });
  }

  const WRONG: Record<string, [settings: Partial<GreenApiSettings>, detail: string]> = {
    'a wrong token': [{ token: 'x' }, 'Green-API does not accept the token of the instance.'],
    'a wrong instance': [{ instanceId: '7' }, 'Green-API knows no such instance at this address.'],
    'nobody there': [
      { url: 'http://127.0.0.1:1' },
      'Green-API could not be reached (ECONNREFUSED).',
    ],
  };
  for (const [name, [settings, detail]] of Object.entries(WRONG)) {
    test(`${name}`, async (t) => {
      const { provider } = await openGreenRig(t, { settings });
      assert.deepEqual(await provider.check(soon()), { ok: false, detail });
    });
  }
});

test('the credentials are told nowhere, although each call has them in its address', async (t) => {
  const { provider, simulator } = await openGreenRig(t);
  const told: unknown[] = [];
  const refusals = ['400', '401', '403', 'expired'].map(
    (code) => ({ does: 'refuse', code }) as const,
  );
  for (const plan of [...QUICK_FAULTS, ...refusals]) {
    simulator.plans.add({ ...plan, times: 1 });
    told.push(await provider.send(codeMessage(), soon()));
  }
  told.push(await provider.check(soon()), simulator.journal.lines);
  await simulator.close();
  told.push(await provider.send(codeMessage(), soon()), await provider.check(soon()));
  for (const secret of Object.values(SECRETS)) assert.ok(!JSON.stringify(told).includes(secret));
});
