import type { Cell } from './cell.ts';

/** Spreadsheets guess the encoding of a file without it, and guess wrong. */
export const BYTE_ORDER_MARK = '\u{feff}';

// A spreadsheet takes these for the beginning of a formula, and would run it.
const FORMULA = /^[=+\-@\t\r\n\0]/;

/** One line by RFC 4180. A text that could be a formula is marked as a text. */
export function csvLine(cells: readonly Cell[], separator: ',' | ';'): string {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
}

function csvCell(cell: Cell, separator: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  const needsQuotes = text.includes(separator) || /["\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
