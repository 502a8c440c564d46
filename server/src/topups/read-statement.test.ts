import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readStatement, STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX } from './read-statement.ts';
import { reasonText, type StatementReason } from './statement-words.ts';

const NOW = new Date('2026-11-17T12:00:00Z');
const HEADER =
  'Дата операции;№ документа;Дебет;Кредит;БИН/ИИН плательщика;Плательщик;Назначение платежа';
/** In Windows-1251, for letters of Russian alone. */
function windows1251(text: string): Buffer {
  const bytes = [...text].map((letter) => {
    const code = letter.codePointAt(0) as number;
    if (code < 0x80) return code;
    if (letter === '№') return 0xb9;
    if (letter === 'Ё') return 0xa8;
    if (letter === 'ё') return 0xb8;
    assert.ok(code >= 0x410 && code <= 0x44f, letter);
    return code - 0x410 + 0xc0;
  });
  return Buffer.from(bytes);
}

function read(text: string | Buffer) {
  const statement = readStatement(Buffer.from(text as string), NOW);
  assert.ok(statement.result === 'read', JSON.stringify(statement));
  return statement;
}
const whyNot = (text: string | Buffer) => {
  const statement = readStatement(Buffer.from(text as string), NOW);
  return statement.result === 'not_a_statement'
    ? reasonText(statement.reason, 'en')
    : 'it was read';
};

/** Why a line was not read, or what is odd about it. */
function english(line: { reason?: StatementReason | undefined } | undefined): string {
  return line?.reason === undefined ? 'nothing is odd' : reasonText(line.reason, 'en');
}

describe('a statement is read', () => {
  const line = {
    line: 2,
    bankReference: '15',
    paidAt: new Date('2026-11-15T19:00:00Z'),
    amount: 10_000,
    purpose: 'Оплата по счету ZB-7K3M9QXW',
    payerName: 'ТОО Ромашка',
    payerBusinessId: '123456789012',
  };
  const RUSSIAN = `${HEADER}\n16.11.2026;15;;10 000,00;123456789012;ТОО Ромашка;Оплата по счету ZB-7K3M9QXW\n`;
  const files: Record<string, string | Buffer> = {
    'with semicolons in UTF-8': RUSSIAN,
    'with the mark of UTF-8': `\ufeff${RUSSIAN}`,
    'with line ends of Windows': RUSSIAN.replaceAll('\n', '\r\n'),
    'in Windows-1251': windows1251(RUSSIAN),
    'with tabs': RUSSIAN.replaceAll(';', '\t'),
    'in UTF-16 of Excel': Buffer.from(`\ufeff${RUSSIAN.replaceAll(';', '\t')}`, 'utf16le'),
    'with commas and quoted amounts': `${HEADER.replaceAll(';', ',')}\n16.11.2026,15,,"10 000,00",123456789012,ТОО Ромашка,Оплата по счету ZB-7K3M9QXW\n`,
    'in Kazakh': `Операция күні;Құжат нөмірі;Дебет бойынша;Кредит бойынша;БСН/ЖСН;Төлеуші;Төлем мақсаты\n16.11.2026;15;;10000.00;123456789012;ТОО Ромашка;Оплата по счету ZB-7K3M9QXW\n`,
    'in English': `Date,Document number,Debit,Credit,BIN,Payer,Payment purpose\n2026-11-16,15,,"10,000.00",123456789012,ТОО Ромашка,Оплата по счету ZB-7K3M9QXW\n`,
    'with a signed amount': `Дата;Номер документа;Сумма (KZT);БИН;Контрагент;Назначение платежа\n16.11.2026;15;+10000,00;123456789012;ТОО Ромашка;Оплата по счету ZB-7K3M9QXW\n`,
  };
  for (const [name, file] of Object.entries(files)) {
    test(name, () => {
      assert.deepEqual(read(file), { result: 'read', lines: [line], unreadable: [], outgoing: 0 });
    });
  }

  test('below lines about the account, and above its totals', () => {
    const file = `Выписка по счету;KZ123\nПериод;01.11.2026 - 30.11.2026\n\n${HEADER}\n1;2;3;4;5;6;7\n16.11.2026;15;;500;;;А\n;;;;;;\nИтого обороты;;0;500;;;\n;;;500;;;Исходящий остаток\n`;
    const { lines, unreadable } = read(file);
    assert.deepEqual([lines.length, unreadable], [1, []]);
    assert.equal(lines[0]?.line, 6);
  });

  test('without money that went out', () => {
    const debit = `${HEADER}\n16.11.2026;15;700,00;;;;возврат ZB-7K3M9QXW\n16.11.2026;16;700;0,00;;;возврат ZB-7K3M9QXW\n`;
    assert.deepEqual([read(debit).lines, read(debit).outgoing], [[], 2]);
    const signed = 'Дата;Сумма;Назначение\n16.11.2026;-700;возврат ZB-7K3M9QXW\n';
    assert.deepEqual([read(signed).lines, read(signed).outgoing], [[], 1]);
    const typed = 'Дата;Сумма;Тип операции;Назначение\n16.11.2026;700;Дебет;возврат ZB-7K3M9QXW\n';
    assert.deepEqual([read(typed).lines, read(typed).outgoing], [[], 1]);
  });

  test('with a time of day, in Almaty', () => {
    const { lines } = read('Дата;Сумма;Назначение\n16.11.2026 14:05:33;700;А\n');
    assert.equal(lines[0]?.paidAt.toISOString(), '2026-11-16T09:05:33.000Z');
  });

  test('with quotation marks as people type them', () => {
    const { lines } = read(
      `Дата;Плательщик;Сумма;Назначение\n16.11.2026;ТОО "Ромашка";700;"счёт ""А"", Б"\n16.11.2026;"Ромашка" ТОО;700;"первая\nвторая"\n`,
    );
    assert.deepEqual(
      lines.map(({ payerName, purpose }) => [payerName, purpose]),
      [
        ['ТОО "Ромашка"', 'счёт "А", Б'],
        ['"Ромашка" ТОО', 'первая вторая'],
      ],
    );
  });
});

describe('amounts', () => {
  const AMOUNTS: Record<string, number | RegExp> = {
    '1000': 1000,
    '1 000,00': 1000,
    '1\u00a0000,00': 1000,
    "1'000.00": 1000,
    '1000.0': 1000,
    '1,234,567': 1_234_567,
    '1.234.567,00': 1_234_567,
    '1000 ₸': 1000,
    '1000,50': /not a whole number of tenge/,
    '1,000': /could be thousands or a fraction/,
    '1.000': /could be thousands or a fraction/,
    '1e9': /not an amount/,
    '0x10': /not an amount/,
    '1,0,0': /not an amount/,
    '=1000': /not an amount/,
    Infinity: /not an amount/,
    '99999999999999999999': /more than/,
    '0': /no amount/,
    '': /not an amount/,
  };
  for (const [text, expected] of Object.entries(AMOUNTS)) {
    test(`"${text}" ${typeof expected === 'number' ? `is ${expected}` : 'is not guessed'}`, () => {
      const { lines, unreadable } = read(`Дата;Сумма;Назначение\n16.11.2026;"${text}";А\n`);
      if (typeof expected === 'number') assert.equal(lines[0]?.amount, expected);
      else assert.match(english(unreadable[0]), expected);
    });
  }
});

test('a line that cannot be read is named with its number and a reason', () => {
  const { lines, unreadable } = read(
    `Дата;Сумма;Валюта;Назначение\n31.02.2026;500;;А\nвчера;500;;А\n16.11.2027;500;;А\n16.11.2026;500;USD;А\n16.11.2026;500;;А;Б\n16.11.2026 25:00;500;;А\n16.11.2026;500;KZT;А\n16.11.1026;500;;А\n16.11.2026\n`,
  );
  assert.deepEqual(
    unreadable.map((one) => `${one.line} ${english(one)}`),
    [
      '2 "31.02.2026" is not a date like 31.12.2026.',
      '3 "вчера" is not a date like 31.12.2026.',
      '4 The date is in the future.',
      '5 The currency is USD.',
      '6 The line has more cells than the table has columns.',
      '7 "16.11.2026 25:00" is not a date like 31.12.2026.',
      '9 "16.11.1026" is not a date like 31.12.2026.',
      '10 "" is not an amount.',
    ],
  );
  assert.equal(lines.length, 1);
});

describe('a file is refused as a whole', () => {
  test('when it is no statement, and the reason says what to do', () => {
    assert.match(whyNot(''), /No line names the columns/);
    assert.match(whyNot('\0'.repeat(1000)), /No line names the columns/);
    assert.match(whyNot('name,age\nAnn,5\n'), /No line names the columns/);
    assert.match(whyNot(Buffer.from('PK\x03\x04 …')), /Excel file/);
    assert.match(whyNot(`${HEADER}\n16.11.2026;15;;500;;"ТОО;А\n`), /never closed/);
  });
  test('when it is too large, too long, or has an endless line', () => {
    assert.match(whyNot(Buffer.alloc(STATEMENT_BYTES_MAX + 1, 'a')), /larger than 4 MB/);
    const row = '16.11.2026;5;А\n';
    assert.match(
      whyNot(`Дата;Сумма;Назначение\n${row.repeat(STATEMENT_LINES_MAX + 1)}`),
      /more than 10000 lines/,
    );
    assert.match(
      whyNot(`Дата;Сумма;Назначение\n16.11.2026;5;${'А'.repeat(100_000)}\n`),
      /too long/,
    );
  });
});
