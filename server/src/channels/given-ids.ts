import type { AttemptRef } from './channel.ts';

const REMEMBERED_MAX = 10_000;

/**
 * Which message a provider gave an id to, of the newest ten to twenty thousand. It is for those whose
 * receipts do without their ids: an answer that repeats one is the answer to another message, and says
 * nothing of this one.
 */
export function createGivenIds(max = REMEMBERED_MAX) {
  let newer = new Map<string, string>();
  let older = new Map<string, string>();

  return {
    /** False when the id was given to another message. */
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
