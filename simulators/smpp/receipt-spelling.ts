import type { SimulatedReceipt } from '../frame/plan.ts';
import { tlv, writeOctets } from './octets.ts';

/** The ways in which the receipts of message centres differ. */
export type ReceiptSpelling = {
  /** Where ids are hexadecimal; nowhere when not given. */
  hexIn?: 'response' | 'receipt';
  /** Ids in receipts are padded with zeros to ten digits. */
  isPadded?: boolean;
  /** Dates in receipts include seconds. */
  hasSeconds?: boolean;
  /** `delivrd` for `DELIVRD`, and so on. */
  isLowerCase?: boolean;
  /** Optional fields (TLVs) in addition to the text, or instead of it. */
  fields?: 'too' | 'alone';
};

/** A message part as the centre stores it. */
export type KnownPart = { number: number; from: string; to: string; text: string };

/** The phone that forged receipts come from. */
const STRANGER = '77479999999';

const STATES = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
};
type State = keyof typeof STATES;

/** The id of a part in the response. */
export function responseId(number: number, { hexIn }: ReceiptSpelling): string {
  return hexIn === 'response' ? number.toString(16).toUpperCase() : String(number);
}

function receiptId(number: number, { hexIn, isPadded }: ReceiptSpelling): string {
  const digits = hexIn === 'receipt' ? number.toString(16) : String(number);
  return isPadded === true ? digits.padStart(10, '0') : digits;
}

/** The state that reports a receipt; undefined for `read`, which SMS does not have. */
export function toState(receipt: SimulatedReceipt, failure: unknown): State | undefined {
  if (receipt === 'read') return undefined;
  if (receipt === 'failed') return (failure ?? 'UNDELIV') as State;
  return receipt === 'sent' ? 'ENROUTE' : 'DELIVRD';
}

/**
 * The body of the deliver_sm that reports a state. A forged one comes from another phone, which can
 * send the same text, but can neither mark it as a receipt nor add fields.
 */
export function receiptBody(
  part: KnownPart,
  state: State,
  { isForged, ...spelling }: ReceiptSpelling & { isForged: boolean },
): Buffer {
  const text = Buffer.from(receiptText(part, state, spelling), 'latin1');
  const fields = [
    tlv(0x001e, writeOctets(receiptId(part.number, spelling))),
    tlv(0x0427, Buffer.from([STATES[state]])),
  ];
  return deliverBody({
    from: isForged ? STRANGER : part.to,
    to: part.from,
    esmClass: isForged ? 0 : 0x04,
    content: spelling.fields === 'alone' && !isForged ? Buffer.alloc(0) : text,
    fields: spelling.fields === undefined || isForged ? [] : fields,
  });
}

function receiptText(part: KnownPart, state: State, spelling: ReceiptSpelling): string {
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(2);
  const date = stamp.slice(0, spelling.hasSeconds === true ? 12 : 10);
  const isDelivered = state === 'DELIVRD';
  return [
    `id:${receiptId(part.number, spelling)} sub:001 dlvrd:${isDelivered ? '001' : '000'}`,
    `submit date:${date} done date:${date}`,
    `stat:${spelling.isLowerCase === true ? state.toLowerCase() : state}`,
    `err:${isDelivered ? '000' : '001'} text:${part.text.slice(0, 20).replaceAll(/[^\x20-\x7e]/g, '?')}`,
  ].join(' ');
}

export function deliverBody(delivery: {
  from: string;
  to: string;
  esmClass: number;
  content: Buffer;
  /** 0, the alphabet of the centre, when not given. */
  dataCoding?: number;
  fields: readonly Buffer[];
}): Buffer {
  const { from, to, esmClass, content, dataCoding = 0, fields } = delivery;
  const address = writeOctets('', 1, 1, from, /^\d+$/.test(to) ? 1 : 5, 0, to);
  const flags = writeOctets(esmClass, 0, 0, '', '', 0, 0, dataCoding, 0);
  return writeOctets(address, flags, content.length, content, ...fields);
}
