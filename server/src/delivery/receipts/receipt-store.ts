import type { ReceiptReport } from '../../channels/channel.ts';
import type { GroupStatement, Sql } from '../../db/group-commit.ts';

export type RecordedReceipt = {
  /** False for a message we do not know. */
  isKnown: boolean;
  /** False when it said nothing new: a repeat, or older news than we have. */
  isNew: boolean;
  /** The latest attempt failed, and `auto` has a channel left. */
  mayFallBack: boolean;
};

/** Many receipts at once, in any order, as often as they come. */
export const recordReceipts: GroupStatement<ReceiptReport, RecordedReceipt> = {
  name: 'record receipt',
  itemsMax: 512,
  waitingMax: 65_536,
  // The provider that reports has all the time; the sends that compete for the database have not.
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

/** The usual ones; those that need a closer look are not in the result. */
async function recordPlain(
  sql: Sql,
  items: readonly ReceiptReport[],
): Promise<Map<ReceiptReport, RecordedReceipt>> {
  const rows = await sql.query<{ ord: number; may_fall_back: boolean }>(
    'select ord, may_fall_back from record_plain_receipts($1, $2, $3::text[]::receipt[], $4)',
    [
      items.map((item) => item.ref.companyId),
      items.map((item) => item.ref.messageId),
      items.map((item) => item.receipt),
      items.map((item) => item.reason ?? null),
    ],
    'record-plain-receipts',
  );
  return new Map(
    rows.map((row) => [
      items[row.ord - 1] as ReceiptReport,
      { isKnown: true, isNew: true, mayFallBack: row.may_fall_back },
    ]),
  );
}

async function recordOthers(sql: Sql, items: readonly ReceiptReport[]): Promise<RecordedReceipt[]> {
  const rows = await sql.query<{ is_known: boolean; is_new: boolean; may_fall_back: boolean }>(
    `select is_known, is_new, may_fall_back
     from record_receipts($1, $2, $3, $4::text[]::receipt[], $5)`,
    [
      items.map((item) => item.ref.companyId),
      items.map((item) => item.ref.messageId),
      items.map((item) => item.ref.attempt),
      items.map((item) => item.receipt),
      items.map((item) => item.reason ?? null),
    ],
    'record-receipts',
  );
  return rows.map((row) => ({
    isKnown: row.is_known,
    isNew: row.is_new,
    mayFallBack: row.may_fall_back,
  }));
}
