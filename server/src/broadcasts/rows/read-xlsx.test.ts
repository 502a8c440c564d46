import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Cell, xlsx, type ZipEntry, zip } from '../../messages/xlsx.ts';
import { createSemaphore } from '../../runtime/semaphore.ts';
import { readSheet } from './read-sheet.ts';

const ctx = { workbooks: createSemaphore(1) };

async function read(bytes: Buffer): Promise<[number, ...string[]][]> {
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  };
  const rows = await Array.fromAsync(readSheet(ctx, chunks()));
  return rows.map(({ number, cells }) => [number, ...cells]);
}

const archive = async (entries: ZipEntry[]) => Buffer.concat(await Array.fromAsync(zip(entries)));

async function workbook(rows: readonly Cell[][]): Promise<Buffer> {
  const each = async function* () {
    yield* rows;
  };
  return Buffer.concat(await Array.fromAsync(xlsx('Лист', each())));
}

/** A workbook with this text as the rows of its sheet. */
async function withSheet(sheetData: string | Iterable<string>): Promise<Buffer> {
  const parts = typeof sheetData === 'string' ? [sheetData] : sheetData;
  const content = function* () {
    yield '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>';
    yield* parts;
    yield '</sheetData></worksheet>';
  };
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const ofPackage = 'http://schemas.openxmlformats.org/package/2006/relationships';
  return await archive([
    {
      name: 'xl/workbook.xml',
      content: [
        `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ],
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: [
        `<Relationships xmlns="${ofPackage}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ],
    },
    { name: 'xl/worksheets/sheet1.xml', content: content() },
  ]);
}

test('numbers, formulas and gaps are read as a spreadsheet shows them, and an error as nothing', async () => {
  const bytes = await withSheet(
    '<row r="1"><c r="A1"><v>77011234567</v></c><c r="C1"><v>7.7011234567E10</v></c></row>' +
      '<row r="3"><c r="A3" t="str"><f>B1</f><v>8701</v></c><c r="B3" t="b"><v>1</v></c>' +
      '<c r="C3"><v>0.30000000000000004</v></c><c r="D3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>',
  );
  assert.deepEqual(await read(bytes), [
    [1, '77011234567', '', '77011234567'],
    [2, '', '', ''],
    [3, '8701', 'да', '0,3'],
  ]);
});

test('a workbook as we export it, of more than one part of rows, is read whole', async () => {
  const rows = Array.from({ length: 2_500 }, (_, i) => [String(i), 87_010_000_000 + i]);
  const read2500 = await read(await workbook(rows));
  assert.equal(read2500.length, 2_500);
  assert.deepEqual(read2500.at(-1), [2_500, '2499', '87010002499']);
});

test('the thread ends with the reading, also when the reader stops early', async () => {
  const bytes = await workbook(Array.from({ length: 3_000 }, () => ['87011234567']));
  const chunks = async function* () {
    yield bytes;
  };
  for await (const { number } of readSheet(ctx, chunks())) {
    assert.equal(number, 1);
    break;
  }
  assert.equal(ctx.workbooks.taken, 0);
});

/** Writes another size into the directory entry of a file. */
function declareSize(bytes: Buffer, name: string, size: number): Buffer {
  const lying = Buffer.from(bytes);
  const entry = lying.lastIndexOf(name) - 46;
  assert.equal(lying.readUInt32LE(entry), 0x02014b50);
  lying.writeUInt32LE(size, entry + 24);
  return lying;
}

const SHEET_NAME = 'xl/worksheets/sheet1.xml';

describe('a zip bomb is refused', () => {
  test('by the size that it declares', async () => {
    const small = await workbook([['87011234567']]);
    const bytes = declareSize(small, SHEET_NAME, 3_000_000_000);
    await assert.rejects(read(bytes), { code: 'file_too_large' });
  });

  test('by what comes out of it, when it declares something else', async () => {
    const spaces = ' '.repeat(1024 * 1024);
    const bomb = await withSheet(Array.from({ length: 20 }, () => spaces));
    assert(bomb.length < 50_000);
    await assert.rejects(read(declareSize(bomb, SHEET_NAME, 1_000)), { code: 'file_unreadable' });
    const short = await withSheet('<row r="1"><c r="A1"><v>1</v></c></row>');
    await assert.rejects(read(declareSize(short, SHEET_NAME, 10_000)), { code: 'file_unreadable' });
  });

  test('by cells far away, which the library would fill up to', async () => {
    const far = '<row r="1048576"><c r="A1048576"><v>1</v></c></row>';
    await assert.rejects(read(await withSheet(far)), { code: 'file_too_large' });
    const rows = Array.from(
      { length: 400 },
      (_, i) => `<row r="${i + 1}"><c r="XFD${i + 1}" s="1"/></row>`,
    );
    await assert.rejects(read(await withSheet(rows)), { code: 'file_too_large' });
  });
});

test('a workbook with too many columns is told from one that is too large', async () => {
  const wide = '<row r="1"><c r="A1"><v>87011234567</v></c><c r="AY1"><v>1</v></c></row>';
  await assert.rejects(read(await withSheet(wide)), { code: 'too_many_columns' });
  const coloured = '<row r="1"><c r="A1"><v>87011234567</v></c><c r="XFD1" s="2"/></row>';
  assert.deepEqual(await read(await withSheet(coloured)), [[1, '87011234567']]);
});

describe('what is no workbook is refused', () => {
  test('another archive', async () => {
    const other = await archive([{ name: 'word/document.xml', content: ['<w/>'] }]);
    await assert.rejects(read(other), { code: 'file_unreadable' });
  });

  test('a workbook that was cut', async () => {
    const bytes = await workbook([['87011234567']]);
    await assert.rejects(read(bytes.subarray(0, 300)), { code: 'file_unreadable' });
  });

  test('a damaged one', async () => {
    const bytes = await withSheet('<row r="1"><c r="A1"><v>1</v></c>');
    await assert.rejects(
      read(
        Buffer.from(
          bytes.toString('latin1').replace('xl/workbook.xml', 'xl/workbooK.xml'),
          'latin1',
        ),
      ),
      {
        code: 'file_unreadable',
      },
    );
  });

  test('the old format of Excel, with a word what to do', async () => {
    const old = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]);
    await assert.rejects(read(old), {
      code: 'file_unreadable',
      facts: { errors: { file: ['Это старый формат Excel: сохраните файл как XLSX или CSV'] } },
    });
  });
});
