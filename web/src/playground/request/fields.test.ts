import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestOf } from '../../snippets/request-body.ts';
import { contentOf, FIRST_FIELDS, scenarioOf, sortChannels } from './fields.ts';

const fields = { ...FIRST_FIELDS, phone: '+77011234567' };

test('a request holds what was typed and leaves out what was not', () => {
  assert.deepEqual(requestOf('otpSend', fields), {
    path: '/otp/send',
    body: { phone: '+77011234567', channel: 'auto' },
  });
  assert.deepEqual(requestOf('linkShorten', { ...fields, expiresIn: '60' }).body, {
    url: 'https://example.kz/order/42',
    expires_in: 60,
  });
});

test('a wrong number goes out as it was typed, for the API to answer', () => {
  assert.equal(requestOf('linkShorten', { ...fields, expiresIn: 'soon' }).body.expires_in, 'soon');
});

test('a code is asked for with a link only when there is one', () => {
  assert.equal(contentOf('otpSend', fields), 'code');
  assert.equal(contentOf('otpSend', { link: 'https://example.kz' }), 'code_with_link');
  assert.equal(contentOf('linkShorten', fields), null);
});

test('channels that cannot carry the message are told apart, in the order of the key', () => {
  const carries = { whatsapp: ['code'], telegram: ['code', 'text'], sms: [] } as const;
  const key = { channels: ['sms', 'telegram', 'whatsapp'] as ('sms' | 'telegram' | 'whatsapp')[] };
  assert.deepEqual(sortChannels(key, carries, 'text'), {
    able: ['telegram'],
    unable: ['sms', 'whatsapp'],
  });
});

test('a scenario is known by its number in any spelling', () => {
  assert.equal(scenarioOf('+7 700 000 00 02')?.id, 'silent');
  assert.equal(scenarioOf('+77019999999'), undefined);
});
