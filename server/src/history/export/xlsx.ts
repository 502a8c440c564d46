import type { Cell } from './cell.ts';
import { zip } from './zip.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const WIDTH = 20;
/** Excel refuses a file with a longer one. */
const CELL_LENGTH_MAX = 32_767;

/** The parts of a workbook that are the same for every one. */
const PARTS = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
] as const;

/** A workbook with one sheet, written while its rows are read. The first row stays in sight. */
export function xlsx(sheet: string, rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<Buffer> {
  const book = `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escapeXml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  return zip([
    ...PARTS.map(([name, text]) => ({ name, content: [HEAD + text] })),
    { name: 'xl/workbook.xml', content: [HEAD + book] },
    { name: 'xl/worksheets/sheet1.xml', content: sheetText(rows) },
  ]);
}

async function* sheetText(rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="${WIDTH}" defaultRowHeight="15"/><sheetData>`;
  for await (const row of rows) yield `<row>${row.map(cellText).join('')}</row>`;
  yield '</sheetData></worksheet>';
}

/** A text is typed as one, so that none is ever taken for a formula. */
function cellText(cell: Cell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell.slice(0, CELL_LENGTH_MAX))}</t></is></c>`;
}

// What XML 1.0 cannot hold at all, not even as a reference.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader makes a line feed of a bare one.
  '\r': '&#13;',
};

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNWRITABLE, '')
    .replaceAll(/[&<>"\r]/g, (character) => ENTITIES[character] as string);
}
