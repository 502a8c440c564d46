import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeMessage, PHONE, soon } from './rig/messages.ts';
import { codeTemplate, openCloudRig, PHONE_NUMBER_ID, SECRETS } from './whatsapp-cloud-rig.ts';

describe('the simulator refuses what Meta refuses', () => {
  const good = () => ({
    messaging_product: 'whatsapp',
    to: `+${PHONE}`,
    type: 'template',
    template: codeTemplate(),
  });
  const withCode = (...codes: Parameters<typeof codeTemplate>) => ({
    ...good(),
    template: codeTemplate(...codes),
  });
  const CALLS: Record<string, [call: unknown, status: number, code: number]> = {
    'no JSON': ['{', 400, 100],
    'no product': [{ ...good(), messaging_product: undefined }, 400, 100],
    'no recipient': [{ ...good(), to: undefined }, 400, 100],
    'a bad recipient': [{ ...good(), to: '+7701' }, 400, 131009],
    'another type': [{ ...good(), type: 'carousel' }, 400, 131051],
    'a text without words': [{ ...good(), type: 'text', text: {} }, 400, 131008],
    'a text outside the window': [
      { ...good(), type: 'text', text: { body: 'Привет' } },
      400,
      131047,
    ],
    'no such template': [{ ...good(), template: { ...good().template, name: 'x' } }, 404, 132001],
    'no such language': [
      { ...good(), template: { ...good().template, language: { code: 'en' } } },
      404,
      132001,
    ],
    'no values': [{ ...good(), template: { ...good().template, components: [] } }, 400, 132000],
    'no code in the button': [
      {
        ...good(),
        template: { ...good().template, components: good().template.components.slice(0, 1) },
      },
      400,
      132000,
    ],
    'another code in the button': [withCode('482913', '482914'), 400, 132000],
    'an address for a code': [withCode('https://a.kz'), 400, 132012],
    'a long code': [withCode('1234567890123456'), 400, 100],
    'an empty code': [withCode(''), 400, 131008],
    'a code on two lines': [withCode('482\n913'), 400, 132012],
  };
  for (const [name, [call, status, code]] of Object.entries(CALLS)) {
    test(`${name}: ${code}`, async (t) => {
      const { simulator } = await openCloudRig(t);
      const response = await fetch(`${simulator.url}/v25.0/${PHONE_NUMBER_ID}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRETS.token}` },
        body: typeof call === 'string' ? call : JSON.stringify(call),
      });
      const { error } = (await response.json()) as { error: { code: number; type: string } };
      assert.deepEqual([response.status, error.code, error.type], [status, code, 'OAuthException']);
      assert.deepEqual(simulator.journal.taken(), []);
    });
  }

  for (const [status, code] of [
    ['PAUSED', 132015],
    ['DISABLED', 132016],
    ['PENDING', 132001],
  ] as const) {
    test(`a template that is ${status}: ${code}`, async (t) => {
      const { provider, simulator } = await openCloudRig(t);
      for (const template of simulator.templates) template.status = status;
      assert.equal((await provider.send(codeMessage(), soon())).result, 'refused');
    });
  }

  test('the 46th message in a row to one person, where the limit is on', async (t) => {
    const simulator = { hasPairLimit: true };
    const { provider, simulator: meta } = await openCloudRig(t, { simulator });
    meta.plans.add({ does: 'accept', receipts: [] });
    for (let i = 0; i < 45; i++) {
      assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
    }
    assert.deepEqual(await provider.send(codeMessage(), soon()), {
      result: 'refused',
      reason: 'Слишком много сообщений WhatsApp на этот номер подряд',
    });
  });
});
