import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { type Cell, xlsx } from './xlsx.ts';

/** Reads an archive from its end, as every program does. */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  assert.equal(at + bytes.readUInt32LE(end + 12), end);
  for (let i = 0; i < count; i++) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const [crc, packed, plain] = [16, 20, 24].map((place) => bytes.readUInt32LE(at + place));
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    assert.equal(bytes.readUInt32LE(local), 0x04034b50);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = inflateRawSync(bytes.subarray(from, from + (packed as number)));
    assert.equal(content.length, plain);
    assert.equal(crc32(content), crc);
    files.set(name, content.toString());
    at += 46 + nameLength;
  }
  return files;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function written(rows: readonly (readonly Cell[])[]): Promise<Map<string, string>> {
  return unzip(Buffer.concat(await Array.fromAsync(xlsx('Сообщения', each(rows)))));
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#13;': '\r',
};

/** The texts of a sheet, row by row. */
function textsOf(sheet: string): string[][] {
  return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
    [...(row as string).matchAll(/<t xml:space="preserve">(.*?)<\/t>/gs)].map(([, text]) =>
      (text as string).replaceAll(/&[^;]+;/g, (entity) => ENTITIES[entity] as string),
    ),
  );
}

test('a workbook has the parts that every program looks for', async () => {
  const files = await written([['Телефон'], ['+77011234567', 8, null]]);
  assert.deepEqual([...files.keys()].sort(), [
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  assert.match(files.get('xl/workbook.xml') ?? '', /name="Сообщения"/);
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  assert.match(
    sheet,
    /<row r="2"><c r="A2" t="inlineStr"><is><t xml:space="preserve">\+77011234567<\/t><\/is><\/c><c r="B2"><v>8<\/v><\/c><c r="C2"\/><\/row>/,
  );
  assert.doesNotMatch(sheet, /<f>/);
});

test('times are dates of the spreadsheet in Almaty time, so that they sort and filter', async () => {
  const files = await written([
    [new Date('2026-11-15T20:01:48.900Z'), { day: '2026-11-16' }, new Date('2026-11-15T19:00:00Z')],
  ]);
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  // 16 November 2026 is day 46342; 1:01:48 is 3,708 of 86,400 seconds.
  assert.match(sheet, /<c r="A1" s="1"><v>46342\.04291667<\/v><\/c>/);
  assert.match(sheet, /<c r="B1" s="2"><v>46342<\/v><\/c>/);
  assert.match(sheet, /<c r="C1" s="1"><v>46342<\/v><\/c>/);
  const styles = files.get('xl/styles.xml') ?? '';
  const formats = [...styles.matchAll(/<xf numFmtId="(\d+)"[^>]*xfId="0"/g)].map(([, id]) => id);
  assert.deepEqual(formats, ['0', '164', '165']);
  assert.match(styles, /numFmtId="164" formatCode="dd\.mm\.yyyy hh:mm:ss"/);
  assert.match(styles, /numFmtId="165" formatCode="dd\.mm\.yyyy"/);
});

test('any cell is read back, without the characters that XML cannot hold', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('=', '<', '>', '&', '"', ']', '\r', '\n', '\0', '\ud800') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 5 }), async (cells) => {
      const sheet = (await written([cells])).get('xl/worksheets/sheet1.xml') ?? '';
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be gone.
      const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
      assert.doesNotMatch(sheet, unwritable);
      const expected = cells.map((cell) => cell.toWellFormed().replaceAll(unwritable, ''));
      assert.deepEqual(textsOf(sheet), [expected]);
    }),
    { numRuns: 300 },
  );
});

test('a failing source fails the archive, and a reader that stops ends the source', async () => {
  async function* failing(): AsyncGenerator<Cell[]> {
    yield ['one'];
    throw new Error('the source broke');
  }
  await assert.rejects(Array.fromAsync(xlsx('a', failing())), /the source broke/);

  let isEnded = false;
  async function* endless(): AsyncGenerator<Cell[]> {
    try {
      while (true) yield [Math.random(), 'text'];
    } finally {
      isEnded = true;
    }
  }
  let bytes = 0;
  for await (const chunk of xlsx('a', endless())) {
    bytes += chunk.length;
    if (bytes > 50_000) break;
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert(isEnded);
});
