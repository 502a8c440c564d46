import type { Lang } from '@zhiber/contract/cabinet/fields.ts';
import type { MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import { type Actor, recordDeed } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { perDatabase } from '../../db/per-database.ts';
import type { CompanyId } from '../../ids.ts';
import { maskPhone } from '../../phone.ts';
import { Problem } from '../../problem.ts';
import { listMessages } from '../list/list-messages.ts';
import { type MessageQuery, toQuery } from '../list/message-query.ts';
import type { Cell } from './cell.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv.ts';
import { headCells, rowCells } from './export-row.ts';
import { EXPORT_TEXTS, type ExportTexts } from './texts.ts';
import { xlsx } from './xlsx.ts';

export type ExportRequest = {
  companyId: CompanyId;
  filter: MessageFilter;
  format: 'csv' | 'xlsx';
  lang: Lang;
  canSeePhones: boolean;
  actor: Actor;
  /** Fewer in tests. */
  rowsMax?: number;
};

export const EXPORT_ROWS_MAX = 100_000;
const ROWS_PER_STATEMENT = 1_000;
const SEPARATORS = { ru: ';', kk: ';', en: ',' } as const satisfies Record<Lang, string>;

/** Each reads a statement after the other; more at a time would be felt by those who send. */
const EXPORTS_AT_ONCE = 4;
const exporting = perDatabase(() => ({ count: 0 }));

/**
 * A file of the messages that match, written while they are read. The audit log has it before the
 * file is whole, and also when the reader leaves half-way.
 */
export function exportMessages(
  ctx: Context,
  request: ExportRequest,
): AsyncGenerator<Buffer | string> {
  if (exporting(ctx.db).count >= EXPORTS_AT_ONCE) throw new Problem('service_unavailable');
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
  exporting(ctx.db).count += 1;
  try {
    if (request.format === 'xlsx') yield* xlsx(EXPORT_TEXTS[request.lang].sheet, rows());
    else yield* csv(SEPARATORS[request.lang], rows());
  } finally {
    exporting(ctx.db).count -= 1;
    await record();
  }
}

async function* csv(separator: ',' | ';', rows: AsyncIterable<Cell[]>): AsyncGenerator<string> {
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
    const page = await listMessages(ctx.db, companyId, query, {
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

/** What was taken out of the company, in how many rows; a phone that was looked for is masked. */
async function recordExport(
  ctx: Context,
  { companyId, filter, format, actor }: ExportRequest,
  { query, rows, isCut }: Progress & { query: MessageQuery },
): Promise<void> {
  const { search } = query;
  const masked = search && 'phone' in search ? { search: maskPhone(search.phone) } : {};
  await ctx.db.transaction((tx) =>
    recordDeed(tx, actor, {
      companyId,
      action: 'messages.exported',
      object: format,
      after: { filter: { ...filter, ...masked }, rows, is_cut: isCut },
    }),
  );
}
