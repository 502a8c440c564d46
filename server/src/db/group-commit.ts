import { createLockedRows, type LockedRows, RowLocked, type RowLocks } from './locked-rows.ts';
import type { Sql } from './sql.ts';
import {
  isBadValue,
  isConflict,
  isDatabaseAway,
  isLockOrStatementTimeout,
  isLockTimeout,
} from './sql-errors.ts';

/**
 * Group commit: whatever arrives while the database is busy is committed together in the next
 * statement. There is no timer, so an idle system adds no delay, and a busy one shares the cost of
 * one commit among hundreds of requests.
 */
export type GroupStatement<Item, Result> = {
  readonly name: string;
  /** Items in one statement. A larger batch only lengthens the wait of its first item. */
  readonly itemsMax: number;
  /** Limit of the queue. Past it an item is refused at once instead of queueing without end. */
  readonly waitingMax: number;
  /**
   * For items that no caller waits for: gather this long, so that they do not compete with requests
   * that people wait for.
   */
  readonly gatherMs?: number;
  /**
   * The rows that the items lock, where a row locked by another transaction must not fail the whole
   * batch.
   */
  readonly locks?: RowLocks<Item>;
  /** One result per item, in the order of the items. */
  run(sql: Sql, items: readonly Item[]): Promise<Result[]>;
};

/**
 * The statement was not sent: the queue was full, or the database failed before the item's turn.
 */
export class StatementNotSent extends Error {
  /** SQLSTATE cannot_connect_now. */
  readonly code = '57P03';
}

/** A retry a moment later may succeed. A conflict has already been retried. */
export function isTemporary(error: unknown): boolean {
  return isDatabaseAway(error) || isConflict(error);
}

type Waiting<Item, Result> = {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

const itemOf = <Item>(entry: { item: Item }): Item => entry.item;

export type Group<Item, Result> = {
  add(item: Item): Promise<Result>;
  /** Resolves when the queue is empty and no statement is running. */
  idle(): Promise<void>;
};

export function createGroup<Item, Result>(
  statement: GroupStatement<Item, Result>,
  sql: Sql,
): Group<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isBusy = false;
  const lockedRows = statement.locks && createLockedRows(statement.locks, sql);
  const whenIdle: (() => void)[] = [];

  const schedule = () => {
    isBusy = true;
    if (statement.gatherMs === undefined) setImmediate(commit);
    else setTimeout(commit, statement.gatherMs);
  };

  const commit = async () => {
    const batch = waiting.slice(0, statement.itemsMax);
    waiting = waiting.slice(batch.length);
    await settleBatch(batch);
    if (waiting.length > 0) {
      schedule();
      return;
    }
    isBusy = false;
    for (const resolve of whenIdle.splice(0)) resolve();
  };

  const settleBatch = async (batch: Waiting<Item, Result>[], hasCheckedLocks = false) => {
    if (batch.length === 0) return;
    try {
      const results = await runChecked(statement, sql, batch.map(itemOf));
      for (const [i, entry] of batch.entries()) entry.resolve(results[i] as Result);
    } catch (error) {
      if (isBadValue(error) && batch.length > 1) {
        // One item was bad. Run one by one, only that item fails.
        for (const entry of batch) await settleBatch([entry]);
        return;
      }
      if (lockedRows !== undefined && !hasCheckedLocks && isLockOrStatementTimeout(error)) {
        const { isAnyLocked } = await lockedRows.find(batch.map(itemOf));
        // Run the items whose row is free, all of them when the lock has been released since. After
        // a statement timeout without a locked row the callers have waited long enough.
        if (isAnyLocked || isLockTimeout(error)) {
          waiting = refuseLocked(waiting, lockedRows);
          return await settleBatch(refuseLocked(batch, lockedRows), true);
        }
      }
      for (const entry of batch) entry.reject(error);
      if (isDatabaseAway(error)) {
        // The queued items would only meet the same failure.
        const { message } = error as Error;
        for (const entry of waiting.splice(0)) entry.reject(new StatementNotSent(message));
      }
    }
  };

  return {
    add(item) {
      if (lockedRows?.has(item)) return Promise.reject(new RowLocked(statement.name));
      if (waiting.length >= statement.waitingMax) {
        return Promise.reject(new StatementNotSent(`${statement.name}: ${waiting.length} waiting`));
      }
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!isBusy) schedule();
      });
    },
    idle() {
      if (!isBusy) return Promise.resolve();
      return new Promise((resolve) => {
        whenIdle.push(resolve);
      });
    },
  };
}

/** Refuses the items whose row is locked, and returns the others. */
function refuseLocked<Item, Result>(
  entries: Waiting<Item, Result>[],
  lockedRows: LockedRows<Item>,
): Waiting<Item, Result>[] {
  const isLocked = entries.map((entry) => lockedRows.has(entry.item));
  entries.forEach((entry, i) => {
    if (isLocked[i]) entry.reject(new RowLocked('another transaction locks the row'));
  });
  return entries.filter((_entry, i) => !isLocked[i]);
}

/** A missing result must not shift the results of other items. */
async function runChecked<Item, Result>(
  statement: GroupStatement<Item, Result>,
  sql: Sql,
  items: readonly Item[],
): Promise<Result[]> {
  const results = await statement.run(sql, items);
  if (results.length === items.length) return results;
  throw new Error(`${statement.name}: ${results.length} results for ${items.length} items`);
}
