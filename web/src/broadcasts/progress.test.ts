import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentOf, progressFigures } from './progress.ts';

const NONE = {
  waiting: 0,
  sending: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
};

function figuresOf(outcomes: Partial<typeof NONE>) {
  const all = { ...NONE, ...outcomes };
  return progressFigures({
    recipients: Object.values(all).reduce((sum, count) => sum + count, 0),
    outcomes: all,
    clicked: 0,
    unsubscribed: 0,
    charged: 0,
    channels: { whatsapp: 0, telegram: 0, sms: 0 },
    rate: 0,
    ends_at: null,
    counted_at: '2026-11-14T07:00:00Z',
  });
}

test('what was read was delivered, and nothing that only waits counts as taken', () => {
  const figures = figuresOf({
    waiting: 60,
    sending: 5,
    sent: 5,
    delivered: 20,
    read: 6,
    failed: 4,
  });
  assert.deepEqual(figures, {
    taken: 40,
    recipients: 100,
    delivered: 26,
    deliveredShare: 26 / 35,
  });
});

test('an unknown outcome lowers the share, a skipped recipient does not', () => {
  assert.equal(figuresOf({ delivered: 3, unknown: 1, skipped: 6 }).deliveredShare, 0.75);
});

test('there is no share before a channel has taken anything', () => {
  assert.equal(figuresOf({ waiting: 10, sending: 2 }).deliveredShare, undefined);
  assert.equal(figuresOf({}).deliveredShare, undefined);
});

test('a bar is full only when nothing is left', () => {
  assert.equal(percentOf(9_999, 10_000), 99);
  assert.equal(percentOf(10_000, 10_000), 100);
  assert.equal(percentOf(0, 0), 0);
});
