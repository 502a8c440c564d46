/**
 * A paper as data: what stands on it, in order. `draw-sheet.ts` knows how it looks. It crosses to
 * another thread, so it holds nothing but values.
 */
export type Sheet = {
  /** The title that a reader of PDFs shows. */
  title: string;
  /** The author in the properties of the file. */
  author: string;
  language: 'ru' | 'kk';
  /** In the properties of the file, so that the same paper always has the same bytes. */
  createdAt: Date;
  /** A line at the top of every page, as for a paper that is worth nothing. */
  banner?: string | undefined;
  blocks: readonly Block[];
  /** At the foot of every page, followed by `page` and its number where there are several. */
  foot: string;
  page: string;
};

export type Block =
  | { kind: 'title'; text: string; note?: string | undefined }
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string; look?: 'plain' | 'strong' | 'small' | 'notice' }
  /** Names and values, one below the other. */
  | { kind: 'facts'; rows: readonly Fact[] }
  /** Boxes with borders, as banks print requisites. The widths are shares of the line. */
  | { kind: 'boxes'; rows: readonly (readonly Box[])[] }
  | { kind: 'table'; columns: readonly Column[]; rows: readonly Row[] }
  /** A code to scan, with lines of text beside it. */
  | { kind: 'qr'; text: string; lines: readonly string[] }
  | { kind: 'signatures'; parties: readonly Party[] };

export type Fact = { name: string; value: string; isStrong?: boolean };
export type Box = { width: number; name: string; value: string };
export type Column = { title: string; width: number; align?: 'left' | 'right' | 'center' };
export type Row = { cells: readonly string[]; isStrong?: boolean };
export type Party = { role: string; name: string; signature: string };
