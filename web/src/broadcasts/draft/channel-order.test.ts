import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelChoices, moved, switched } from './channel-order.ts';

test('chosen channels come first in their own order, and one that is no longer offered goes', () => {
  assert.deepEqual(channelChoices(['sms', 'whatsapp'], ['telegram', 'sms']), [
    { channel: 'sms', isOn: true },
    { channel: 'telegram', isOn: false },
  ]);
});

test('a channel that is switched on is tried last', () => {
  assert.deepEqual(switched(['telegram'], 'sms'), ['telegram', 'sms']);
  assert.deepEqual(switched(['telegram', 'sms'], 'telegram'), ['sms']);
});

test('a channel moves by one place, and not beyond the ends', () => {
  assert.deepEqual(moved(['whatsapp', 'telegram', 'sms'], 'sms', -1), [
    'whatsapp',
    'sms',
    'telegram',
  ]);
  assert.deepEqual(moved(['whatsapp', 'sms'], 'whatsapp', -1), ['whatsapp', 'sms']);
  assert.deepEqual(moved(['whatsapp', 'sms'], 'sms', 1), ['whatsapp', 'sms']);
  assert.deepEqual(moved(['sms'], 'telegram', 1), ['sms']);
});
