import { REFUND_AT_BANK } from '@zhiber/contract/cabinet/ledger-words.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { almatyTime } from '../almaty.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { findCompany, type StoredCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { csv, EXPORTS_AT_ONCE } from '../messages/export-messages.ts';
import type { spanOf } from '../messages/message-query.ts';
import { type Cell, xlsx } from '../messages/xlsx.ts';
import { Problem } from '../problem.ts';
import { listEntries, type StoredEntry } from './entry-store.ts';
import { LEDGER_TEXTS, type LedgerTexts } from './export-texts.ts';
import { timesOf } from './list-ledger.ts';
import { type Period, readPeriod } from './read-period.ts';

export type LedgerExport = {
  companyId: CompanyId;
  range: Parameters<typeof spanOf>[0];
  /** `auto`: lines, or days where there are too many lines. */
  by: 'line' | 'day' | 'auto';
  format: 'csv' | 'xlsx';
  lang: Lang;
  actor: Actor;
  /** Lower in tests. */
  linesMax?: number;
};

/** A sheet of Excel ends at 1,048,576 rows. */
const LINES_MAX = 1_000_000;
const ROWS_PER_STATEMENT = 1_000;

/** Accounting software here expects it, whatever the language. */
const SEPARATOR = ';';

/** Everything that is known before the first entry is read. */
type Statement = LedgerExport &
  Period & {
    by: 'line' | 'day';
    company: StoredCompany;
    times: ReturnType<typeof timesOf>;
    now: Date;
  };

/**
 * Streams a statement of a period: opening balance, entries or days, and totals. It is that of one
 * moment: the last number is fixed at the start, and entries that are posted meanwhile come after it.
 * The audit log records the export before the file is complete, and also when the client disconnects
 * half-way.
 */
export async function exportLedger(
  ctx: Pick<Context, 'db' | 'clock' | 'exports'>,
  request: LedgerExport,
): Promise<AsyncGenerator<Buffer | string>> {
  // Checked before the first byte, while the answer can still be an error.
  if (ctx.exports.taken >= EXPORTS_AT_ONCE) throw new Problem('service_unavailable');
  return withPermit(ctx, await writeLedger(ctx, request));
}

async function* withPermit(
  { exports }: Pick<Context, 'exports'>,
  file: AsyncGenerator<Buffer | string>,
): AsyncGenerator<Buffer | string> {
  const release = exports.tryAcquire();
  if (release === undefined) throw new Problem('service_unavailable');
  try {
    yield* file;
  } finally {
    release();
  }
}

/** As `exportLedger`, for a caller that already has a permit to export. */
export async function writeLedger(
  ctx: Pick<Context, 'db' | 'clock'>,
  request: LedgerExport,
): Promise<AsyncGenerator<Buffer | string>> {
  const { companyId, linesMax = LINES_MAX } = request;
  const now = ctx.clock.now();
  const times = timesOf(request.range, now);
  const period = await readPeriod(ctx.db, companyId, times);
  const isTooLong = period.span.to - period.span.from > linesMax;
  if (request.by === 'line' && isTooLong) {
    throw new Problem('validation_error', {
      errors: { range: ['Больше миллиона строк: сузьте период или выгрузите по дням'] },
    });
  }
  const fitting = isTooLong ? 'day' : 'line';
  return writeFile(ctx, {
    ...request,
    ...period,
    by: request.by === 'auto' ? fitting : request.by,
    company: (await findCompany(ctx.db, companyId)) as StoredCompany,
    times,
    now,
  });
}

async function* writeFile(
  ctx: Pick<Context, 'db'>,
  statement: Statement,
): AsyncGenerator<Buffer | string> {
  const progress = { entries: 0 };
  let isRecorded = false;
  const record = async () => {
    if (isRecorded) return;
    isRecorded = true;
    await recordExport(ctx, statement, progress);
  };
  const rows = async function* () {
    yield* statementRows(ctx, statement, progress);
    await record();
  };
  const texts = LEDGER_TEXTS[statement.lang];
  try {
    if (statement.format === 'csv') yield* csv(SEPARATOR, rows());
    else yield* xlsx(texts.sheet, rows(), headRows(statement, texts).length);
  } finally {
    await record();
  }
}

/** How many entries have been read. */
type Progress = { entries: number };

/** Records the period and the number of entries in the audit log. */
async function recordExport(
  { db }: Pick<Context, 'db'>,
  { companyId, actor, format, times }: Statement,
  { entries }: Progress,
): Promise<void> {
  await db.transaction((tx) =>
    recordAuditEvent(tx, actor, {
      companyId,
      action: 'ledger.exported',
      object: format,
      after: { period: periodText(times, { from: '…', to: '…' }), rows: entries },
    }),
  );
}

type Totals = { moneyIn: number; moneyOut: number; messages: number };

async function* statementRows(
  ctx: Pick<Context, 'db'>,
  statement: Statement,
  progress: Progress,
): AsyncGenerator<Cell[]> {
  const texts = LEDGER_TEXTS[statement.lang];
  yield* headRows(statement, texts);
  const totals: Totals = { moneyIn: 0, moneyOut: 0, messages: 0 };
  const entries = countedEntries(ctx, statement, { totals, progress });
  if (statement.by === 'line') for await (const entry of entries) yield lineCells(entry, texts);
  else yield* dayRows(entries, statement.opening);

  const closing = statement.opening + totals.moneyIn - totals.moneyOut;
  // A broken download is better than a statement that is wrong.
  if (closing !== statement.closing) throw new Error(`the ledger of ${statement.companyId} is off`);
  yield [];
  yield [texts.opening, statement.opening];
  yield [texts.moneyIn, totals.moneyIn];
  yield [texts.moneyOut, totals.moneyOut];
  yield [texts.closing, closing];
}

/** The facts about the file, and the titles of its columns. */
function headRows(statement: Statement, texts: LedgerTexts): Cell[][] {
  const { company, times, now, opening, by } = statement;
  return [
    [texts.company, company.name],
    [texts.businessId, company.businessId],
    [texts.period, periodText(times, { from: texts.fromStart, to: texts.untilNow })],
    [texts.madeAt, now],
    [texts.opening, opening],
    [],
    Object.values(by === 'line' ? texts.lines : texts.days),
  ];
}

/** In Almaty time, with words for a bound that the period does not have. */
function periodText({ from, to }: Statement['times'], open: Record<'from' | 'to', string>): string {
  const start = from === undefined ? open.from : almatyTime(from);
  const end = to === undefined ? open.to : almatyTime(to);
  return `${start} – ${end}`;
}

/** The entries of the statement, oldest first, a part at a time. */
async function* countedEntries(
  { db }: Pick<Context, 'db'>,
  { companyId, span }: Statement,
  { totals, progress }: { totals: Totals; progress: Progress },
): AsyncGenerator<StoredEntry> {
  let { from } = span;
  while (from < span.to) {
    const part = { span: { from, to: span.to }, kinds: undefined };
    const page = { order: 'oldest_first', rowsMax: ROWS_PER_STATEMENT } as const;
    const entries = await listEntries(db, companyId, part, page);
    for (const entry of entries) {
      addEntry(totals, entry);
      progress.entries += 1;
      yield entry;
    }
    from += ROWS_PER_STATEMENT;
  }
}

function addEntry(totals: Totals, { amount, messages }: StoredEntry): void {
  if (amount > 0) totals.moneyIn += amount;
  else totals.moneyOut -= amount;
  totals.messages += messages;
}

function lineCells(entry: StoredEntry, { kinds, refundAtBank }: LedgerTexts): Cell[] {
  const { amount, reason } = entry;
  return [
    entry.number,
    entry.created_at,
    entry.created_at.toISOString(),
    kinds[entry.kind],
    amount > 0 ? amount : null,
    amount < 0 ? -amount : null,
    entry.balance_after,
    entry.messages === 0 ? null : entry.messages,
    entry.receipt_number,
    entry.order_reference,
    reason === REFUND_AT_BANK ? refundAtBank : reason,
  ];
}

/** A row for each day in Almaty on which the balance changed. */
async function* dayRows(
  entries: AsyncIterable<StoredEntry>,
  opening: number,
): AsyncGenerator<Cell[]> {
  let balance = opening;
  let day: { date: string; totals: Totals } | undefined;
  const closeDay = ({ date, totals }: NonNullable<typeof day>): Cell[] => {
    const { moneyIn, moneyOut, messages } = totals;
    const before = balance;
    balance += moneyIn - moneyOut;
    return [{ day: date }, before, moneyIn, moneyOut, balance, messages];
  };
  for await (const entry of entries) {
    const date = almatyTime(entry.created_at).slice(0, 10);
    if (day !== undefined && day.date !== date) yield closeDay(day);
    if (day?.date !== date) day = { date, totals: { moneyIn: 0, moneyOut: 0, messages: 0 } };
    addEntry(day.totals, entry);
  }
  if (day !== undefined) yield closeDay(day);
}
