import type { ReceiptReport } from '../channels/channel.ts';

type Recorder = (receipt: ReceiptReport) => Promise<unknown>;

/** The receipts of the sandbox's channels: they come some time after the message, as in life. */
export type Receipts = {
  later(ms: number, receipt: ReceiptReport): void;
  /** Where receipts go; set once by the composition root. */
  onReceipt(recorder: Recorder): void;
  /** Hears which message has changed, once that is stored; call the result to stop. */
  onChange(hear: (messageId: string) => void): () => void;
  stop(): void;
};

/** How late a receipt may be. */
const TICK_MS = 25;

type Waiting = { dueMs: number; receipt: ReceiptReport };

export function createReceipts(): Receipts {
  // One queue for each delay, so that each is in the order of time. Timers of their own would live
  // through collections of garbage, for which everybody waits.
  const queues = new Map<number, Waiting[]>();
  const listeners = new Set<(messageId: string) => void>();
  let record: Recorder = () => Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const report = async (receipt: ReceiptReport) => {
    // One that cannot be stored is like one that got lost on the way: the status can be asked for.
    await record(receipt).catch(() => undefined);
    for (const hear of listeners) hear(receipt.ref.messageId);
  };

  const tick = () => {
    timer = undefined;
    const nowMs = performance.now();
    for (const queue of queues.values()) {
      const notYet = queue.findIndex(({ dueMs }) => dueMs > nowMs);
      const due = queue.splice(0, notYet < 0 ? queue.length : notYet);
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
    onChange(hear) {
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
    stop() {
      clearTimeout(timer);
      queues.clear();
    },
  };
}
