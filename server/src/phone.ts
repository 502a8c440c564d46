import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** E.164 digits without the plus. Once input is validated, no raw string is used as a phone. */
export type Phone = string & { readonly brand: 'Phone' };

export type PhoneFacts = {
  phone: Phone;
  country: CountryCode | undefined;
  /**
   * Premium, shared-cost, satellite and the like: expensive to reach, and never a person's phone.
   */
  isCostly: boolean;
  /** False for a landline, and for a number in a range that no operator uses. */
  canReceiveSms: boolean;
};

// Spaces (the ordinary and the no-break kinds people paste), dashes, dots and round brackets may
// stand anywhere.
const SEPARATORS = /[ \u00a0\u202f.()\-\u2010-\u2015]/g;
/**
 * All are mobile, so only the length is checked: in the ranges of 70 and 77 new operators appear.
 */
const KAZAKH_MOBILE = /^77(?:[07]\d|47)\d{7}$/;
const MOBILE_TYPES = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);
const COSTLY_TYPES = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PAGER', 'UAN', 'VOICEMAIL']);
// Satellite networks and international premium services have calling codes of their own.
const COSTLY_CODES = /^(?:870|878|881|882|883|888|979)/;

/**
 * Parses a phone in any accepted spelling; undefined when it is none, or when it could be a number
 * of two countries. All spellings of a phone give the same result.
 */
export function parsePhone(raw: string): PhoneFacts | undefined {
  const typed = internationalDigits(raw.replace(SEPARATORS, ''));
  if (typed === undefined) return undefined;
  const { digits } = typed;
  // Nearly all traffic.
  if (KAZAKH_MOBILE.test(digits)) {
    return { phone: digits as Phone, country: 'KZ', isCostly: false, canReceiveSms: true };
  }
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  if (parsed === undefined || !parsed.isPossible() || parsed.number !== `+${digits}`)
    return undefined;
  if (typed.isGuess && (!parsed.isValid() || readsAsNational(digits))) return undefined;
  const type = parsed.getType();
  return {
    phone: digits as Phone,
    country: parsed.country ?? kazakhOrRussian(digits),
    isCostly: COSTLY_CODES.test(digits) || (type !== undefined && COSTLY_TYPES.has(type)),
    canReceiveSms: type !== undefined && MOBILE_TYPES.has(type),
  };
}

/** Digits without a plus can be a national number of Russia or Kazakhstan, with or without the 8. */
function readsAsNational(digits: string): boolean {
  return (['RU', 'KZ'] as const).some(
    (country) => parsePhoneNumberFromString(digits, country)?.isValid() === true,
  );
}

/** Without a plus and in no form that is usual here, it is a guess that a country code is there. */
function internationalDigits(text: string): { digits: string; isGuess?: true } | undefined {
  const match = /^(\+|00)?(\d{7,15})$/.exec(text);
  if (match === null) return undefined;
  const [, prefix, digits = ''] = match;
  if (digits.startsWith('0')) return undefined;
  if (prefix !== undefined || /^7\d{10}$/.test(digits)) return { digits };
  // National spelling: 8 701 … or 701 …. 89… is the same habit in Russia; no country has the code
  // 89.
  if (/^8[79]\d{9}$/.test(digits)) return { digits: `7${digits.slice(1)}` };
  if (/^7\d{9}$/.test(digits)) return { digits: `7${digits}` };
  return { digits, isGuess: true };
}

/** Kazakhstan and Russia share the code 7: 6 and 7 after it are Kazakhstan's. */
function kazakhOrRussian(digits: string): CountryCode | undefined {
  if (!digits.startsWith('7')) return undefined;
  return /^7[67]/.test(digits) ? 'KZ' : 'RU';
}

/** A phone as it may appear in logs, events and the request log. */
export function maskPhone(phone: Phone): string {
  return `+${phone.slice(0, -7)}***${phone.slice(-4)}`;
}

export function isMaskedPhone(text: string): boolean {
  return /^\+\d*\*{3}\d{4}$/.test(text);
}
