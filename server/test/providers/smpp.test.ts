import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countParts } from '@zhiber/contract/message/sms-parts.ts';
import fc from 'fast-check';
import { readOctets } from '../../../simulators/smpp/octets.ts';
import type { ReceiptSpelling } from '../../../simulators/smpp/receipt-spelling.ts';
import { readShortMessage, textOf } from '../../../simulators/smpp/short-message.ts';
import type { Provider, ProviderReport } from '../../src/channels/provider.ts';
import type { IdForm } from '../../src/channels/sms/smpp/message-id.ts';
import { encodePdu } from '../../src/channels/sms/smpp/pdu.ts';
import { applyDefaults } from '../../src/channels/sms/smpp/settings.ts';
import { toSubmits } from '../../src/channels/sms/smpp/submit-sm.ts';
import type { Phone } from '../../src/phone.ts';
import { PHONE, soon, until } from './rig/messages.ts';
import {
  message,
  openTo,
  PASSWORD,
  SIDE_BY_SIDE,
  SYSTEM_ID,
  startCentre,
  startRig,
} from './smpp-rig.ts';

/** What the message centre gives to its first message. */
const ID = '180092929';
const ACCEPTED = { result: 'accepted', providerId: ID };
const DELIVERED = delivered(ID);
const USUAL = applyDefaults({
  host: 'h',
  systemId: SYSTEM_ID,
  password: PASSWORD,
  sender: 'Zhiber',
});

describe('smpp: what goes over the wire', () => {
  test('a code: a sender by name, UCS-2, a receipt, and no longer than the code lives', async (t) => {
    const { centre, provider } = await startRig(t);
    const code = { code: '4821', ttlSeconds: 300 };
    assert.deepEqual(await provider.send(message('Ваш код: 4821', code), soon()), ACCEPTED);
    const [taken] = centre.journal.taken();
    assert.equal(taken?.text, 'Ваш код: 4821');
    assert.equal(taken?.to, PHONE);
    assert.deepEqual(taken?.details, {
      from: 'Zhiber',
      sourceTon: 5,
      sourceNpi: 0,
      destinationTon: 1,
      destinationNpi: 1,
      esmClass: 0,
      validityPeriod: '000000000500000R',
      registeredDelivery: 1,
      dataCoding: 8,
      isPayload: false,
      headerOctets: 0,
    });
  });

  test('a text: a sender by number, the GSM alphabet, and no end of its validity', async (t) => {
    const { centre, provider } = await startRig(t, { settings: { sender: '77010000000' } });
    const text = message('See you at 5 {today} for 3€', { content: 'text', ttlSeconds: 60 });
    assert.equal((await provider.send(text, soon())).result, 'accepted');
    const [taken] = centre.journal.taken();
    assert.equal(taken?.text, text.text);
    const { sourceTon, sourceNpi, dataCoding, validityPeriod } = taken?.details ?? {};
    assert.deepEqual([sourceTon, sourceNpi, dataCoding, validityPeriod], [1, 1, 0, '']);
  });

  for (const [seconds, period] of [
    [0.4, '000000000001000R'],
    [599, '000000000959000R'],
    [90_061, '000001010101000R'],
  ] as const) {
    test(`${seconds} seconds are ${period}`, () => {
      const [part] = toSubmits({ phone: PHONE, text: 'a', ttlSeconds: seconds }, 1, USUAL) ?? [];
      assert.equal(part?.body.validityPeriod, period);
    });
  }

  for (const concatenation of ['udh', 'sar'] as const) {
    test(`a long text travels in parts that belong together by ${concatenation}`, async (t) => {
      const { centre, provider, reports } = await startRig(t, { settings: { concatenation } });
      const text = `${'Қош келдіңіз! '.repeat(11)}https://zhiber.kz/abc`;
      const outcome = await provider.send(message(text), soon());
      const partIds = ['180092929', '180092930', '180092931'];
      assert.deepEqual(outcome, { result: 'accepted', providerId: '180092929', partIds });
      assert.deepEqual(
        centre.journal.taken().map((taken) => [taken.id, taken.text]),
        [['180092929', text]],
      );
      const parts = centre.journal.lines.filter(({ event }) => event === 'part');
      assert.deepEqual(
        parts.map((part) => 'details' in part && [part.details?.by, part.details?.number]),
        [1, 2, 3].map((number) => [concatenation, number]),
      );
      await centre.settle();
      assert.deepEqual(
        reports,
        partIds.map((providerId) => delivered(providerId)),
      );
    });
  }

  test('a long text travels whole in message_payload, where it is set', async (t) => {
    const settings = { concatenation: 'payload' } as const;
    const { centre, provider, reports } = await startRig(t, { settings });
    const text = 'Қош келдіңіз! '.repeat(11);
    assert.deepEqual(await provider.send(message(text), soon()), ACCEPTED);
    assert.deepEqual(
      centre.journal.taken().map((taken) => taken.text),
      [text],
    );
    await centre.settle();
    assert.deepEqual(reports, [DELIVERED]);
  });

  test('a transmitter sends, and a receiver beside it takes the receipt', async (t) => {
    const centre = await startCentre(t);
    const provider = openTo(centre.port, { bind: 'separate' });
    const reports: ProviderReport[] = [];
    provider.start?.(async (report) => {
      reports.push(report);
      return { isMatched: true };
    });
    t.after(() => provider.stop?.());
    await until(() => centre.figures().binds === 2);
    assert.deepEqual(await provider.send(message('код'), soon()), ACCEPTED);
    await centre.settle();
    assert.deepEqual(reports, [DELIVERED]);
  });

  test('two texts in parts do not share a reference', async (t) => {
    const { centre, provider } = await startRig(t);
    const texts = ['a', 'b'].map((letter) => letter.repeat(200));
    await Promise.all(texts.map((text) => provider.send(message(text), soon())));
    assert.deepEqual(
      centre.journal
        .taken()
        .map(({ text }) => text)
        .sort(),
      texts,
    );
  });

  test('what we write, an independent reader reads, in as many parts as are paid for', () => {
    const sign = fc.constantFrom(...'abz @£$_^{}\\[~]|€ÄñàΩ\n\rЖәіҚ😀`');
    const plain = fc.constantFrom(...'abz @£$_^{}\\[~]|€ÄñàΩ\n\r');
    const text = fc.oneof(fc.array(sign), fc.array(plain, { maxLength: 500 }));
    fc.assert(
      fc.property(text, (signs) => {
        const sent = signs.join('');
        const parts = toSubmits({ phone: PHONE, text: sent }, 7, USUAL) ?? assert.fail();
        const read = parts.map(({ body, tlvs }) => {
          const pdu = { command: 'submit_sm' as const, status: 0, sequence: 1, body, tlvs };
          return textOf(readShortMessage(readOctets(encodePdu(pdu).subarray(16))));
        });
        assert.equal(read.join(''), sent);
        assert.equal(read.length, countParts(sent));
      }),
      { numRuns: 500 },
    );
  });
});

describe('smpp: what the centre says', SIDE_BY_SIDE, () => {
  const form = 'Оператор не принял формат SMS';
  const away = 'Нет связи с оператором SMS';
  const sender = 'Оператор не принял имя отправителя';
  const phone = 'Оператор не принял номер получателя';
  const no = 'Оператор не принял SMS';
  const fault = 'Сбой у оператора SMS';
  const table: Record<string, [number[], string]> = {
    'SMS слишком длинное': [[0x01], 'refused'],
    [form]: [
      [0x02, 0x03, 0x06, 0x07, 0x15, 0x43, 0x54, 0x61, 0x62, 0x63, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4],
      'refused',
    ],
    [away]: [[0x04, 0x05, 0x0d, 0x0e, 0x0f, 0x53], 'unavailable'],
    [sender]: [[0x0a, 0x48, 0x49], 'refused'],
    [phone]: [[0x0b, 0x50, 0x51], 'refused'],
    [no]: [[0x45, 0x65, 0x66, 0xfe], 'refused'],
    [fault]: [[0x08, 0xff], 'unknown'],
    'Оператор SMS временно не принимает сообщения': [[0x64], 'unavailable'],
    'Оператор отклонил SMS (код 417)': [[0x417], 'refused'],
  };
  test('every status has its outcome, and nothing is sent twice', async (t) => {
    const { centre, provider } = await startRig(t);
    for (const [reason, [statuses, result]] of Object.entries(table)) {
      for (const code of statuses) {
        centre.plans.add({ does: 'refuse', code, times: 1 });
        const outcome = await provider.send(message('код 1'), soon());
        assert.deepEqual(outcome, { result, reason }, `status ${code}`);
      }
    }
    const refusals = centre.journal.lines.filter(({ event }) => event === 'refused');
    assert.equal(refusals.length, Object.values(table).flatMap(([statuses]) => statuses).length);
    assert.deepEqual(centre.journal.taken(), []);
    assert.equal(centre.figures().binds, 1);
  });

  test('a sender or a phone that it does not know is refused by its own look', async (t) => {
    const { provider } = await startRig(t, { centre: { sender: 'Other' } });
    const outcome = await provider.send(message('код'), soon());
    assert.deepEqual(outcome, { result: 'refused', reason: sender });
    const { provider: other } = await startRig(t);
    const to = { phone: '123' as Phone };
    assert.deepEqual(await other.send(message('код', { to }), soon()), {
      result: 'refused',
      reason: phone,
    });
  });

  for (const [code, reason] of [
    [0x58, 'Превышена скорость отправки SMS'],
    [0x14, 'Очередь оператора SMS переполнена'],
  ] as const) {
    test(`too fast (0x${code.toString(16)}): the message is offered again, and taken once`, async (t) => {
      const { centre, provider } = await startRig(t);
      centre.plans.add({ does: 'refuse', code, times: 1 });
      const startedAt = performance.now();
      assert.equal((await provider.send(message('код'), soon())).result, 'accepted');
      assert.ok(performance.now() - startedAt >= 990);
      assert.equal(centre.journal.taken().length, 1);
    });

    test(`too fast for good (0x${code.toString(16)}): unavailable, and never sent`, async (t) => {
      const { centre, provider } = await startRig(t);
      centre.plans.add({ does: 'refuse', code });
      const outcome = await provider.send(message('код'), soon());
      assert.deepEqual(outcome, { result: 'unavailable', reason });
      assert.equal(centre.journal.lines.filter(({ event }) => event === 'refused').length, 3);
      assert.deepEqual(centre.journal.taken(), []);
    });
  }

  test('too fast when there is no time left: unavailable', async (t) => {
    const { centre, provider } = await startRig(t);
    centre.plans.add({ does: 'refuse', code: 0x58 });
    assert.equal((await provider.send(message('код'), soon(300))).result, 'unavailable');
  });

  test('a refusal of a later part leaves it unknown what came of the message', async (t) => {
    const { centre, provider } = await startRig(t);
    centre.plans.add({ does: 'refuse', code: 0x0b });
    centre.plans.add({ does: 'accept', times: 1 });
    const reason = 'Оператор принял не все части SMS';
    const outcome = await provider.send(message('я'.repeat(100)), soon());
    assert.deepEqual(outcome, { result: 'unknown', reason });
    assert.deepEqual(centre.journal.taken(), []);
  });

  test('a refusal of the first part is definite: no other part was sent', async (t) => {
    const { centre, provider } = await startRig(t);
    centre.plans.add({ does: 'refuse', code: 0x0b, times: 1 });
    const outcome = await provider.send(message('я'.repeat(100)), soon());
    assert.deepEqual(outcome, { result: 'refused', reason: phone });
    assert.deepEqual(
      centre.journal.lines.map(({ event }) => event),
      ['refused'],
    );
  });

  test('no more than the agreed rate is sent', async (t) => {
    const { provider } = await startRig(t, { settings: { ratePerSecond: 50 } });
    const startedAt = performance.now();
    assert.deepEqual(await resultsOf(provider, 51), ['accepted']);
    assert.ok(performance.now() - startedAt >= 999);
  });

  test('a rate that nobody told us of is found, and nothing is lost by it', async (t) => {
    const { centre, provider } = await startRig(t, { centre: { ratePerSecond: 20 } });
    assert.deepEqual(await resultsOf(provider, 30), ['accepted']);
    assert.ok(centre.journal.lines.some(({ event }) => event === 'refused'));
    assert.equal(centre.journal.taken().length, 30);
  });
});

describe('smpp: what cannot be sent', () => {
  test('a text of more than 255 parts is refused', async (t) => {
    const { provider } = await startRig(t);
    const outcome = await provider.send(message('я'.repeat(67 * 255 + 1)), soon());
    assert.deepEqual(outcome, { result: 'refused', reason: 'SMS слишком длинное' });
  });

  test('settings that the protocol has no room for are refused without being shown', () => {
    const wrong = [
      { password: `secret${'x'.repeat(250)}` },
      { systemId: 'secret имя' },
      { serviceType: 'secret' },
      { sender: 'Двенадцать' },
      { sender: 'TwelveLetter' },
      { window: 0 },
      { window: 1.5 },
      { ratePerSecond: 0 },
      { enquireSeconds: Number.NaN },
    ];
    for (const settings of wrong) {
      assert.throws(
        () => openTo(1, settings),
        (error: Error) => error.message.startsWith('SMPP: ') && !/secret/.test(error.message),
      );
    }
  });
});

const spellings: [string, ReceiptSpelling, IdForm][] = [
  ['the customary text', {}, 'same'],
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
describe('smpp: a receipt is matched with its message', SIDE_BY_SIDE, () => {
  for (const [what, spelling, idForm] of spellings) {
    test(`spelt with ${what}`, async (t) => {
      const { centre, provider, reports } = await startRig(t, {
        centre: { spelling },
        settings: { idForm },
      });
      const outcome = await provider.send(message('код'), soon());
      assert.deepEqual(outcome, ACCEPTED);
      await centre.settle();
      assert.deepEqual(reports, [DELIVERED]);
    });
  }
});

describe('smpp: what a receipt says', SIDE_BY_SIDE, () => {
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
      assert.deepEqual(reports, [{ providerId: ID, phone: PHONE, receipt: 'failed', reason }]);
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
});

describe('smpp: receipts', SIDE_BY_SIDE, () => {
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
      settings: { responseTimeoutMs: 1_000 },
    });
    centre.plans.add({ does: 'hang', times: 1 });
    assert.equal((await provider.send(message('код'), soon())).result, 'unknown');
    await centre.settle();
    assert.deepEqual(reports, [DELIVERED]);
  });
});

/** The different results of so many messages at once. */
async function resultsOf(provider: Provider, count: number): Promise<string[]> {
  const sends = Array.from({ length: count }, () => provider.send(message('код'), soon()));
  return [...new Set((await Promise.all(sends)).map(({ result }) => result))];
}

function delivered(providerId: string) {
  return { providerId, phone: PHONE, receipt: 'delivered', reason: undefined };
}
