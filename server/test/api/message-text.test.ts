import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeySettings } from '../../src/keys/manage-keys.ts';
import { useService } from '../harness.ts';

const service = useService();
const SMS_CHARACTERS_MAX = 70;

async function sendAndRead(settings: Partial<KeySettings>, body: object = {}) {
  const key = await service.key(settings);
  const phone = service.phone();
  const headers = settings.domain ? { origin: `https://${settings.domain}` } : {};
  const sent = await service.call('/otp/send', { phone, ...body }, { ...key, headers });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const message = service.sandbox.phone.messages({ keyId: key.keyId, phone }).at(-1);
  assert(message?.code);
  return { text: message.text, code: message.code, link: message.link };
}

describe('the text of a code', () => {
  test('is Russian by default', async () => {
    const { text, code } = await sendAndRead({});
    assert(text.includes(`Код ${code}`));
    assert(text.includes('Никому'));
  });

  test('is Kazakh when the key is set to Kazakh', async () => {
    const { text, code } = await sendAndRead({ language: 'kk' });
    assert(text.includes(code));
    assert(text.includes('ешкімге'));
    assert.equal(text.includes('Никому'), false);
  });

  test('is in both languages when the key is set to both', async () => {
    const { text } = await sendAndRead({ language: 'both' });
    assert(text.includes('Никому'));
    assert(/ешкімге/i.test(text));
  });

  test('names the brand of the key', async () => {
    const { text } = await sendAndRead({ brand: 'Дүкен' });
    assert(text.includes('Дүкен'));
  });
});

describe('the text fits into one SMS and contains the code and the link', () => {
  const brands = { 'no brand': undefined, 'a short brand': 'Shop', 'a long brand': 'Б'.repeat(60) };
  for (const language of ['ru', 'kk', 'both'] as const) {
    for (const [name, brand] of Object.entries(brands)) {
      for (const link of [undefined, 'https://example.kz/order']) {
        test(`${language}, ${name}, ${link === undefined ? 'no link' : 'a link'}`, async () => {
          const settings = { language, brand, codeLength: 8, domain: 'shop.kz' };
          const message = await sendAndRead(settings, { link, channel: 'sms' });
          const { text, code } = message;
          assert(text.length <= SMS_CHARACTERS_MAX, `${text.length}: ${text}`);
          assert(text.includes(code));
          if (link !== undefined) assert(message.link && text.includes(message.link));
        });
      }
    }
  }
});

describe('the WebOTP line of a bound domain', () => {
  test('is the last line of an SMS', async () => {
    const { text, code } = await sendAndRead({ domain: 'shop.kz' }, { channel: 'sms' });
    assert(text.endsWith(`\n@shop.kz #${code}`), text);
  });

  test('is absent in messengers and in SMS of an unbound key', async () => {
    const messenger = await sendAndRead({ domain: 'shop.kz' }, { channel: 'telegram' });
    assert.equal(messenger.text.includes('@shop.kz'), false);
    const unbound = await sendAndRead({}, { channel: 'sms' });
    assert.equal(unbound.text.includes('@'), false);
  });

  test('is omitted when it does not fit', async () => {
    const domain = `${'long-'.repeat(10)}name.example.kz`;
    const { text, code } = await sendAndRead({ domain }, { channel: 'sms' });
    assert(text.length <= SMS_CHARACTERS_MAX);
    assert(text.includes(code));
    assert.equal(text.includes('@'), false);
  });
});
