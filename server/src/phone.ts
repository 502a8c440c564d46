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
};

// Spaces (the ordinary and the no-break kinds people paste), dashes, dots and round brackets may
// stand anywhere.
const SEPARATORS = /[ \u00a0\u202f.()\-\u2010-\u2015]/g;
const KAZAKH_MOBILE = /^77\d{9}$/;
const COSTLY_TYPES = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PAGER', 'UAN', 'VOICEMAIL']);
// Satellite networks and international premium services have calling codes of their own.
const COSTLY_CODES = /^(?:870|878|881|882|883|888|979)/;

/**
 * Parses a phone in any accepted spelling; undefined when it is none. All spellings of a phone give
 * the same result.
 */
export function parsePhone(raw: string): PhoneFacts | undefined {
  const digits = internationalDigits(raw.replace(SEPARATORS, ''));
  if (digits === undefined) return undefined;
  // Nearly all traffic. Only the length is checked: the ranges of operators change too often.
  if (KAZAKH_MOBILE.test(digits)) return { phone: digits as Phone, country: 'KZ', isCostly: false };

  const parsed = parsePhoneNumberFromString(`+${digits}`);
  if (parsed === undefined || !parsed.isPossible() || parsed.number !== `+${digits}`)
    return undefined;
  const type = parsed.getType();
  return {
    phone: digits as Phone,
    country: parsed.country ?? kazakhOrRussian(digits),
    isCostly: COSTLY_CODES.test(digits) || (type !== undefined && COSTLY_TYPES.has(type)),
  };
}

function internationalDigits(text: string): string | undefined {
  const match = /^(\+|00)?(\d{7,15})$/.exec(text);
  if (match === null) return undefined;
  const [, prefix, digits = ''] = match;
  if (prefix !== undefined) return digits.startsWith('0') ? undefined : digits;
  // National spelling: 8 701 … or 701 …. 89… is the same habit in Russia; no country has the code
  // 89.
  if (/^8[79]\d{9}$/.test(digits)) return `7${digits.slice(1)}`;
  if (/^7\d{9}$/.test(digits)) return `7${digits}`;
  return digits.startsWith('0') ? undefined : digits;
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
