import { Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { almatyTime } from '../almaty.ts';

/**
 * The content of a cell. Numbers are our own counts; texts may come from anybody. An instant is
 * shown as Almaty time, a `day` (2026-11-15) without one: spreadsheets sort and filter both as dates.
 */
export type Cell = string | number | Date | { day: string } | null;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const WIDTH = 20;
/** Excel refuses a file with a longer text in a cell. */
const CELL_LENGTH_MAX = 32_767;

/** The parts that are the same in every workbook. */
const PARTS = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd.mm.yyyy hh:mm:ss"/><numFmt numFmtId="165" formatCode="dd.mm.yyyy"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  ],
] as const;
/** The places of the two formats in the styles above. */
const STYLES = { time: 1, day: 2 };

/** Streams a workbook with one sheet. The rows at its head are frozen. */
export function xlsx(
  sheet: string,
  rows: AsyncIterable<readonly Cell[]>,
  frozenRows = 1,
): AsyncGenerator<Buffer> {
  const book = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  return zip([
    ...PARTS.map(([name, text]) => ({ name, content: [HEAD + text] })),
    { name: 'xl/workbook.xml', content: [HEAD + book] },
    { name: 'xl/worksheets/sheet1.xml', content: sheetText(rows, frozenRows) },
  ]);
}

async function* sheetText(
  rows: AsyncIterable<readonly Cell[]>,
  frozenRows: number,
): AsyncGenerator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="${WIDTH}" defaultRowHeight="15"/><sheetData>`;
  let number = 0;
  for await (const row of rows) {
    number += 1;
    const cells = row.map((cell, column) => cellText(cell, `${columnLetters(column)}${number}`));
    yield `<row r="${number}">${cells.join('')}</row>`;
  }
  yield '</sheetData></worksheet>';
}

/** A to Z, then AA, AB …: programs other than Excel read no cell without its place. */
function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** Texts are inline strings, so that none is ever taken for a formula. */
function cellText(cell: Cell, place: string): string {
  if (cell === null) return `<c r="${place}"/>`;
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (cell instanceof Date) {
    return `<c r="${place}" s="${STYLES.time}"><v>${serialOf(almatyTime(cell))}</v></c>`;
  }
  if (typeof cell === 'object') {
    return `<c r="${place}" s="${STYLES.day}"><v>${serialOf(`${cell.day} 00:00:00`)}</v></c>`;
  }
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.slice(0, CELL_LENGTH_MAX))}</t></is></c>`;
}

const DAY_SECONDS = 86_400;
/** Day 0 of spreadsheets; before March 1900 Excel counts otherwise, which does not concern us. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** A local time as spreadsheets count it: in days, to the second. */
function serialOf(local: string): string {
  const seconds = (Date.parse(`${local.replace(' ', 'T')}Z`) - EPOCH_MS) / 1000;
  return (seconds / DAY_SECONDS).toFixed(8).replace(/\.?0+$/, '');
}

// Characters that XML 1.0 cannot hold, not even as a reference.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // XML parsers turn a bare carriage return into a line feed.
  '\r': '&#13;',
};

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNWRITABLE, '')
    .replaceAll(/[&<>"\r]/g, (character) => ENTITIES[character] as string);
}

export type ZipEntry = { name: string; content: AsyncIterable<string> | Iterable<string> };

// Sizes follow the content, because they are unknown until it has been read; names are UTF-8.
const FLAGS = 0x0808;
const DEFLATE = 8;
const VERSION = 20;
/** 1 January 1980: the archive does not reveal when it was made. */
const DATE = 0x0021;

type Written = { name: Buffer; crc: number; packed: number; plain: number; offset: number };

/** Streams a zip archive; no entry is ever held in memory as a whole. */
export async function* zip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), crc: 0, packed: 0, plain: 0, offset };
    const head = localHeader(entry.name);
    yield head;
    for await (const chunk of deflate(content, entry)) {
      entry.packed += chunk.length;
      yield chunk;
    }
    const sizes = descriptor(entry);
    yield sizes;
    offset += head.length + entry.packed + sizes.length;
    written.push(entry);
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  yield endOfDirectory(written.length, directory.length, offset);
}

async function* deflate(content: ZipEntry['content'], entry: Written): AsyncGenerator<Buffer> {
  const packing = createDeflateRaw();
  const plain = Readable.from(counted(content, entry));
  plain.on('error', (error) => packing.destroy(error));
  plain.pipe(packing);
  try {
    yield* packing;
  } finally {
    plain.destroy();
  }
}

async function* counted(content: ZipEntry['content'], entry: Written): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text);
    entry.crc = crc32(bytes, entry.crc);
    entry.plain += bytes.length;
    yield bytes;
  }
}

function localHeader(name: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(VERSION, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(DEFLATE, 8);
  head.writeUInt16LE(DATE, 12);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptor({ crc, packed, plain }: Written): Buffer {
  const sizes = Buffer.alloc(16);
  sizes.writeUInt32LE(0x08074b50, 0);
  sizes.writeUInt32LE(crc, 4);
  sizes.writeUInt32LE(packed, 8);
  sizes.writeUInt32LE(plain, 12);
  return sizes;
}

function directoryEntry({ name, crc, packed, plain, offset }: Written): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(FLAGS, 8);
  entry.writeUInt16LE(DEFLATE, 10);
  entry.writeUInt16LE(DATE, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(plain, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

function endOfDirectory(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
