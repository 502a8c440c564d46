import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../../problem.ts';
import { findDelimiter, splitCsv } from './split-csv.ts';

async function split(...texts: string[]): Promise<[number, ...string[]][]> {
  const each = async function* () {
    yield* texts;
  };
  const rows = await Array.fromAsync(splitCsv(each()));
  return rows.map(({ number, cells }) => [number, ...cells]);
}

const DELIMITED: Record<string, string> = {
  ';': 'Имя;Телефон\nОльга;87011234567\n',
  ',': 'Имя,Телефон\nОльга,87011234567\n',
  '\t': 'Имя\tТелефон\nОльга\t87011234567\n',
  '|': 'Имя|Телефон\nОльга|87011234567\n',
};

describe('the delimiter', () => {
  for (const [delimiter, text] of Object.entries(DELIMITED)) {
    test(`${JSON.stringify(delimiter)} is found`, () =>
      assert.equal(findDelimiter(text), delimiter));
  }

  test('is the one that sets the phone apart, when a name has commas in every row', () => {
    const text = 'ФИО;Телефон\nПетрова, Ольга, мама;87011234567\nИванов, Олег, папа;87011234568\n';
    assert.equal(findDelimiter(text), ';');
  });

  test('is not looked for inside of quotes', () => {
    const text = '"a;b;c",87011234567\n"d;e;f",87011234568\n';
    assert.equal(findDelimiter(text), ',');
  });

  test('is none in a column of phones, also when one cell holds two', async () => {
    const text = '87011234567\n87011234568, 87011234569\n87011234570\n';
    assert.deepEqual(await split(text), [
      [1, '87011234567'],
      [2, '87011234568, 87011234569'],
      [3, '87011234570'],
    ]);
  });

  test('is what the first line of a file from Excel says', async () => {
    assert.deepEqual(await split('sep=|\r\na;b|87011234567\r\n'), [[1, 'a;b', '87011234567']]);
  });
});

test('rows are numbered as a spreadsheet shows them: empty ones count, line breaks in quotes do not', async () => {
  const text = 'Имя;Телефон\r\n\r\n"Ольга\r\nПетрова";8701\n"a ""b"" c";8702\rx;8703';
  assert.deepEqual(await split(text), [
    [1, 'Имя', 'Телефон'],
    [2, ''],
    [3, 'Ольга\r\nПетрова', '8701'],
    [4, 'a "b" c', '8702'],
    [5, 'x', '8703'],
  ]);
});

test('a line break, a quote and a pair of surrogates may be cut by a chunk', async () => {
  const text = 'a;"b\r\nc"\r\n"😀";87011234567\r\n';
  const expected = [
    [1, 'a', 'b\r\nc'],
    [2, '😀', '87011234567'],
  ];
  assert.deepEqual(await split(...text), expected);
  const long = `${'x'.repeat(16_383)};😀\n`;
  assert.deepEqual(await split(long.repeat(3)), [
    [1, 'x'.repeat(16_383), '😀'],
    [2, 'x'.repeat(16_383), '😀'],
    [3, 'x'.repeat(16_383), '😀'],
  ]);
});

test('a quote inside of a plain cell is a part of it', async () => {
  assert.deepEqual(await split('Труба 5";87011234567\n'), [[1, 'Труба 5"', '87011234567']]);
});

test('a quote that is never closed is refused with the row, and does not swallow the file', async () => {
  const rest = 'Ольга;87011234567\n'.repeat(20_000);
  for (const text of [`a;b\n"c;d\n${rest}`, 'a;b\n"c;d']) {
    await assert.rejects(split(text), (error) => {
      assert(error instanceof Problem);
      assert.equal(error.code, 'file_unreadable');
      assert.deepEqual(error.facts.errors, {
        file: ['Строка 2: кавычка открыта, но не закрыта'],
      });
      return true;
    });
  }
});

test('what is no text is refused', async () => {
  const noise = Array.from({ length: 500 }, (_, i) => String.fromCharCode(i % 32)).join('');
  await assert.rejects(split(noise), { code: 'file_unreadable' });
});
