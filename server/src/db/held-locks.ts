import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from './group-commit.ts';

/** How the items of a statement lock rows that somebody outside may hold. */
export type Locks<Item> = {
  /** The row an item needs. */
  of(item: Item): number;
  /** Those of the rows that can be had right now. */
  findFree(sql: Sql, locks: readonly number[]): Promise<number[]>;
};

export type HeldLocks<Item> = {
  has(item: Item): boolean;
  /** Whether somebody holds rows of these items right now; they are remembered until let go. */
  look(items: readonly Item[]): Promise<boolean>;
};

/** What an item is refused with whose row is known to be held; reads like the time-out it saves. */
export class LockHeld extends Error {
  readonly code = '55P03';
}

const LOOK_AGAIN_MS = 100;

/**
 * Rows that somebody holds for longer than a statement may wait. Whoever needs one is refused
 * before it can make a whole batch wait again, and only for as long as the row is held.
 */
export function createHeldLocks<Item>(locks: Locks<Item> | undefined, sql: Sql): HeldLocks<Item> {
  const held = new Set<number>();

  const findHeld = async (wanted: readonly number[]): Promise<number[]> => {
    if (locks === undefined) return [];
    // A database that cannot be asked tells by itself what is wrong, with the next statement.
    const free = new Set(await locks.findFree(sql, wanted).catch(() => wanted));
    return wanted.filter((lock) => !free.has(lock));
  };
  const watch = async () => {
    while (held.size > 0) {
      await pause(LOOK_AGAIN_MS, undefined, { ref: false });
      const still = new Set(await findHeld([...held]));
      for (const lock of held) if (!still.has(lock)) held.delete(lock);
    }
  };

  return {
    has: (item) => held.size > 0 && locks !== undefined && held.has(locks.of(item)),
    async look(items) {
      if (locks === undefined) return false;
      const found = await findHeld([...new Set(items.map(locks.of))]);
      const isWatching = held.size > 0;
      for (const lock of found) held.add(lock);
      if (!isWatching) void watch();
      return found.length > 0;
    },
  };
}
