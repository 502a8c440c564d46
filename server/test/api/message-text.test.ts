import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeySettings } from '../../src/keys/create-key.ts';
import { useService } from '../harness.ts';

const service = useService();
const ONE_SMS = 70;

async function received(settings: Partial<KeySettings>, body: object = {}) {
  const key = await service.key(settings);
  const phone = service.phone();
  const headers = settings.domain ? { origin: `https://${settings.domain}` } : {};
  const sent = await service.call('/otp/send', { phone, ...body }, { ...key, headers });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const message = service.sandbox.phone.messages({ keyId: key.keyId, phone }).at(-1);
  assert(message?.code);
  return { text: message.text, code: message.code, link: message.link };
}

describe('the text with a code', () => {
  test('is Russian by default', async () => {
    const { text, code } = await received({});
    assert(text.includes(`Код ${code}`));
    assert(text.includes('Никому'));
  });

  test('is Kazakh when the key says so', async () => {
    const { text, code } = await received({ language: 'kk' });
    assert(text.includes(code));
    assert(text.includes('ешкімге'));
    assert.equal(text.includes('Никому'), false);
  });

  test('is both when the key says so', async () => {
    const { text } = await received({ language: 'both' });
    assert(text.includes('Никому'));
    assert(/ешкімге/i.test(text));
  });

  test('names the brand of the key', async () => {
    const { text } = await received({ brand: 'Дүкен' });
    assert(text.includes('Дүкен'));
  });
});

describe('is never longer than one SMS, and always has the code and the link', () => {
  const brands = { 'no brand': undefined, 'a short brand': 'Shop', 'a long brand': 'Б'.repeat(60) };
  for (const language of ['ru', 'kk', 'both'] as const) {
    for (const [name, brand] of Object.entries(brands)) {
      for (const link of [undefined, 'https://example.kz/order']) {
        test(`${language}, ${name}, ${link === undefined ? 'no link' : 'a link'}`, async () => {
          const settings = { language, brand, codeLength: 8, domain: 'shop.kz' };
          const got = await received(settings, { link, channel: 'sms' });
          assert(got.text.length <= ONE_SMS, `${got.text.length}: ${got.text}`);
          assert(got.text.includes(got.code));
          if (link !== undefined) assert(got.link && got.text.includes(got.link));
        });
      }
    }
  }
});

describe('the WebOTP line of a bound domain', () => {
  test('ends an SMS', async () => {
    const { text, code } = await received({ domain: 'shop.kz' }, { channel: 'sms' });
    assert(text.endsWith(`\n@shop.kz #${code}`), text);
  });

  test('is in no messenger, and in no SMS of a key that is not bound', async () => {
    const messenger = await received({ domain: 'shop.kz' }, { channel: 'telegram' });
    assert.equal(messenger.text.includes('@shop.kz'), false);
    const unbound = await received({}, { channel: 'sms' });
    assert.equal(unbound.text.includes('@'), false);
  });

  test('is left out when it does not fit', async () => {
    const domain = `${'long-'.repeat(10)}name.example.kz`;
    const { text, code } = await received({ domain }, { channel: 'sms' });
    assert(text.length <= ONE_SMS);
    assert(text.includes(code));
    assert.equal(text.includes('@'), false);
  });
});
