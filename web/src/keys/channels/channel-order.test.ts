import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelsOn, moveTo, orderRows, switchChannel } from './channel-order.ts';

test('disabled channels come after the enabled ones', () => {
  assert.deepEqual(orderRows(['sms', 'whatsapp']), [
    { channel: 'sms', isOn: true },
    { channel: 'whatsapp', isOn: true },
    { channel: 'telegram', isOn: false },
  ]);
});

test('a channel that is switched off and on again keeps its place', () => {
  const rows = orderRows(['whatsapp', 'telegram', 'sms']);
  const without = switchChannel(rows, 'telegram');
  assert.deepEqual(channelsOn(without), ['whatsapp', 'sms']);
  assert.deepEqual(channelsOn(switchChannel(without, 'telegram')), ['whatsapp', 'telegram', 'sms']);
});

test('the last channel stays on', () => {
  const rows = orderRows(['sms']);
  assert.equal(switchChannel(rows, 'sms'), rows);
});

test('a move goes to the given place and not past the ends', () => {
  const rows = orderRows(['whatsapp', 'telegram', 'sms']);
  assert.deepEqual(channelsOn(moveTo(rows, 'sms', 0)), ['sms', 'whatsapp', 'telegram']);
  assert.deepEqual(channelsOn(moveTo(rows, 'whatsapp', 1)), ['telegram', 'whatsapp', 'sms']);
  assert.equal(moveTo(rows, 'whatsapp', -1), rows);
  assert.equal(moveTo(rows, 'sms', 3), rows);
});
