/**
 * Reads delivery receipts: deliveries whose text follows a convention, not a standard (SMPP 3.4,
 * appendix B), or has the same in optional fields (TLVs), which take precedence.
 */
import type { Receipt } from '../../channel.ts';
import { findValue, incomingText, KIND_BITS } from './incoming-text.ts';
import { type IdForm, normalId } from './message-id.ts';
import type { Delivery, Tlv } from './pdu.ts';

export type SmsReceipt = {
  /** As in the response, whatever its form there. */
  id: string;
  /** As the centre wrote it. */
  writtenId: string;
  receipt: Receipt;
  reason?: string;
  /** The digits of the recipient's address, as the centre wrote them, where it wrote any. */
  phone?: string;
  /** Nothing but the text says that it is a receipt, and a person can type a text. */
  isUnmarked?: true;
};

export type ReadReceipt =
  | SmsReceipt
  /** The state is not final, or says nothing. */
  | 'not_final'
  /** It is a receipt without an id, or without a state that we know. */
  | 'unreadable';

const RECEIPT_KIND = 0b0000_0100;

const RECEIPTED_MESSAGE_ID = 0x001e;
const MESSAGE_STATE = 0x0427;

const KEYS = {
  id: fieldPattern('id'),
  state: fieldPattern('stat(?:us)?'),
  submitDate: fieldPattern('submit[ _]date'),
  doneDate: fieldPattern('done[ _]date'),
};

/** The value of a key, quoted or not, up to a space, a comma, a semicolon or the end of the line. */
function fieldPattern(key: string): RegExp {
  return new RegExp(`(?:^|[\\s,;])${key}:\\s*(?:"([^"]*)"|'([^']*)'|([^\\s,;]+))`, 'i');
}

/** Enough digits that it is a phone, and not the short code or the name that messages come from. */
const PHONE = /^\+?(\d{7,20})$/;

type State = { receipt: Receipt; reason?: string } | 'not_final';

const UNDELIVERABLE: State = { receipt: 'failed', reason: 'Оператор не смог доставить SMS' };

/** Keyed by the beginning of the word, because some centres write the words out in full. */
const STATES: readonly (readonly [string, State])[] = [
  ['DELIV', { receipt: 'delivered' }],
  ['EXPIR', { receipt: 'failed', reason: 'Телефон был недоступен, срок доставки SMS истёк' }],
  ['DELET', { receipt: 'failed', reason: 'Оператор удалил SMS до доставки' }],
  ['UNDEL', UNDELIVERABLE],
  ['FAIL', UNDELIVERABLE],
  ['REJEC', { receipt: 'failed', reason: 'Оператор отклонил SMS' }],
  ['SKIPP', { receipt: 'failed', reason: 'Оператор пропустил SMS' }],
  ['SCHED', 'not_final'],
  ['ENROU', 'not_final'],
  ['ACCEP', 'not_final'],
  ['UNKNO', 'not_final'],
];
/** By message_state; SMPP 5.0 added the first and the last. */
const WORDS_BY_NUMBER = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVERED',
  'EXPIRED',
  'DELETED',
  'UNDELIVERABLE',
  'ACCEPTED',
  'UNKNOWN',
  'REJECTED',
  'SKIPPED',
] as const;

/** Undefined when it is no receipt. */
export function readReceipt(
  pdu: Delivery,
  { idForm, sender }: { idForm: IdForm; sender?: string },
): ReadReceipt | undefined {
  const text = incomingText(pdu);
  const { tlvs } = pdu;
  const kind = pdu.body.esmClass & KIND_BITS;
  const isMarked = kind !== 0 || findValue(tlvs, RECEIPTED_MESSAGE_ID) !== undefined;
  if (!isMarked && !isWholeReceipt(text)) return undefined;
  const writtenId = findId(text, tlvs, idForm);
  const state = findState(text, tlvs);
  if (writtenId === undefined || state === undefined) {
    return kind === RECEIPT_KIND || kind === 0 ? 'unreadable' : undefined;
  }
  if (state === 'not_final') return 'not_final';
  const phone = findPhone(pdu, sender);
  return {
    id: normalId(writtenId, 'receipt', idForm),
    writtenId,
    ...state,
    ...(phone !== undefined && { phone }),
    ...(!isMarked && { isUnmarked: true }),
  };
}

/** Whether a text has everything that the customary receipt has, as nobody writes by chance. */
function isWholeReceipt(text: string): boolean {
  const hasAll = Object.values(KEYS).every((pattern) => findWord(text, pattern) !== undefined);
  return hasAll && /^\s*id:/i.test(text);
}

/**
 * With a hexadecimal `idForm` the id in the text comes first: the setting describes the text, and
 * some centres fill the field with the id as in the response.
 */
function findId(text: string, tlvs: readonly Tlv[], idForm: IdForm): string | undefined {
  const fieldId = findValue(tlvs, RECEIPTED_MESSAGE_ID)?.toString('latin1').replace(/\0.*$/s, '');
  const textId = findWord(text, KEYS.id);
  return (idForm === 'same' ? fieldId || textId : (textId ?? fieldId)) || undefined;
}

function findState(text: string, tlvs: readonly Tlv[]): State | undefined {
  const number = findValue(tlvs, MESSAGE_STATE)?.[0];
  const fieldWord = number === undefined ? undefined : WORDS_BY_NUMBER[number];
  const word = (fieldWord ?? findWord(text, KEYS.state))?.toUpperCase();
  return STATES.find(([beginning]) => word?.startsWith(beginning))?.[1];
}

function findWord(text: string, pattern: RegExp): string | undefined {
  // Without its copy of the message text, which could contain anything.
  const fields = text.split(/[\s,;]text:/i, 1)[0] as string;
  const found = pattern.exec(fields);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/**
 * A receipt comes from the recipient of the message. Some centres write the addresses in the order
 * of the message instead: then the source is the sender.
 */
function findPhone({ body }: Delivery, sender: string | undefined): string | undefined {
  const [source, destination] = [body.source, body.destination].map(
    (text) => PHONE.exec(text)?.[1],
  );
  return source === undefined || source === sender ? (destination ?? source) : source;
}
