import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import type { Block, Column, Row, Sheet } from './sheet.ts';

/** A4 in points. */
const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = { top: 48, right: 48, bottom: 56, left: 56 };
const LINE_WIDTH = PAGE.width - MARGIN.left - MARGIN.right;
const BOTTOM = PAGE.height - MARGIN.bottom;
const INK = '#111111';
const PALE = '#555555';
const RULE = '#9a9a9a';
const NAME_WIDTH = 150;
const CELL = { x: 5, y: 3.5 };
const QR_SIZE = 92;

const require = createRequire(import.meta.url);
const FONTS = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
};
type Font = keyof typeof FONTS;
/** Read once: both are larger than half a megabyte. */
const fontFiles = new Map<Font, Buffer>();

type Pdf = PDFKit.PDFDocument;

/** Draws a sheet as a PDF with the letters that it uses of each font, and no more. */
export async function drawSheet(sheet: Sheet): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    // The margins are kept here: pdfkit would break pages in the middle of a row.
    margin: 0,
    bufferPages: true,
    lang: sheet.language,
    displayTitle: true,
    info: { Title: sheet.title, Author: sheet.author, CreationDate: sheet.createdAt },
  });
  for (const font of Object.keys(FONTS) as Font[]) pdf.registerFont(font, fontFile(font));
  pdf.font('regular').fillColor(INK);
  const done = buffer(pdf);
  const page = { pdf, sheet, y: MARGIN.top };
  startPage(page);
  sheet.blocks.forEach((block, i) => {
    if (block.kind === 'heading') keepWithTable(page, block, sheet.blocks[i + 1]);
    drawBlock(page, block);
  });
  drawFeet(pdf, sheet);
  pdf.end();
  return await done;
}

function fontFile(font: Font): Buffer {
  const known = fontFiles.get(font) ?? readFileSync(require.resolve(FONTS[font]));
  fontFiles.set(font, known);
  return known;
}

/** Where the next block begins. */
type Position = { pdf: Pdf; sheet: Sheet; y: number };

function startPage(page: Position): void {
  page.y = MARGIN.top;
  if (page.sheet.banner === undefined) return;
  const { pdf } = page;
  const height = textHeight(pdf, page.sheet.banner, {
    width: LINE_WIDTH - 16,
    size: 8,
    font: 'bold',
  });
  pdf.rect(MARGIN.left, page.y, LINE_WIDTH, height + 10).fill('#fff1d6');
  write(page, page.sheet.banner, {
    x: MARGIN.left + 8,
    y: page.y + 5,
    width: LINE_WIDTH - 16,
    size: 8,
    font: 'bold',
    color: '#7a4a00',
    align: 'center',
  });
  page.y += height + 24;
}

/** Begins a new page where what follows does not fit. */
function makeRoom(page: Position, height: number): void {
  if (page.y + height <= BOTTOM) return;
  page.pdf.addPage({ size: 'A4', margin: 0 });
  startPage(page);
}

type TextStyle = {
  x: number;
  y: number;
  width: number;
  size: number;
  font?: Font;
  color?: string;
  align?: 'left' | 'right' | 'center';
};

function write({ pdf }: Pick<Position, 'pdf'>, text: string, style: TextStyle): void {
  const { x, y, width, size, font = 'regular', color = INK, align = 'left' } = style;
  pdf.font(font).fontSize(size).fillColor(color).text(text, x, y, { width, align, lineGap: 1 });
}

function textHeight(
  pdf: Pdf,
  text: string,
  { width, size, font = 'regular' }: Pick<TextStyle, 'width' | 'size' | 'font'>,
): number {
  return pdf.font(font).fontSize(size).heightOfString(text, { width, lineGap: 1 });
}

const DRAW: {
  [Kind in Block['kind']]: (page: Position, block: Extract<Block, { kind: Kind }>) => void;
} = {
  title: drawTitle,
  heading: (page, { text }) => drawText(page, text, HEADING),
  text: (page, { text, look = 'plain' }) => drawText(page, text, TEXT_LOOKS[look]),
  facts: drawFacts,
  boxes: drawBoxes,
  table: drawTable,
  qr: drawQr,
  signatures: drawSignatures,
};

function drawBlock(page: Position, block: Block): void {
  (DRAW[block.kind] as (page: Position, block: Block) => void)(page, block);
}

type TextLook = { size: number; font?: Font; color?: string; before: number; after: number };

const HEADING: TextLook = { size: 10.5, font: 'bold', before: 8, after: 4 };
const TEXT_LOOKS: Record<'plain' | 'strong' | 'small' | 'notice', TextLook> = {
  plain: { size: 9.5, before: 0, after: 6 },
  strong: { size: 9.5, font: 'bold', before: 2, after: 6 },
  small: { size: 8, color: PALE, before: 0, after: 6 },
  notice: { size: 9.5, font: 'bold', color: '#8a1c1c', before: 2, after: 6 },
};

function drawText(page: Position, text: string, look: TextLook): void {
  const { before, after, ...style } = look;
  const height = textHeight(page.pdf, text, { width: LINE_WIDTH, ...style });
  makeRoom(page, before + height + after);
  page.y += before;
  write(page, text, { x: MARGIN.left, y: page.y, width: LINE_WIDTH, ...style });
  page.y += height + after;
}

/** A heading is never left behind by its table, and a short table is not torn apart. */
function keepWithTable(
  page: Position,
  { text }: Extract<Block, { kind: 'heading' }>,
  next: Block | undefined,
): void {
  if (next?.kind !== 'table') return;
  const { pdf } = page;
  const { before, after, ...style } = HEADING;
  const rows = [headOf(next.columns), ...next.rows].map((row) => rowHeight(pdf, next.columns, row));
  const heading = before + textHeight(pdf, text, { width: LINE_WIDTH, ...style }) + after;
  const whole = heading + rows.reduce((total, height) => total + height, 0);
  makeRoom(page, Math.min(whole, TABLE_HEIGHT_KEPT));
}

function drawTitle(page: Position, { text, note }: Extract<Block, { kind: 'title' }>): void {
  drawText(page, text, { size: 15, font: 'bold', before: 0, after: note === undefined ? 8 : 2 });
  if (note !== undefined) drawText(page, note, { size: 9.5, color: PALE, before: 0, after: 8 });
  drawRule(page, 1.2);
  page.y += 10;
}

function drawRule({ pdf, y }: Position, width = 0.6): void {
  pdf
    .moveTo(MARGIN.left, y)
    .lineTo(MARGIN.left + LINE_WIDTH, y)
    .lineWidth(width)
    .strokeColor(INK)
    .stroke();
}

function drawFacts(page: Position, { rows }: Extract<Block, { kind: 'facts' }>): void {
  const valueWidth = LINE_WIDTH - NAME_WIDTH - 10;
  for (const { name, value, isStrong = false } of rows) {
    const font = isStrong ? 'bold' : 'regular';
    const size = isStrong ? 11 : 9.5;
    const height = Math.max(
      textHeight(page.pdf, name, { width: NAME_WIDTH, size: 9.5 }),
      textHeight(page.pdf, value, { width: valueWidth, size, font }),
    );
    makeRoom(page, height + 5);
    const x = MARGIN.left;
    write(page, name, { x, y: page.y, width: NAME_WIDTH, size: 9.5, color: PALE });
    write(page, value, { x: x + NAME_WIDTH + 10, y: page.y, width: valueWidth, size, font });
    page.y += height + 5;
  }
  page.y += 5;
}

function drawBoxes(page: Position, { rows }: Extract<Block, { kind: 'boxes' }>): void {
  const { pdf } = page;
  for (const row of rows) {
    const heights = row.map(({ width, name, value }) => {
      const inner = LINE_WIDTH * width - 2 * CELL.x;
      return (
        textHeight(pdf, name, { width: inner, size: 7.5 }) +
        textHeight(pdf, value, { width: inner, size: 9.5, font: 'bold' })
      );
    });
    const height = Math.max(...heights) + 2 * CELL.y;
    makeRoom(page, height);
    let x = MARGIN.left;
    for (const { width: share, name, value } of row) {
      const width = LINE_WIDTH * share;
      const inner = { x: x + CELL.x, width: width - 2 * CELL.x };
      pdf.rect(x, page.y, width, height).lineWidth(0.6).strokeColor(RULE).stroke();
      write(page, name, { ...inner, y: page.y + CELL.y, size: 7.5, color: PALE });
      const below = page.y + CELL.y + textHeight(pdf, name, { width: inner.width, size: 7.5 });
      write(page, value, { ...inner, y: below, size: 9.5, font: 'bold' });
      x += width;
    }
    page.y += height;
  }
  page.y += 12;
}

function drawTable(page: Position, { columns, rows }: Extract<Block, { kind: 'table' }>): void {
  const head = headOf(columns);
  drawRow(page, columns, { row: head, isHead: true });
  for (const row of rows) {
    const pages = page.pdf.bufferedPageRange().count;
    makeRoom(page, rowHeight(page.pdf, columns, row));
    // A table that goes on has its head on every page.
    if (page.pdf.bufferedPageRange().count > pages) {
      drawRow(page, columns, { row: head, isHead: true });
    }
    drawRow(page, columns, { row, isHead: false });
  }
  page.y += 10;
}

const TABLE_SIZE = 9;
/** A table of up to half a page stays whole; of a longer one, so much follows its heading at once. */
const TABLE_HEIGHT_KEPT = (BOTTOM - MARGIN.top) / 2;

function headOf(columns: readonly Column[]): Row {
  return { cells: columns.map(({ title }) => title), isStrong: true };
}

function rowHeight(pdf: Pdf, columns: readonly Column[], { cells, isStrong }: Row): number {
  const font = isStrong ? 'bold' : 'regular';
  const heights = columns.map(({ width }, i) =>
    textHeight(pdf, cells[i] ?? '', {
      width: LINE_WIDTH * width - 2 * CELL.x,
      size: TABLE_SIZE,
      font,
    }),
  );
  return Math.max(...heights) + 2 * CELL.y;
}

function drawRow(
  page: Position,
  columns: readonly Column[],
  { row, isHead }: { row: Row; isHead: boolean },
): void {
  const { pdf } = page;
  const height = rowHeight(pdf, columns, row);
  if (isHead) makeRoom(page, height + 24);
  let x = MARGIN.left;
  columns.forEach(({ width: share, align }, i) => {
    const width = LINE_WIDTH * share;
    pdf.rect(x, page.y, width, height).lineWidth(0.6);
    if (isHead) pdf.fillAndStroke('#f0f0f0', RULE);
    else pdf.strokeColor(RULE).stroke();
    write(page, row.cells[i] ?? '', {
      x: x + CELL.x,
      y: page.y + CELL.y,
      width: width - 2 * CELL.x,
      size: TABLE_SIZE,
      font: row.isStrong ? 'bold' : 'regular',
      align: isHead ? 'center' : (align ?? 'left'),
    });
    x += width;
  });
  page.y += height;
}

/** As filled squares, which stay sharp on paper. */
function drawQr(page: Position, { text, lines }: Extract<Block, { kind: 'qr' }>): void {
  makeRoom(page, QR_SIZE + 12);
  const { pdf } = page;
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const module = QR_SIZE / size;
  data.forEach((row, i) => {
    row.forEach((isDark, j) => {
      if (isDark) pdf.rect(MARGIN.left + j * module, page.y + i * module, module, module);
    });
  });
  pdf.fill(INK);
  let y = page.y + 4;
  const x = MARGIN.left + QR_SIZE + 16;
  const width = LINE_WIDTH - QR_SIZE - 16;
  for (const line of lines) {
    write(page, line, { x, y, width, size: 8.5, color: PALE });
    y += textHeight(pdf, line, { width, size: 8.5 }) + 4;
  }
  page.y = Math.max(page.y + QR_SIZE, y) + 12;
}

function drawSignatures(page: Position, { parties }: Extract<Block, { kind: 'signatures' }>): void {
  // One party signs on half a line.
  const width = (LINE_WIDTH - 24) / 2;
  const heights = parties.map(
    ({ role, name }) =>
      textHeight(page.pdf, role, { width, size: 9.5, font: 'bold' }) +
      textHeight(page.pdf, name, { width, size: 9.5 }),
  );
  const height = Math.max(...heights) + 64;
  makeRoom(page, height);
  page.y += 10;
  parties.forEach(({ role, name, signature }, i) => {
    const x = MARGIN.left + i * (width + 24);
    write(page, role, { x, y: page.y, width, size: 9.5, font: 'bold' });
    const below = page.y + textHeight(page.pdf, role, { width, size: 9.5, font: 'bold' }) + 2;
    write(page, name, { x, y: below, width, size: 9.5 });
    const line = page.y + Math.max(...heights) + 34;
    page.pdf
      .moveTo(x, line)
      .lineTo(x + width, line)
      .lineWidth(0.6)
      .strokeColor(INK)
      .stroke();
    write(page, signature, { x, y: line + 3, width, size: 7.5, color: PALE, align: 'center' });
  });
  page.y += height;
}

function drawFeet(pdf: Pdf, { foot, page: word }: Sheet): void {
  const { count } = pdf.bufferedPageRange();
  for (let i = 0; i < count; i++) {
    pdf.switchToPage(i);
    const text = count === 1 ? foot : `${foot} · ${word} ${i + 1}/${count}`;
    const y = PAGE.height - MARGIN.bottom + 18;
    write({ pdf }, text, { x: MARGIN.left, y, width: LINE_WIDTH, size: 7.5, color: PALE });
  }
}
