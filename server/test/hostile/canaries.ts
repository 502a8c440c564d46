/** Values that must never be seen outside their one place, and the search for them. */

export type Canary = {
  what: 'key' | 'secret' | 'database password' | 'code' | 'hash of a code' | 'phone';
  text: string;
};

export type Place = { name: string; read(): Iterable<Piece> | AsyncIterable<Piece> };
/** A piece of a place, with the words to find it by. */
export type Piece = { where: string; bytes: Buffer };

export type Hit = { canary: Canary; spelling: string; where: string };

/** The ways in which a value could have been written down. */
function spellingsOf({ what, text }: Canary): string[] {
  if (what === 'phone' || what === 'hash of a code') return [text];
  const bytes = Buffer.from(text);
  const all = [
    text,
    [...text].reverse().join(''),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url').replace(/=+$/, ''),
  ];
  if (what === 'code') {
    const half = text.length / 2;
    all.push(
      `${text.slice(0, half)} ${text.slice(half)}`,
      `${text.slice(0, half)}-${text.slice(half)}`,
    );
  }
  return [...new Set(all)];
}

/** Everything of these values that lies in a place. */
export async function sweep(place: Place, canaries: readonly Canary[]): Promise<Hit[]> {
  const wanted = canaries.flatMap((canary) =>
    spellingsOf(canary).map((spelling) => ({ canary, spelling, bytes: Buffer.from(spelling) })),
  );
  const hits: Hit[] = [];
  for await (const piece of place.read()) {
    for (const { canary, spelling, bytes } of wanted) {
      if (isIn(piece.bytes, bytes)) hits.push({ canary, spelling, where: piece.where });
    }
  }
  return hits;
}

/**
 * Whether it stands there by itself. Eight digits are found by chance inside the hexadecimal digits
 * of an id or a hash; a code that was written down has an end.
 */
function isIn(bytes: Buffer, wanted: Buffer): boolean {
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (!isDigit(bytes[at - 1]) && !isDigit(bytes[at + wanted.length])) return true;
    // Longer values are not found by chance.
    if (wanted.length > 10) return true;
  }
  return false;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9a-f]/.test(String.fromCharCode(byte));
}
