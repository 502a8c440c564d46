import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRows } from './read-rows.ts';
import type { SheetRow } from './sheet-row.ts';

async function read(...rows: string[][]) {
  const written: SheetRow[] = [];
  const sheet = async function* () {
    for (const [i, cells] of rows.entries()) yield { number: i + 1, cells };
  };
  const table = await readRows(sheet(), async (batch) => void written.push(...batch));
  return { ...table, written };
}

describe('headings', () => {
  test('are a first row without phones; columns without one have a number', async () => {
    const table = await read(['Имя', '', 'Телефон'], ['Ольга', 'x', '87011234567', 'y']);
    assert.deepEqual(table.columns, ['Имя', 'Столбец 2', 'Телефон', 'Столбец 4']);
    assert.deepEqual(table.written, [{ number: 2, cells: ['Ольга', 'x', '87011234567', 'y'] }]);
    assert.equal(table.phoneColumn, 3);
  });

  const DATA: Record<string, string[]> = {
    'a phone': ['Ольга', '87011234567'],
    'a broken phone': ['Ольга', '87O11234567'],
    'one text twice': ['Ольга', 'ольга'],
  };
  for (const [what, first] of Object.entries(DATA)) {
    test(`are not a row with ${what}: it stays a row`, async () => {
      const table = await read(first, ['Олег', '87011234568']);
      assert.deepEqual(table.columns, ['Столбец 1', 'Столбец 2']);
      assert.deepEqual(
        table.written.map(({ cells }) => cells),
        [first, ['Олег', '87011234568']],
      );
    });
  }

  test('hold none of the signs of a variable, and no line breaks', async () => {
    const table = await read(['{{Имя|}}\nи фамилия', 'Телефон'], ['Ольга', '87011234567']);
    assert.deepEqual(table.columns, ['Имя и фамилия', 'Телефон']);
  });
});

describe('the column of the phone', () => {
  test('is the one with most phones, without any heading', async () => {
    const { phoneColumn } = await read(
      ['1', 'x', '87011234567'],
      ['2', '87011234568', '87011234569'],
    );
    assert.equal(phoneColumn, 3);
  });

  test('is not that of identity numbers', async () => {
    const rows = ['850101300123', '900202400456', '990303500789'].map((id, i) => [
      id,
      `8701123456${i}`,
    ]);
    assert.equal((await read(['ИИН', 'Мобильный'], ...rows)).phoneColumn, 2);
  });

  test('is found by its heading when all phones are broken, and otherwise not at all', async () => {
    assert.equal((await read(['Имя', 'Телефон'], ['Ольга', '???'])).phoneColumn, 2);
    assert.equal((await read(['Имя', 'Город'], ['Ольга', 'Алматы'])).phoneColumn, null);
  });
});

test('the column of the consent is found by its heading in three languages', async () => {
  for (const heading of ['Согласие на рассылку', 'Келісім', 'Consent']) {
    const { consentColumn } = await read(['Телефон', heading], ['87011234567', 'да']);
    assert.equal(consentColumn, 2, heading);
  }
  assert.equal((await read(['Телефон'], ['87011234567'])).consentColumn, null);
});

test('empty rows are no rows, and keep their numbers', async () => {
  const { rows, written } = await read(['Телефон'], [''], ['  ', ''], ['87011234567'], []);
  assert.equal(rows, 1);
  assert.deepEqual(written, [{ number: 4, cells: ['87011234567'] }]);
});

test('a row that is wider than the thousands before it widens the table', async () => {
  const narrow = Array.from({ length: 1_500 }, (_, i) => [String(87_010_000_000 + i)]);
  const { columns, widenedAt } = await read(...narrow, ['87021234567', 'x']);
  assert.deepEqual([columns, widenedAt], [['Столбец 1', 'Столбец 2'], 1_501]);
});

test('cells are stored as text that the database takes', async () => {
  const { written } = await read(['a\0b', '87011234567', '\ud800', "'=1+1", "'quoted'"]);
  assert.deepEqual(written[0]?.cells, ['ab', '87011234567', '\ufffd', '=1+1', "'quoted'"]);
});

describe('beyond a limit', () => {
  const wide = (cells: number) => ['87011234567', ...Array.from({ length: cells - 1 }, () => 'x')];
  test('100,001 rows are refused, and 100,000 with their headings are not', async () => {
    const sheet = async function* (rows: number) {
      yield { number: 1, cells: ['Телефон'] };
      for (let number = 2; number <= rows + 1; number++) yield { number, cells: ['87011234567'] };
    };
    const write = async () => undefined;
    assert.equal((await readRows(sheet(100_000), write)).rows, 100_000);
    await assert.rejects(readRows(sheet(100_001), write), {
      code: 'too_many_rows',
      message: 'Больше 100\u00a0000 строк',
    });
  });

  test('a row of 51 cells is refused by its number; one of 50 is not', async () => {
    await assert.rejects(read(wide(50), wide(51)), {
      code: 'too_many_columns',
      facts: { errors: { file: ['Строка 2: столбцов 51'] } },
    });
    assert.equal((await read(wide(50))).columns.length, 50);
  });

  test('a cell of 501 characters is refused by its place; one of 500 is not', async () => {
    await assert.rejects(read(['87011234567', 'x'.repeat(501)]), {
      code: 'cell_too_long',
      facts: { errors: { file: ['Строка 1, столбец 2: знаков 501'] } },
    });
    assert.equal((await read(['87011234567', 'x'.repeat(500)])).rows, 1);
  });

  test('a table without rows is refused', async () => {
    await assert.rejects(read(), { code: 'file_empty' });
    await assert.rejects(read(['Имя', 'Телефон']), { code: 'file_empty' });
  });
});
