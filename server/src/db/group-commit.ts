import { createHeldLocks, type HeldLocks, LockHeld, type Locks } from './held-locks.ts';
import { isBadValue, isConflict, isDatabaseAway, mayBeHeld } from './sql-errors.ts';

/**
 * Group commit: whatever arrives while the database is busy is committed together in the next
 * statement. There is no timer, so an idle system adds no delay, and a busy one pays for one commit
 * what hundreds of requests share.
 */
export type GroupStatement<Item, Result> = {
  readonly name: string;
  /** Items in one statement. Larger ones only lengthen the wait of the first. */
  readonly itemsMax: number;
  /**
   * Items that may wait; past that a request is refused at once instead of queueing without end.
   */
  readonly waitingMax: number;
  /**
   * For what nobody waits for: gather this long, so that it does not compete with what people wait
   * for.
   */
  readonly gatherMs?: number;
  /** What the items lock, where one that somebody else holds must not fail its neighbours. */
  readonly locks?: Locks<Item>;
  /** One result per item, in the order of the items. */
  run(sql: Sql, items: readonly Item[]): Promise<Result[]>;
};

export type Sql = {
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>;
};

/** Not asked at all: too many were waiting, or the database went away before their turn. */
export class NeverAsked extends Error {
  /** As a database that takes no connections says it. */
  readonly code = '57P03';
}

/** May well be over a moment later. A conflict has been tried again by then. */
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
  /** Resolves when nothing waits and nothing is under way. */
  idle(): Promise<void>;
};

export function createGroup<Item, Result>(
  statement: GroupStatement<Item, Result>,
  sql: Sql,
): Group<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isBusy = false;
  const held = createHeldLocks(statement.locks, sql);
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

  const settleBatch = async (batch: Waiting<Item, Result>[], hasLooked = false) => {
    if (batch.length === 0) return;
    try {
      const results = await runWhole(statement, sql, batch.map(itemOf));
      for (const [i, entry] of batch.entries()) entry.resolve(results[i] as Result);
    } catch (error) {
      if (isBadValue(error) && batch.length > 1) {
        // One item was bad: alone, it fails alone.
        for (const entry of batch) await settleBatch([entry]);
        return;
      }
      if (mayBeHeld(error) && !hasLooked && (await held.look(batch.map(itemOf)))) {
        // Somebody holds what one of them needs: the others go on without it.
        waiting = refuseHeld(waiting, held);
        return await settleBatch(refuseHeld(batch, held), true);
      }
      for (const entry of batch) entry.reject(error);
      if (isDatabaseAway(error)) {
        // Those who wait would only wait for the same failure.
        const { message } = error as Error;
        for (const entry of waiting.splice(0)) entry.reject(new NeverAsked(message));
      }
    }
  };

  return {
    add(item) {
      if (held.has(item)) return Promise.reject(new LockHeld(statement.name));
      if (waiting.length >= statement.waitingMax) {
        return Promise.reject(new NeverAsked(`${statement.name}: ${waiting.length} waiting`));
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

/** Refuses those whose lock is held, and leaves the others. */
function refuseHeld<Item, Result>(
  entries: Waiting<Item, Result>[],
  held: HeldLocks<Item>,
): Waiting<Item, Result>[] {
  const isHeld = entries.map((entry) => held.has(entry.item));
  entries.forEach((entry, i) => {
    if (isHeld[i]) entry.reject(new LockHeld('somebody holds the row'));
  });
  return entries.filter((_entry, i) => !isHeld[i]);
}

async function runWhole<Item, Result>(
  statement: GroupStatement<Item, Result>,
  sql: Sql,
  items: readonly Item[],
): Promise<Result[]> {
  const results = await statement.run(sql, items);
  if (results.length === items.length) return results;
  throw new Error(`${statement.name}: ${results.length} results for ${items.length} items`);
}
