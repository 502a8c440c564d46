/**
 * Reads delivery receipts: a deliver_sm whose text follows a convention, not a standard (SMPP 3.4,
 * appendix B), or has the same in optional fields (TLVs), which take precedence.
 */

import type { Receipt } from '../../channel.ts';
import { findValue, incomingText, KIND_BITS } from './incoming-text.ts';
import { type IdForm, normalId } from './message-id.ts';
import type { PduOf, Tlv } from './pdu.ts';

export type SmsReceipt = { id: string; receipt: Receipt; reason?: string };

const RECEIPT_KIND = 0b0000_0100;

const RECEIPTED_MESSAGE_ID = 0x001e;
const MESSAGE_STATE = 0x0427;

/**
 * Keyed by the first five letters, because some centres write the words out in full. States that
 * are not final (ENROUTE, ACCEPTD) or say nothing (UNKNOWN) are ignored.
 */
const STATES: Readonly<Record<string, { receipt: Receipt; reason?: string }>> = {
  DELIV: { receipt: 'delivered' },
  EXPIR: { receipt: 'failed', reason: 'Телефон был недоступен, срок доставки SMS истёк' },
  DELET: { receipt: 'failed', reason: 'Оператор удалил SMS до доставки' },
  UNDEL: { receipt: 'failed', reason: 'Оператор не смог доставить SMS' },
  REJEC: { receipt: 'failed', reason: 'Оператор отклонил SMS' },
};
const STATES_BY_NUMBER: Readonly<Record<number, string>> = {
  2: 'DELIV',
  3: 'EXPIR',
  4: 'DELET',
  5: 'UNDEL',
  8: 'REJEC',
};

/** Undefined when it is not a receipt, or not one with a final state. */
export function readReceipt(pdu: PduOf<'deliver_sm'>, idForm: IdForm): SmsReceipt | undefined {
  if ((pdu.body.esmClass & KIND_BITS) !== RECEIPT_KIND) return undefined;
  // Without its copy of the message text, which could contain anything.
  const text = incomingText(pdu).split(/\stext:/i, 1)[0] as string;
  const id = findId(text, pdu.tlvs, idForm);
  const state = STATES[findState(text, pdu.tlvs) ?? ''];
  return id === undefined || state === undefined ? undefined : { id, ...state };
}

/**
 * With a hexadecimal `idForm` the id in the text comes first: the setting describes the text, and
 * some centres fill the field with the id as in the response.
 */
function findId(text: string, tlvs: readonly Tlv[], idForm: IdForm): string | undefined {
  const fieldId = findValue(tlvs, RECEIPTED_MESSAGE_ID)?.toString('latin1').replace(/\0.*$/s, '');
  const textId = /(?:^|\s)id:\s*(\S+)/i.exec(text)?.[1];
  const id = idForm === 'same' ? fieldId || textId : (textId ?? fieldId);
  return id === undefined || id === '' ? undefined : normalId(id, 'receipt', idForm);
}

function findState(text: string, tlvs: readonly Tlv[]): string | undefined {
  const number = findValue(tlvs, MESSAGE_STATE)?.[0];
  if (number !== undefined) return STATES_BY_NUMBER[number];
  return /(?:^|\s)stat:\s*([a-z]+)/i.exec(text)?.[1]?.slice(0, 5).toUpperCase();
}
