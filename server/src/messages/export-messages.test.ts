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

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', ';', 'я'),
  }),
);

test('any cell is read back, and none begins a formula', () => {
  fc.assert(
    fc.property(
      fc.array(hostile, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(',' as const, ';' as const),
      (cells, separator) => {
        const [read] = readCsv(csvLine(cells, separator), separator);
        assert.equal(read?.length, cells.length);
        for (const [i, text] of (read as string[]).entries()) {
          assert.doesNotMatch(text, /^[=+\-@\t\r\n\0]/);
          assert(text === cells[i] || text === `'${cells[i]}`);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a phone stays readable and is no formula', () => {
  assert.equal(csvLine(['+77011234567', 8, null], ';'), "'+77011234567;8;\r\n");
});
