import type { PhoneFault, RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import { BYTE_ORDER_MARK, csvLine, EXPORTS_AT_ONCE } from '../../messages/export-messages.ts';
import { Problem } from '../../problem.ts';
import type { RowsPlace } from './check-rows.ts';
import { findDraftRows } from './draft-rows-store.ts';
import { padCells } from './read-rows.ts';
import { listRows, type StoredRow } from './row-store.ts';
import { ROW_TEXTS, type RowTexts } from './row-texts.ts';

const ROWS_PER_STATEMENT = 1_000;

type DownloadRequest = RowsPlace & { verdict?: RowVerdict | undefined; lang: Lang };

/**
 * A CSV file of the rows as they were, with what becomes of each and why. It can be corrected and
 * uploaded again: the columns of the file come first.
 */
export async function downloadRows(
  ctx: Pick<Context, 'db' | 'exports'>,
  actor: Actor,
  request: DownloadRequest,
): Promise<AsyncGenerator<string>> {
  const { companyId, verdict } = request;
  const draft = await findDraftRows(ctx.db, request);
  if (draft === undefined) throw new Problem('not_found');
  if (ctx.exports.taken >= EXPORTS_AT_ONCE) throw new Problem('service_unavailable');
  // Before the first byte: a file that was cut has left the house as well.
  const after = { verdict: verdict ?? 'all' };
  const event = { companyId, action: 'broadcast.exported', object: draft.name, after } as const;
  await ctx.db.transaction((tx) => recordAuditEvent(tx, actor, event));
  return writeFile(ctx, request, draft.columns);
}

async function* writeFile(
  { db, exports }: Pick<Context, 'db' | 'exports'>,
  { broadcastId, verdict, lang }: DownloadRequest,
  columns: readonly string[],
): AsyncGenerator<string> {
  const release = exports.tryAcquire();
  if (release === undefined) throw new Problem('service_unavailable');
  const texts = ROW_TEXTS[lang];
  const separator = lang === 'en' ? ',' : ';';
  try {
    const headings = [...columns, texts.number, texts.verdict, texts.reason];
    yield BYTE_ORDER_MARK + csvLine(headings, separator);
    for (let after = 0; ; ) {
      const slice = { broadcastId, after, limit: ROWS_PER_STATEMENT };
      const rows = await listRows(db, slice, verdict);
      yield rows.map((row) => csvLine(lineOf(row, columns.length, texts), separator)).join('');
      if (rows.length < ROWS_PER_STATEMENT) return;
      after = (rows.at(-1) as StoredRow).number;
    }
  } finally {
    release();
  }
}

function lineOf(row: StoredRow, width: number, texts: RowTexts) {
  const { number, cells, verdict } = row;
  const verdictText = verdict === null ? '' : texts.verdicts[verdict];
  return [...padCells(cells, width), number, verdictText, reasonText(row, texts)];
}

function reasonText({ verdict, reason }: StoredRow, texts: RowTexts): string {
  if (reason === null) return '';
  return verdict === 'duplicate' ? texts.sameAs(reason) : texts.faults[reason as PhoneFault];
}
