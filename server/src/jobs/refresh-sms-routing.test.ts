import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredCost } from '../operators/figure-store.ts';
import { toFigures } from './refresh-sms-routing.ts';

const TODAY = '2026-11-15';

test('the cost of a provider is that of an SMS today, not of a later day or of another item', () => {
  const cost = (provider: string, item: StoredCost['item'], validFrom: string, costTiyn: number) =>
    ({ provider, item, validFrom, costTiyn }) as StoredCost;
  const { costTiyn } = toFigures(
    [
      cost('smsc', 'sms', '2026-11-16', 1_500),
      cost('smsc', 'whatsapp', '2026-11-15', 300),
      cost('smsc', 'sms', '2026-11-15', 1_700),
      cost('smsc', 'sms', '2026-01-01', 1_900),
      cost('mobizon', 'sms', '2026-12-01', 1_000),
    ],
    [],
    TODAY,
  );
  assert.deepEqual(['smsc', 'mobizon', 'smpp'].map(costTiyn), [1_700, undefined, undefined]);
});

test('the share of an operator counts from fifty messages, and that of all numbers until then', () => {
  const sent = (provider: string, prefix: string, accepted: number, delivered: number) => ({
    provider,
    prefix,
    accepted,
    delivered,
  });
  const { deliveredShare } = toFigures(
    [],
    [
      sent('smsc', '7701', 30, 30),
      sent('smsc', '7702', 20, 10),
      sent('smsc', '7707', 49, 0),
      sent('mobizon', '7701', 49, 49),
    ],
    TODAY,
  );
  // 7701 and 7702 are of Kcell.
  assert.equal(deliveredShare('smsc', 'kcell'), 0.8);
  // 40 of 99, because 49 are too few for Tele2.
  assert.equal(deliveredShare('smsc', 'tele2'), 40 / 99);
  assert.equal(deliveredShare('smsc', undefined), 40 / 99);
  assert.equal(deliveredShare('mobizon', 'kcell'), undefined);
  assert.equal(deliveredShare('smpp', 'kcell'), undefined);
});
