import type { Phone } from '../phone.ts';

/** In Kazakhstan the three digits after the 7 identify the operator. */
const KAZAKH_OPERATOR = /^7[67]\d\d/;
/**
 * Elsewhere: a calling code of one or two digits from this list, otherwise of three; then two
 * digits that tell operators apart.
 */
const ELSEWHERE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})\d\d/;

/**
 * The first digits of a phone, which the numbers of one operator share. They are too few to
 * identify a person.
 */
export function prefixOf(phone: Phone): string {
  const match = KAZAKH_OPERATOR.exec(phone) ?? ELSEWHERE.exec(phone);
  // A phone has at least seven digits, so one of the two always matches.
  return match?.[0] ?? phone.slice(0, 3);
}
