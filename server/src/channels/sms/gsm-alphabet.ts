/** The alphabet of GSM 03.38, one octet a septet, as SMPP carries it under data_coding 0. */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const ESCAPE = 0x1b;
/** Signs of two septets: the escape, and then this. */
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

const OCTETS = new Map<string, readonly number[]>([
  ...[...BASIC].map((sign, octet): [string, number[]] => [sign, [octet]]),
  ...Object.entries(EXTENSION).map(([sign, octet]): [string, number[]] => [sign, [ESCAPE, octet]]),
]);
// Alone it says nothing, and would change the sign that follows it.
OCTETS.delete('\u001b');

/** The octets of each sign; undefined when one of them is not in the alphabet. */
export function gsmOctets(text: string): (readonly number[])[] | undefined {
  const signs: (readonly number[])[] = [];
  for (const sign of text) {
    const octets = OCTETS.get(sign);
    if (octets === undefined) return undefined;
    signs.push(octets);
  }
  return signs;
}
