import { readMessageId } from '@zhiber/contract/cabinet/message-id.ts';

/** How well a text fits what was typed: 0 for not at all. Prefixes and starts of words count most. */
export function matchScore(typed: string, text: string): number {
  const queries = new Set([typed, toOtherLayout(typed)].map(normalise));
  return Math.max(...[...queries].map((query) => scoreOf(query, normalise(text))));
}

const WHOLE_PREFIX = 8;
const WORD_START = 4;
const INSIDE = 1;
/** A shorter piece inside a word is there by chance. */
const INSIDE_LENGTH_MIN = 3;

function scoreOf(query: string, text: string): number {
  const tokens = query.split(' ').filter(Boolean);
  if (tokens.length === 0) return 0;
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const scores = tokens.map((token) => {
    if (words.some((word) => word.startsWith(token))) return WORD_START;
    return token.length >= INSIDE_LENGTH_MIN && text.includes(token) ? INSIDE : 0;
  });
  if (scores.includes(0)) return 0;
  const bonus = text.startsWith(query) ? WHOLE_PREFIX : 0;
  return scores.reduce<number>((sum, score) => sum + score, bonus);
}

function normalise(text: string): string {
  return text.trim().toLocaleLowerCase().replaceAll('ё', 'е');
}

const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const CYRILLIC = 'йцукенгшщзхъфывапролджэячсмитьбю';

/** The same keys in the other layout: «луны» for `keys`, `rk.xb` for «ключи». */
function toOtherLayout(text: string): string {
  return [...text.toLocaleLowerCase()]
    .map((key) => CYRILLIC[LATIN.indexOf(key)] ?? LATIN[CYRILLIC.indexOf(key)] ?? key)
    .join('');
}

/** The digits of a phone in any spelling; undefined for anything else. */
export function readPhone(typed: string): string | undefined {
  const plain = typed.replaceAll(/[\s().-]/g, '');
  return /^\+?\d{10,15}$/.test(plain) ? plain : undefined;
}

const REQUEST_ID = /^req_[\w.-]{6,60}$/;

export function isMessageId(typed: string): boolean {
  return readMessageId(typed.trim()) !== undefined;
}

export function isRequestId(typed: string): boolean {
  return REQUEST_ID.test(typed.trim());
}
