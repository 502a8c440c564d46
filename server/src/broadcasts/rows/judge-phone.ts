import type { PhoneFault, RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import { validatePhoneNumberLength } from 'libphonenumber-js/max';
import { findSmsRefusal } from '../../delivery/check-recipient.ts';
import { type Phone, type PhoneFacts, parsePhone } from '../../phone.ts';

/** What the phone of a row says alone, without the other rows. */
export type JudgedPhone =
  | { verdict: 'invalid'; phone: null; fault: PhoneFault }
  | { verdict: Extract<RowVerdict, 'cannot_receive' | 'other_country' | 'send'>; phone: Phone };

export type PhoneRules = {
  /** Countries to which SMS are sent; a phone of any other is reached by messengers alone. */
  smsCountries: string[];
  includesOtherCountries: boolean;
};

export function judgePhone(cell: string, rules: PhoneRules): JudgedPhone {
  const facts = parseCell(cell);
  if (typeof facts === 'string') return { verdict: 'invalid', phone: null, fault: facts };
  const { phone } = facts;
  if (facts.isCostly || !facts.canReceiveSms) return { verdict: 'cannot_receive', phone };
  const isOther = findSmsRefusal(rules, facts) === 'country_not_supported';
  if (isOther && !rules.includesOtherCountries) return { verdict: 'other_country', phone };
  return { verdict: 'send', phone };
}

/** The phone in a cell, or why there is none. */
export function parseCell(cell: string): PhoneFacts | PhoneFault {
  const text = asWritten(cell);
  if (text === '') return 'empty';
  return text === undefined ? 'ambiguous' : (parsePhone(text) ?? findFault(text));
}

/** As spreadsheets write a long number into a text file. */
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;
/** 7,70112E+10 has lost its last digits, and would be the phone of somebody else. */
const SCIENTIFIC_DIGITS_MIN = 9;

/** The number that a spreadsheet meant; undefined when it has dropped digits. */
function asWritten(cell: string): string | undefined {
  // The apostrophe marks a text.
  const text = cell.trim().replace(/^'/, '').trim();
  const [, first = '', rest = '', exponent] = SCIENTIFIC.exec(text) ?? [];
  if (exponent === undefined) return text.replace(/^(\d{10,})[.,]0+$/, '$1');
  const digits = first + rest;
  const length = Number(exponent) + 1;
  if (digits.length < SCIENTIFIC_DIGITS_MIN || digits.length > length) return undefined;
  return digits.padEnd(length, '0');
}

const BETWEEN_NUMBERS = /[,;/\\|\n]+|\s+(?:и|және|and|или|or)\s+/;

function findFault(text: string): PhoneFault {
  if (holdsTwo(text.split(BETWEEN_NUMBERS)) || holdsTwo(text.split(/\s+/))) return 'two_numbers';
  if (/\p{L}/u.test(text)) return 'letters';
  const typed = /^(\+|00)?(\d+)$/.exec(text.replace(/[\s.()\-\u2010-\u2015]/g, ''));
  if (typed === null) return 'not_a_number';
  const [, prefix, digits = ''] = typed;
  const isNational = digits.startsWith('7') || (prefix === undefined && digits.startsWith('8'));
  if (isNational) return faultOfLength(digits.length, 11, 11);
  if (prefix === undefined) return faultOfLength(digits.length, 10, 15, 'ambiguous');
  const length = validatePhoneNumberLength(`+${digits}`);
  if (length === 'TOO_SHORT') return 'too_short';
  return length === 'TOO_LONG' ? 'too_long' : 'not_a_number';
}

function holdsTwo(parts: readonly string[]): boolean {
  return parts.filter((part) => parsePhone(part.trim()) !== undefined).length > 1;
}

function faultOfLength(
  length: number,
  min: number,
  max: number,
  otherwise: PhoneFault = 'not_a_number',
): PhoneFault {
  if (length < min) return 'too_short';
  return length > max ? 'too_long' : otherwise;
}

/** What people write for no; an empty cell is no consent either. Anything else is one. */
const NO_CONSENT = new Set(
  ['', 'нет', 'не', 'н', 'no', 'n', 'жоқ', 'жок', '0', 'false', 'ложь', '-', '–', '—'].concat([
    'отказ',
    'отказался',
    'отказалась',
    'не согласен',
    'не согласна',
    'келіспеймін',
  ]),
);

export function isConsent(cell: string): boolean {
  return !NO_CONSENT.has(cell.trim().toLowerCase());
}
