import type { ReceiptReport } from '../channels/channel.ts';
import { callFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';

export type RecordedReceipt = {
  /** False for an unknown message. */
  isKnown: boolean;
  /** False when it changes nothing: a repeat, or older than what is recorded. */
  isNew: boolean;
  /** The latest attempt failed, and `auto` has a channel left. */
  mayFallBack: boolean;
};

const casts = { p_receipt: '::text[]::receipt[]' };
const RECORD_PLAIN = { name: 'record_plain_receipts', columns: 'ord, may_fall_back', casts };
const RECORD = { name: 'record_receipts', columns: 'is_known, is_new, may_fall_back', casts };

/** Records a batch of receipts. Idempotent, and independent of their order. */
export const recordReceipts: GroupStatement<ReceiptReport, RecordedReceipt> = {
  name: 'record receipt',
  itemsMax: 512,
  waitingMax: 65_536,
  // A provider that reports can wait; the sends that compete for the database cannot.
  gatherMs: 25,
  async run(sql, items) {
    const recorded = await recordPlain(sql, firstOfEachMessage(items));
    const rest = items.filter((item) => !recorded.has(item));
    if (rest.length > 0) {
      const others = await recordOthers(sql, rest);
      for (const [i, item] of rest.entries()) recorded.set(item, others[i] as RecordedReceipt);
    }
    return items.map((item) => recorded.get(item) as RecordedReceipt);
  },
};

function firstOfEachMessage(items: readonly ReceiptReport[]): ReceiptReport[] {
  const seen = new Set<string>();
  return items.filter(({ ref: { messageId, attempt } }) => {
    if (attempt > 1 || seen.has(messageId)) return false;
    seen.add(messageId);
    return true;
  });
}

/** The fast path: new receipts of settled messages with one attempt. Returns only those. */
async function recordPlain(
  sql: Sql,
  items: readonly ReceiptReport[],
): Promise<Map<ReceiptReport, RecordedReceipt>> {
  const rows = await callFunction<{ ord: number; may_fall_back: boolean }>(sql, RECORD_PLAIN, {
    p_company: items.map((item) => item.ref.companyId),
    p_id: items.map((item) => item.ref.messageId),
    p_receipt: items.map((item) => item.receipt),
    p_reason: items.map((item) => item.reason ?? null),
    p_provider: items.map((item) => item.provider ?? null),
  });
  return new Map(
    rows.map((row) => [
      items[row.ord - 1] as ReceiptReport,
      { isKnown: true, isNew: true, mayFallBack: row.may_fall_back },
    ]),
  );
}

async function recordOthers(sql: Sql, items: readonly ReceiptReport[]): Promise<RecordedReceipt[]> {
  type Row = { is_known: boolean; is_new: boolean; may_fall_back: boolean };
  const rows = await callFunction<Row>(sql, RECORD, {
    p_company: items.map((item) => item.ref.companyId),
    p_id: items.map((item) => item.ref.messageId),
    p_attempt: items.map((item) => item.ref.attempt),
    p_receipt: items.map((item) => item.receipt),
    p_reason: items.map((item) => item.reason ?? null),
    p_provider: items.map((item) => item.provider ?? null),
  });
  return rows.map((row) => ({
    isKnown: row.is_known,
    isNew: row.is_new,
    mayFallBack: row.may_fall_back,
  }));
}
