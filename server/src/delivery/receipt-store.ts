import type { ReceiptReport } from '../channels/channel.ts';
import type { GroupStatement } from '../db/group-commit.ts';

export type RecordedReceipt = {
  /** False for a message we do not know. */
  isKnown: boolean;
  /** False when it said nothing new: a repeat, or older news than we have. */
  isNew: boolean;
  /** The latest attempt failed, and `auto` has a channel left. */
  mayFallBack: boolean;
};

/** Many receipts in one statement, in any order, as often as they come. */
export const recordReceipts: GroupStatement<ReceiptReport, RecordedReceipt> = {
  name: 'record receipt',
  itemsMax: 512,
  waitingMax: 65_536,
  // The provider that reports has all the time; the sends that compete for the database have not.
  gatherMs: 25,
  async run(sql, items) {
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
  },
};
