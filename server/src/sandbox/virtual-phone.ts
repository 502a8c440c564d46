import type { Channel } from '@zhiber/contract/api/channel.ts';

/** A message in the virtual phone. Codes are never stored in clear text. */
export type PhoneMessage = {
  messageId: string;
  /** Null for an e-mail, which no key sends. */
  companyId: number | null;
  keyId: number | null;
  isTest: boolean;
  /** With a plus; for a group, its id in the messenger; for an e-mail, the address. */
  phone: string;
  channel: Channel | 'email';
  kind: 'otp' | 'link' | 'group' | 'broadcast' | 'letter';
  text: string;
  code: string | null;
  link: string | null;
  at: Date;
  /** Of a letter: the hash of the secret of the browser that asked for it. */
  askedBy?: string | undefined;
};

export type InboxQuery = { keyId: number; phone?: string | undefined; since?: Date | undefined };

export type VirtualPhone = {
  receive(message: PhoneMessage): void;
  /** Oldest first. */
  messages(query: InboxQuery): PhoneMessage[];
  recent(count: number): PhoneMessage[];
  /** The letters that a browser has asked for. */
  lettersTo(askedBy: string): PhoneMessage[];
  /** The company of a message, while the phone still has it. */
  ownerOf(messageId: string): number | undefined;
  /** Removes messages, all of them or those until a time. */
  clear(query?: InboxQuery, until?: Date): void;
  /** Called for every message from now on; call the result to unsubscribe. */
  listen(listener: (message: PhoneMessage) => void): () => void;
  /** Waits for a message that matches the query, until the timeout or an abort. */
  waitFor(query: InboxQuery, waitMs: number, signal: AbortSignal): Promise<PhoneMessage[]>;
};

const MESSAGES_MAX = 5_000;

export function createVirtualPhone(): VirtualPhone {
  let kept: PhoneMessage[] = [];
  const listeners = new Set<(message: PhoneMessage) => void>();

  const messages = (query: InboxQuery) => kept.filter((message) => matches(message, query));
  const listen = (listener: (message: PhoneMessage) => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };

  return {
    receive(message) {
      // In the order of their times: those of other nodes come a moment later.
      const place = kept.findLastIndex(({ at }) => at <= message.at) + 1;
      kept.splice(place, 0, message);
      // Halved at a time, so that a busy sandbox does not copy thousands of entries per message.
      if (kept.length > 2 * MESSAGES_MAX) kept = kept.slice(-MESSAGES_MAX);
      for (const listener of listeners) listener(message);
    },
    messages,
    recent: (count) => kept.slice(-count),
    lettersTo: (askedBy) => kept.filter((message) => message.askedBy === askedBy),
    ownerOf: (messageId) =>
      kept.findLast((message) => message.messageId === messageId)?.companyId ?? undefined,
    clear(query, until) {
      kept = kept.filter(
        (message) =>
          (query !== undefined && !matches(message, query)) ||
          (until !== undefined && message.at > until),
      );
    },
    listen,
    waitFor(query, waitMs, signal) {
      const present = messages(query);
      if (present.length > 0 || waitMs <= 0 || signal.aborted) return Promise.resolve(present);
      return new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          stopListening();
          resolve(messages(query));
        };
        const timer = setTimeout(finish, waitMs);
        signal.addEventListener('abort', finish);
        const stopListening = listen((message) => {
          if (matches(message, query)) finish();
        });
      });
    },
  };
}

function matches(message: PhoneMessage, query: InboxQuery): boolean {
  return (
    message.keyId === query.keyId &&
    (query.phone === undefined || message.phone === query.phone) &&
    (query.since === undefined || message.at > query.since)
  );
}
