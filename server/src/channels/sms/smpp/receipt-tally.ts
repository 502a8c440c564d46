import type { ReceiptCounts } from '../../provider.ts';
import { ID_FORMS, type IdForm, normalId } from './message-id.ts';
import type { SmsReceipt } from './receipt-text.ts';

/** Follows the ids in responses and in receipts, to tell the operator when they do not fit. */
export type ReceiptTally = {
  /** An id in a response, as the centre wrote it. */
  give(id: string): void;
  match(): void;
  missMatch(receipt: SmsReceipt): void;
  missUse(): void;
  read(): ReceiptCounts;
  /** The id form by which most receipts that match nothing would match. */
  betterForm(): IdForm | undefined;
};

/** Ids of the newest messages; a receipt usually follows within seconds. */
const GIVEN_MAX = 10_000;
/** A receipt may come before the response to its message, which takes a few seconds at most. */
const EARLY_MS = 60_000;
const EARLY_MAX = 10_000;
/** Fewer may match by chance. */
const EVIDENCE_MIN = 5;

/** As a receipt is looked up that finds no message by its id as written. */
function foldedId(id: string, source: 'response' | 'receipt', form: IdForm): string {
  return normalId(id, source, form)
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}

export function createReceiptTally(idForm: IdForm, nowMs: () => number): ReceiptTally {
  const counts: ReceiptCounts = { matched: 0, unmatched: 0, unusable: 0 };
  /** The newest ids, as each form would have them. */
  const given = ID_FORMS.map((form) => ({ form, ids: new Set<string>(), hits: 0 }));
  /** Receipts whose response may still come, and the time they came at. */
  const early = new Map<string, { writtenId: string; at: number }>();

  const countUnmatched = (writtenId: string) => {
    counts.unmatched += 1;
    for (const one of given) {
      if (one.ids.has(foldedId(writtenId, 'receipt', one.form))) one.hits += 1;
    }
  };
  const countOverdue = () => {
    const sinceMs = nowMs() - EARLY_MS;
    for (const [id, { writtenId, at }] of early) {
      if (at > sinceMs && early.size <= EARLY_MAX) return;
      early.delete(id);
      countUnmatched(writtenId);
    }
  };

  return {
    give(id) {
      for (const { form, ids } of given) {
        ids.add(foldedId(id, 'response', form));
        const [oldest] = ids.size > GIVEN_MAX ? ids : [];
        if (oldest !== undefined) ids.delete(oldest);
      }
      if (early.delete(foldedId(id, 'response', idForm))) counts.matched += 1;
    },
    match() {
      counts.matched += 1;
    },
    missMatch({ writtenId }) {
      countOverdue();
      early.set(foldedId(writtenId, 'receipt', idForm), { writtenId, at: nowMs() });
    },
    missUse() {
      counts.unusable += 1;
    },
    read() {
      countOverdue();
      return { ...counts };
    },
    betterForm() {
      countOverdue();
      const best = given.find(
        ({ hits }) => hits >= EVIDENCE_MIN && hits > counts.unmatched / 2,
      )?.form;
      return best === idForm ? undefined : best;
    },
  };
}
