import type { ReceiptReport } from '../channels/channel.ts';

type Recorder = (receipt: ReceiptReport) => Promise<unknown>;

/** The receipts of the sandbox channels, delayed like those of real providers. */
export type Receipts = {
  later(ms: number, receipt: ReceiptReport): void;
  /** Where receipts go; set once by the composition root. */
  onReceipt(recorder: Recorder): void;
  /** Called with the id of a message once its receipt is stored; call the result to unsubscribe. */
  onChange(listener: (messageId: string) => void): () => void;
  stop(): void;
};

/** The timer resolution: a receipt may be this late. */
const TICK_MS = 25;

type Waiting = { dueMs: number; receipt: ReceiptReport };

export function createReceipts(): Receipts {
  // One queue per delay, so that each queue is ordered by time. A timer per receipt would survive
  // garbage collections and lengthen their pauses.
  const queues = new Map<number, Waiting[]>();
  const listeners = new Set<(messageId: string) => void>();
  let record: Recorder = () => Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const report = async (receipt: ReceiptReport) => {
    // A receipt that cannot be stored counts as lost on the way: the status can still be queried.
    await record(receipt).catch(() => undefined);
    for (const listener of listeners) listener(receipt.ref.messageId);
  };

  const tick = () => {
    timer = undefined;
    const nowMs = performance.now();
    for (const queue of queues.values()) {
      const firstLater = queue.findIndex(({ dueMs }) => dueMs > nowMs);
      const due = queue.splice(0, firstLater < 0 ? queue.length : firstLater);
      for (const { receipt } of due) void report(receipt);
      if (queue.length > 0) timer ??= setTimeout(tick, TICK_MS);
    }
  };

  return {
    later(ms, receipt) {
      const queue = queues.get(ms) ?? [];
      queues.set(ms, queue);
      queue.push({ dueMs: performance.now() + ms, receipt });
      timer ??= setTimeout(tick, TICK_MS);
    },
    onReceipt(recorder) {
      record = recorder;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    stop() {
      clearTimeout(timer);
      queues.clear();
    },
  };
}
