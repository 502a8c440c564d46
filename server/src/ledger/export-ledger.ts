import type { Lang } from '@zhiber/contract/languages.ts';
import { almatyTime } from '../almaty.ts';
import { findCompany, type StoredCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { csv, EXPORTS_AT_ONCE } from '../messages/export-messages.ts';
import type { spanOf } from '../messages/message-query.ts';
import { type Cell, xlsx } from '../messages/xlsx.ts';
import { Problem } from '../problem.ts';
import {
  findNumberSpan,
  listEntries,
  type NumberSpan,
  readBalanceAfter,
  type StoredEntry,
} from './entry-store.ts';
import { LEDGER_TEXTS, type LedgerTexts } from './export-texts.ts';
import { timesOf } from './list-ledger.ts';

export type LedgerExport = {
  companyId: CompanyId;
  range: Parameters<typeof spanOf>[0];
  by: 'line' | 'day';
  format: 'csv' | 'xlsx';
  lang: Lang;
};

/** A sheet of Excel ends at 1,048,576 rows. */
const LINES_MAX = 1_000_000;
const ROWS_PER_STATEMENT = 1_000;

/** Accounting software here expects it, whatever the language. */
const SEPARATOR = ';';

/** Everything that is known before the first entry is read. */
type Statement = LedgerExport & {
  company: StoredCompany;
  times: ReturnType<typeof timesOf>;
  now: Date;
  span: NumberSpan;
  opening: number;
  closing: number;
};

/**
 * Streams a statement of a period: opening balance, entries or days, and totals. It is that of one
 * moment: the last number is fixed at the start, and entries that are posted meanwhile come after it.
 */
export async function exportLedger(
  ctx: Pick<Context, 'db' | 'clock' | 'exports'>,
  request: LedgerExport,
): Promise<AsyncGenerator<Buffer | string>> {
  // Checked before the first byte, while the answer can still be an error.
  if (ctx.exports.taken >= EXPORTS_AT_ONCE) throw new Problem('service_unavailable');
  const { companyId } = request;
  const now = ctx.clock.now();
  const times = timesOf(request.range, now);
  const { from, to } = await findNumberSpan(ctx.db, companyId, times);
  const span = { from, to: Math.max(from, to) };
  if (request.by === 'line' && span.to - span.from > LINES_MAX) {
    throw new Problem('validation_error', {
      errors: { range: ['Больше миллиона строк: сузьте период или выгрузите по дням'] },
    });
  }
  return writeFile(ctx, {
    ...request,
    company: (await findCompany(ctx.db, companyId)) as StoredCompany,
    times,
    now,
    span,
    opening: await readBalanceAfter(ctx.db, companyId, span.from - 1),
    closing: await readBalanceAfter(ctx.db, companyId, span.to - 1),
  });
}

async function* writeFile(
  ctx: Pick<Context, 'db' | 'exports'>,
  statement: Statement,
): AsyncGenerator<Buffer | string> {
  const release = ctx.exports.tryAcquire();
  if (release === undefined) throw new Problem('service_unavailable');
  try {
    const rows = statementRows(ctx, statement);
    const texts = LEDGER_TEXTS[statement.lang];
    if (statement.format === 'csv') yield* csv(SEPARATOR, rows);
    else yield* xlsx(texts.sheet, rows, headRows(statement, texts).length);
  } finally {
    release();
  }
}

type Totals = { moneyIn: number; moneyOut: number; messages: number };

async function* statementRows(
  ctx: Pick<Context, 'db'>,
  statement: Statement,
): AsyncGenerator<Cell[]> {
  const texts = LEDGER_TEXTS[statement.lang];
  yield* headRows(statement, texts);
  const totals: Totals = { moneyIn: 0, moneyOut: 0, messages: 0 };
  const entries = countedEntries(ctx, statement, totals);
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
  const from = times.from === undefined ? texts.fromStart : almatyTime(times.from);
  const to = times.to === undefined ? texts.untilNow : almatyTime(times.to);
  return [
    [texts.company, company.name],
    [texts.businessId, company.businessId],
    [texts.period, `${from} – ${to}`],
    [texts.madeAt, almatyTime(now)],
    [texts.opening, opening],
    [],
    Object.values(by === 'line' ? texts.lines : texts.days),
  ];
}

/** The entries of the statement, oldest first, a part at a time. */
async function* countedEntries(
  { db }: Pick<Context, 'db'>,
  { companyId, span }: Statement,
  totals: Totals,
): AsyncGenerator<StoredEntry> {
  let { from } = span;
  while (from < span.to) {
    const part = { span: { from, to: span.to }, kinds: undefined };
    const page = { order: 'oldest_first', rowsMax: ROWS_PER_STATEMENT } as const;
    const entries = await listEntries(db, companyId, part, page);
    for (const entry of entries) {
      addEntry(totals, entry);
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

function lineCells(entry: StoredEntry, { kinds }: LedgerTexts): Cell[] {
  const { amount } = entry;
  return [
    entry.number,
    almatyTime(entry.created_at),
    entry.created_at.toISOString(),
    kinds[entry.kind],
    amount > 0 ? amount : null,
    amount < 0 ? -amount : null,
    entry.balance_after,
    entry.messages === 0 ? null : entry.messages,
    entry.receipt_number,
    entry.order_reference,
    entry.reason,
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
    return [date, before, moneyIn, moneyOut, balance, messages];
  };
  for await (const entry of entries) {
    const date = almatyTime(entry.created_at).slice(0, 10);
    if (day !== undefined && day.date !== date) yield closeDay(day);
    if (day?.date !== date) day = { date, totals: { moneyIn: 0, moneyOut: 0, messages: 0 } };
    addEntry(day.totals, entry);
  }
  if (day !== undefined) yield closeDay(day);
}
