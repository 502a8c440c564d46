/**
 * Encodes and decodes the SMPP 3.4 PDUs that a sender of messages needs. A command is its id and
 * the layout of its body; of any other command only the header is read.
 */

/** More than any PDU needs; a longer one is a fault or an attack. */
const PDU_BYTES_MAX = 64 * 1024;
const HEADER_BYTES = 16;
const RESPONSE_BIT = 0x8000_0000;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** A number stands for a C-Octet String: its maximum length, the final zero included. */
type Kind = number | 'byte' | 'counted_octets';
type Layout = Readonly<Record<string, Kind>>;

const NOTHING = {} as const satisfies Layout;
/** Longer than the standard allows, because some centres give longer names and passwords. */
const BIND = {
  systemId: 256,
  password: 256,
  systemType: 256,
  interfaceVersion: 'byte',
  addressTon: 'byte',
  addressNpi: 'byte',
  addressRange: 41,
} as const satisfies Layout;
/** The name of the centre is of no use, and is not always written as the standard says. */
const BIND_RESP = NOTHING;
/** Addresses may be as long as in data_sm: a receipt must not be lost because of a long name. */
const SHORT_MESSAGE = {
  serviceType: 6,
  sourceTon: 'byte',
  sourceNpi: 'byte',
  source: 65,
  destinationTon: 'byte',
  destinationNpi: 'byte',
  destination: 65,
  esmClass: 'byte',
  protocolId: 'byte',
  priority: 'byte',
  scheduleTime: 17,
  validityPeriod: 17,
  registeredDelivery: 'byte',
  replaceIfPresent: 'byte',
  dataCoding: 'byte',
  defaultMessageId: 'byte',
  shortMessage: 'counted_octets',
} as const satisfies Layout;
const DATA = {
  serviceType: 6,
  sourceTon: 'byte',
  sourceNpi: 'byte',
  source: 65,
  destinationTon: 'byte',
  destinationNpi: 'byte',
  destination: 65,
  esmClass: 'byte',
  registeredDelivery: 'byte',
  dataCoding: 'byte',
} as const satisfies Layout;
const MESSAGE_ID = { messageId: 65 } as const satisfies Layout;

const COMMANDS = {
  generic_nack: { id: 0x8000_0000, layout: NOTHING },
  bind_receiver: { id: 0x0000_0001, layout: BIND },
  bind_receiver_resp: { id: 0x8000_0001, layout: BIND_RESP },
  bind_transmitter: { id: 0x0000_0002, layout: BIND },
  bind_transmitter_resp: { id: 0x8000_0002, layout: BIND_RESP },
  bind_transceiver: { id: 0x0000_0009, layout: BIND },
  bind_transceiver_resp: { id: 0x8000_0009, layout: BIND_RESP },
  submit_sm: { id: 0x0000_0004, layout: SHORT_MESSAGE },
  submit_sm_resp: { id: 0x8000_0004, layout: MESSAGE_ID },
  deliver_sm: { id: 0x0000_0005, layout: SHORT_MESSAGE },
  deliver_sm_resp: { id: 0x8000_0005, layout: MESSAGE_ID },
  data_sm: { id: 0x0000_0103, layout: DATA },
  data_sm_resp: { id: 0x8000_0103, layout: MESSAGE_ID },
  unbind: { id: 0x0000_0006, layout: NOTHING },
  unbind_resp: { id: 0x8000_0006, layout: NOTHING },
  enquire_link: { id: 0x0000_0015, layout: NOTHING },
  enquire_link_resp: { id: 0x8000_0015, layout: NOTHING },
} as const satisfies Record<string, { id: number; layout: Layout }>;

const COMMANDS_BY_ID = new Map(
  Object.entries(COMMANDS).map(([name, { id }]) => [id as number, name as Command]),
);

export type Command = keyof typeof COMMANDS;
type Value<Of extends Kind> = Of extends number ? string : Of extends 'byte' ? number : Buffer;
type Laid<Out extends Layout> = { [Field in keyof Out]: Value<Out[Field]> };
export type Body<Name extends Command> = Laid<(typeof COMMANDS)[Name]['layout']>;

export type PduOf<Name extends Command> = {
  command: Name;
  status: number;
  sequence: number;
  body: Body<Name>;
  tlvs: readonly Tlv[];
};
export type Pdu = { [Name in Command]: PduOf<Name> }[Command];
export type Tlv = { tag: number; value: Buffer };
/** What a message centre delivers: a message of a person, or a receipt. */
export type Delivery = PduOf<'deliver_sm'> | PduOf<'data_sm'>;

/** A complete frame that cannot be decoded. */
export type BadPdu = {
  bad: 'unknown_command' | 'wrong_body';
  sequence: number;
  isResponse: boolean;
};

/**
 * Splits a stream of octets into frames of one PDU each. Returns undefined when the stream cannot
 * be SMPP. Never keeps more than one PDU of the maximum size.
 */
export type FrameReader = (octets: Buffer) => Buffer[] | undefined;

export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let neededBytes = HEADER_BYTES;

  return (octets) => {
    chunks.push(octets);
    bufferedBytes += octets.length;
    // Concatenated only when a frame may be complete: a stream of single octets stays linear.
    if (bufferedBytes < neededBytes) return [];

    let rest = Buffer.concat(chunks);
    neededBytes = HEADER_BYTES;
    const frames: Buffer[] = [];
    while (rest.length >= HEADER_BYTES) {
      const length = rest.readUInt32BE(0);
      if (length < HEADER_BYTES || length > PDU_BYTES_MAX) return undefined;
      if (length > rest.length) {
        neededBytes = length;
        break;
      }
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    chunks = [rest];
    bufferedBytes = rest.length;
    return frames;
  };
}

/** Throws when a value does not fit its field; callers have to check that before. */
export function encodePdu(pdu: Pdu): Buffer {
  const { id, layout } = COMMANDS[pdu.command];
  const body = pdu.body as Record<string, string | number | Buffer>;
  const fields = Object.entries<Kind>(layout).map(([name, kind]) =>
    encodeField(name, kind, body[name]),
  );
  const pieces = [...fields, ...pdu.tlvs.map(encodeTlv)];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(
    pieces.reduce((sum, piece) => sum + piece.length, HEADER_BYTES),
    0,
  );
  header.writeUInt32BE(id, 4);
  header.writeUInt32BE(pdu.status, 8);
  header.writeUInt32BE(pdu.sequence, 12);
  return Buffer.concat([header, ...pieces]);
}

function encodeField(name: string, kind: Kind, value: string | number | Buffer | undefined) {
  if (kind === 'byte' && typeof value === 'number') {
    return Buffer.of(value);
  }
  if (kind === 'counted_octets' && Buffer.isBuffer(value) && value.length <= 255) {
    return Buffer.concat([Buffer.of(value.length), value]);
  }
  if (typeof kind === 'number' && typeof value === 'string' && value.length < kind) {
    if (PRINTABLE.test(value)) return Buffer.from(`${value}\0`, 'latin1');
  }
  throw new RangeError(`${name} does not fit into its field`);
}

function encodeTlv({ tag, value }: Tlv): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
}

/** Decodes a frame of at least 16 octets. Never throws, whatever its content. */
export function decodePdu(frame: Buffer): Pdu | BadPdu {
  const id = frame.readUInt32BE(4);
  const status = frame.readUInt32BE(8);
  const sequence = frame.readUInt32BE(12);
  const isResponse = id >= RESPONSE_BIT;
  const command = COMMANDS_BY_ID.get(id);
  if (command === undefined) return { bad: 'unknown_command', sequence, isResponse };

  const octets = frame.subarray(HEADER_BYTES);
  const { layout } = COMMANDS[command];
  // A response may omit its body, and does so when it reports an error.
  const content = isResponse && octets.length === 0 ? blank(layout) : decodeBody(octets, layout);
  if (content === undefined) return { bad: 'wrong_body', sequence, isResponse };
  const tlvs = decodeTlvs(octets.subarray(content.end));
  return { command, status, sequence, body: content.body, tlvs } as unknown as Pdu;
}

type Content = { body: Record<string, string | number | Buffer>; end: number };

function blank(layout: Layout): Content {
  return { body: Object.fromEntries(Object.keys(layout).map((name) => [name, ''])), end: 0 };
}

function decodeBody(octets: Buffer, layout: Layout): Content | undefined {
  const body: Content['body'] = {};
  let end = 0;
  for (const [name, kind] of Object.entries(layout)) {
    const field = decodeField(octets, end, kind);
    if (field === undefined) return undefined;
    body[name] = field.value;
    end = field.end;
  }
  return { body, end };
}

function decodeField(octets: Buffer, start: number, kind: Kind) {
  if (typeof kind === 'number') {
    const zero = octets.indexOf(0, start);
    if (zero < 0 || zero - start >= kind) return undefined;
    return { value: octets.toString('latin1', start, zero), end: zero + 1 };
  }
  const byte = octets[start];
  if (byte === undefined) return undefined;
  if (kind === 'byte') return { value: byte, end: start + 1 };
  const end = start + 1 + byte;
  return end > octets.length ? undefined : { value: octets.subarray(start + 1, end), end };
}

/** All TLVs, known or not. Some centres leave octets at the end that are none; these are ignored. */
function decodeTlvs(octets: Buffer): Tlv[] {
  const tlvs: Tlv[] = [];
  for (let at = 0; at + 4 <= octets.length; ) {
    const end = at + 4 + octets.readUInt16BE(at + 2);
    if (end > octets.length) break;
    tlvs.push({ tag: octets.readUInt16BE(at), value: octets.subarray(at + 4, end) });
    at = end;
  }
  return tlvs;
}
