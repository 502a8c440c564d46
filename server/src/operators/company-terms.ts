import { parsePhone } from '../phone.ts';

/** What a search for companies can mean, all at once; null for what it cannot. */
export type CompanyTerms = {
  id: number | null;
  businessId: string | null;
  /** The beginning of the name, as a pattern. */
  nameStart: string;
  /** Each a beginning of a word of the name, as a text search query. */
  nameWords: string | null;
  /** E.164 digits. */
  phone: string | null;
  /** The beginning of an address, as a pattern. */
  emailStart: string | null;
  /** The beginning of a key, as a pattern. */
  keyStart: string | null;
};

/** So much of a key is stored; whoever pastes more is understood, too. */
const KEY_START_LENGTH = 12;
const EMAIL_START_MIN = 3;
const ID = /^[1-9]\d{0,14}$/;

/** Reads what an operator typed: part of a name, a number, БИН, a phone, an e-mail or a key. */
export function readCompanyTerms(typed: string): CompanyTerms {
  const text = typed.trim();
  const compact = text.replaceAll(' ', '');
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isAddress = /^[^\s@]+@?[^\s@]*$/.test(text) && text.length >= EMAIL_START_MIN;
  return {
    id: ID.test(compact) ? Number(compact) : null,
    businessId: /^\d{12}$/.test(compact) ? compact : null,
    nameStart: startingWith(text.toLowerCase()),
    nameWords: words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & '),
    phone: parsePhone(text)?.phone ?? null,
    emailStart: isAddress ? startingWith(text.toLowerCase()) : null,
    keyStart: text.startsWith('zk_') ? startingWith(text.slice(0, KEY_START_LENGTH)) : null,
  };
}

/** A pattern for `like`, in which the typed characters stand for themselves. */
function startingWith(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
