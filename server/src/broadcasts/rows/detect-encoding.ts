import { isUtf8 } from 'node:buffer';

/** Enough to tell encodings apart, and what waits in memory until they are. */
const SAMPLE_BYTES = 64 * 1024;

const BYTE_ORDER_MARKS: readonly [encoding: string, bytes: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes a text as it comes, in an encoding that is found by itself: UTF-8, UTF-16 or
 * Windows-1251. The encoding of a file that begins with thousands of plain ASCII lines is decided
 * where the first other character is.
 */
export async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let pending: Buffer = Buffer.alloc(0);
  let isStart = true;
  for await (const chunk of chunks) {
    if (decoder !== undefined) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    if (isStart && pending.length < SAMPLE_BYTES) continue;
    const encoding = findEncoding(pending, { isStart, isEnd: false });
    isStart = false;
    if (encoding === 'more') continue;
    if (encoding === 'ascii') {
      yield pending.toString('latin1');
    } else {
      decoder = new TextDecoder(encoding);
      yield decoder.decode(pending, { stream: true });
    }
    pending = Buffer.alloc(0);
  }
  if (decoder !== undefined) {
    yield decoder.decode();
    return;
  }
  const encoding = findEncoding(pending, { isStart, isEnd: true });
  yield new TextDecoder(encoding).decode(pending);
}

/** `ascii` while nothing else was met, `more` when what follows must be seen first. */
export function findEncoding(
  bytes: Buffer,
  { isStart, isEnd }: { isStart: boolean; isEnd: boolean },
): string {
  if (isStart) {
    const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte));
    if (marked !== undefined) return marked[0];
    const wide = findWideEncoding(bytes.subarray(0, SAMPLE_BYTES));
    if (wide !== undefined) return wide;
  }
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first < 0) return 'ascii';
  if (!isEnd && bytes.length - first < SAMPLE_BYTES) return 'more';
  return isMostlyUtf8(bytes.subarray(first, first + SAMPLE_BYTES)) ? 'utf-8' : 'windows-1251';
}

/** The high bytes of Latin letters, digits and Cyrillic in UTF-16; no text in one byte has them. */
const HIGH_BYTES = new Set([0x00, 0x04]);

/** UTF-16 without a mark: nearly every second byte is a high byte. */
function findWideEncoding(bytes: Buffer): string | undefined {
  const pairs = Math.floor(bytes.length / 2);
  if (pairs === 0) return undefined;
  let first = 0;
  let second = 0;
  for (let i = 0; i < pairs * 2; i += 2) {
    if (HIGH_BYTES.has(bytes[i] as number)) first += 1;
    if (HIGH_BYTES.has(bytes[i + 1] as number)) second += 1;
  }
  if (second > pairs * 0.7 && first < pairs * 0.3) return 'utf-16le';
  if (first > pairs * 0.7 && second < pairs * 0.3) return 'utf-16be';
  return undefined;
}

/** One broken character does not make a text in UTF-8 one in Windows-1251. */
function isMostlyUtf8(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true;
  let good = 0;
  let bad = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = lengthOfCharacter(bytes, i);
    if (length > 1) good += 1;
    // The last character may be cut.
    if (length === 0 && i < bytes.length - 3) bad += 1;
    i += Math.max(length, 1);
  }
  return good > bad;
}

/** The bytes of the UTF-8 character at a place; 0 when there is none. */
function lengthOfCharacter(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  for (let i = 1; i < length; i++) {
    if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
