import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IdForm } from './message-id.ts';
import { createReceiptTally } from './receipt-tally.ts';
import type { SmsReceipt } from './receipt-text.ts';

const PHONE = '77010000001';
const MINUTE_MS = 60_000;

function startTally(idForm: IdForm = 'same') {
  const clock = { nowMs: 0 };
  return { clock, tally: createReceiptTally(idForm, () => clock.nowMs) };
}

function receipt(id: string, changes: Partial<SmsReceipt> = {}): SmsReceipt {
  return { id, writtenId: id, receipt: 'delivered', ...changes };
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
  tally.give('7', PHONE);
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
      tally.give(inResponse(n), PHONE);
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
    tally.give(n.toString(16), PHONE);
    tally.missMatch(receipt(String(n < 180_092_934 ? n : n + 1_000_000)));
  }
  clock.nowMs = MINUTE_MS;
  assert.equal(tally.read().unmatched, 10);
  assert.equal(tally.betterForm(), undefined);
});

test('an unmarked receipt is forged when another phone sends it than the message went to', () => {
  const { tally } = startTally();
  tally.give('007', PHONE);
  const unmarked = (phone?: string) =>
    receipt('7', { isUnmarked: true, ...(phone !== undefined && { phone }) });
  assert.equal(tally.isForged(unmarked(PHONE)), false);
  assert.equal(tally.isForged(unmarked('87010000001')), false, 'as a national number');
  assert.equal(tally.isForged(unmarked('77010000002')), true);
  assert.equal(tally.isForged(unmarked()), true);
  assert.equal(tally.isForged(receipt('7', { phone: '77010000002' })), false, 'it is marked');
  const unknown = { ...unmarked('77010000002'), writtenId: '8' };
  assert.equal(tally.isForged(unknown), false, 'nothing is known of the id');
});

test('only the newest ten thousand ids are kept', () => {
  const { tally } = startTally();
  const isKept = (id: string) =>
    tally.isForged(receipt(id, { isUnmarked: true, phone: '77010000002' }));
  for (let n = 1; n <= 10_001; n++) tally.give(String(n), PHONE);
  assert.deepEqual([isKept('1'), isKept('2'), isKept('10001')], [false, true, true]);
});
