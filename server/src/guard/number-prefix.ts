import type { Phone } from '../phone.ts';

/** The three digits after the 7 are an operator of Kazakhstan. */
const KAZAKH_OPERATOR = /^7[67]\d\d/;
/** A calling code has one or two digits of this list, or else three; two more tell operators apart. */
const ELSEWHERE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})\d\d/;

/**
 * The first digits of a phone, by which those of one operator are counted together: few enough that
 * no person can be told from them.
 */
export function prefixOf(phone: Phone): string {
  const match = KAZAKH_OPERATOR.exec(phone) ?? ELSEWHERE.exec(phone);
  // The shortest phone there is has seven digits, so one of the two always fits.
  return match?.[0] ?? phone.slice(0, 3);
}
