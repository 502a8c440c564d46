import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvLine } from './export-messages.ts';

/** Parses lines by RFC 4180. */
function readCsv(text: string, separator: string): string[][] {
  const lines: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === separator || (character === '\r' && text[i + 1] === '\n')) {
      lines.at(-1)?.push(cell);
      cell = '';
      if (character === '\r') {
        i++;
        lines.push([]);
      }
    } else cell += character;
  }
  return lines.slice(0, -1);
}

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '−'];
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...SIGNS, '\t', '\r', '\n', ' ', '\u00a0', '"', "'", ',', ';', '|', 'я'),
  }),
);
const anySeparator = fc.constantFrom(',' as const, ';' as const);

test('any cell is read back, with nothing but apostrophes added', () => {
  fc.assert(
    fc.property(
      fc.array(hostile, { minLength: 1, maxLength: 5 }),
      anySeparator,
      (cells, separator) => {
        const [read] = readCsv(csvLine(cells, separator), separator);
        assert.equal(read?.length, cells.length);
        for (const [i, text] of (read as string[]).entries()) {
          assert.equal(text.replaceAll("'", ''), (cells[i] as string).replaceAll("'", ''));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

/** Spreadsheets skip spaces, invisible characters and quotes at the start of a cell. */
const asFormula = /^[\s\p{Z}\p{C}"]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u;

test('no cell begins a formula, with whatever separator the file is opened', () => {
  fc.assert(
    fc.property(
      fc.array(hostile, { minLength: 1, maxLength: 5 }),
      anySeparator,
      (cells, separator) => {
        const line = csvLine(cells, separator);
        for (const cell of readCsv(line, separator)[0] ?? []) {
          assert.doesNotMatch(cell, asFormula);
          assert.doesNotMatch(cell, /^[\t\r\n\0]/);
        }
        // A careless reader knows no quotes.
        for (const piece of line.split(/[,;|\t\r\n]/)) assert.doesNotMatch(piece, asFormula);
      },
    ),
    { numRuns: 2_000 },
  );
});

const formulas: Record<string, [cell: string, written: string]> = {
  'at the start': ['=1+1', "'=1+1"],
  'after a space': [' =1+1', "' =1+1"],
  'after a space that does not break': ['\u00a0=1+1', "'\u00a0=1+1"],
  'after a character of no width': ['\u200b\ufeff@SUM(A1)', "'\u200b\ufeff@SUM(A1)"],
  'after a tab': ['\t=1+1', "'\t'=1+1"],
  'after a line break': ['\r\n=1+1', '"\'\r\n\'=1+1"'],
  'in wide letters': ['＝1＋1', "'＝1＋1"],
  'with a wide minus': ['－1', "'－1"],
  'with a wide at': ['＠SUM(A1)', "'＠SUM(A1)"],
  'after the separator of the file': ['a;=1', '"a;\'=1"'],
  'after the other separator': ['a,=1', "a,'=1"],
  'after a separator and a quote': ['a;"=1', '"a;\'""=1"'],
  'after a quote': ['"=1', `"'""=1"`],
  'on its second line': ['a\n-1', `"a\n'-1"`],
  'after a bar': ['a|=1', "a|'=1"],
};
for (const [where, [cell, written]] of Object.entries(formulas)) {
  test(`a formula ${where} is no formula`, () => {
    assert.equal(csvLine([cell], ';'), `${written}\r\n`);
  });
}

test('a text that is no formula stays as it is', () => {
  for (const cell of [
    'a = b',
    'вход-2',
    'a@b.kz',
    '1+1',
    "'=1",
    'WhatsApp: да → SMS: нет',
    '(-1)',
  ]) {
    assert.equal(csvLine([cell], ';'), `${cell}\r\n`);
  }
});

test('a whole phone is written as it is, because a plus and digits are a number and no formula', () => {
  assert.equal(csvLine(['+77011234567', 8, null], ';'), '+77011234567;8;\r\n');
  assert.equal(csvLine(['+4915112345678'], ','), '+4915112345678\r\n');
});

const almostPhones: Record<string, [cell: string, written: string]> = {
  'with more behind it': ['+77011234567+1', "'+77011234567+1"],
  'with a call behind it': ['+7701123456(A1)', "'+7701123456(A1)"],
  'with a space before it': [' +77011234567', "' +77011234567"],
  'on the second line': ['+77011234567\n=1', '"\'+77011234567\n\'=1"'],
  'with a line break behind it': ['+77011234567\n', '"\'+77011234567\n"'],
  'after a separator': ['a;+77011234567', '"a;\'+77011234567"'],
  'that is masked': ['+7701***4567', "'+7701***4567"],
  'with a minus instead': ['-77011234567', "'-77011234567"],
  'of too few digits': ['+123456', "'+123456"],
};
for (const [what, [cell, written]] of Object.entries(almostPhones)) {
  test(`a phone ${what} is guarded as any text`, () => {
    assert.equal(csvLine([cell], ';'), `${written}\r\n`);
  });
}

test('an instant is written as Almaty time, a day as it is', () => {
  const cells = [new Date('2026-11-15T20:01:48.900Z'), { day: '2026-11-16' }];
  assert.equal(csvLine(cells, ';'), '2026-11-16 01:01:48;2026-11-16\r\n');
});
