import type pg from 'pg';
import type { Logger } from 'pino';

/**
 * Connections whose statement the server has not answered in time. A commit that waits for a hung
 * standby waits for ever, and its server process stays when the connection is closed. So such a
 * connection keeps its place in the pool until it is answered, and no other is opened for it. It is
 * not cancelled either: a cancelled commit counts, but only on this server.
 */
export type Unanswered = {
  keep(client: pg.PoolClient): void;
  /** How many there are. */
  count(): number;
  /** Lets go of all, at the end. */
  close(): void;
};

const PROBE_MS = 500;

/**
 * `countWorking` asks the server, on another connection, how many of its processes work on such a
 * statement. None means that the connections are dead, as after a failover.
 */
export function createUnanswered({
  countWorking,
  log,
}: {
  countWorking(): Promise<number>;
  log: Logger;
}): Unanswered {
  const kept = new Map<pg.PoolClient, { keptAt: number; release(): void }>();
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;

  const probe = async () => {
    const askedAt = Date.now();
    const working = await countWorking().catch(() => undefined);
    if (working === 0) {
      for (const { keptAt, release } of [...kept.values()]) if (keptAt < askedAt) release();
    }
    timer = kept.size === 0 ? undefined : setTimeout(probe, PROBE_MS).unref();
  };

  return {
    keep(client) {
      if (kept.size === 0) {
        startedAt = Date.now();
        log.warn('the database does not answer; new connections wait until it does');
      }
      const release = () => {
        if (!kept.delete(client)) return;
        client.release(true);
        if (kept.size === 0) log.warn({ ms: Date.now() - startedAt }, 'the database answers again');
      };
      kept.set(client, { keptAt: Date.now(), release });
      client.once('drain', release).once('end', release);
      timer ??= setTimeout(probe, PROBE_MS).unref();
    },
    count: () => kept.size,
    close() {
      clearTimeout(timer);
      for (const { release } of [...kept.values()]) release();
    },
  };
}
