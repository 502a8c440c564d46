import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { type ApiAnswer, type TestKey, useService } from '../harness.ts';

const service = useService();
const TARGET = 'https://example.kz/order/42';
const SHORT_URL_LENGTH = 'http://localhost:3000/s/'.length + 8;

const send = (key: TestKey, phone: string, more: object = {}): Promise<ApiAnswer> =>
  service.call('/links/send', { phone, url: TARGET, channel: 'auto', ...more }, key);

function readSentText(key: TestKey, phone: string): string {
  const message = service.sandbox.phone.messages({ keyId: key.keyId, phone }).at(-1);
  assert(message, `nothing has arrived at ${phone}`);
  return message.text;
}

test('a link is shortened, sent without a code and charged', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sent = await send(key, phone);
  assert.equal(sent.status, 200);
  assert.equal(sent.body.success, true);
  assert.equal(sent.body.message, 'Ссылка отправлена через WhatsApp');
  assert.equal(sent.body.channel, 'whatsapp');
  assert.equal(sent.body.cost, 3);
  assert.equal(sent.body.balance, 47);
  assert.equal(sent.body.expires_in, 30 * 24 * 3600);
  const [message, ...others] = service.sandbox.phone.messages({ keyId: key.keyId, phone });
  assert.deepEqual(others, []);
  assert.equal(message?.kind, 'link');
  assert.equal(message?.code, null);
  assert.equal(message?.link, sent.body.short_url);
  assert.equal(message?.messageId, sent.body.message_id);
  const opened = await service.http.inject(new URL(String(sent.body.short_url)).pathname);
  assert.equal(opened.headers.location, TARGET);
  const none = await service.call('/otp/verify', { phone, code: '123456' }, key);
  assert.equal(none.body.error_code, 'code_not_found');
});

describe('each channel is charged its own price', () => {
  const prices: Record<Channel, number> = { whatsapp: 3, telegram: 3, sms: 8 };
  for (const channel of CHANNELS) {
    test(`${channel} costs ${prices[channel]}`, async () => {
      const key = await service.key();
      const sent = await send(key, service.phone(), { channel });
      assert.equal(sent.body.channel, channel);
      assert.equal(sent.body.cost, prices[channel]);
      assert.deepEqual(await service.balance(key.companyId), {
        balance: 50 - prices[channel],
        held: 0,
      });
    });
  }
});

describe('the text', () => {
  const cases: Record<string, { text: string | null; shown: (link: string) => string }> = {
    'has its :link replaced': {
      text: 'Заказ готов: :link. Ждём!',
      shown: (link) => `Заказ готов: ${link}. Ждём!`,
    },
    'has each :link replaced': {
      text: ':link и ещё раз :link',
      shown: (link) => `${link} и ещё раз ${link}`,
    },
    'without :link gets the link appended': {
      text: 'Заказ готов',
      shown: (link) => `Заказ готов ${link}`,
    },
    'keeps replacement patterns of JavaScript as they are': {
      text: '$& $1 :link',
      shown: (link) => `$& $1 ${link}`,
    },
    'is the default one when null': { text: null, shown: (link) => `Ваша ссылка: ${link}` },
  };
  for (const [name, { text, shown }] of Object.entries(cases)) {
    test(name, async () => {
      const key = await service.key();
      const phone = service.phone();
      const sent = await send(key, phone, { text });
      assert.equal(readSentText(key, phone), shown(String(sent.body.short_url)));
    });
  }

  test('begins with the brand of the key when it is the default one', async () => {
    const key = await service.key({ brand: 'Дүкен' });
    const phone = service.phone();
    const sent = await send(key, phone);
    assert.equal(readSentText(key, phone), `Дүкен. Ваша ссылка: ${sent.body.short_url}`);
  });

  test('may have 500 characters and not 501', async () => {
    const key = await service.key();
    const phone = service.phone();
    assert.equal((await send(key, phone, { text: 'я'.repeat(500) })).status, 200);
    const refused = await send(key, service.phone(), { text: 'я'.repeat(501) });
    assert.equal(refused.body.error_code, 'validation_error');
    assert.deepEqual(Object.keys(refused.body.errors as object), ['text']);
  });
});

describe('an SMS', () => {
  const fitting = { Cyrillic: ['я', 2 * 67], Latin: ['a', 2 * 153] } as const;
  for (const [name, [letter, lengthMax]] of Object.entries(fitting)) {
    test(`of two segments of ${name} is sent, a longer one is refused`, async () => {
      const key = await service.key();
      const room = lengthMax - SHORT_URL_LENGTH - 1;
      const fits = { channel: 'sms', text: letter.repeat(room) };
      const sent = await send(key, service.phone(), fits);
      assert.equal(sent.status, 200);
      assert.equal(sent.body.cost, 8);
      const long = { channel: 'sms', text: letter.repeat(room + 1) };
      const refused = await send(key, service.phone(), long);
      assert.equal(refused.body.error_code, 'text_too_long');
    });
  }

  test('that would be too long is skipped by auto in favour of a messenger', async () => {
    const key = await service.key({ channels: ['sms', 'telegram'] });
    const sent = await send(key, service.phone(), { text: 'я'.repeat(300) });
    assert.equal(sent.body.channel, 'telegram');
  });

  test('that would be too long is refused when auto has no other channel', async () => {
    const key = await service.key({ channels: ['sms'] });
    const refused = await send(key, service.phone(), { text: 'я'.repeat(300) });
    assert.equal(refused.body.error_code, 'text_too_long');
  });

  test('to a country outside the list is refused', async () => {
    const refused = await send(await service.key(), '+491701234567', { channel: 'sms' });
    assert.equal(refused.body.error_code, 'country_not_supported');
  });
});

describe('a send is refused', () => {
  const cases: Record<
    string,
    { balance?: number; channels?: Channel[]; more: object; code: string }
  > = {
    'a disabled channel': {
      channels: ['whatsapp'],
      more: { channel: 'sms' },
      code: 'channel_disabled',
    },
    'auto without an enabled channel': { channels: [], more: {}, code: 'no_channel_available' },
    'insufficient balance': { balance: 2, more: {}, code: 'insufficient_tokens' },
    'an invalid address': { more: { url: 'javascript:1' }, code: 'invalid_url' },
    'our own short link': { more: { url: 'http://localhost:3000/s/ab' }, code: 'invalid_url' },
    'an invalid phone': { more: { phone: '12345' }, code: 'invalid_phone' },
    'a satellite phone': { more: { phone: '+881612345678' }, code: 'blocked_by_fraud_guard' },
  };
  for (const [name, { more, code, ...settings }] of Object.entries(cases)) {
    test(name, async () => {
      const key = await service.key(settings);
      const refused = await send(key, service.phone(), more);
      assert.equal(refused.body.error_code, code);
      assert.deepEqual(service.sandbox.phone.messages({ keyId: key.keyId }), []);
    });
  }

  const wrong: Record<string, { body: object; fields: string[] }> = {
    'an empty body': { body: {}, fields: ['channel', 'phone', 'url'] },
    'no channel': { body: { phone: '77011234567', url: TARGET }, fields: ['channel'] },
    'a channel that is null': {
      body: { phone: '77011234567', url: TARGET, channel: null },
      fields: ['channel'],
    },
    'an unknown channel': {
      body: { phone: '77011234567', url: TARGET, channel: 'email' },
      fields: ['channel'],
    },
    'an empty text': {
      body: { phone: '77011234567', url: TARGET, channel: 'auto', text: '' },
      fields: ['text'],
    },
  };
  for (const [name, { body, fields }] of Object.entries(wrong)) {
    test(`${name}: the answer names the invalid fields`, async () => {
      const refused = await service.call('/links/send', body, await service.key());
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object).sort(), fields);
    });
  }
});

describe('rate limits per company and phone', () => {
  test('links need no pause of a minute after a link or a code', async () => {
    const key = await service.key();
    const phone = service.phone();
    assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
    assert.equal((await send(key, phone)).status, 200);
    assert.equal((await send(key, phone)).status, 200);
    assert.equal((await send(await service.key(), phone)).status, 200);
  });

  test('at most thirty links an hour', async () => {
    const key = await service.key({ balance: 200 });
    const phone = service.phone();
    for (let i = 0; i < 30; i++) assert.equal((await send(key, phone)).status, 200);
    const refused = await send(key, phone);
    assert.equal(refused.body.error_code, 'daily_limit_reached');
    const wait = Number(refused.body.retry_after);
    assert(wait > 3_500 && wait <= 3_600, `retry_after ${wait}`);
    assert.equal((await send(key, service.phone())).status, 200);
    assert.equal((await send(await service.key(), phone)).status, 200);
    await service.passTime(wait);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('at most a hundred links a day', async () => {
    const key = await service.key({ balance: 400 });
    const phone = service.phone();
    for (let i = 0; i < 100; i++) {
      if (i > 0 && i % 25 === 0) await service.passTime(3_601);
      assert.equal((await send(key, phone)).status, 200, `send ${i + 1}`);
    }
    await service.passTime(3_601);
    const refused = await send(key, phone);
    assert.equal(refused.body.error_code, 'daily_limit_reached');
    const wait = Number(refused.body.retry_after);
    assert(wait > 71_900 && wait <= 86_400 - 4 * 3_601, `retry_after ${wait}`);
  });
});
