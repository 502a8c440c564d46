import { inflateRawSync } from 'node:zlib';
import { COLUMNS_MAX, RECIPIENTS_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';

/** A workbook of 100,000 rows has about 60 MB; the library needs several times as much memory. */
const UNPACKED_BYTES_MAX = 160 * 1024 * 1024;
const ENTRIES_MAX = 1_000;
/** The library fills the gaps before a cell, so a cell far away costs as much as all before it. */
const PLACES_MAX = RECIPIENTS_MAX * COLUMNS_MAX;
const ROW_NUMBER_MAX = 2 * RECIPIENTS_MAX;

const END = 0x06054b50;
const END_LENGTH = 22;
const COMMENT_LENGTH_MAX = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;

/**
 * `broken`: it is no workbook. `large`: it may be one, and takes more memory than we give it. `wide`:
 * it has more columns than a row may have.
 */
export type ArchiveFault = 'broken' | 'large' | 'wide';

/**
 * Looks into a workbook before the library unpacks it: a small file can claim or hold gigabytes.
 * Both the sizes that it declares and what comes out are counted.
 */
export function findArchiveFault(bytes: Buffer): ArchiveFault | undefined {
  const entries = listEntries(bytes);
  if (entries === undefined) return 'broken';
  const declared = entries.reduce((sum, { size }) => sum + size, 0);
  if (entries.length > ENTRIES_MAX || declared > UNPACKED_BYTES_MAX) return 'large';
  if (!entries.some(({ name }) => SHEET.test(name))) return 'broken';
  for (const entry of entries) {
    const content = unpack(bytes, entry);
    if (content === undefined) return 'broken';
    const fault = SHEET.test(entry.name) ? findSheetFault(content.toString('latin1')) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

type Entry = { name: string; method: number; packed: number; size: number; offset: number };

/** The directory at the end, read as the library reads it; undefined when there is none. */
function listEntries(bytes: Buffer): Entry[] | undefined {
  const end = findEnd(bytes);
  if (end === undefined) return undefined;
  const entries: Entry[] = [];
  const count = bytes.readUInt16LE(end + 8);
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_LENGTH > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return undefined;
    const nameLength = bytes.readUInt16LE(at + 28);
    const nameAt = at + ENTRY_LENGTH;
    entries.push({
      name: bytes.toString('utf8', nameAt, nameAt + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at = nameAt + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(bytes: Buffer): number | undefined {
  const lowest = Math.max(0, bytes.length - END_LENGTH - COMMENT_LENGTH_MAX);
  for (let at = bytes.length - END_LENGTH; at >= lowest; at--) {
    if (bytes.readUInt32LE(at) === END) return at;
  }
  return undefined;
}

/** The content of an entry; undefined when it is not what its size says. */
function unpack(bytes: Buffer, { method, packed, size, offset }: Entry): Buffer | undefined {
  if (offset + LOCAL_LENGTH > bytes.length) return undefined;
  const start =
    offset + LOCAL_LENGTH + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const content = bytes.subarray(start, start + packed);
  if (method === 0) return content.length === size ? content : undefined;
  if (method !== 8) return undefined;
  try {
    const unpacked = inflateRawSync(content, { maxOutputLength: size + 1 });
    return unpacked.length === size ? unpacked : undefined;
  } catch {
    // Damaged, or longer than it says.
    return undefined;
  }
}

const ROW_OR_CELL = /<(row|c)\b([^>]*)>/g;

/** Counts the places up to the last cell of each row, by what rows and cells say of themselves. */
function findSheetFault(sheet: string): ArchiveFault | undefined {
  let places = 0;
  let column = 0;
  for (const [, tag, attributes = ''] of sheet.matchAll(ROW_OR_CELL)) {
    const [, letters = '', number = '0'] = /\br="([A-Z]*)(\d+)"/.exec(attributes) ?? [];
    if (Number(number) > ROW_NUMBER_MAX || letters.length > 3) return 'large';
    if (tag === 'row') {
      column = 0;
      continue;
    }
    const next = letters === '' ? column + 1 : columnNumber(letters);
    places += Math.max(next - column, 1);
    column = next;
    if (places > PLACES_MAX) return 'large';
    // A cell without content only has a colour or a border.
    if (column > COLUMNS_MAX && !attributes.endsWith('/')) return 'wide';
  }
  return undefined;
}

/** A is 1, Z is 26, AA is 27. */
function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
