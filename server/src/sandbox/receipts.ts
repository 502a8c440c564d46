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

export function createReceipts(): Receipts {
  const timers = new Set<NodeJS.Timeout>();
  const listeners = new Set<(messageId: string) => void>();
  let record: Recorder = () => Promise.resolve();

  const report = async (receipt: ReceiptReport) => {
    // One that cannot be stored is like one that got lost on the way: the status can be asked for.
    await record(receipt).catch(() => undefined);
    for (const hear of listeners) hear(receipt.ref.messageId);
  };

  return {
    later(ms, receipt) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        void report(receipt);
      }, ms);
      timers.add(timer);
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
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
