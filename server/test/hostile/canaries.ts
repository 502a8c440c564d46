/** Secret values that must not leak, and the search for them in every encoding. */

export type Canary = {
  what: 'key' | 'secret' | 'database password' | 'code' | 'hash of a code' | 'phone';
  text: string;
};

export type Place = { name: string; read(): Iterable<Piece> | AsyncIterable<Piece> };
/** A part of a place, with a description of its location. */
export type Piece = { where: string; bytes: Buffer };

export type Hit = { canary: Canary; encoding: string; where: string };

/** The encodings in which a value could have leaked. */
function encodingsOf({ what, text }: Canary): string[] {
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

/** Finds all canaries in a place. */
export async function sweep(place: Place, canaries: readonly Canary[]): Promise<Hit[]> {
  const wanted = canaries.flatMap((canary) =>
    encodingsOf(canary).map((encoding) => ({ canary, encoding, bytes: Buffer.from(encoding) })),
  );
  const hits: Hit[] = [];
  for await (const piece of place.read()) {
    for (const { canary, encoding, bytes } of wanted) {
      if (contains(piece.bytes, bytes)) hits.push({ canary, encoding, where: piece.where });
    }
  }
  return hits;
}

/**
 * A short value counts only when no hexadecimal digit surrounds it, because eight digits occur by
 * chance inside an id or a hash.
 */
function contains(bytes: Buffer, wanted: Buffer): boolean {
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (!isHexDigit(bytes[at - 1]) && !isHexDigit(bytes[at + wanted.length])) return true;
    // Longer values do not occur by chance.
    if (wanted.length > 10) return true;
  }
  return false;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9a-f]/.test(String.fromCharCode(byte));
}
