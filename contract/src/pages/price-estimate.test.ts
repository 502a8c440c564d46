import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateCost } from './price-estimate.ts';

const PRICES = { whatsapp: 3, telegram: 3, sms: 8, group: 0 };

test('messages by share of each channel cost its price', () => {
  assert.deepEqual(estimateCost(10_000, { whatsapp: 70, telegram: 15, sms: 15 }, PRICES), {
    total: 37_500,
    channels: {
      whatsapp: { count: 7_000, cost: 21_000 },
      telegram: { count: 1_500, cost: 4_500 },
      sms: { count: 1_500, cost: 12_000 },
    },
  });
});

test('no message is lost or counted twice by rounding', () => {
  const shares = { whatsapp: 33, telegram: 33, sms: 34 };
  for (const messages of [1, 2, 7, 10, 99, 101]) {
    const { channels, total } = estimateCost(messages, shares, PRICES);
    const { whatsapp, telegram, sms } = channels;
    assert.equal(whatsapp.count + telegram.count + sms.count, messages);
    assert.equal(total, (whatsapp.count + telegram.count) * 3 + sms.count * 8);
  }
  assert.equal(estimateCost(1, shares, PRICES).channels.sms.count, 1);
});
