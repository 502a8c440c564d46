import { setTimeout as pause } from 'node:timers/promises';
import type { Journal, TakenMessage } from './journal.ts';
import type { Plan, SimulatedReceipt } from './plan.ts';

/** A call to the service. */
export type Callback = {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

/** What becomes of messages, reported to the service as the provider would. */
export type Reports = {
  /** Reports one receipt, and tells how the service answered each copy. */
  now(message: TakenMessage, receipt: SimulatedReceipt, plan: Plan): Promise<number[]>;
  /** Reports all receipts of a plan. */
  all(message: TakenMessage, plan: Plan): Promise<void>;
  later(message: TakenMessage, plan: Plan): void;
  /** What was truly reported of a message so far. */
  of(id: string): readonly SimulatedReceipt[];
  settle(): Promise<void>;
  stop(): Promise<void>;
};

type Reporter = {
  reportOf?(message: TakenMessage, receipt: SimulatedReceipt, plan: Plan): Callback | undefined;
};

const RECEIPT_DELAY_MS = 50;
const TRIES_MAX = 40;
const RETRY_PAUSE_MS = 250;
const CALL_LIMIT_MS = 5_000;

export function createReports(protocol: Reporter, journal: Journal): Reports {
  const reported = new Map<string, SimulatedReceipt[]>();
  const underWay = new Set<Promise<unknown>>();
  const over = new AbortController();

  const now: Reports['now'] = async (message, receipt, plan) => {
    const isForged = plan.isForged === true;
    if (!isForged) reported.set(message.id, [...(reported.get(message.id) ?? []), receipt]);
    const callback = protocol.reportOf?.(message, receipt, plan);
    if (callback === undefined) return [];
    const statuses: number[] = [];
    for (let copy = 0; copy < (plan.copies ?? 1); copy++) {
      // A forger does not insist.
      const status = await callBack(callback, isForged ? 1 : TRIES_MAX, over.signal);
      journal.write({ event: 'receipt', id: message.id, receipt, status });
      statuses.push(status);
    }
    return statuses;
  };
  const all: Reports['all'] = async (message, plan) => {
    const receipts = plan.receipts ?? ['delivered', 'read'];
    for (const receipt of plan.isReversed === true ? receipts.toReversed() : receipts) {
      if (plan.isEarly !== true)
        await pauseUntil(over.signal, plan.receiptDelayMs ?? RECEIPT_DELAY_MS);
      if (over.signal.aborted) return;
      await now(message, receipt, plan);
    }
  };

  return {
    now,
    all,
    later(message, plan) {
      const reporting = all(message, plan).finally(() => underWay.delete(reporting));
      underWay.add(reporting);
    },
    of: (id) => reported.get(id) ?? [],
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async stop() {
      over.abort();
      await Promise.allSettled(underWay);
    },
  };
}

/** A pause that ends with the simulator. */
async function pauseUntil(over: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: over }).catch(() => undefined);
}

/** Providers repeat a report until it is taken; answers with the last status, 0 for none. */
async function callBack(callback: Callback, triesMax: number, over: AbortSignal): Promise<number> {
  let status = 0;
  for (let tries = 0; tries < triesMax && !over.aborted; tries++) {
    if (tries > 0) await pauseUntil(over, RETRY_PAUSE_MS);
    try {
      status = await callOnce(callback, over);
      if (status >= 200 && status <= 299) break;
    } catch {
      status = 0;
    }
  }
  return status;
}

/** Tells the status; throws when the service cannot be reached. */
export async function callOnce(callback: Callback, over?: AbortSignal): Promise<number> {
  const limit = AbortSignal.timeout(CALL_LIMIT_MS);
  const answer = await fetch(callback.url, {
    method: callback.method ?? 'POST',
    headers: callback.headers ?? {},
    body: callback.body ?? null,
    signal: over === undefined ? limit : AbortSignal.any([over, limit]),
  });
  await answer.arrayBuffer();
  return answer.status;
}
