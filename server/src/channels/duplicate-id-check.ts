import type { AttemptRef } from './channel.ts';

const REMEMBERED_MAX = 10_000;

/**
 * Remembers which message a provider gave an id to, for the newest 10,000 to 20,000 ids. It is for
 * providers whose receipts do not use those ids: an answer that repeats an id belongs to another
 * message, and proves nothing about this one.
 */
export function createDuplicateIdCheck(max = REMEMBERED_MAX) {
  let newer = new Map<string, string>();
  let older = new Map<string, string>();

  return {
    /** False when the id already belongs to another message. */
    take(id: string, { messageId }: AttemptRef): boolean {
      const owner = newer.get(id) ?? older.get(id);
      if (owner !== undefined) return owner === messageId;
      if (newer.size >= max) {
        older = newer;
        newer = new Map();
      }
      newer.set(id, messageId);
      return true;
    },
  };
}
