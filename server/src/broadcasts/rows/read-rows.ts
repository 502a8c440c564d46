import {
  CELL_LENGTH_MAX,
  COLUMNS_MAX,
  RECIPIENTS_MAX,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import { Problem } from '../../problem.ts';
import {
  areHeadings,
  COLUMN_SAMPLE_ROWS,
  findConsentColumn,
  findPhoneColumn,
  nameColumns,
} from './find-columns.ts';
import type { SheetRow } from './sheet-row.ts';

/** What was read; the columns are places, from 1. */
export type Table = {
  columns: string[];
  phoneColumn: number | null;
  consentColumn: number | null;
  rows: number;
  /** Rows before this number may have fewer cells than there are columns. */
  widenedAt: number | undefined;
};

const BATCH_ROWS = 1_000;
const BATCH_LENGTH = 512 * 1024;
/** Rows of the file, with the empty ones: no spreadsheet shows more. */
const NUMBER_MAX = 1_048_576;

/**
 * Reads a table and writes its rows in batches. Headings and columns are found in the first rows.
 * Empty rows are left out. Beyond a limit of the contract, throws a problem with the row.
 */
export async function readRows(
  sheet: AsyncIterable<SheetRow>,
  write: (rows: readonly SheetRow[]) => Promise<void>,
): Promise<Table> {
  let head: Head | undefined;
  let width = 0;
  let rows = 0;
  let widenedAt: number | undefined;
  let batch: SheetRow[] = [];
  let batchLength = 0;

  const begin = async () => {
    const found = await findHead(batch);
    if (found.headings.length > 0) batch.shift();
    return found;
  };
  const flush = async () => {
    head ??= await begin();
    rows += batch.length;
    if (rows > RECIPIENTS_MAX) throw new Problem('too_many_rows');
    const full = batch.map(({ number, cells }) => ({ number, cells: padCells(cells, width) }));
    if (full.length > 0) await write(full);
    batch = [];
    batchLength = 0;
  };

  for await (const row of sheet) {
    if (row.number > NUMBER_MAX) throw new Problem('too_many_rows');
    const cells = cleanCells(row.cells);
    if (cells.length === 0) continue;
    checkCells(row.number, cells);
    if (cells.length > width) {
      if (rows > 0) widenedAt = row.number;
      width = cells.length;
    }
    batch.push({ number: row.number, cells });
    batchLength += cells.reduce((sum, { length }) => sum + length, 0);
    if (batch.length >= BATCH_ROWS || batchLength >= BATCH_LENGTH) await flush();
  }
  await flush();
  if (rows === 0) throw new Problem('file_empty');
  const { headings, phoneColumn, consentColumn } = head as Head;
  return { columns: nameColumns(headings, width), phoneColumn, consentColumn, rows, widenedAt };
}

type Head = { headings: string[]; phoneColumn: number | null; consentColumn: number | null };

async function findHead(rows: readonly SheetRow[]): Promise<Head> {
  const [first] = rows;
  const headings = first !== undefined && areHeadings(first.cells) ? first.cells : [];
  const sample = rows.slice(headings.length > 0 ? 1 : 0).slice(0, COLUMN_SAMPLE_ROWS);
  return {
    headings,
    phoneColumn: await findPhoneColumn(sample, headings),
    consentColumn: findConsentColumn(headings),
  };
}

/** Without the empty cells at the right. */
function cleanCells(cells: readonly string[]): string[] {
  const clean = cells.map(cleanCell);
  return clean.slice(0, clean.findLastIndex((cell) => cell !== '') + 1);
}

/** As the database stores it, and without the apostrophe that our own files put before a sign. */
function cleanCell(cell: string): string {
  return cell
    .replaceAll('\0', '')
    .toWellFormed()
    .trim()
    .replace(/^'(?=[=+\-@])/, '');
}

function checkCells(number: number, cells: readonly string[]): void {
  if (cells.length > COLUMNS_MAX) {
    const errors = { file: [`Строка ${number}: столбцов ${cells.length}`] };
    throw new Problem('too_many_columns', { errors });
  }
  const long = cells.findIndex(({ length }) => length > CELL_LENGTH_MAX);
  if (long >= 0) {
    const errors = {
      file: [`Строка ${number}, столбец ${long + 1}: знаков ${cells[long]?.length}`],
    };
    throw new Problem('cell_too_long', { errors });
  }
}

export function padCells(cells: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(width, cells.length) }, (_, i) => cells[i] ?? '');
}
