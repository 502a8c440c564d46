import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReceiptSpelling } from '../../../simulators/smpp/receipt-spelling.ts';
import type { IdForm } from '../../src/channels/sms/smpp/message-id.ts';
import { PHONE, soon } from './rig/messages.ts';
import { message, SIDE_BY_SIDE, startRig, until } from './smpp-rig.ts';

const ID = '180092929';
const DELIVERED = { providerId: ID, receipt: 'delivered', reason: undefined };

const spellings: [string, ReceiptSpelling, IdForm][] = [
  ['the customary text', {}, 'same'],
  ['ids with zeros in front', { isPadded: true }, 'same'],
  ['seconds in dates', { hasSeconds: true }, 'same'],
  ['lower case', { isLowerCase: true }, 'same'],
  ['fields too', { fields: 'too' }, 'same'],
  ['fields alone', { fields: 'alone' }, 'same'],
  ['a hexadecimal response', { hexIn: 'response', isPadded: true }, 'hex_in_response'],
  ['a hexadecimal response, fields too', { hexIn: 'response', fields: 'too' }, 'hex_in_response'],
  [
    'a hexadecimal response, fields alone',
    { hexIn: 'response', fields: 'alone' },
    'hex_in_response',
  ],
  ['a hexadecimal receipt', { hexIn: 'receipt', isPadded: true }, 'hex_in_receipt'],
  [
    'a hexadecimal receipt in lower case',
    { hexIn: 'receipt', isLowerCase: true },
    'hex_in_receipt',
  ],
];
describe('a receipt is matched with its message', SIDE_BY_SIDE, () => {
  for (const [what, spelling, idForm] of spellings) {
    test(`spelt with ${what}`, async (t) => {
      const { centre, provider, reports } = await startRig(t, {
        centre: { spelling },
        settings: { idForm },
      });
      const outcome = await provider.send(message('код'), soon());
      assert.deepEqual(outcome, { result: 'accepted', providerId: ID });
      await centre.settle();
      assert.deepEqual(reports, [DELIVERED]);
    });
  }
});

describe('what a receipt says', SIDE_BY_SIDE, () => {
  const failures: Record<string, string> = {
    EXPIRED: 'Телефон был недоступен, срок доставки SMS истёк',
    DELETED: 'Оператор удалил SMS до доставки',
    UNDELIV: 'Оператор не смог доставить SMS',
    REJECTD: 'Оператор отклонил SMS',
  };
  for (const [failure, reason] of Object.entries(failures)) {
    test(`${failure} is a failure`, async (t) => {
      const { centre, provider, reports } = await startRig(t);
      centre.plans.add({ does: 'accept', receipts: ['failed'], failure });
      await provider.send(message('код'), soon());
      await centre.settle();
      assert.deepEqual(reports, [{ providerId: ID, receipt: 'failed', reason }]);
    });
  }

  test('what is not the end is acknowledged and says nothing', async (t) => {
    const { centre, provider, reports } = await startRig(t);
    centre.plans.add({ does: 'accept', receipts: ['sent'] });
    await provider.send(message('код'), soon());
    await centre.settle();
    for (const failure of ['ACCEPTD', 'UNKNOWN']) {
      assert.deepEqual(await centre.report(ID, 'failed', { failure }), [0]);
    }
    assert.deepEqual(reports, []);
  });

  test('a message from a phone is acknowledged and says nothing', async (t) => {
    const { centre, reports } = await startRig(t);
    assert.equal(await centre.writeFrom(PHONE, `id:${ID} stat:DELIVRD`), 0);
    assert.deepEqual(reports, []);
  });
});

describe('receipts', SIDE_BY_SIDE, () => {
  test('that come before the response are reported', async (t) => {
    const { centre, provider, reports } = await startRig(t);
    centre.plans.add({ does: 'accept', isEarly: true, delayMs: 300 });
    const sending = provider.send(message('код'), soon());
    await until(() => reports.length === 1);
    assert.deepEqual(reports, [DELIVERED]);
    assert.deepEqual(await sending, { result: 'accepted', providerId: ID });
  });

  test('that come ten times are all reported and acknowledged', async (t) => {
    const { centre, provider, reports } = await startRig(t);
    centre.plans.add({ does: 'accept', copies: 10 });
    await provider.send(message('код'), soon());
    await centre.settle();
    assert.deepEqual(reports, Array(10).fill(DELIVERED));
  });

  test('that come in the wrong order are reported as they come', async (t) => {
    const { centre, provider, reports } = await startRig(t);
    centre.plans.add({ does: 'accept', receipts: ['delivered', 'failed'], isReversed: true });
    await provider.send(message('код'), soon());
    await centre.settle();
    assert.deepEqual(
      reports.map(({ receipt }) => receipt),
      ['failed', 'delivered'],
    );
  });

  test('are repeated until they are stored', async (t) => {
    const { centre, provider, reports, storage } = await startRig(t, { centre: { repeatMs: 30 } });
    storage.isBroken = true;
    await provider.send(message('код'), soon());
    const statuses = () =>
      centre.journal.lines.flatMap((line) => (line.event === 'receipt' ? [line.status] : []));
    await until(() => statuses().length >= 3);
    assert.deepEqual([...new Set(statuses())], [0x64]);
    assert.deepEqual(reports, []);
    storage.isBroken = false;
    await centre.settle();
    assert.deepEqual(reports, [DELIVERED]);
    assert.equal(statuses().at(-1), 0);
  });

  test('that were not acknowledged come again over the next connection', async (t) => {
    const { centre, provider, reports, storage } = await startRig(t, { centre: { repeatMs: 30 } });
    storage.isBroken = true;
    await provider.send(message('код'), soon());
    await until(() => centre.journal.lines.some(({ event }) => event === 'receipt'));
    centre.dropConnections();
    storage.isBroken = false;
    await centre.settle();
    assert.ok(reports.length >= 1);
    assert.equal(centre.figures().binds, 2);
  });

  test('are reported for a message whose response never came', async (t) => {
    const { centre, provider, reports } = await startRig(t, {
      settings: { responseTimeoutMs: 100 },
    });
    centre.plans.add({ does: 'hang', times: 1 });
    assert.equal((await provider.send(message('код'), soon())).result, 'unknown');
    await centre.settle();
    assert.deepEqual(reports, [DELIVERED]);
  });
});
