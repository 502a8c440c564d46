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
 * text wide; what takes two places never stands across two parts.
 */
export function countSegments(text: string): number {
  const characters = [...text];
  const isPlain = characters.every((one) => PLAIN.has(one) || PLAIN_DOUBLE.has(one));
  return isPlain
    ? pack(
        characters.map((one) => (PLAIN.has(one) ? 1 : 2)),
        { single: SMS_PLAIN_SINGLE, part: SMS_PLAIN_PART },
      )
    : pack(
        characters.map((one) => one.length),
        { single: SMS_WIDE_SINGLE, part: SMS_WIDE_PART },
      );
}

function pack(places: readonly number[], room: { single: number; part: number }): number {
  if (places.reduce((sum, one) => sum + one, 0) <= room.single) return 1;
  let parts = 1;
  let used = 0;
  for (const one of places) {
    if (used + one > room.part) {
      parts += 1;
      used = 0;
    }
    used += one;
  }
  return parts;
}
