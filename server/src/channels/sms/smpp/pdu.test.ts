import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createFrameReader, decodePdu, encodePdu, type Pdu } from './pdu.ts';

const byte = fc.nat(255);
const record = <Of>(model: { [Name in keyof Of]: fc.Arbitrary<Of[Name]> }) =>
  fc.record(model, { noNullPrototype: true });
const text = (room: number) =>
  fc.stringMatching(/^[\x20-\x7e]*$/, { maxLength: room - 1 }).filter((one) => one.length < room);
const octets = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const tlvs = fc.array(record({ tag: fc.nat(0xffff), value: octets(300) }), { maxLength: 5 });
const header = { status: fc.nat(0xffff_ffff), sequence: fc.nat(0xffff_ffff), tlvs };

const shortMessage = record({
  serviceType: text(6),
  sourceTon: byte,
  sourceNpi: byte,
  source: text(21),
  destinationTon: byte,
  destinationNpi: byte,
  destination: text(21),
  esmClass: byte,
  protocolId: byte,
  priority: byte,
  scheduleTime: text(17),
  validityPeriod: text(17),
  registeredDelivery: byte,
  replaceIfPresent: byte,
  dataCoding: byte,
  defaultMessageId: byte,
  shortMessage: octets(255),
});
const bind = record({
  systemId: text(256),
  password: text(256),
  systemType: text(256),
  interfaceVersion: byte,
  addressTon: byte,
  addressNpi: byte,
  addressRange: text(41),
});
const data = record({
  serviceType: text(6),
  sourceTon: byte,
  sourceNpi: byte,
  source: text(65),
  destinationTon: byte,
  destinationNpi: byte,
  destination: text(65),
  esmClass: byte,
  registeredDelivery: byte,
  dataCoding: byte,
});
const messageId = record({ messageId: text(65) });
const nothing = fc.constant({});

const pdus = fc.oneof(
  ...Object.entries({
    generic_nack: nothing,
    bind_transceiver: bind,
    bind_transceiver_resp: nothing,
    submit_sm: shortMessage,
    submit_sm_resp: messageId,
    deliver_sm: shortMessage,
    deliver_sm_resp: messageId,
    data_sm: data,
    data_sm_resp: messageId,
    unbind: nothing,
    unbind_resp: nothing,
    enquire_link: nothing,
    enquire_link_resp: nothing,
  }).map(([command, body]) => record({ command: fc.constant(command), body, ...header })),
) as unknown as fc.Arbitrary<Pdu>;

/** A hand-written submit_sm_resp. */
const RESPONSE = Buffer.from(
  '00000014800000040000000000000007616263 00'.replaceAll(' ', ''),
  'hex',
);

describe('a PDU', () => {
  test('reads as it was written', () => {
    fc.assert(fc.property(pdus, (pdu) => assert.deepEqual(decodePdu(encodePdu(pdu)), pdu)));
  });

  test('is laid out as the specification says', () => {
    const body = { messageId: 'abc' };
    const pdu: Pdu = { command: 'submit_sm_resp', status: 0, sequence: 7, body, tlvs: [] };
    assert.deepEqual(encodePdu(pdu), RESPONSE);
    assert.deepEqual(decodePdu(RESPONSE), pdu);
  });

  test('that reports an error may have no body', () => {
    const frame = Buffer.from('00000010800000040000005800000007', 'hex');
    assert.deepEqual(decodePdu(frame), {
      command: 'submit_sm_resp',
      status: 0x58,
      sequence: 7,
      body: { messageId: '' },
      tlvs: [],
    });
  });

  test('with a text longer than its field is bad', () => {
    const id = (length: number) => {
      const frame = Buffer.concat([
        RESPONSE.subarray(0, 16),
        Buffer.alloc(length, 'x'),
        Buffer.of(0),
      ]);
      frame.writeUInt32BE(frame.length);
      return decodePdu(frame);
    };
    assert.equal('command' in id(64), true);
    assert.deepEqual(id(65), { bad: 'wrong_body', sequence: 7, isResponse: true });
  });

  test('of an unknown command is reported with its header', () => {
    const frame = Buffer.from('00000010000001020000000000000009', 'hex');
    assert.deepEqual(decodePdu(frame), { bad: 'unknown_command', sequence: 9, isResponse: false });
  });

  test('that was cut anywhere is bad or shorter, and never read past its end', () => {
    fc.assert(
      fc.property(pdus, fc.nat(400), (pdu, cut) => {
        const frame = encodePdu(pdu);
        const rest = decodePdu(frame.subarray(0, Math.max(16, frame.length - cut)));
        assert.ok('bad' in rest || rest.command === pdu.command);
      }),
    );
  });

  test('may hold anything: reading it never throws', () => {
    const commands = fc.constantFrom(
      4,
      5,
      6,
      9,
      0x15,
      0x103,
      0x8000_0004,
      0x8000_0005,
      0x8000_0009,
    );
    fc.assert(
      fc.property(fc.option(commands), octets(600), (command, garbage) => {
        const frame = Buffer.concat([Buffer.alloc(16), garbage]);
        if (command !== null) frame.writeUInt32BE(command, 4);
        decodePdu(frame);
      }),
      { numRuns: 2_000 },
    );
  });

  test('cannot be encoded when a value does not fit its field', () => {
    const body = { messageId: 'x'.repeat(65) };
    const pdu: Pdu = { command: 'submit_sm_resp', status: 0, sequence: 1, body, tlvs: [] };
    assert.throws(() => encodePdu(pdu), RangeError);
    assert.throws(() => encodePdu({ ...pdu, body: { messageId: 'a\0b' } }), RangeError);
  });
});

describe('a stream', () => {
  test('is the same frames however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(pdus, { maxLength: 6 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 90 })),
        (sent, sizes) => {
          const stream = Buffer.concat(sent.map(encodePdu));
          const read = createFrameReader();
          const frames: Buffer[] = [];
          for (let at = 0; at < stream.length; ) {
            const end = at + (sizes.next().value as number);
            frames.push(...(read(stream.subarray(at, end)) ?? assert.fail()));
            at = end;
          }
          assert.deepEqual(frames.map(decodePdu), sent);
        },
      ),
    );
  });

  for (const length of ['00000000', '0000000f', '00010001', 'ffffffff']) {
    test(`that announces 0x${length} octets is no stream of PDUs`, () => {
      assert.equal(createFrameReader()(Buffer.from(length.padEnd(32, '0'), 'hex')), undefined);
    });
  }

  test('may deliver the largest PDU one octet at a time', () => {
    const read = createFrameReader();
    const largest = Buffer.alloc(64 * 1024);
    largest.writeUInt32BE(largest.length);
    let frames: Buffer[] = [];
    for (let at = 0; at < largest.length; at++) {
      assert.equal(frames.length, 0);
      frames = read(largest.subarray(at, at + 1)) ?? assert.fail();
    }
    assert.equal(frames.length, 1);
  });

  test('of garbage never throws', () => {
    fc.assert(
      fc.property(fc.array(octets(100)), (chunks) => void chunks.every(createFrameReader())),
    );
  });
});
