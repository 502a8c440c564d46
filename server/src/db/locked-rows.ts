import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from './sql.ts';

/** Which rows the items of a statement lock, where another transaction may keep one locked. */
export type RowLocks<Item> = {
  /** The row that an item locks. */
  rowOf(item: Item): number;
  /** Those of the rows that another transaction keeps locked, not just for a moment. */
  findLocked(sql: Sql, rows: readonly number[]): Promise<number[]>;
};

export type LockedRows<Item> = {
  /** Whether the row of this item is known to be locked. */
  has(item: Item): boolean;
  /** Looks for locked rows of these items, and remembers them until they are released. */
  find(items: readonly Item[]): Promise<{ isAnyLocked: boolean }>;
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
export function createLockedRows<Item>(locks: RowLocks<Item>, sql: Sql): LockedRows<Item> {
  const locked = new Set<number>();

  // On a failure all rows count as free: the next statement reports what is wrong.
  const findLocked = (rows: readonly number[]) => locks.findLocked(sql, rows).catch(() => []);
  const forgetReleased = async () => {
    while (locked.size > 0) {
      await pause(RECHECK_MS, undefined, { ref: false });
      // Only these may be forgotten: others can be found locked meanwhile.
      const rows = [...locked];
      const stillLocked = new Set(await findLocked(rows));
      for (const row of rows) if (!stillLocked.has(row)) locked.delete(row);
    }
  };

  return {
    has: (item) => locked.size > 0 && locked.has(locks.rowOf(item)),
    async find(items) {
      const found = await findLocked([...new Set(items.map(locks.rowOf))]);
      const isForgetting = locked.size > 0;
      for (const row of found) locked.add(row);
      if (!isForgetting) void forgetReleased();
      return { isAnyLocked: found.length > 0 };
    },
  };
}
