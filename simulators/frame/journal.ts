import { appendFileSync } from 'node:fs';

/**
 * What happened at a provider, written before anybody is told of it, and never changed. A test
 * compares it with what the service believes.
 */
export type JournalLine =
  /** A message that goes to the phone. */
  | ({ event: 'taken'; at: string } & TakenMessage)
  /** A part of one; when all are there, the whole is written down as taken. */
  | ({ event: 'part'; at: string } & TakenMessage)
  | { event: 'refused'; at: string; to: string; ref?: string; code: string }
  /** A call that is no message, or one that broke the protocol. */
  | { event: 'call'; at: string; path: string; status: number }
  | { event: 'receipt'; at: string; id: string; receipt: string; status: number }
  /** What somebody was made to do at the control address. */
  | { event: 'act'; at: string; name: string; given: object; result: object };

export type TakenMessage = {
  /** The provider's own id. */
  id: string;
  to: string;
  text: string;
  /** Our reference, where the protocol carries one. */
  ref?: string;
  code?: string;
  /** Whatever else the protocol carries that a test may want to see. */
  details?: Record<string, unknown>;
};

type Unstamped<Line> = Line extends JournalLine ? Omit<Line, 'at'> : never;

export type Journal = {
  readonly lines: readonly JournalLine[];
  write(line: Unstamped<JournalLine>): void;
  taken(): TakenMessage[];
};

export function openJournal(file?: string): Journal {
  const lines: JournalLine[] = [];
  return {
    lines,
    write(line) {
      const stamped = { ...line, at: new Date().toISOString() } as JournalLine;
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(stamped)}\n`);
      lines.push(stamped);
    },
    taken: () => lines.filter((line) => line.event === 'taken'),
  };
}
