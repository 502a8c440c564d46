import type { Logger } from 'pino';
import { almatyTime } from '../almaty.ts';
import type { Database } from '../db/database.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { addCodesOfDay, addCounts, addDecisions, listPardoned, readCounts } from './guard-store.ts';
import type { PumpingGuard } from './pumping.ts';

type GuardDeps = {
  db: Database;
  log: Logger;
  guard: PumpingGuard;
};

const PAUSE_MS = 1_000;
/** Counts that another node adds late in a minute may be committed early in the next. */
const OVERLAP_MINUTES = 1;

/**
 * Writes the counts of this node and reads those of all nodes, about once a second. A process that
 * dies loses that second of its counts, and so does a round that fails: the shares hardly change.
 */
export async function startGuard(ctx: GuardDeps): Promise<Repetition> {
  // Reads the counts of the last hour before the first send.
  await guardOnce(ctx);
  return repeatEvery({
    pauseMs: PAUSE_MS,
    runsOnStop: true,
    onError: logUnlessAway(ctx.log, 'pumping guard failed'),
    async run() {
      await guardOnce(ctx);
      return false;
    },
  });
}

/** One round: writes the counts and decisions of this node, and reads the counts of all. */
export async function guardOnce({ db, log, guard }: GuardDeps): Promise<void> {
  const concerns = guard.takeConcerns();
  const counts = guard.takeCounts();
  if (counts.length > 0) {
    await addCounts(db, counts);
    await addCodesOfDay(db, almatyTime(new Date()).slice(0, 10), counts);
  }
  if (concerns.length > 0) await addDecisions(db, concerns);
  guard.setPardoned(await listPardoned(db));
  const read = await readCounts(db, guard.knownUntil - OVERLAP_MINUTES);
  for (const { companyId, ...found } of guard.learn(read.now, read.counts)) {
    log.warn(
      { company_id: companyId, ...found },
      'possible SMS pumping: hardly any code is verified',
    );
  }
}
