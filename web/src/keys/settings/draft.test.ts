import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { changedFields, draftOf, settingsOf } from './draft.ts';

const key: Key = {
  id: 1,
  name: 'Сайт',
  domain: null,
  channels: ['whatsapp', 'sms'],
  code_length: 6,
  code_ttl_seconds: 300,
  fallback_seconds: 30,
  language: 'ru',
  brand: null,
  rate_per_minute: null,
  monthly_cap: null,
  daily_cap: null,
  expires_at: null,
  mode: 'test',
  state: 'active',
  shown: 'zk_test_9fQ2…k7ab',
  previous_until: null,
  previous_used_at: null,
  created_at: '2026-11-14T10:00:00Z',
  created_by: null,
  revoked_at: null,
  used_at: null,
  spent_this_month: null,
  spent_today: null,
  sends_by_day: [],
};

test('an unchanged form submits the current settings', () => {
  const { name, domain, channels, brand, rate_per_minute, ...rest } = settingsOf(draftOf(key));
  assert.deepEqual(
    { name, domain, channels, brand, rate_per_minute },
    {
      name: 'Сайт',
      domain: null,
      channels: ['whatsapp', 'sms'],
      brand: null,
      rate_per_minute: null,
    },
  );
  assert.deepEqual(rest, {
    code_length: 6,
    code_ttl_seconds: 300,
    fallback_seconds: 30,
    language: 'ru',
    daily_cap: null,
    monthly_cap: null,
    expires_at: null,
  });
  assert.deepEqual(changedFields(draftOf(key), draftOf(key)), []);
});

test('a new order of the channels is a change, a space after the name is not', () => {
  const before = draftOf(key);
  const after = { ...before, name: 'Сайт ', channels: ['sms', 'whatsapp'] as Key['channels'] };
  assert.deepEqual(changedFields(before, after), ['channels']);
});

test('a cleared field becomes null', () => {
  const bound = draftOf({
    ...key,
    domain: 'shop.kz',
    brand: 'Shop',
    rate_per_minute: 60,
    monthly_cap: 500,
  });
  assert.equal(settingsOf(bound).monthly_cap, 500);
  const cleared = { ...bound, domain: ' ', brand: '', rate_per_minute: '', monthly_cap: '' };
  const { domain, brand, rate_per_minute, monthly_cap } = settingsOf(cleared);
  assert.deepEqual([domain, brand, rate_per_minute, monthly_cap], [null, null, null, null]);
});
