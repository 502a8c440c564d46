/** Reads a submit_sm strictly, as a message centre does, including the alphabet of its text. */
import { type OctetReader, readOctets } from './octets.ts';

export type ShortMessage = {
  sourceTon: number;
  sourceNpi: number;
  source: string;
  destinationTon: number;
  destinationNpi: number;
  destination: string;
  esmClass: number;
  validityPeriod: string;
  registeredDelivery: number;
  dataCoding: number;
  /** Its user data without the header. */
  content: Buffer;
  /** It came whole in message_payload, and the centre splits it. */
  isPayload: boolean;
  headerOctets: number;
  joint: Joint | undefined;
};

/** The concatenation fields: which part of which message this is. */
export type Joint = { reference: number; total: number; number: number; by: 'udh' | 'sar' };

const HAS_UDH = 0x40;
const SAR_REFERENCE = 0x020c;
const SAR_TOTAL = 0x020e;
const SAR_NUMBER = 0x020f;
const MESSAGE_PAYLOAD = 0x0424;

/** Throws when the octets do not follow the layout. */
export function readShortMessage(octets: OctetReader): ShortMessage {
  octets.text(6);
  const [sourceTon, sourceNpi, source] = [octets.u8(), octets.u8(), octets.text(21)];
  const [destinationTon, destinationNpi, destination] = [octets.u8(), octets.u8(), octets.text(21)];
  const esmClass = octets.u8();
  octets.take(2);
  octets.text(17);
  const validityPeriod = octets.text(17);
  const registeredDelivery = octets.u8();
  octets.u8();
  const dataCoding = octets.u8();
  octets.u8();
  const short = octets.take(octets.u8());
  const tlvs = readTlvs(octets);
  const payload = tlvs.get(MESSAGE_PAYLOAD);
  const userData = payload ?? short;
  const headerOctets = (esmClass & HAS_UDH) === 0 ? 0 : 1 + (userData[0] ?? 0);
  return {
    ...{ sourceTon, sourceNpi, source, destinationTon, destinationNpi, destination },
    ...{ esmClass, validityPeriod, registeredDelivery, dataCoding, headerOctets },
    content: userData.subarray(headerOctets),
    isPayload: payload !== undefined,
    joint: headerOctets > 0 ? findUdhJoint(userData.subarray(1, headerOctets)) : findSarJoint(tlvs),
  };
}

function readTlvs(octets: OctetReader): Map<number, Buffer> {
  const tlvs = new Map<number, Buffer>();
  while (octets.left > 0) {
    const tag = octets.u16();
    tlvs.set(tag, octets.take(octets.u16()));
  }
  return tlvs;
}

function findUdhJoint(header: Buffer): Joint | undefined {
  const elements = readOctets(header);
  while (elements.left > 0) {
    const kind = elements.u8();
    const content = elements.take(elements.u8());
    const [total, number] = content.subarray(-2);
    if (total === undefined || number === undefined) continue;
    if (kind === 0) return { reference: content.readUInt8(0), total, number, by: 'udh' };
    if (kind === 8) return { reference: content.readUInt16BE(0), total, number, by: 'udh' };
  }
  return undefined;
}

function findSarJoint(tlvs: Map<number, Buffer>): Joint | undefined {
  const reference = tlvs.get(SAR_REFERENCE)?.readUInt16BE(0);
  const total = tlvs.get(SAR_TOTAL)?.readUInt8(0);
  const number = tlvs.get(SAR_NUMBER)?.readUInt8(0);
  if (reference === undefined || total === undefined || number === undefined) return undefined;
  return { reference, total, number, by: 'sar' };
}

const GSM_CODING = 0;
const UCS2_CODING = 8;

/** The command_status of the refusal; 0 when the message is valid. */
export function findFault(message: ShortMessage, sender: string | undefined): number {
  if (!isSourceValid(message, sender)) return 0x0a;
  const { destinationTon, destinationNpi, destination } = message;
  const isInternational = destinationTon === 1 && destinationNpi === 1;
  if (!isInternational || !/^[1-9]\d{9,14}$/.test(destination)) return 0x0b;
  if (!/^(|\d{12}000R|\d{13}\d\d[+-])$/.test(message.validityPeriod)) return 0x62;
  if (message.dataCoding !== GSM_CODING && message.dataCoding !== UCS2_CODING) return 0x45;
  return isLengthValid(message) ? 0 : 0x01;
}

function isSourceValid({ sourceTon, sourceNpi, source }: ShortMessage, sender: string | undefined) {
  if (sender !== undefined && source !== sender) return false;
  if (sourceTon === 5) return sourceNpi === 0 && /^[\x20-\x7e]{1,11}$/.test(source);
  if (sourceTon === 3) return sourceNpi === 0 && /^\d{1,8}$/.test(source);
  return sourceTon === 1 && sourceNpi === 1 && /^\d{1,15}$/.test(source);
}

/** An SMS has 140 octets: 160 septets, or 70 UTF-16 units, less the header. */
function isLengthValid(message: ShortMessage): boolean {
  const { dataCoding, content, isPayload, headerOctets, joint } = message;
  if (isPayload) return dataCoding === GSM_CODING || content.length % 2 === 0;
  const airOctets = 140 - (headerOctets || (joint === undefined ? 0 : 6));
  if (dataCoding === GSM_CODING) return content.length <= Math.floor((airOctets * 8) / 7);
  return content.length % 2 === 0 && content.length <= airOctets;
}

/** The GSM alphabet in its usual rows of 16; `\u001b` is the escape to `ESCAPED`. */
const ROWS = [
  '@£$¥èéùìòÇ\nØø\rÅå',
  'Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ',
  ' !"#¤%&\'()*+,-./',
  '0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNO',
  'PQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmno',
  'pqrstuvwxyzäöñüà',
];
const ESCAPED = new Map(
  Object.entries({
    20: '^',
    40: '{',
    41: '}',
    47: '\\',
    60: '[',
    61: '~',
    62: ']',
    64: '|',
    101: '€',
  }),
);

export function textOf({ dataCoding, content }: Pick<ShortMessage, 'dataCoding' | 'content'>) {
  if (dataCoding === UCS2_CODING) {
    let text = '';
    for (let at = 0; at + 1 < content.length; at += 2) {
      text += String.fromCharCode(content.readUInt16BE(at));
    }
    return text;
  }
  let text = '';
  for (let at = 0; at < content.length; at += 1) {
    const octet = content[at] as number;
    if (octet === 0x1b) {
      at += 1;
      text += ESCAPED.get(String(content[at])) ?? '\ufffd';
    } else {
      text += ROWS[octet >> 4]?.[octet & 0x0f] ?? '\ufffd';
    }
  }
  return text;
}
