/**
 * Reads the CSV of a bank statement, as banks of Kazakhstan export it: with `;`, a tab or `,`
 * between the cells, in UTF-8 or Windows-1251, with lines about the account above the table and
 * totals below it. Columns are found by their names. Money that went out is skipped.
 */
import { STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX } from '@zhiber/contract/admin/payment-words.ts';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { almatyDay, almatyTime } from '../almaty.ts';
import type { ReasonCode, StatementReason } from './statement-words.ts';

/** Money that came in. */
export type StatementLine = {
  /** The number of the line in the file. */
  line: number;
  /** The number of the document, or the bank's own reference. */
  bankReference: string | null;
  paidAt: Date;
  amount: number;
  purpose: string;
  payerName: string | null;
  payerBusinessId: string | null;
};

export type UnreadableLine = { line: number; reason: StatementReason };

export type Statement =
  | {
      result: 'read';
      lines: StatementLine[];
      unreadable: UnreadableLine[];
      /** How many lines were about money that went out. */
      outgoing: number;
    }
  | { result: 'not_a_statement'; reason: StatementReason };

export { STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX };

const RECORD_LENGTH_MAX = 64 * 1024;
/** The table begins below a few lines about the account. */
const HEADER_LINES_MAX = 60;
const AMOUNT_MAX = 1_000_000_000;
const OLDEST_YEAR = 2000;
const DAY_MS = 24 * 3_600_000;
const LENGTH_MAX = { bankReference: 100, purpose: 1000, payerName: 200 };

/** The names of the columns, the more exact ones first. Compared without case and punctuation. */
const NAMES = {
  date: [
    'дата операции|дата проводки|дата платежа|дата и время|дата валютирования|дата документа|дата',
    'операция күні|төлем күні|құжат күні|күні',
    'operation date|transaction date|payment date|posting date|value date|date',
  ],
  reference: [
    'референс|уникальный номер|номер операции|номер документа|документа|номер платежа|док|номер',
    'операция нөмірі|құжат нөмірі|төлем нөмірі|нөмірі',
    'reference|transaction id|operation number|document number|doc no|document no|number',
  ],
  credit: [
    'сумма по кредиту|сумма кредита|обороты по кредиту|оборот кредит|кредит|поступление|поступления|приход|зачислено',
    'кредит бойынша|кіріс|түсім',
    'credit amount|credit|paid in|deposit',
  ],
  debit: [
    'сумма по дебету|сумма дебета|обороты по дебету|оборот дебет|дебет|списание|списано|расход',
    'дебет бойынша|шығыс',
    'debit amount|debit|paid out|withdrawal',
  ],
  amount: ['сумма операции|сумма платежа|сумма в валюте счета|сумма', 'сомасы|сома', 'amount|sum'],
  direction: [
    'дебет кредит|дт кт|д к|тип операции|вид операции|тип',
    'операция түрі',
    'debit credit|d c|dc|type',
  ],
  currency: ['валюта|валюта счета|валюта операции', 'валютасы', 'currency'],
  purpose: [
    'назначение платежа|назначение|детали платежа|описание операции|описание|комментарий|основание',
    'төлем мақсаты|төлемнің мақсаты|төлем тағайындалуы|мақсаты|сипаттама',
    'payment purpose|purpose of payment|purpose|payment details|description|details',
  ],
  payer: [
    'наименование плательщика|наименование отправителя|наименование контрагента|плательщик|отправитель|контрагент|корреспондент',
    'төлеушінің атауы|төлеуші|жіберуші|контрагент атауы',
    'payer name|payer|sender name|sender|counterparty name|counterparty',
  ],
  businessId: [
    'бин иин плательщика|бин иин отправителя|бин иин контрагента|иин бин плательщика|иин бин контрагента|бин плательщика|бин контрагента|иин бин|бин иин|бин|иин',
    'төлеушінің бсн|бсн жсн|жсн бсн|бсн|жсн',
    'payer bin|bin iin|iin bin|bin|iin',
  ],
} as const;
type Column = keyof typeof NAMES;
type Columns = Partial<Record<Column, number>>;
const COLUMNS = Object.keys(NAMES) as Column[];
const WORDS = Object.fromEntries(
  COLUMNS.map((column) => [column, NAMES[column].flatMap((names) => names.split('|'))]),
) as Record<Column, string[]>;

const OUTGOING = /^(?:d|dt|debit|out|д|дт|дебет|расход|списание|шығыс)/iu;
const TENGE = /^(?:kzt|398|₸|тг|тенге|теңге|tenge)?\.?$/iu;
/** What stands below the table. */
const TOTALS =
  /^(?:итого|всего|обороты|остаток|сальдо|входящ|исходящ|барлығы|жиыны|қалдық|total|balance|turnover|opening|closing)/iu;

type Row = { line: number; cells: readonly string[] };

export function readStatement(bytes: Buffer, now: Date): Statement {
  if (bytes.length > STATEMENT_BYTES_MAX) {
    return notAStatement('too_large');
  }
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    return notAStatement('excel');
  }
  const text = decode(bytes);
  const found = findTable(text);
  if (found === undefined) {
    return notAStatement('no_columns');
  }
  const { rows, problem } = parseRows(text, found.delimiter);
  if (problem !== undefined) return notAStatement(problem);
  const body = rows.filter(({ line }) => line > found.header.line);
  if (body.length > STATEMENT_LINES_MAX) {
    return notAStatement('too_many_lines');
  }
  return readRows(body, found, now);
}

function notAStatement(code: ReasonCode): Statement {
  return { result: 'not_a_statement', reason: because(code) };
}

function because(code: ReasonCode, ...values: string[]): StatementReason {
  return { code, values };
}

/** Text that is not UTF-8 is Windows-1251: banks export nothing else. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1251').decode(bytes);
  }
}

type Table = { delimiter: string; header: Row; columns: Columns };

/** The line with the names of the columns, under the delimiter that finds the most of them. */
function findTable(text: string): Table | undefined {
  const tables = [';', '\t', ','].flatMap((delimiter): Table[] => {
    const found = parseRows(text, delimiter, HEADER_LINES_MAX)
      .rows.map((header) => ({ delimiter, header, columns: findColumns(header.cells) }))
      .find(({ columns }) => isTable(columns));
    return found === undefined ? [] : [found];
  });
  const count = ({ columns }: Table) => Object.keys(columns).length;
  return tables.toSorted((a, b) => count(b) - count(a))[0];
}

function isTable({ date, credit, amount, purpose }: Columns): boolean {
  return date !== undefined && purpose !== undefined && (credit ?? amount) !== undefined;
}

function findColumns(cells: readonly string[]): Columns {
  const names = cells.map(foldName);
  const taken = new Set<number>();
  const columns: Columns = {};
  for (const column of COLUMNS) {
    for (const word of WORDS[column]) {
      const index = names.findIndex((name, i) => name === word && !taken.has(i));
      if (index < 0) continue;
      columns[column] = index;
      taken.add(index);
      break;
    }
  }
  return columns;
}

/** `Кредит (KZT)`, `КРЕДИТ, тенге` and `№ документа` become `кредит` and `документа`. */
function foldName(cell: string): string {
  return cell
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .replaceAll(/(?<=\S )(?:kzt|тенге|теңге|тг)(?= |$)/gu, '')
    .trim()
    .replaceAll(/ +/g, ' ');
}

/** The rows, and why they end early if they do. */
function parseRows(
  text: string,
  delimiter: string,
  max?: number,
): { rows: Row[]; problem: ReasonCode | undefined } {
  const rows: Row[] = [];
  let problem: ReasonCode | undefined;
  try {
    parse(text, {
      delimiter,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: RECORD_LENGTH_MAX,
      ...(max !== undefined && { to: max }),
      on_record(record: string[], { lines }) {
        rows.push({ line: lines, cells: record.map(visible) });
        // What was read is kept here alone.
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    problem = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'open_quote' : 'long_line';
  }
  return { rows, problem };
}

/** People read the cells: without control characters, and without what turns a text around. */
function visible(cell: string): string {
  return cell
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

function readRows(rows: readonly Row[], table: Table, now: Date): Statement {
  const lines: StatementLine[] = [];
  const unreadable: UnreadableLine[] = [];
  let outgoing = 0;
  for (const row of rows) {
    const read = readRow(row, table, now);
    if (read === 'outgoing') outgoing += 1;
    else if (read !== 'no line' && 'code' in read)
      unreadable.push({ line: row.line, reason: read });
    else if (read !== 'no line') lines.push(read);
  }
  return { result: 'read', lines, unreadable, outgoing };
}

/** The line, or the reason why there is none. */
function readRow(
  { line, cells }: Row,
  { header, columns }: Table,
  now: Date,
): StatementLine | 'outgoing' | 'no line' | StatementReason {
  const cell = (column: Column) => cells[columns[column] ?? -1] ?? '';
  if (!isLine(cells, cell('date'))) return 'no line';
  if (cells.slice(header.cells.length).some((extra) => extra !== '')) {
    return because('extra_cells');
  }
  const money = readMoney(cell, columns);
  if (money === 'outgoing') return money;
  const paidAt = readTime(cell('date'));
  if (paidAt === undefined) return because('bad_date', shortened(cell('date')));
  if (paidAt.getTime() > now.getTime() + DAY_MS) return because('future_date');
  if (typeof money !== 'number') return money;
  if (!TENGE.test(cell('currency'))) {
    return because('other_currency', shortened(cell('currency')));
  }
  return {
    line,
    bankReference: cell('reference').slice(0, LENGTH_MAX.bankReference) || null,
    paidAt,
    amount: money,
    purpose: cell('purpose').slice(0, LENGTH_MAX.purpose),
    payerName: cell('payer').slice(0, LENGTH_MAX.payerName) || null,
    payerBusinessId: /^\d{12}$/.exec(cell('businessId'))?.[0] ?? null,
  };
}

/** Not a blank line, totals below the table, or the numbers of the columns under their names. */
function isLine(cells: readonly string[], date: string): boolean {
  const filled = cells.filter((cell) => cell !== '');
  const isNumbering = cells.every((cell, i) => cell === String(i + 1));
  const isTotals = (date === '' || TOTALS.test(date)) && filled.some((cell) => TOTALS.test(cell));
  return filled.length > 0 && !isNumbering && !isTotals;
}

function readMoney(
  cell: (column: Column) => string,
  { credit }: Columns,
): number | 'outgoing' | StatementReason {
  if (OUTGOING.test(cell('direction'))) return 'outgoing';
  const text = cell(credit === undefined ? 'amount' : 'credit');
  const amount = readAmount(text);
  if (credit !== undefined && (text === '' || amount === 0)) {
    const paidOut = readAmount(cell('debit'));
    return typeof paidOut === 'number' && paidOut > 0 ? 'outgoing' : because('no_amount');
  }
  if (typeof amount !== 'number') return amount;
  if (amount < 0) return 'outgoing';
  if (amount === 0) return because('no_amount');
  if (!Number.isInteger(amount)) return because('not_whole', text);
  return amount > AMOUNT_MAX ? because('too_much', text, String(AMOUNT_MAX)) : amount;
}

/**
 * `10 000,00`, `10,000.00`, `10000`. The last of two separators is the decimal one. One alone with
 * three digits behind it could be either, and is not guessed.
 */
function readAmount(text: string): number | StatementReason {
  const bare = text.replaceAll(/[\s\u00a0\u202f'’]|₸|kzt|тенге|тг\.?/giu, '');
  const sign = /^[-−–]/.test(bare) ? -1 : 1;
  const digits = bare.replace(/^[-−–+]/, '');
  if (/^\d+$/.test(digits)) return sign * Number(digits);
  const decimal = /^(\d+|\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(digits);
  const comma = /^(\d+|\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(digits);
  const [, whole, fraction] = decimal ?? comma ?? [];
  if (whole !== undefined) {
    return sign * Number(`${whole.replaceAll(/[.,]/g, '')}.${fraction}`);
  }
  if (/^\d{1,3}(?:,\d{3}){2,}$|^\d{1,3}(?:\.\d{3}){2,}$/.test(digits)) {
    return sign * Number(digits.replaceAll(/[.,]/g, ''));
  }
  const isUnclear = /^\d{1,3}[.,]\d{3}$/.test(digits);
  return because(isUnclear ? 'unclear_amount' : 'bad_amount', shortened(text));
}

/** A day, with or without a time, in Almaty. */
function readTime(text: string): Date | undefined {
  const local = /^(\d{1,2})[./](\d{1,2})[./](\d{4}|\d\d)(?:[ ,T]+(.+))?$/.exec(text);
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](.+))?$/.exec(text);
  const [day, month, year, time] =
    local === null ? [iso?.[3], iso?.[2], iso?.[1], iso?.[4]] : local.slice(1);
  if (day === undefined || month === undefined || year === undefined) return undefined;
  const clock = /^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$/.exec(
    time ?? '0:00',
  );
  if (clock === null) return undefined;
  const date = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const noon = new Date(`${date}T07:00:00Z`);
  if (Number.isNaN(noon.getTime())) return undefined;
  const midnight = almatyDay(noon);
  // Of the 31st of February JavaScript makes a day of March.
  if (!almatyTime(midnight).startsWith(date) || Number(date.slice(0, 4)) < OLDEST_YEAR) {
    return undefined;
  }
  const [hours, minutes, seconds] = clock.slice(1).map((part) => Number(part ?? 0));
  const isClock = (hours as number) < 24 && (minutes as number) < 60 && (seconds as number) < 60;
  const seconds24 = (hours as number) * 3600 + (minutes as number) * 60 + (seconds as number);
  return isClock ? new Date(midnight.getTime() + seconds24 * 1000) : undefined;
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
