import { SMS_PLAIN_PART, SMS_PLAIN_SINGLE, SMS_WIDE_PART, SMS_WIDE_SINGLE } from '../api/limits.ts';

export const GSM_CODING = 0;
export const UCS2_CODING = 8;

export type SmsParts = {
  dataCoding: typeof GSM_CODING | typeof UCS2_CODING;
  /** The octets of each part, without any header. */
  parts: readonly Uint8Array[];
};

/** Capacity in octets: one for a character of the GSM alphabet, two for a unit of UCS-2. */
const GSM_ROOM = { single: SMS_PLAIN_SINGLE, part: SMS_PLAIN_PART };
const UCS2_ROOM = { single: SMS_WIDE_SINGLE * 2, part: SMS_WIDE_PART * 2 };

/**
 * Splits a text into SMS parts. One letter outside the GSM alphabet (all Cyrillic) makes the whole
 * text wide. A surrogate pair or an escape is never split. With `latin1` a text that is not wide is
 * split in the same places and written in Latin-1, for message centres that translate it themselves;
 * one letter that Latin-1 lacks makes it wide.
 */
export function splitText(text: string, alphabet: 'gsm' | 'latin1' = 'gsm'): SmsParts {
  const { dataCoding, parts } = packText(text, alphabet);
  return { dataCoding, parts: parts.map((octets) => Uint8Array.from(octets)) };
}

/**
 * How many SMS a text takes: the parts of `splitText`, without making them. A broadcast counts those
 * of a hundred thousand texts.
 */
export function countParts(text: string): number {
  if (isGsmText(text)) {
    return countPacked(text, gsmSize, { single: SMS_PLAIN_SINGLE, part: SMS_PLAIN_PART });
  }
  if (text.length <= SMS_WIDE_SINGLE) return 1;
  // Only a pair of surrogates can leave room at the end of a part.
  if (!SURROGATE.test(text)) return Math.ceil(text.length / SMS_WIDE_PART);
  return countPacked(text, ucs2Size, { single: SMS_WIDE_SINGLE, part: SMS_WIDE_PART });
}

const SURROGATE = /[\ud800-\udfff]/;

function isGsmText(text: string): boolean {
  for (const char of text) if (!OCTETS.has(char)) return false;
  return true;
}

const gsmSize = (char: string) => OCTETS.get(char)?.length ?? 1;
const ucs2Size = (char: string) => char.length;

function countPacked(
  text: string,
  sizeOf: (char: string) => number,
  room: { single: number; part: number },
): number {
  let total = 0;
  let parts = 1;
  let inPart = 0;
  for (const char of text) {
    const size = sizeOf(char);
    total += size;
    if (inPart + size > room.part) {
      parts += 1;
      inPart = 0;
    }
    inPart += size;
  }
  return total <= room.single ? 1 : parts;
}

function packText(
  text: string,
  alphabet: 'gsm' | 'latin1',
): Pick<SmsParts, 'dataCoding'> & { parts: number[][] } {
  const gsm = gsmOctets(text);
  if (gsm === undefined || (alphabet === 'latin1' && !isLatin1(text))) {
    return { dataCoding: UCS2_CODING, parts: pack([...text].map(ucs2Octets), UCS2_ROOM) };
  }
  const parts = pack(gsm, GSM_ROOM);
  return { dataCoding: GSM_CODING, parts: alphabet === 'gsm' ? parts : parts.map(toLatin1) };
}

function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

/** Octets of the GSM alphabet, each escape with the octet after it as one character. */
function toLatin1(octets: readonly number[]): number[] {
  const chars = octets.map((octet, at) =>
    octets[at - 1] === ESCAPE ? EXTENSION_CHARS.get(octet) : BASIC[octet],
  );
  return chars.flatMap((char, at) => (octets[at] === ESCAPE ? [] : [char?.charCodeAt(0) ?? 0]));
}

type Octets = readonly number[];

/** One character: two octets, or four for a surrogate pair. */
function ucs2Octets(char: string): Octets {
  return char.split('').flatMap((unit) => [unit.charCodeAt(0) >> 8, unit.charCodeAt(0) & 0xff]);
}

function pack(chars: readonly Octets[], room: { single: number; part: number }): number[][] {
  const total = chars.reduce((sum, char) => sum + char.length, 0);
  const partRoom = total <= room.single ? room.single : room.part;
  const parts: number[][] = [[]];
  for (const char of chars) {
    const last = parts.at(-1) as number[];
    if (last.length + char.length > partRoom) parts.push([...char]);
    else last.push(...char);
  }
  return parts;
}

/** The alphabet of GSM 03.38, one octet for each septet, as SMPP carries it with data_coding 0. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const ESCAPE = 0x1b;
/** Characters of two septets: the escape, and then this. */
const EXTENSION: Readonly<Record<string, number>> = {
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
};

const EXTENSION_CHARS = new Map(Object.entries(EXTENSION).map(([char, octet]) => [octet, char]));

const OCTETS = new Map<string, readonly number[]>([
  ...[...BASIC].map((char, octet): [string, number[]] => [char, [octet]]),
  ...Object.entries(EXTENSION).map(([char, octet]): [string, number[]] => [char, [ESCAPE, octet]]),
]);
// A bare escape has no meaning, and would change the character after it.
OCTETS.delete('\u001b');

/** The octets of each character; undefined when one of them is not in the alphabet. */
function gsmOctets(text: string): (readonly number[])[] | undefined {
  const chars: (readonly number[])[] = [];
  for (const char of text) {
    const octets = OCTETS.get(char);
    if (octets === undefined) return undefined;
    chars.push(octets);
  }
  return chars;
}
