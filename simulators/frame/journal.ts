import { appendFileSync } from 'node:fs';

/**
 * What happened at a provider. A line is written before the service learns of the event, and never
 * changed. Tests compare the journal with the records of the service.
 */
export type JournalLine =
  /** A message that reaches the phone. */
  | ({ event: 'taken'; at: string } & TakenMessage)
  /** One part of a message; when all have come, the whole is written as `taken`. */
  | ({ event: 'part'; at: string } & TakenMessage)
  | { event: 'refused'; at: string; to: string; ref?: string; code: string }
  /** A call that is not a message, or that broke the protocol. */
  | { event: 'call'; at: string; path: string; status: number }
  | { event: 'receipt'; at: string; id: string; receipt: string; status: number }
  /** An act that the control API triggered. */
  | { event: 'act'; at: string; name: string; given: object; result: object };

export type TakenMessage = {
  /** The provider's own id. */
  id: string;
  to: string;
  text: string;
  /** Our reference, where the protocol carries one. */
  ref?: string;
  code?: string;
  /** Other fields of the protocol that a test may check. */
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
