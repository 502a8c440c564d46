import {
  SMS_PLAIN_PART,
  SMS_PLAIN_SINGLE,
  SMS_WIDE_PART,
  SMS_WIDE_SINGLE,
} from '@zhiber/contract/api/limits.ts';
import { gsmOctets } from './gsm-alphabet.ts';

export const GSM_CODING = 0;
export const UCS2_CODING = 8;

export type SmsParts = {
  dataCoding: typeof GSM_CODING | typeof UCS2_CODING;
  /** What each part says, without any header. */
  parts: readonly Buffer[];
};

/** Room in octets: a sign of the GSM alphabet takes one, a unit of UCS-2 two. */
const GSM_ROOM = { single: SMS_PLAIN_SINGLE, part: SMS_PLAIN_PART };
const UCS2_ROOM = { single: SMS_WIDE_SINGLE * 2, part: SMS_WIDE_PART * 2 };

/**
 * A text as the parts that it travels in. One letter outside the GSM alphabet (all Cyrillic) makes
 * the whole text wide. What belongs together is never cut in two.
 */
export function splitText(text: string): SmsParts {
  const { dataCoding, parts } = packText(text);
  return { dataCoding, parts: parts.map((octets) => Buffer.from(octets)) };
}

/** How many SMS a text takes. Pages count with it as well, so it asks for nothing but text. */
export function countParts(text: string): number {
  return packText(text).parts.length;
}

function packText(text: string): Pick<SmsParts, 'dataCoding'> & { parts: number[][] } {
  const gsm = gsmOctets(text);
  return gsm === undefined
    ? { dataCoding: UCS2_CODING, parts: pack([...text].map(ucs2Octets), UCS2_ROOM) }
    : { dataCoding: GSM_CODING, parts: pack(gsm, GSM_ROOM) };
}

type Sign = readonly number[];

/** One sign: two octets, or the four of a surrogate pair. */
function ucs2Octets(sign: string): Sign {
  return sign.split('').flatMap((unit) => [unit.charCodeAt(0) >> 8, unit.charCodeAt(0) & 0xff]);
}

function pack(signs: readonly Sign[], room: { single: number; part: number }): number[][] {
  const total = signs.reduce((sum, sign) => sum + sign.length, 0);
  const partRoom = total <= room.single ? room.single : room.part;
  const parts: number[][] = [[]];
  for (const sign of signs) {
    const last = parts.at(-1) as number[];
    if (last.length + sign.length > partRoom) parts.push([...sign]);
    else last.push(...sign);
  }
  return parts;
}
