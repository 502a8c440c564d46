import { splitText } from '@zhiber/contract/message/sms-parts.ts';
import type { Body, Tlv } from './pdu.ts';
import { type FullSettings, isNumber } from './settings.ts';

export type Submit = { body: Body<'submit_sm'>; tlvs: readonly Tlv[] };

/** Type of number and numbering plan. */
const INTERNATIONAL = { ton: 1, npi: 1 };
const ALPHANUMERIC = { ton: 5, npi: 0 };

const HAS_UDH = 0x40;
const FINAL_RECEIPT = 1;
const SAR_REFERENCE = 0x020c;
const SAR_TOTAL = 0x020e;
const SAR_NUMBER = 0x020f;
/** The number of parts is one octet. */
const PARTS_MAX = 255;

const DAY_SECONDS = 86_400;
/** Days have two digits; no code lives longer. */
const DAYS_MAX = 99;

/**
 * The submit_sm of each part of a text; undefined when the text has too many parts. The parts share
 * the reference, of which only the low octet is used.
 */
export function toSubmits(
  message: {
    phone: string;
    text: string;
    ttlSeconds?: number | undefined;
    sender?: string | undefined;
  },
  reference: number,
  settings: Pick<FullSettings, 'sender' | 'concatenation'>,
): Submit[] | undefined {
  const { dataCoding, parts } = splitText(message.text);
  const total = parts.length;
  if (total > PARTS_MAX) return undefined;
  const { sender = settings.sender } = message;
  const source = isNumber(sender) ? INTERNATIONAL : ALPHANUMERIC;
  return parts.map((octets, index) => {
    const { header, tlvs } = concatenationFields(
      { reference, total, number: index + 1 },
      settings.concatenation,
    );
    return {
      tlvs,
      body: {
        serviceType: '',
        sourceTon: source.ton,
        sourceNpi: source.npi,
        source: sender,
        destinationTon: INTERNATIONAL.ton,
        destinationNpi: INTERNATIONAL.npi,
        destination: message.phone,
        esmClass: header.length > 0 ? HAS_UDH : 0,
        protocolId: 0,
        priority: 0,
        scheduleTime: '',
        validityPeriod: message.ttlSeconds === undefined ? '' : relativeTime(message.ttlSeconds),
        registeredDelivery: FINAL_RECEIPT,
        replaceIfPresent: 0,
        dataCoding,
        defaultMessageId: 0,
        shortMessage: Buffer.concat([header, octets]),
      },
    };
  });
}

/** The header or TLVs that link the parts of a text; empty for a text in one part. */
function concatenationFields(
  { reference, total, number }: { reference: number; total: number; number: number },
  form: 'udh' | 'sar',
): { header: Buffer; tlvs: Tlv[] } {
  const octet = reference & 0xff;
  if (total === 1) return { header: Buffer.alloc(0), tlvs: [] };
  if (form === 'udh') return { header: Buffer.of(5, 0, 3, octet, total, number), tlvs: [] };
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
