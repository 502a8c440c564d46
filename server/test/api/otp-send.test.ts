import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { runConcurrently, useService } from '../harness.ts';

const service = useService();

const inbox = (keyId: number, phone: string) => service.sandbox.phone.messages({ keyId, phone });

test('a code is sent, charged once, and verified once', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 200);
  assert.equal(sent.body.success, true);
  assert.equal(sent.body.message, 'Код отправлен через WhatsApp');
  assert.equal(sent.body.channel, 'whatsapp');
  assert.equal(sent.body.expires_in, 300);
  assert.equal(sent.body.cost, 3);
  assert.equal(sent.body.balance, 47);
  assert.equal('short_url' in sent.body, false);
  const code = service.readSentCode(key, phone);
  assert.match(code, /^[0-9]{6}$/);
  const verified = await service.call('/otp/verify', { phone, code }, key);
  assert.equal(verified.status, 200);
  const again = await service.call('/otp/verify', { phone, code }, key);
  assert.equal(again.body.error_code, 'code_already_used');
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

describe('each channel is charged its own price', () => {
  const prices: Record<Channel, number> = { whatsapp: 3, telegram: 3, sms: 8 };
  for (const channel of CHANNELS) {
    test(`${channel} costs ${prices[channel]}`, async () => {
      const key = await service.key();
      const phone = service.phone();
      const sent = await service.call('/otp/send', { phone, channel }, key);
      assert.equal(sent.body.channel, channel);
      assert.equal(sent.body.cost, prices[channel]);
      assert.equal(sent.body.balance, 50 - prices[channel]);
      assert.deepEqual(
        inbox(key.keyId, phone).map((message) => message.channel),
        [channel],
      );
    });
  }
});

describe('auto', () => {
  test('is the default for an omitted channel and for null', async () => {
    const key = await service.key({ channels: ['telegram', 'sms'] });
    for (const body of [{}, { channel: null }, { channel: 'auto' }]) {
      const sent = await service.call('/otp/send', { phone: service.phone(), ...body }, key);
      assert.equal(sent.body.channel, 'telegram');
    }
  });

  test('tries the channels in the order of the key', async () => {
    const key = await service.key({ channels: ['sms', 'telegram', 'whatsapp'] });
    const sent = await service.call('/otp/send', { phone: service.phone() }, key);
    assert.equal(sent.body.channel, 'sms');
    assert.equal(sent.body.cost, 8);
  });

  test('skips a channel that the balance cannot pay for', async () => {
    const key = await service.key({ balance: 5, channels: ['sms', 'telegram'] });
    const sent = await service.call('/otp/send', { phone: service.phone() }, key);
    assert.equal(sent.body.channel, 'telegram');
    assert.equal(sent.body.balance, 2);
  });

  test('uses only messengers for a country without SMS', async () => {
    const key = await service.key({ channels: ['sms', 'telegram'] });
    const sent = await service.call('/otp/send', { phone: '+491701234567' }, key);
    assert.equal(sent.body.channel, 'telegram');
  });

  test('without a usable channel is refused', async () => {
    const smsOnly = await service.key({ channels: ['sms'] });
    const abroad = await service.call('/otp/send', { phone: '+491701234568' }, smsOnly);
    assert.equal(abroad.body.error_code, 'no_channel_available');
    const none = await service.key({ channels: [] });
    const refused = await service.call('/otp/send', { phone: service.phone() }, none);
    assert.equal(refused.body.error_code, 'no_channel_available');
  });
});

describe('an explicit channel', () => {
  test('is refused when the key has disabled it', async () => {
    for (const channel of CHANNELS) {
      const channels = CHANNELS.filter((other) => other !== channel);
      const key = await service.key({ channels });
      const refused = await service.call('/otp/send', { phone: service.phone(), channel }, key);
      assert.equal(refused.body.error_code, 'channel_disabled', channel);
    }
  });

  test('is refused for SMS to an unsupported country', async () => {
    const key = await service.key();
    const body = { phone: '+491701234569', channel: 'sms' };
    const refused = await service.call('/otp/send', body, key);
    assert.equal(refused.body.error_code, 'country_not_supported');
  });

  test('above the balance is refused with the required amount and the balance', async () => {
    const key = await service.key({ balance: 7 });
    const body = { phone: service.phone(), channel: 'sms' };
    const refused = await service.call('/otp/send', body, key);
    assert.equal(refused.status, 402);
    assert.equal(refused.body.message, 'Недостаточно токенов');
    assert.equal(refused.body.required, 8);
    assert.equal(refused.body.balance, 7);
    assert.deepEqual(await service.balance(key.companyId), { balance: 7, held: 0 });
    assert.deepEqual(inbox(key.keyId, body.phone), []);
  });
});

test('the fraud guard blocks satellite and premium-rate phones', async () => {
  const key = await service.key();
  for (const phone of ['+881612345678', '+882161234567', '+78091234567']) {
    const refused = await service.call('/otp/send', { phone }, key);
    assert.equal(refused.body.error_code, 'blocked_by_fraud_guard', phone);
  }
});

describe('the code', () => {
  for (const codeLength of [4, 5, 6, 7, 8]) {
    test(`has ${codeLength} digits when the key is set to ${codeLength}`, async () => {
      const key = await service.key({ codeLength });
      const phone = service.phone();
      await service.call('/otp/send', { phone }, key);
      const code = service.readSentCode(key, phone);
      assert.match(code, new RegExp(`^[0-9]{${codeLength}}$`));
      const verified = await service.call('/otp/verify', { phone, code }, key);
      assert.equal(verified.status, 200);
    });
  }

  test('keeps its leading zeros', async () => {
    const key = await service.key({ balance: 2_000, codeLength: 4 });
    // About 20 of 200 random codes begin with a zero. The probability of none is one in a billion.
    const codes = await runConcurrently(200, async () => {
      const phone = service.phone();
      await service.call('/otp/send', { phone }, key);
      return service.readSentCode(key, phone);
    });
    assert(codes.every((code) => /^[0-9]{4}$/.test(code)));
    assert(codes.some((code) => code.startsWith('0')));
    assert(new Set(codes).size > 150, 'the codes repeat');
  });

  for (const codeTtlSeconds of [60, 900]) {
    test(`expires after ${codeTtlSeconds} s when the key is set to it`, async () => {
      const key = await service.key({ codeTtlSeconds });
      const phone = service.phone();
      const sent = await service.call('/otp/send', { phone }, key);
      assert.equal(sent.body.expires_in, codeTtlSeconds);
      await service.passTime(codeTtlSeconds - 5);
      const code = service.readSentCode(key, phone);
      const wrong = code === '111111' ? '222222' : '111111';
      const beforeExpiry = await service.call('/otp/verify', { phone, code: wrong }, key);
      assert.equal(beforeExpiry.body.error_code, 'invalid_code');
      await service.passTime(5);
      const expired = await service.call('/otp/verify', { phone, code }, key);
      assert.equal(expired.body.error_code, 'code_expired');
    });
  }

  test('is stored neither in plain text nor as an unkeyed hash', async () => {
    const key = await service.key({ codeLength: 8 });
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    const code = service.readSentCode(key, phone);
    const rows = await service.sql<{ mac: Buffer; sealed: Buffer; row: string; plain: Buffer }>(
      `select mac, sealed, c::text as row, sha256($2::text::bytea) as plain from code c where key_id = $1`,
      [key.keyId, code],
    );
    const [row] = rows;
    assert(row);
    assert.equal(row.row.includes(code), false);
    assert.equal(row.sealed.toString('utf8').includes(code), false);
    assert.equal(row.mac.length, 16);
    assert.notDeepEqual(row.mac, row.plain.subarray(0, 16));
  });

  test('loses its encrypted copy when it is verified', async () => {
    const key = await service.key();
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    await service.call('/otp/verify', { phone, code: service.readSentCode(key, phone) }, key);
    const rows = await service.sql('select sealed from code where key_id = $1', [key.keyId]);
    assert.deepEqual(rows, [{ sealed: null }]);
  });
});

describe('a link sent with the code', () => {
  test('is shortened and part of the same message', async () => {
    const key = await service.key();
    const phone = service.phone();
    const link = 'https://example.kz/order/42';
    const sent = await service.call('/otp/send', { phone, link }, key);
    const shortUrl = String(sent.body.short_url);
    assert.match(shortUrl, /^http:\/\/localhost:3000\/s\/[2-9A-HJ-NP-Za-km-z]{8}$/);
    assert.equal(sent.body.cost, 3);
    const [message, ...others] = inbox(key.keyId, phone);
    assert.deepEqual(others, []);
    assert(message?.code && message.text.includes(message.code));
    assert(message.text.includes(shortUrl));
    assert.equal(message.link, shortUrl);
    const opened = await service.http.inject(new URL(shortUrl).pathname);
    assert.equal(opened.headers.location, link);
  });

  test('is refused before anything is sent when it is not a web address', async () => {
    const key = await service.key();
    const phone = service.phone();
    const refused = await service.call('/otp/send', { phone, link: 'ftp://example.kz' }, key);
    assert.equal(refused.body.error_code, 'invalid_url');
    assert.deepEqual(inbox(key.keyId, phone), []);
  });
});

describe('the purpose', () => {
  const good = ['login', 'x', 'x'.repeat(64), 'вход', 'Двух слов', 'a/b:c_d-e.f', '登録'];
  for (const purpose of good) {
    test(`may be ${JSON.stringify(purpose).slice(0, 24)}`, async () => {
      const key = await service.key();
      const phone = service.phone();
      assert.equal((await service.call('/otp/send', { phone, purpose }, key)).status, 200);
      const code = service.readSentCode(key, phone);
      const verified = await service.call('/otp/verify', { phone, code, purpose }, key);
      assert.equal(verified.status, 200);
    });
  }

  for (const purpose of ['', 'x'.repeat(65), 'a\nb', 'a\tb', '\u007f', 7, true, ['login'], {}]) {
    test(`may not be ${JSON.stringify(purpose).slice(0, 24)}`, async () => {
      const key = await service.key();
      const refused = await service.call('/otp/send', { phone: service.phone(), purpose }, key);
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object), ['purpose']);
    });
  }
});

describe('an invalid body names its invalid fields', () => {
  const wrong: Record<string, { body: object; fields: string[] }> = {
    'no phone': { body: {}, fields: ['phone'] },
    'a phone that is null': { body: { phone: null }, fields: ['phone'] },
    'a phone that is a number': { body: { phone: 77011234567 }, fields: ['phone'] },
    'an unknown channel': { body: { phone: '77011234567', channel: 'viber' }, fields: ['channel'] },
    'a channel in capitals': {
      body: { phone: '77011234567', channel: 'SMS' },
      fields: ['channel'],
    },
    'an empty channel': { body: { phone: '77011234567', channel: '' }, fields: ['channel'] },
    'a link that is a number': { body: { phone: '77011234567', link: 1 }, fields: ['link'] },
    'three invalid fields': {
      body: { channel: 1, link: [] },
      fields: ['phone', 'channel', 'link'],
    },
  };
  for (const [name, { body, fields }] of Object.entries(wrong)) {
    test(name, async () => {
      const key = await service.key();
      const refused = await service.call('/otp/send', body, key);
      assert.equal(refused.body.error_code, 'validation_error');
      const errors = refused.body.errors as Record<string, string[]>;
      assert.deepEqual(Object.keys(errors).sort(), [...fields].sort());
      for (const [text] of Object.values(errors)) assert.match(text ?? '', /[а-яё]/i);
    });
  }
});
