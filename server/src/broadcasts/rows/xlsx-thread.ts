/**
 * The thread that reads workbooks: one of 100,000 rows takes seconds of computing, and sends would
 * wait. It gives its rows in parts, each when it is asked for, so that they do not gather.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from 'read-excel-file/universal';
import { type ArchiveFault, findArchiveFault } from './check-archive.ts';

export type XlsxRequest = { bytes: Uint8Array<ArrayBuffer> };
export type XlsxAnswer =
  | { fault: ArchiveFault }
  /** Rows without their empty cells at the right; an empty one where the sheet has none. */
  | { rows: string[][]; isLast: boolean };

const ROWS_PER_ANSWER = 1_000;

type Cell = string | boolean | Date | null;

let rows: Cell[][] | ArchiveFault | undefined;
let given = 0;

parentPort?.on('message', async () => {
  rows ??= await readRows(workerData as XlsxRequest);
  if (typeof rows === 'string') return answer({ fault: rows });
  const part = rows.slice(given, given + ROWS_PER_ANSWER);
  given += part.length;
  answer({ rows: part.map((row) => row.map(textOf)), isLast: given >= rows.length });
});

function answer(content: XlsxAnswer): void {
  parentPort?.postMessage(content);
}

async function readRows({ bytes }: XlsxRequest): Promise<Cell[][] | ArchiveFault> {
  const fault = findArchiveFault(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (fault !== undefined) return fault;
  try {
    const sheet = await readSheet(bytes.buffer, { parseNumber: numberText });
    return sheet as unknown as Cell[][];
  } catch {
    return 'broken';
  }
}

/** A number as people see it in a spreadsheet: 15 digits at most, with a comma before decimals. */
function numberText(text: string): string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  if (Number.isSafeInteger(number)) return String(number);
  return String(Number(number.toPrecision(15))).replace('.', ',');
}

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'да' : 'нет';
  return cell instanceof Date ? dateText(cell) : cell;
}

/** Dates of a workbook have no time zone; the library gives them as if they were UTC. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().split('T');
  const shown = day.split('-').toReversed().join('.');
  return time.startsWith('00:00') ? shown : `${shown} ${time.slice(0, 5)}`;
}
