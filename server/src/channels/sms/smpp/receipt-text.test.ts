import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type IdForm, normalId } from './message-id.ts';
import type { PduOf, Tlv } from './pdu.ts';
import { readReceipt } from './receipt-text.ts';

type Spelling = {
  text?: string;
  tlvs?: Tlv[];
  esmClass?: number;
  dataCoding?: number;
  source?: string;
  destination?: string;
};

function delivery(spelling: Spelling) {
  const { text = '', tlvs = [], esmClass = 4, dataCoding = 0 } = spelling;
  const { source = '77010000001', destination = 'Zhiber' } = spelling;
  const octets = Buffer.from(text, dataCoding === 8 ? 'utf16le' : 'latin1');
  const shortMessage = dataCoding === 8 ? octets.swap16() : octets;
  const body = { esmClass, dataCoding, shortMessage, source, destination };
  return {
    command: 'deliver_sm',
    status: 0,
    sequence: 1,
    body,
    tlvs,
  } as unknown as PduOf<'deliver_sm'>;
}

/** Without what the tests of the phone and of the mark are about. */
function read(spelling: Spelling, idForm: IdForm = 'same') {
  const found = readReceipt(delivery(spelling), { idForm });
  if (typeof found !== 'object') return found;
  const { id, receipt, reason } = found;
  return { id, receipt, ...(reason !== undefined && { reason }) };
}

const idTlv = (id: string) => ({ tag: 0x1e, value: Buffer.from(`${id}\0`) });
const stateTlv = (state: number) => ({ tag: 0x427, value: Buffer.of(state) });

function usual(id: string, stat: string): string {
  return `id:${id} sub:001 dlvrd:001 submit date:2607011200 done date:2607011201 stat:${stat} err:000 text:Hello`;
}

describe('a receipt', () => {
  const delivered: Record<string, Spelling> = {
    'the customary text': { text: usual('123', 'DELIVRD') },
    'lower case': { text: usual('123', 'delivrd') },
    'seconds in its dates': {
      text: 'id:123 sub:001 dlvrd:001 submit date:260701120000 done date:260701120107 stat:DELIVRD err:0',
    },
    'keys with capitals': { text: 'Id:123 Sub:001 Dlvrd:001 Stat:DELIVRD Err:000 Text:' },
    'the word in full': { text: usual('123', 'DELIVERED') },
    'few words': { text: 'id:123 stat:DELIVRD' },
    'the word status': { text: 'id:123 status:DELIVRD err:000' },
    'semicolons and no spaces': { text: 'id:123;sub:001;dlvrd:001;stat:DELIVRD;err:000;text:' },
    'commas and spaces': { text: 'id: 123, sub: 001, stat: DELIVRD, err: 000' },
    'a line for each field': { text: 'id:123\r\nsub:001\r\nstat:DELIVRD\r\nerr:000' },
    'an id in quotes': { text: 'id:"123" stat:"DELIVRD"' },
    'an id in single quotes': { text: "id:'123' stat:'DELIVRD'" },
    'another key before the id': { text: 'smsc:"a" id:123 stat:DELIVRD' },
    'the mark of an intermediate notification': { text: usual('123', 'DELIVRD'), esmClass: 0x20 },
    'no mark, and all that is customary': { text: usual('123', 'DELIVRD'), esmClass: 0 },
    'no mark, and fields': { tlvs: [idTlv('123'), stateTlv(2)], esmClass: 0 },
    'no mark, an id in a field and the state in the text': {
      text: 'stat:DELIVRD',
      tlvs: [idTlv('123')],
      esmClass: 0,
    },
    'a state in a field that nobody knows, and one in the text': {
      text: usual('123', 'DELIVRD'),
      tlvs: [stateTlv(77)],
    },
    'UCS-2': { text: usual('123', 'DELIVRD'), dataCoding: 8 },
    'fields alone': { tlvs: [idTlv('123'), stateTlv(2)] },
    'fields that no zero ends': { tlvs: [{ tag: 0x1e, value: Buffer.from('123') }, stateTlv(2)] },
    'fields that know better than the text': {
      text: usual('999', 'ENROUTE'),
      tlvs: [idTlv('123'), stateTlv(2)],
    },
    'a text in message_payload': {
      tlvs: [{ tag: 0x424, value: Buffer.from(usual('123', 'DELIVRD')) }],
    },
    'unknown fields besides': {
      text: usual('123', 'DELIVRD'),
      tlvs: [{ tag: 0x1400, value: Buffer.from('x') }],
    },
  };
  for (const [what, spelling] of Object.entries(delivered)) {
    test(`with ${what} is read`, () => {
      assert.deepEqual(read(spelling), { id: '123', receipt: 'delivered' });
    });
  }

  const failures: [string, number, string][] = [
    ['EXPIRED', 3, 'Телефон был недоступен, срок доставки SMS истёк'],
    ['DELETED', 4, 'Оператор удалил SMS до доставки'],
    ['UNDELIV', 5, 'Оператор не смог доставить SMS'],
    ['REJECTD', 8, 'Оператор отклонил SMS'],
    ['SKIPPED', 9, 'Оператор пропустил SMS'],
  ];
  for (const [stat, state, reason] of failures) {
    test(`${stat} is a failure, in text and in fields`, () => {
      const failed = { id: '7', receipt: 'failed', reason };
      assert.deepEqual(read({ text: usual('7', stat) }), failed);
      assert.deepEqual(read({ tlvs: [idTlv('7'), stateTlv(state)] }), failed);
    });
  }

  test('FAILED is a failure', () => {
    const reason = 'Оператор не смог доставить SMS';
    assert.deepEqual(read({ text: usual('7', 'FAILED') }), { id: '7', receipt: 'failed', reason });
  });

  const notFinal: Record<string, Spelling> = {
    ENROUTE: { text: usual('7', 'ENROUTE') },
    ACCEPTD: { text: usual('7', 'ACCEPTD') },
    UNKNOWN: { text: usual('7', 'UNKNOWN') },
    'a state of SMPP 5': { tlvs: [idTlv('7'), stateTlv(0)] },
    'an intermediate notification': { text: usual('7', 'ENROUTE'), esmClass: 0x20 },
    'fields that know better than the text': {
      text: usual('7', 'DELIVRD'),
      tlvs: [idTlv('7'), stateTlv(1)],
    },
  };
  for (const [what, spelling] of Object.entries(notFinal)) {
    test(`${what} is not final`, () => assert.equal(read(spelling), 'not_final'));
  }

  const unreadable: Record<string, Spelling> = {
    'without an id': { text: 'stat:DELIVRD err:000' },
    'with an empty id': { text: 'id:"" stat:DELIVRD err:000' },
    'without a state': { text: 'id:7 err:000' },
    'with a state that nobody knows': { tlvs: [idTlv('7'), stateTlv(77)] },
    'with a word that nobody knows': { text: usual('7', 'PONDERED') },
    'with a state only within the text of the message': { text: 'id:7 text:stat:DELIVRD' },
    'without any text': {},
  };
  for (const [what, spelling] of Object.entries(unreadable)) {
    test(`${what} cannot be read`, () => assert.equal(read(spelling), 'unreadable'));
  }

  const messages: Record<string, string> = {
    'a stop word': 'STOP',
    'the fields that people copy': 'id:7 stat:DELIVRD',
    'a question about an order': 'Где заказ id:7 status:оплачен, submit date:1 done date:2?',
    'a receipt after other words': `Вот: ${usual('7', 'DELIVRD')}`,
    'a receipt without its dates': 'id:7 sub:001 dlvrd:001 stat:DELIVRD err:000 text:',
    nothing: '',
  };
  for (const [what, text] of Object.entries(messages)) {
    test(`is not what a person writes: ${what}`, () => {
      assert.equal(read({ text, esmClass: 0 }), undefined);
    });
  }

  test('that only its text shows is told from others', () => {
    const isUnmarked = (spelling: Spelling) => {
      const found = readReceipt(delivery(spelling), { idForm: 'same' });
      return typeof found === 'object' ? found.isUnmarked : assert.fail();
    };
    const text = usual('7', 'DELIVRD');
    assert.equal(isUnmarked({ text, esmClass: 0 }), true);
    assert.equal(isUnmarked({ text }), undefined);
    assert.equal(isUnmarked({ text, esmClass: 0, tlvs: [idTlv('7')] }), undefined);
  });

  const addresses: [string, string, string | undefined][] = [
    ['77010000001', 'Zhiber', '77010000001'],
    ['+77010000001', '1414', '77010000001'],
    ['77010000001', '77019999999', '77010000001'],
    ['Zhiber', '77010000001', '77010000001'],
    ['1414', '77010000001', '77010000001'],
    ['77019999999', '77010000001', '77010000001'],
    ['77019999999', 'Zhiber', '77019999999'],
    ['', '', undefined],
    ['Zhiber', '1414', undefined],
  ];
  for (const [source, destination, phone] of addresses) {
    test(`from "${source}" to "${destination}" names the phone ${phone}`, () => {
      const how = { idForm: 'same', sender: '77019999999' } as const;
      const text = usual('7', 'DELIVRD');
      const found = readReceipt(delivery({ text, source, destination }), how);
      assert.equal(typeof found === 'object' ? found.phone : found, phone);
    });
  }

  test('may hold anything: reading it never throws', () => {
    const octets = fc.uint8Array({ maxLength: 255 }).map((array) => Buffer.from(array));
    const tag = fc.constantFrom(0x1e, 0x424, 0x427, 1);
    fc.assert(
      fc.property(
        octets,
        fc.array(fc.record({ tag, value: octets })),
        fc.constantFrom(0, 8),
        (...a) => {
          const [shortMessage, tlvs, dataCoding] = a;
          const pdu = delivery({ tlvs, dataCoding });
          readReceipt(
            { ...pdu, body: { ...pdu.body, shortMessage } },
            { idForm: 'hex_in_response' },
          );
        },
      ),
    );
  });
});

describe('an id', () => {
  const numbers = fc.bigInt({ min: 1n, max: 2n ** 64n });

  test('is the same in response and receipt, whichever is hexadecimal', () => {
    fc.assert(
      fc.property(numbers, fc.boolean(), fc.boolean(), (number, isUpper, isPadded) => {
        const small = number.toString(16);
        const hex = isUpper ? small.toUpperCase() : small;
        const decimal = isPadded ? number.toString().padStart(20, '0') : number.toString();
        const inResponse = normalId(hex, 'response', 'hex_in_response');
        assert.equal(inResponse, normalId(decimal, 'receipt', 'hex_in_response'));
        const inReceipt = normalId(hex.padStart(20, '0'), 'receipt', 'hex_in_receipt');
        assert.equal(inReceipt, normalId(decimal, 'response', 'hex_in_receipt'));
        assert.equal(inResponse, number.toString());
      }),
    );
  });

  test('that is not a number stays as it is written', () => {
    assert.equal(normalId('7A2F-b0c1', 'response', 'same'), '7A2F-b0c1');
    assert.equal(normalId(' 00ab ', 'receipt', 'same'), '00ab');
    assert.equal(normalId('not-hex', 'response', 'hex_in_response'), 'not-hex');
  });

  test('with two spellings is read from the text when the field repeats the response', () => {
    const spelling = { text: usual('180092929', 'DELIVRD'), tlvs: [idTlv('ABC0001')] };
    assert.deepEqual(read(spelling, 'hex_in_response'), { id: '180092929', receipt: 'delivered' });
  });
});
