import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parsePhone } from '../phone.ts';
import { LOGGED_BODY_BYTES_MAX, redactAnswer, redactBroken, redactRequest } from './redact-call.ts';

const SEND = '/api/otp/send';
const VERIFY = '/api/otp/verify';
const KEY = `zk_live_${'aB3'.repeat(12)}xy`;

describe('the request of a check', () => {
  const cases: Record<string, [body: Record<string, unknown>, stored: string]> = {
    'keeps the phone and the purpose, never the code': [
      { phone: '8 701 123-45-67', code: '482913', purpose: 'login' },
      '{"phone":"8 701 123-45-67","code":"•••","purpose":"login"}',
    ],
    'hides a code that is a number': [
      { phone: '+77011234567', code: 482913 },
      '{"phone":"+77011234567","code":"•••"}',
    ],
    'hides a code in the field of the phone': [
      { phone: '482913', code: '+77011234567' },
      '{"phone":"•••","code":"•••"}',
    ],
    'hides eight digits that could be a phone of a small country': [
      { phone: '+29051234', code: '1' },
      '{"phone":"•••","code":"•••"}',
    ],
    'hides a code in the purpose, however it is spaced': [
      { phone: '+77011234567', code: '1', purpose: 'code 4-8 2.9' },
      '{"phone":"+77011234567","code":"•••","purpose":"•••"}',
    ],
    'hides what is nested': [
      { phone: ['482913'], code: { code: 1 }, purpose: { code: '482913' } },
      '{"phone":"[•••]","code":"•••","purpose":"{•••}"}',
    ],
    'names an unknown field and hides its value': [
      { phone_number: '+77011234567', Code: '482913', 482913: 'x' },
      '{"•••":"•••","phone_number":"•••","Code":"•••"}',
    ],
  };
  for (const [name, [body, stored]] of Object.entries(cases)) {
    test(name, () => {
      assert.equal(redactRequest(VERIFY, body), stored);
      const phone = typeof body.phone === 'string' ? parsePhone(body.phone)?.phone : undefined;
      assert.equal(redactRequest(VERIFY, body, phone), stored, 'by a caller that has parsed it');
    });
  }
});

test('a code in any field of a check, in any form, is not stored', () => {
  const code = '48291376';
  const spelled = fc.constantFrom(code, Number(code), [code], { code }, code.split('').join(' '));
  const names = fc.constantFrom('phone', 'code', 'purpose', 'otp', code, 'Code', '__proto__');
  fc.assert(
    fc.property(fc.dictionary(names, spelled), (body) => {
      const stored = redactRequest(VERIFY, body);
      assert(!stored.replaceAll(/\D/g, '').includes(code), stored);
    }),
  );
});

describe('the request of a send', () => {
  test('keeps what was asked for', () => {
    const body = {
      phone: '+77011234567',
      purpose: 'login',
      channel: 'sms',
      link: 'https://a.kz/?b',
    };
    assert.equal(redactRequest(SEND, body), JSON.stringify(body));
  });
  test('hides keys and passwords in its values', () => {
    const body = { phone: `Bearer ${KEY}`, purpose: KEY, link: 'https://me:secret@a.kz/x' };
    assert.equal(
      redactRequest(SEND, body),
      '{"phone":"Bearer •••","purpose":"zk_live_•••","link":"https://•••@a.kz/x"}',
    );
  });
  test('is never longer than two kilobytes, and stays JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.string({ unit: 'binary', maxLength: 4_000 })),
        (extra) => {
          const long = '€😀€€'.repeat(4_000);
          const stored = redactRequest('/api/links/send', {
            ...extra,
            text: long,
            url: long,
            phone: long,
          });
          assert(Buffer.byteLength(stored) <= LOGGED_BODY_BYTES_MAX);
          assert(stored.isWellFormed());
          JSON.parse(stored);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('a body that is no JSON', () => {
  const cases: Record<string, [text: string, shape: string]> = {
    'a comma too many': [
      '{"phone": "+77011234567", "code": "482913",}',
      '{"phone": "•••", "code": "•••",}',
    ],
    'no quotes': ['{phone: +77011234567, code: 482913}', '{phone: •••, code: •••}'],
    'a form': ['phone=77011234567&code=482913', '•••'],
    'digits apart': ['[4,8,2,9,1,3]', '[•••,•••,•••,•••,•••,•••]'],
  };
  for (const [name, [text, shape]] of Object.entries(cases)) {
    test(`shows only its shape: ${name}`, () =>
      assert.equal(redactBroken(Buffer.from(text)), shape));
  }
  test('is cut', () => assert(redactBroken(Buffer.from('[1]'.repeat(9_000))).length <= 401));
});

describe('an answer', () => {
  test('of a right code has nothing to store', () => {
    assert.equal(redactAnswer(VERIFY, { success: true, message: 'Код подтверждён' }), null);
  });
  test('of a refusal keeps what its code does not say', () => {
    const answer = {
      success: false,
      message: 'Неверный код',
      error_code: 'invalid_code',
      request_id: 'req_1',
      docs_url: 'https://zhiber.kz/docs/errors/invalid_code',
      attempts_left: 3,
      unheard_of: '482913',
    };
    assert.equal(redactAnswer(VERIFY, answer), '{"attempts_left":3}');
  });
});
