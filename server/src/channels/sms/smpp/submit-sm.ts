import { splitText } from '@zhiber/contract/message/sms-parts.ts';
import type { Body, Tlv } from './pdu.ts';
import { type FullSettings, isNumber } from './settings.ts';

export type Submit = { body: Body<'submit_sm'>; tlvs: readonly Tlv[] };

/** Type of number and numbering plan. */
const INTERNATIONAL = { ton: 1, npi: 1 };
const NETWORK_SPECIFIC = { ton: 3, npi: 0 };
const ALPHANUMERIC = { ton: 5, npi: 0 };
/** A number of an operator's own, like 1414; one of a country has more digits. */
const SHORT_NUMBER_DIGITS_MAX = 8;

const HAS_UDH = 0x40;
const FINAL_RECEIPT = 1;
const SAR_REFERENCE = 0x020c;
const SAR_TOTAL = 0x020e;
const SAR_NUMBER = 0x020f;
const MESSAGE_PAYLOAD = 0x0424;
/** The number of parts is one octet. */
const PARTS_MAX = 255;

const DAY_SECONDS = 86_400;
/** Days have two digits; no code lives longer. */
const DAYS_MAX = 99;

/**
 * The submit_sm of each part of a text; undefined when the text has too many parts. The parts share
 * the reference, of which only the low octet is used. With `payload` there is one for a text of any
 * length, and the centre splits it.
 */
export function toSubmits(
  message: {
    phone: string;
    text: string;
    ttlSeconds?: number | undefined;
    sender?: string | undefined;
  },
  reference: number,
  settings: FullSettings,
): Submit[] | undefined {
  const { dataCoding, parts } = splitText(message.text, settings.alphabet);
  const total = parts.length;
  if (total > PARTS_MAX) return undefined;
  const { sender = settings.sender, ttlSeconds } = message;
  const source = numberingOf(sender);
  const common = {
    serviceType: settings.serviceType,
    sourceTon: settings.sourceTon ?? source.ton,
    sourceNpi: settings.sourceNpi ?? source.npi,
    source: sender,
    destinationTon: settings.destinationTon,
    destinationNpi: settings.destinationNpi,
    destination: message.phone,
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod:
      ttlSeconds === undefined || !settings.hasValidity ? '' : relativeTime(ttlSeconds),
    registeredDelivery: FINAL_RECEIPT,
    replaceIfPresent: 0,
    dataCoding,
    defaultMessageId: 0,
  };
  if (settings.concatenation === 'payload' && total > 1) {
    const tlvs = [{ tag: MESSAGE_PAYLOAD, value: Buffer.concat(parts) }];
    return [{ tlvs, body: { ...common, esmClass: 0, shortMessage: Buffer.alloc(0) } }];
  }
  return parts.map((octets, index) => {
    const place = { reference, total, number: index + 1 };
    const { header, tlvs } = concatenationFields(place, settings.concatenation);
    const shortMessage = Buffer.concat([header, octets]);
    return { tlvs, body: { ...common, esmClass: header.length > 0 ? HAS_UDH : 0, shortMessage } };
  });
}

/** What operators expect of a sender of this look, where they prescribe nothing else. */
function numberingOf(sender: string): { ton: number; npi: number } {
  if (!isNumber(sender)) return ALPHANUMERIC;
  return sender.length <= SHORT_NUMBER_DIGITS_MAX ? NETWORK_SPECIFIC : INTERNATIONAL;
}

/** The header or TLVs that link the parts of a text; empty for a text in one part. */
function concatenationFields(
  { reference, total, number }: { reference: number; total: number; number: number },
  form: FullSettings['concatenation'],
): { header: Buffer; tlvs: Tlv[] } {
  const octet = reference & 0xff;
  if (total === 1) return { header: Buffer.alloc(0), tlvs: [] };
  if (form !== 'sar') return { header: Buffer.of(5, 0, 3, octet, total, number), tlvs: [] };
  return {
    header: Buffer.alloc(0),
    tlvs: [
      { tag: SAR_REFERENCE, value: Buffer.of(0, octet) },
      { tag: SAR_TOTAL, value: Buffer.of(total) },
      { tag: SAR_NUMBER, value: Buffer.of(number) },
    ],
  };
}

/** YYMMDDhhmmss relative to now, then tenths and offset, which are unused here, and R. */
function relativeTime(seconds: number): string {
  const rounded = Math.max(1, Math.ceil(seconds));
  const days = Math.min(DAYS_MAX, Math.floor(rounded / DAY_SECONDS));
  const [hours, minutes] = [
    Math.floor((rounded % DAY_SECONDS) / 3600),
    Math.floor(rounded / 60) % 60,
  ];
  const digits = [0, 0, days, hours, minutes, rounded % 60].map((n) => String(n).padStart(2, '0'));
  return `${digits.join('')}000R`;
}
