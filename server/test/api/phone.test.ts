import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { useService } from '../harness.ts';

const service = useService();
const PHONE = '+77011234567';

describe('all spellings of a number mean the same phone', () => {
  // Each test uses a new company, and the number of companies per phone and day is limited.
  beforeEach(() => service.passTime(86_400));
  const spellings = [
    '+77011234567',
    '77011234567',
    '87011234567',
    '7011234567',
    '0077011234567',
    '+7 701 123 45 67',
    '8 (701) 123-45-67',
    '+7 (701) 123-45-67',
    '+7-701-123-45-67',
    '7.701.123.45.67',
    '8.701.1234567',
    '(701) 123 45 67',
    '701-123-45-67',
    '00 7 701 123 45 67',
    '00-7(701)1234567',
    '  +77011234567  ',
    '+(7)7011234567',
    '(+7) 701 123.45.67',
    '8(701)1234567',
    '+7 7 0 1 1 2 3 4 5 6 7',
  ];
  for (const spelling of spellings) {
    test(`a code sent to ${spelling} is verified with ${PHONE} and vice versa`, async () => {
      const key = await service.key();
      const sent = await service.call('/otp/send', { phone: spelling }, key);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      const code = service.readSentCode(key, PHONE);
      const verified = await service.call('/otp/verify', { phone: PHONE, code }, key);
      assert.equal(verified.status, 200);
      const again = await service.call('/otp/verify', { phone: spelling, code }, key);
      assert.equal(again.body.error_code, 'code_already_used');
    });
  }
});

describe('a foreign phone keeps its country code', () => {
  const foreign: Record<string, string> = {
    '+49 170 1234567': '+491701234567',
    '491701234567': '+491701234567',
    '0049 170 1234567': '+491701234567',
    '+1 (202) 555-0123': '+12025550123',
    '+7 916 123-45-67': '+79161234567',
    '998901234567': '+998901234567',
    '+996 555 123 456': '+996555123456',
  };
  for (const [spelling, phone] of Object.entries(foreign)) {
    test(`${spelling} is ${phone}`, async () => {
      const key = await service.key();
      const sent = await service.call('/otp/send', { phone: spelling, channel: 'telegram' }, key);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      assert.match(service.readSentCode(key, phone), /^\d{6}$/);
    });
  }

  test('a Kazakh landline is accepted too', async () => {
    const key = await service.key();
    const sent = await service.call('/otp/send', { phone: '8 (7172) 12-34-56' }, key);
    assert.equal(sent.status, 200);
    assert.match(service.readSentCode(key, '+77172123456'), /^\d{6}$/);
  });
});

describe('every endpoint with a phone refuses an invalid one with invalid_phone', () => {
  const bad: Record<string, string> = {
    'an empty string': '',
    'only spaces': '   ',
    'only a plus': '+',
    'too short': '+7701123456',
    'too long': '+770112345678',
    'far too short': '12345',
    'far too long': `+${'7'.repeat(20)}`,
    'sixty digits': `+${'7'.repeat(60)}`,
    letters: '+7701CALLNOW',
    'a letter at the end': '+77011234567a',
    'a vanity number': '8-800-FLOWERS',
    'an extension': '+77011234567 ext. 5',
    'an extension after a comma': '+77011234567,5',
    'an extension as in a URI': '+77011234567;ext=5',
    'an extension after x': '+77011234567x5',
    'a URI': 'tel:+77011234567',
    'two pluses': '++77011234567',
    'a plus at the end': '77011234567+',
    'a plus in the middle': '7+7011234567',
    'a slash': '+7701/1234567',
    'square brackets': '+7[701]1234567',
    'Arabic digits': '+٧٧٠١١٢٣٤٥٦٧',
    'Devanagari digits': '+७७०११२३४५६७',
    'full-width digits': '＋７７０１１２３４５６７',
    'a superscript digit': '+7701123456⁷',
    'a zero-width space': '+7701\u200b1234567',
    'a right-to-left mark': '\u200f+77011234567',
    'a line break': '+7701\n1234567',
    'two phones': '+77011234567, +77011234568',
    'an unassigned country': '+2101234567',
    'a country code of zero': '+07011234567',
    'an e-mail': 'a@example.kz',
    'an exponent': '7.7e10',
    'a negative amount': '-1',
  };
  for (const [name, phone] of Object.entries(bad)) {
    test(name, async () => {
      const key = await service.key();
      const url = 'https://example.kz';
      for (const [path, body] of [
        ['/otp/send', { phone }],
        ['/otp/verify', { phone, code: '123456' }],
        ['/links/send', { phone, url, channel: 'auto' }],
      ] as const) {
        const refused = await service.call(path, body, key);
        assert.equal(refused.status, 422, path);
        assert.equal(refused.body.error_code, 'invalid_phone', path);
      }
    });
  }
});

test('a phone of the wrong type is a validation error', async () => {
  const key = await service.key();
  for (const phone of [77011234567, true, ['+77011234567'], { phone: PHONE }]) {
    const refused = await service.call('/otp/send', { phone }, key);
    assert.equal(refused.body.error_code, 'validation_error');
    assert.deepEqual(Object.keys(refused.body.errors as object), ['phone']);
  }
});

describe('SMS is limited to the configured countries', () => {
  const abroad = useService({ env: { SMS_COUNTRIES: 'KZ,DE' } });

  test('which the operator can extend', async () => {
    const key = await abroad.key();
    const german = { phone: '+491701234567', channel: 'sms' };
    assert.equal((await abroad.call('/otp/send', german, key)).body.channel, 'sms');
    const russian = { phone: '+79161234567', channel: 'sms' };
    const refused = await abroad.call('/otp/send', russian, key);
    assert.equal(refused.body.error_code, 'country_not_supported');
  });
});
