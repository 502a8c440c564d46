import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../frame/journal.ts';
import type { Plan, SimulatedReceipt } from '../frame/plan.ts';
import { type Connection, DELIVER_SM } from './connection.ts';
import { type KnownPart, type ReceiptSpelling, receiptBody, toState } from './receipt-spelling.ts';

export type ReportablePart = KnownPart & { id: string };

/** Reports receipts of parts, repeated until acknowledged, over any bound connection. */
export type Receipts = {
  /** Reports one receipt; returns the final status of each copy, -1 when it was not answered. */
  now(part: ReportablePart, receipt: SimulatedReceipt, plan: Partial<Plan>): Promise<number[]>;
  /** Starts to report all receipts of a plan. */
  begin(part: ReportablePart, plan: Plan): void;
  /** Resumes the reports that wait for a client to bind. */
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
  const shutdown = new AbortController();
  const pending = new Set<Promise<unknown>>();
  let nextBind = Promise.withResolvers<void>();

  const deliver = async (body: Buffer, record: (status: number) => void) => {
    for (let status = NOT_ANSWERED; !shutdown.signal.aborted; ) {
      const connection = bound();
      if (connection === undefined) {
        await nextBind.promise;
        continue;
      }
      status = (await connection.request(DELIVER_SM, body)) ?? NOT_ANSWERED;
      record(status);
      if (status === 0) return status;
      await pause(repeatMs, undefined, { signal: shutdown.signal }).catch(() => undefined);
    }
    return NOT_ANSWERED;
  };
  const now: Receipts['now'] = async (part, receipt, plan) => {
    const state = toState(receipt, plan.failure);
    if (state === undefined) return [];
    const body = receiptBody(part, state, { ...spelling, isForged: plan.isForged === true });
    const record = (status: number) =>
      journal.write({ event: 'receipt', id: part.id, receipt, status });
    const copies = Array.from({ length: plan.copies ?? 1 }, () => deliver(body, record));
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
      const reporting = all(part, plan).finally(() => pending.delete(reporting));
      pending.add(reporting);
    },
    onBound() {
      nextBind.resolve();
      nextBind = Promise.withResolvers<void>();
    },
    async settle() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async stop() {
      shutdown.abort();
      nextBind.resolve();
      await Promise.allSettled(pending);
    },
  };
}
