import type { LedgerEntry, LedgerFilter } from '@zhiber/contract/cabinet/balance.ts';
import { ENTRY_GROUPS, type EntryGroup } from '@zhiber/contract/cabinet/ledger-words.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { spanOf } from '../messages/message-query.ts';
import { Problem } from '../problem.ts';
import { findNumberSpan, listEntries, type StoredEntry } from './entry-store.ts';

const PAGE_ROWS = 50;

/**
 * A page of the ledger, newest first. The cursor is the number of the last entry shown. Its cost does
 * not depend on the number of entries.
 */
export async function listLedger(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  filter: LedgerFilter & { cursor?: string | undefined },
): Promise<{ rows: LedgerEntry[]; next: string | null }> {
  const before = filter.cursor === undefined ? undefined : readCursor(filter.cursor);
  const { from, to } = await findNumberSpan(ctx.db, companyId, timesOf(filter, ctx.clock.now()));
  const span = { from, to: before === undefined ? to : Math.min(before, to) };
  const kinds = filter.kind?.flatMap((group) => ENTRY_GROUPS[group as EntryGroup]);
  const entries = await listEntries(
    ctx.db,
    companyId,
    { span, kinds: kinds?.length === 0 ? undefined : kinds },
    // One row more than shown tells whether there is a next page.
    { order: 'newest_first', rowsMax: PAGE_ROWS + 1 },
  );
  const rows = entries.slice(0, PAGE_ROWS).map(toLedgerEntry);
  return { rows, next: entries.length > PAGE_ROWS ? String(rows.at(-1)?.number) : null };
}

/** The times of a range; undefined where it has no bound. */
export function timesOf(
  filter: Parameters<typeof spanOf>[0],
  now: Date,
): { from: Date | undefined; to: Date | undefined } {
  const { fromMs, toMs } = spanOf(filter, now);
  return {
    from: fromMs === 0 ? undefined : new Date(fromMs),
    to: toMs === Number.POSITIVE_INFINITY ? undefined : new Date(toMs),
  };
}

function readCursor(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

function toLedgerEntry(entry: StoredEntry): LedgerEntry {
  return {
    number: entry.number,
    at: entry.created_at.toISOString(),
    kind: entry.kind,
    amount: entry.amount,
    balance_after: entry.balance_after,
    messages: Math.abs(entry.messages),
    receipt_number: entry.receipt_number,
    order_reference: entry.order_reference,
    reason: entry.reason,
  };
}
