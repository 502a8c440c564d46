import { setTimeout as pause } from 'node:timers/promises';
import type { Journal, TakenMessage } from './journal.ts';
import type { Plan, SimulatedReceipt } from './plan.ts';

/** An HTTP callback to the service. */
export type Callback = {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

/** Reports receipts to the service, as the provider would. */
export type Reports = {
  /** Reports one receipt; returns the service's status for each copy. */
  now(message: TakenMessage, receipt: SimulatedReceipt, plan: Plan): Promise<number[]>;
  /** Reports all receipts of a plan. */
  all(message: TakenMessage, plan: Plan): Promise<void>;
  later(message: TakenMessage, plan: Plan): void;
  /** The receipts reported for a message so far, without forged ones. */
  of(id: string): readonly SimulatedReceipt[];
  settle(): Promise<void>;
  stop(): Promise<void>;
};

type Reporter = {
  toReport?(message: TakenMessage, receipt: SimulatedReceipt, plan: Plan): Callback | undefined;
};

const RECEIPT_DELAY_MS = 50;
const TRIES_MAX = 12;
/** Doubles with each try: hundreds of reports may wait for a service that is starting again. */
const RETRY_PAUSE_MS = 250;
const RETRY_PAUSE_MS_MAX = 2_000;
const CALL_TIMEOUT_MS = 5_000;

export function createReports(protocol: Reporter, journal: Journal): Reports {
  const reported = new Map<string, SimulatedReceipt[]>();
  const pending = new Set<Promise<unknown>>();
  const shutdown = new AbortController();

  const now: Reports['now'] = async (message, receipt, plan) => {
    const isForged = plan.isForged === true;
    if (!isForged) reported.set(message.id, [...(reported.get(message.id) ?? []), receipt]);
    const callback = protocol.toReport?.(message, receipt, plan);
    if (callback === undefined) return [];
    const statuses: number[] = [];
    for (let copy = 0; copy < (plan.copies ?? 1); copy++) {
      // A forged report is not retried.
      const status = await callWithRetry(callback, isForged ? 1 : TRIES_MAX, shutdown.signal);
      journal.write({ event: 'receipt', id: message.id, receipt, status });
      statuses.push(status);
    }
    return statuses;
  };
  const all: Reports['all'] = async (message, plan) => {
    const receipts = plan.receipts ?? ['delivered', 'read'];
    for (const receipt of plan.isReversed === true ? receipts.toReversed() : receipts) {
      if (plan.isEarly !== true)
        await pauseUnlessStopped(shutdown.signal, plan.receiptDelayMs ?? RECEIPT_DELAY_MS);
      if (shutdown.signal.aborted) return;
      await now(message, receipt, plan);
    }
  };

  return {
    now,
    all,
    later(message, plan) {
      const reporting = all(message, plan).finally(() => pending.delete(reporting));
      pending.add(reporting);
    },
    of: (id) => reported.get(id) ?? [],
    async settle() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async stop() {
      shutdown.abort();
      await Promise.allSettled(pending);
    },
  };
}

/** A pause that ends early when the simulator stops. */
async function pauseUnlessStopped(shutdown: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: shutdown }).catch(() => undefined);
}

/** Retries until the service accepts the report, as providers do. Returns the last status or 0. */
async function callWithRetry(
  callback: Callback,
  triesMax: number,
  shutdown: AbortSignal,
): Promise<number> {
  let status = 0;
  for (let tries = 0; tries < triesMax && !shutdown.aborted; tries++) {
    if (tries > 0) {
      const pauseMs = Math.min(RETRY_PAUSE_MS * 2 ** (tries - 1), RETRY_PAUSE_MS_MAX);
      await pauseUnlessStopped(shutdown, pauseMs);
    }
    try {
      status = await callOnce(callback, shutdown);
      if (status >= 200 && status <= 299) break;
    } catch {
      status = 0;
    }
  }
  return status;
}

/** Returns the status; throws when the service cannot be reached. */
export async function callOnce(callback: Callback, shutdown?: AbortSignal): Promise<number> {
  const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const answer = await fetch(callback.url, {
    method: callback.method ?? 'POST',
    headers: callback.headers ?? {},
    body: callback.body ?? null,
    signal: shutdown === undefined ? timeout : AbortSignal.any([shutdown, timeout]),
  });
  await answer.arrayBuffer();
  return answer.status;
}
