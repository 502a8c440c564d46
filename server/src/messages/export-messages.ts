import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { MessageFilter, MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { almatyTime } from '../almaty.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { maskPhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { EXPORT_TEXTS, type ExportTexts } from './export-texts.ts';
import { listMessages, toMessageRow } from './list-messages.ts';
import type { ListedMessage } from './message-list-store.ts';
import { type MessageQuery, toQuery } from './message-query.ts';
import { type Cell, xlsx } from './xlsx.ts';

export type ExportRequest = {
  companyId: CompanyId;
  filter: MessageFilter;
  format: 'csv' | 'xlsx';
  lang: Lang;
  canSeePhones: boolean;
  actor: Actor;
  /** Lower in tests. */
  rowsMax?: number;
};

export const EXPORT_ROWS_MAX = 100_000;
const ROWS_PER_STATEMENT = 1_000;
const SEPARATORS = { ru: ';', kk: ';', en: ',' } as const satisfies Record<Lang, string>;

/** Each export runs one statement at a time; more exports at once would slow down sends. */
export const EXPORTS_AT_ONCE = 4;

/**
 * Streams a file of the matching messages. The audit log records the export before the file is
 * complete, and also when the client disconnects half-way.
 */
export function exportMessages(
  ctx: Context,
  request: ExportRequest,
): AsyncGenerator<Buffer | string> {
  // Checked before the first byte, while the answer can still be an error.
  if (ctx.exports.taken >= EXPORTS_AT_ONCE) throw new Problem('service_unavailable');
  return writeFile(ctx, request, toQuery(request.filter, ctx.clock.now()));
}

async function* writeFile(
  ctx: Context,
  request: ExportRequest,
  query: MessageQuery,
): AsyncGenerator<Buffer | string> {
  const progress = { rows: 0, isCut: false };
  let isRecorded = false;
  const record = async () => {
    if (isRecorded) return;
    isRecorded = true;
    await recordExport(ctx, request, { query, ...progress });
  };
  const rows = async function* () {
    yield* exportRows(ctx, request, { query, progress });
    await record();
  };
  const release = ctx.exports.tryAcquire();
  if (release === undefined) throw new Problem('service_unavailable');
  try {
    if (request.format === 'xlsx') yield* xlsx(EXPORT_TEXTS[request.lang].sheet, rows());
    else yield* csv(SEPARATORS[request.lang], rows());
  } finally {
    release();
    await record();
  }
}

/** Streams a CSV file. */
export async function* csv(
  separator: ',' | ';',
  rows: AsyncIterable<Cell[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  for await (const cells of rows) yield csvLine(cells, separator);
}

type Progress = { rows: number; isCut: boolean };

async function* exportRows(
  ctx: Context,
  request: ExportRequest,
  { query, progress }: { query: MessageQuery; progress: Progress },
): AsyncGenerator<Cell[]> {
  const { companyId, canSeePhones, rowsMax = EXPORT_ROWS_MAX } = request;
  const texts: ExportTexts = EXPORT_TEXTS[request.lang];
  yield headCells(texts);
  let cursor: string | undefined;
  do {
    const page = await listMessages(ctx.reads, companyId, query, {
      cursor,
      rowsMax: Math.min(ROWS_PER_STATEMENT, rowsMax - progress.rows),
    });
    for (const message of page.rows) yield rowCells(message, { canSeePhones, texts });
    progress.rows += page.rows.length;
    cursor = page.next ?? undefined;
    progress.isCut = cursor !== undefined && progress.rows >= rowsMax;
  } while (cursor !== undefined && !progress.isCut);
  if (progress.isCut)
    yield [texts.cut(rowsMax.toLocaleString(request.lang === 'en' ? 'en' : 'ru'))];
}

/** Records the filter and the number of rows in the audit log. Of a searched phone only what a mask shows. */
async function recordExport(
  ctx: Context,
  { companyId, filter, format, actor }: ExportRequest,
  { query, rows, isCut }: Progress & { query: MessageQuery },
): Promise<void> {
  const { search } = query;
  const masked = maskedSearch(search);
  await ctx.db.transaction((tx) =>
    recordAuditEvent(tx, actor, {
      companyId,
      action: 'messages.exported',
      object: format,
      after: { filter: { ...filter, ...masked }, rows, is_cut: isCut },
    }),
  );
}

function maskedSearch(search: MessageQuery['search']): { search?: string } {
  if (search === undefined) return {};
  if ('phone' in search) return { search: maskPhone(search.phone) };
  return 'tail' in search ? { search: `***${search.tail.slice(-4)}` } : {};
}

type Exported = { row: MessageRow; message: ListedMessage; texts: ExportTexts };

/** The columns of a file in order: the header, and the value in each row. */
const COLUMNS: readonly [keyof ExportTexts['columns'], (exported: Exported) => Cell][] = [
  ['almaty', ({ message }) => message.created_at],
  ['utc', ({ row }) => row.at],
  ['phone', ({ row }) => row.phone],
  ['country', ({ row, message }) => (message.kind === 'group' ? null : (row.country ?? 'KZ'))],
  ['kind', ({ row, texts }) => texts.kinds[kindOf(row)]],
  ['purpose', ({ row }) => row.purpose],
  ['state', ({ row, texts }) => texts.states[row.state]],
  ['reason', ({ row }) => row.reason],
  ['channel', ({ row }) => (row.channel === null ? null : CHANNEL_TITLES[row.channel])],
  ['path', ({ row, texts }) => pathText(row, texts)],
  ['took', ({ row }) => row.took_ms],
  ['cost', ({ row }) => row.cost],
  ['mode', ({ row, texts }) => texts.modes[row.mode]],
  ['key', ({ row }) => row.key.name],
  ['messageId', ({ row }) => row.id],
  ['requestId', ({ message }) => message.request_id],
];

export function headCells(texts: ExportTexts): Cell[] {
  return COLUMNS.map(([name]) => texts.columns[name]);
}

export function rowCells(
  message: ListedMessage,
  view: { canSeePhones: boolean; texts: ExportTexts },
): Cell[] {
  const exported = { row: toMessageRow(message, view.canSeePhones), message, texts: view.texts };
  return COLUMNS.map(([, read]) => read(exported));
}

function kindOf({ kind, has_link }: MessageRow): keyof ExportTexts['kinds'] {
  return kind === 'otp' && has_link ? 'otp_with_link' : kind;
}

function pathText({ path }: MessageRow, { outcomes }: ExportTexts): string {
  return path
    .map(({ channel, outcome }) => `${CHANNEL_TITLES[channel]}: ${outcomes[outcome]}`)
    .join(' → ');
}

/** Without it spreadsheets guess the encoding of a file, and guess wrong. */
export const BYTE_ORDER_MARK = '\u{feff}';

/** What begins a formula, also in the wide and small forms that some spreadsheets take for it. */
const FORMULA_SIGNS = '=+\\-@＝＋－＠﹦﹢﹣﹫−';
/** Spreadsheets drop these in front of a formula. */
const DROPPED = '[\\s\\p{Z}\\p{C}"]*';
/**
 * Where a cell begins: at the start of the text, and after a separator or a line break inside of
 * it, because a file may be opened with another separator than it was written with. Before a line
 * feed there is no need: the place after it is one of these.
 */
const FORMULA_STARTS = new RegExp(
  `^(?=[\\t\\r\\n\\0])|(?<=^|[,;|\\t\\r\\n\\v\\f\\x85\\u2028\\u2029])(?!\\n)(?=${DROPPED}[${FORMULA_SIGNS}])`,
  'gu',
);

/** One line by RFC 4180. An apostrophe stands before whatever could be read as a formula. */
export function csvLine(cells: readonly Cell[], separator: ',' | ';'): string {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
}

/** A number to every spreadsheet, and the form in which phones are read back. */
const WHOLE_PHONE = /^\+\d{7,15}$/;

function csvCell(cell: Cell, separator: string): string {
  if (cell === null) return '';
  if (cell instanceof Date) return almatyTime(cell);
  if (typeof cell === 'object') return cell.day;
  // Programs that expect semicolons between cells expect a comma before decimals.
  if (typeof cell === 'number') return String(cell).replace('.', separator === ';' ? ',' : '.');
  if (WHOLE_PHONE.test(cell)) return cell;
  const text = cell.replaceAll(FORMULA_STARTS, "'");
  const needsQuotes = text.includes(separator) || /["\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
