import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from './sql.ts';

/** Which rows the items of a statement lock, where another transaction may hold one. */
export type Locks<Item> = {
  /** The row that an item locks. */
  of(item: Item): number;
  /** Those of the rows that another transaction keeps locked, not just for a moment. */
  findHeld(sql: Sql, locks: readonly number[]): Promise<number[]>;
};

export type HeldLocks<Item> = {
  has(item: Item): boolean;
  /**
   * Whether other transactions lock rows of these items; such rows are remembered until released.
   */
  look(items: readonly Item[]): Promise<boolean>;
};

/** Refuses an item whose row is known to be locked, with the code of the lock timeout it avoids. */
export class RowLocked extends Error {
  readonly code = '55P03';
}

const RECHECK_MS = 100;

/**
 * Rows that another transaction locks for longer than a statement may wait. An item that needs one
 * is refused before it delays a whole batch again, and only until the row is released.
 */
export function createHeldLocks<Item>(locks: Locks<Item>, sql: Sql): HeldLocks<Item> {
  const held = new Set<number>();

  // On a failure all rows count as free: the next statement reports what is wrong.
  const findHeld = (wanted: readonly number[]) => locks.findHeld(sql, wanted).catch(() => []);
  const watch = async () => {
    while (held.size > 0) {
      await pause(RECHECK_MS, undefined, { ref: false });
      const stillHeld = new Set(await findHeld([...held]));
      for (const lock of held) if (!stillHeld.has(lock)) held.delete(lock);
    }
  };

  return {
    has: (item) => held.size > 0 && held.has(locks.of(item)),
    async look(items) {
      const found = await findHeld([...new Set(items.map(locks.of))]);
      const isWatching = held.size > 0;
      for (const lock of found) held.add(lock);
      if (!isWatching) void watch();
      return found.length > 0;
    },
  };
}
