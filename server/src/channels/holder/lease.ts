import type { Logger } from 'pino';
import type { Sql } from '../../db/sql.ts';
import { logUnlessAway } from '../../db/sql-errors.ts';
import { repeatEvery } from '../../runtime/repeat.ts';
import { releaseLease, takeLease } from './lease-store.ts';

/** A lease in the database, which one node has at a time. */
export type Lease = {
  /** By the clock of this process it ends no later than in the database. */
  isHeld(): boolean;
  /** The node that has it, as far as is known. */
  holder(): string | undefined;
  /** Resolves once it is known for the first time who has it, or the database did not tell. */
  known: Promise<void>;
  /** Gives it up at once. `onLost` has run before another node can have it. */
  stop(): Promise<void>;
};

export type LeaseTimes = { seconds: number; renewMs: number };

/** A dead holder is replaced within these seconds, and a renewal may be lost four times. */
const TIMES: LeaseTimes = { seconds: 5, renewMs: 1_000 };

export function keepLease({
  sql,
  provider,
  node,
  log,
  onTaken,
  onLost,
  times = TIMES,
}: {
  sql: Sql;
  provider: string;
  node: string;
  log: Logger;
  onTaken(): void;
  onLost(): Promise<void>;
  times?: LeaseTimes;
}): Lease {
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  let holder: string | undefined;
  let isServing = false;
  let expiry: NodeJS.Timeout | undefined;
  let losing: Promise<void> = Promise.resolve();
  const isHeld = () => performance.now() < heldUntilMs;

  const lose = () => {
    if (!isServing) return losing;
    isServing = false;
    heldUntilMs = Number.NEGATIVE_INFINITY;
    clearTimeout(expiry);
    log.warn({ provider, holder }, 'another node may hold the connections of the provider now');
    losing = onLost();
    return losing;
  };

  const renew = async () => {
    // Before the statement, so that the lease ends here before it ends in the database.
    const askedMs = performance.now();
    holder = await takeLease(sql, { provider, node, seconds: times.seconds });
    if (holder !== node) return await lose();
    // The connections of an earlier lease are closed before new ones are opened.
    await losing;
    heldUntilMs = askedMs + times.seconds * 1_000;
    clearTimeout(expiry);
    expiry = setTimeout(lose, heldUntilMs - performance.now());
    if (isServing) return;
    isServing = true;
    onTaken();
  };

  const report = logUnlessAway(log, 'the lease of a provider was not renewed');
  const known = renew().catch(report);
  const renewal = repeatEvery({
    pauseMs: times.renewMs,
    onError: report,
    async run() {
      await renew();
      return false;
    },
  });

  return {
    isHeld,
    holder: () => holder,
    known,
    async stop() {
      await known;
      await renewal.stop();
      clearTimeout(expiry);
      const wasHeld = isServing;
      isServing = false;
      heldUntilMs = Number.NEGATIVE_INFINITY;
      await (wasHeld ? onLost() : losing);
      await releaseLease(sql, { provider, node }).catch(report);
    },
  };
}
