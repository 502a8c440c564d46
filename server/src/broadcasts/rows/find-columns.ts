import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { parseCell } from './judge-phone.ts';
import type { SheetRow } from './sheet-row.ts';

/** Rows that are looked at to find the columns. */
export const COLUMN_SAMPLE_ROWS = 50;

const PHONE_HEADING = /тел|моб|phone|mobile|whatsapp|ватсап|номер|нөмір/i;
const CONSENT_HEADING = /соглас|келіс|consent|opt.?in/i;

/**
 * Whether the first row holds headings: no phone, nothing that may be a broken one, and no text
 * twice. In doubt it is a row like any other, which people see among the rest.
 */
export function areHeadings(cells: readonly string[]): boolean {
  const texts = cells.filter((cell) => cell !== '').map((cell) => cell.toLowerCase());
  return new Set(texts).size === texts.length && !texts.some(mayBeNumber);
}

/** As many digits as the shortest phone has. */
function mayBeNumber(text: string): boolean {
  return (text.match(/\d/g)?.length ?? 0) >= 7;
}

const NAME_LENGTH_MAX = 100;

/** Names for so many columns: the headings, and a number where there is none. */
export function nameColumns(headings: readonly string[], width: number): string[] {
  return Array.from(
    { length: width },
    (_, i) => plainName(headings[i] ?? '') || `Столбец ${i + 1}`,
  );
}

/** A name stands in the text of a broadcast as `{{name|default}}`, so it holds none of these signs. */
export function plainName(heading: string): string {
  return heading
    .replaceAll(/[\s{|}]+/g, ' ')
    .trim()
    .slice(0, NAME_LENGTH_MAX)
    .trim();
}

/** The column with most phones, from 1; with none, the one whose heading says so. */
export async function findPhoneColumn(
  rows: readonly SheetRow[],
  headings: readonly string[],
): Promise<number | null> {
  const width = Math.max(headings.length, ...rows.map(({ cells }) => cells.length));
  let best: { column: number; score: number } | undefined;
  for (let i = 0; i < width; i++) {
    // Numbers that are no phones take long to tell apart.
    await nextLoopTurn();
    const phones = rows.filter(({ cells }) => isMobile(cells[i] ?? '')).length;
    // An identity number may look like a foreign phone; the heading decides between the two.
    const bonus = PHONE_HEADING.test(headings[i] ?? '') ? rows.length / 4 + 1 : 0;
    const score = phones + bonus;
    if (score > (best?.score ?? 0)) best = { column: i + 1, score };
  }
  return best?.column ?? null;
}

function isMobile(cell: string): boolean {
  if (!mayBeNumber(cell)) return false;
  const facts = parseCell(cell);
  return typeof facts !== 'string' && facts.canReceiveSms;
}

export function findConsentColumn(headings: readonly string[]): number | null {
  const at = headings.findIndex((heading) => CONSENT_HEADING.test(heading));
  return at < 0 ? null : at + 1;
}
