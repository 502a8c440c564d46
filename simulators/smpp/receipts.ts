import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../frame/journal.ts';
import type { Plan, SimulatedReceipt } from '../frame/plan.ts';
import { type Connection, DELIVER_SM } from './connection.ts';
import { type KnownPart, type ReceiptSpelling, receiptBody, stateOf } from './receipt-spelling.ts';

export type ReportablePart = KnownPart & { id: string };

/** What becomes of parts: told again until it is acknowledged, over whatever connection there is. */
export type Receipts = {
  /** Reports one receipt, and tells how each copy was answered in the end; -1 for not at all. */
  now(part: ReportablePart, receipt: SimulatedReceipt, plan: Partial<Plan>): Promise<number[]>;
  /** Begins to report all receipts of a plan. */
  begin(part: ReportablePart, plan: Plan): void;
  /** Wakes those that wait for somebody to bind. */
  onBound(): void;
  settle(): Promise<void>;
  stop(): Promise<void>;
};

const RECEIPT_DELAY_MS = 20;
const NOT_ANSWERED = -1;

export function createReceipts(parts: {
  journal: Journal;
  spelling: ReceiptSpelling;
  repeatMs: number;
  bound(): Connection | undefined;
}): Receipts {
  const { journal, spelling, repeatMs, bound } = parts;
  const over = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let somebody = Promise.withResolvers<void>();

  const deliver = async (body: Buffer, note: (status: number) => void) => {
    for (let status = NOT_ANSWERED; !over.signal.aborted; ) {
      const connection = bound();
      if (connection === undefined) {
        await somebody.promise;
        continue;
      }
      status = (await connection.request(DELIVER_SM, body)) ?? NOT_ANSWERED;
      note(status);
      if (status === 0) return status;
      await pause(repeatMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
    return NOT_ANSWERED;
  };
  const now: Receipts['now'] = async (part, receipt, plan) => {
    const state = stateOf(receipt, plan.failure);
    if (state === undefined) return [];
    const body = receiptBody(part, state, { ...spelling, isForged: plan.isForged === true });
    const note = (status: number) =>
      journal.write({ event: 'receipt', id: part.id, receipt, status });
    const copies = Array.from({ length: plan.copies ?? 1 }, () => deliver(body, note));
    return await Promise.all(copies);
  };
  const all = async (part: ReportablePart, plan: Plan) => {
    const receipts = plan.receipts ?? ['delivered'];
    for (const receipt of plan.isReversed === true ? receipts.toReversed() : receipts) {
      if (plan.isEarly !== true) await pause(plan.receiptDelayMs ?? RECEIPT_DELAY_MS);
      await now(part, receipt, plan);
    }
  };

  return {
    now,
    begin(part, plan) {
      const reporting = all(part, plan).finally(() => underWay.delete(reporting));
      underWay.add(reporting);
    },
    onBound() {
      somebody.resolve();
      somebody = Promise.withResolvers<void>();
    },
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async stop() {
      over.abort();
      somebody.resolve();
      await Promise.allSettled(underWay);
    },
  };
}
