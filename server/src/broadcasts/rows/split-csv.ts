import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parsePhone } from '../../phone.ts';
import { Problem } from '../../problem.ts';
import type { SheetRow } from './sheet-row.ts';

const DELIMITERS = [';', '\t', ',', '|'] as const;
/** Of a file with one column. A cell with two phones must stay one cell. */
const NO_DELIMITER = '\t';

const SAMPLE_LENGTH = 32 * 1024;
const SAMPLE_LINES = 20;
/** The parser works through a piece at once, and other requests wait meanwhile. */
const PIECE_LENGTH = 16 * 1024;
/** Far more than the cells of a row may hold: beyond it a quote was opened and never closed. */
const RECORD_LENGTH_MAX = 128 * 1024;

/** The rows of a CSV file or of pasted text, with the delimiter found by itself. */
export async function* splitCsv(texts: AsyncIterable<string>): AsyncGenerator<SheetRow> {
  const { sample, all } = await takeSample(texts);
  if (isBinary(sample)) throw new Problem('file_unreadable');
  const stated = /^sep=(.)(?:\r\n|\n|\r)/i.exec(sample);
  const parser = parse({
    delimiter: stated?.[1] ?? findDelimiter(sample),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: RECORD_LENGTH_MAX,
    // Spreadsheets hide this line.
    from: stated === null ? 1 : 2,
  });
  const records = pipeline(Readable.from(inPieces(all)), parser, () => undefined);
  let number = 0;
  try {
    for await (const cells of records as AsyncIterable<string[]>) {
      number += 1;
      yield { number, cells };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // By the parser: rows that it has not given out yet are dropped with the error.
    const row = Number(error.records) + 1;
    throw new Problem('file_unreadable', {
      errors: { file: [`Строка ${row}: кавычка открыта, но не закрыта`] },
    });
  }
}

/** The beginning of a text, and the whole of it from its beginning. */
async function takeSample(
  texts: AsyncIterable<string>,
): Promise<{ sample: string; all: AsyncIterable<string> }> {
  const iterator = texts[Symbol.asyncIterator]();
  let sample = '';
  let isEnd = false;
  while (!isEnd && sample.length < SAMPLE_LENGTH) {
    const { value, done } = await iterator.next();
    if (done) isEnd = true;
    else sample += value;
  }
  const all = async function* () {
    yield sample;
    if (!isEnd) yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { sample, all: all() };
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) {
    for (let at = 0; at < text.length; ) {
      let end = Math.min(at + PIECE_LENGTH, text.length);
      // Half of a surrogate pair would be lost.
      if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1] as string)) end += 1;
      yield text.slice(at, end);
      at = end;
    }
  }
}

/** Text has no control characters but those of lines and cells. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\0-\x08\x0e-\x19\x1b-\x1f\ufffd]/g;

function isBinary(sample: string): boolean {
  return (sample.match(CONTROL)?.length ?? 0) > sample.length / 100;
}

/**
 * The delimiter that finds a phone in most lines; of several, the one that cuts most lines into the
 * same number of cells: a comma may also be a part of a name.
 */
export function findDelimiter(sample: string): string {
  const lines = sampleLines(sample);
  let best: { delimiter: string; score: readonly number[] } | undefined;
  for (const delimiter of DELIMITERS) {
    const rows = lines.map((line) => cutLine(line, delimiter));
    const { width, count } = usualWidth(rows);
    if (width < 2) continue;
    const withPhone = rows.filter((row) => row.length > 1 && row.some(isPhone)).length;
    const score = [withPhone, count];
    if (best === undefined || isHigher(score, best.score)) best = { delimiter, score };
  }
  return best?.delimiter ?? NO_DELIMITER;
}

function isHigher(score: readonly number[], other: readonly number[]): boolean {
  const at = score.findIndex((value, i) => value !== other[i]);
  return at >= 0 && (score[at] as number) > (other[at] as number);
}

/** The last line of a sample may be cut. */
function sampleLines(sample: string): string[] {
  const lines = sample.split(/\r\n|\n|\r/);
  if (sample.length >= SAMPLE_LENGTH) lines.pop();
  return lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES);
}

/** Roughly: quotes only hide delimiters. The parser reads the file itself. */
function cutLine(line: string, delimiter: string): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const character of line) {
    // Inside of a plain cell a quote is a part of it.
    const isQuote = character === '"' && (isQuoted || cells.at(-1) === '');
    if (isQuote) isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells;
}

function usualWidth(rows: readonly string[][]): { width: number; count: number } {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [width = 1, count = 0] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return { width, count };
}

function isPhone(cell: string): boolean {
  return parsePhone(cell.trim()) !== undefined;
}
