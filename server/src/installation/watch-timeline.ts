import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { openSeenTimeline, WentBack } from './timeline.ts';
import { readTimeline } from './timeline-store.ts';

const PAUSE_MS = 2_000;

/**
 * Refuses to start on a database that went back, and stops using it when it does so later: a failover
 * can make a server the primary that lacks the last of what was acknowledged.
 */
export async function watchTimeline(
  databases: readonly [Database, ...Database[]],
  { dataDir, log }: { dataDir: string; log: Logger },
): Promise<Repetition> {
  const [db] = databases;
  const seen = openSeenTimeline(dataDir);
  let reason: string | undefined;

  /** Whether the answer has changed. */
  const look = async (): Promise<boolean> => {
    const found = await readTimeline(db);
    if (found === undefined) return false;
    const before = reason;
    reason = seen.compare(found);
    if (reason === undefined) seen.remember(found);
    return reason !== before;
  };

  await look();
  if (reason !== undefined) throw new WentBack(reason);
  return repeatEvery({
    pauseMs: PAUSE_MS,
    onError: logUnlessAway(log, 'the timeline of the database was not read'),
    async run() {
      if (await look()) {
        for (const database of databases) database.refuse(reason);
        log[reason === undefined ? 'info' : 'error'](
          reason ?? 'the database is as new as before again',
        );
      }
      return false;
    },
  });
}
