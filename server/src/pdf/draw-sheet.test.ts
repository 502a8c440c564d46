import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import { drawSheet } from './draw-sheet.ts';
import type { Block } from './sheet.ts';

async function pagesOf(blocks: readonly Block[]): Promise<string[]> {
  const bytes = await drawSheet({
    title: 'Акт',
    author: 'Жібер',
    language: 'ru',
    createdAt: new Date('2026-11-30T18:59:59Z'),
    blocks,
    foot: 'низ',
    page: 'стр.',
  });
  const pdf = await getDocumentProxy(Uint8Array.from(bytes));
  return (await extractText(pdf, { mergePages: false })).text;
}

const lines = (count: number): Block[] =>
  Array.from({ length: count }, (_, i) => ({ kind: 'text', text: `строка ${i + 1}` }));
const table = (count: number): Block[] => [
  { kind: 'heading', text: 'Сверка' },
  {
    kind: 'table',
    columns: [{ title: 'Показатель', width: 1 }],
    rows: Array.from({ length: count }, (_, i) => ({ cells: [`ряд ${i + 1}`] })),
  },
];

test('a table of half a page is not torn apart, and its heading goes with it', async () => {
  const pages = await pagesOf([...lines(25), ...table(10)]);
  assert.equal(pages.length, 2);
  assert.doesNotMatch(pages[0] as string, /Сверка|Показатель/);
  assert.match(pages[1] as string, /Сверка.*Показатель.*ряд 1\s.*ряд 10/s);
});

test('a table that fits stays where it is', async () => {
  const [page, ...others] = await pagesOf([...lines(10), ...table(10)]);
  assert.deepEqual(others, []);
  assert.match(page as string, /строка 10.*Сверка.*ряд 10/s);
});

test('a table longer than a page has its head on each', async () => {
  const pages = await pagesOf(table(100));
  assert.equal(pages.length, 3);
  for (const [i, page] of pages.entries()) {
    assert.equal(page.match(/Показатель/g)?.length, 1);
    assert.match(page, new RegExp(`стр\\. ${i + 1}/3`));
  }
  assert.equal(pages.join(' ').match(/ряд \d+/g)?.length, 100);
});
