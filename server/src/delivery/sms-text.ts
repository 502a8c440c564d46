import {
  SMS_PLAIN_PART,
  SMS_PLAIN_SINGLE,
  SMS_WIDE_PART,
  SMS_WIDE_SINGLE,
} from '@zhiber/contract/api/limits.ts';

// The GSM 7-bit alphabet; the second set costs two characters each.
const PLAIN = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const PLAIN_DOUBLE = new Set('^{}\\[~]|€');

/**
 * How many SMS a text takes. Any letter outside the plain alphabet (all Cyrillic) makes the whole
 * text wide.
 */
export function countSegments(text: string): number {
  let units = 0;
  for (const character of text) {
    if (PLAIN.has(character)) units += 1;
    else if (PLAIN_DOUBLE.has(character)) units += 2;
    else return partsOf(text.length, SMS_WIDE_SINGLE, SMS_WIDE_PART);
  }
  return partsOf(units, SMS_PLAIN_SINGLE, SMS_PLAIN_PART);
}

function partsOf(units: number, single: number, part: number): number {
  return units <= single ? 1 : Math.ceil(units / part);
}
