import { UCS2_CODING } from '@zhiber/contract/message/sms-parts.ts';
import { type Phone, parsePhone } from '../../../phone.ts';
import type { Delivery, Tlv } from './pdu.ts';

/** Bits 2 to 5 of esm_class are the message type; none of them is set for a message of a person. */
export const KIND_BITS = 0b0011_1100;
/** The text begins with a header, whose first octet is its length. */
const HEADER_BIT = 0b0100_0000;
const INTERNATIONAL = 1;
const MESSAGE_PAYLOAD = 0x0424;

/** The text of a delivery: UCS-2, or a character per octet. */
export function incomingText({ body, tlvs }: Delivery): string {
  const short = 'shortMessage' in body ? body.shortMessage : Buffer.alloc(0);
  const whole = short.length === 0 ? (findValue(tlvs, MESSAGE_PAYLOAD) ?? short) : short;
  const hasHeader = (body.esmClass & HEADER_BIT) !== 0 && whole.length > 0;
  const octets = hasHeader ? whole.subarray(whole.readUInt8(0) + 1) : whole;
  return body.dataCoding === UCS2_CODING && octets.length % 2 === 0
    ? Buffer.from(octets).swap16().toString('utf16le')
    : octets.toString('latin1');
}

/** What a person has written, and from which phone; undefined for anything else. */
export function readPersonMessage(pdu: Delivery): { phone: Phone; text: string } | undefined {
  const { esmClass, source, sourceTon } = pdu.body;
  if ((esmClass & KIND_BITS) !== 0) return undefined;
  const isWithoutPlus = sourceTon === INTERNATIONAL && !source.startsWith('+');
  const phone = parsePhone(isWithoutPlus ? `+${source}` : source)?.phone;
  return phone === undefined ? undefined : { phone, text: incomingText(pdu) };
}

export function findValue(tlvs: readonly Tlv[], tag: number): Buffer | undefined {
  return tlvs.find((tlv) => tlv.tag === tag)?.value;
}
