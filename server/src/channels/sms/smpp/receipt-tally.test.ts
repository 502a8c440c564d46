import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IdForm } from './message-id.ts';
import { createReceiptTally } from './receipt-tally.ts';
import type { SmsReceipt } from './receipt-text.ts';

const MINUTE_MS = 60_000;

function startTally(idForm: IdForm = 'same') {
  const clock = { nowMs: 0 };
  return { clock, tally: createReceiptTally(idForm, () => clock.nowMs) };
}

function receipt(id: string): SmsReceipt {
  return { id, writtenId: id, receipt: 'delivered' };
}

test('a receipt without a message counts as unmatched after a minute, and once', () => {
  const { clock, tally } = startTally();
  tally.missMatch(receipt('7'));
  clock.nowMs = MINUTE_MS - 1;
  assert.deepEqual(tally.read(), { matched: 0, unmatched: 0, unusable: 0 });
  clock.nowMs = MINUTE_MS;
  assert.deepEqual(tally.read(), { matched: 0, unmatched: 1, unusable: 0 });
  assert.deepEqual(tally.read(), { matched: 0, unmatched: 1, unusable: 0 });
});

test('a receipt that came before the response to its message counts as matched', () => {
  const { clock, tally } = startTally();
  tally.missMatch(receipt('7'));
  tally.give('7');
  clock.nowMs = 2 * MINUTE_MS;
  assert.deepEqual(tally.read(), { matched: 1, unmatched: 0, unusable: 0 });
});

const forms: [IdForm, IdForm, (n: number) => string, (n: number) => string][] = [
  ['same', 'hex_in_response', (n) => n.toString(16).toUpperCase(), String],
  ['same', 'hex_in_receipt', String, (n) => n.toString(16).padStart(10, '0')],
  ['hex_in_response', 'same', String, String],
  ['hex_in_receipt', 'hex_in_response', (n) => n.toString(16), String],
];
for (const [set, better, inResponse, inReceipt] of forms) {
  test(`with ${set}, five receipts that would match with ${better} suggest it`, () => {
    const { clock, tally } = startTally(set);
    for (let n = 180_092_929; n < 180_092_934; n++) {
      tally.give(inResponse(n));
      assert.equal(tally.betterForm(), undefined);
      tally.missMatch(receipt(inReceipt(n)));
      clock.nowMs += MINUTE_MS;
    }
    assert.equal(tally.betterForm(), better);
  });
}

test('receipts that would match in no form suggest none, and neither do a few among many', () => {
  const { clock, tally } = startTally();
  for (let n = 180_092_929; n < 180_092_939; n++) {
    tally.give(n.toString(16));
    tally.missMatch(receipt(String(n < 180_092_934 ? n : n + 1_000_000)));
  }
  clock.nowMs = MINUTE_MS;
  assert.equal(tally.read().unmatched, 10);
  assert.equal(tally.betterForm(), undefined);
});

test('only the newest ten thousand ids are kept', () => {
  const suggestAfter = (missing: number) => {
    const { clock, tally } = startTally();
    for (let n = 0; n < 10_000 + missing; n++) tally.give((180_092_929 + n).toString(16));
    for (let n = 0; n < 5; n++) tally.missMatch(receipt(String(180_092_929 + n)));
    clock.nowMs = MINUTE_MS;
    return tally.betterForm();
  };
  assert.equal(suggestAfter(0), 'hex_in_response');
  assert.equal(suggestAfter(1), undefined);
});
