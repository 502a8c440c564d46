import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { inRounds, type Rounds } from '../db/in-rounds.ts';
import { perDatabase } from '../db/per-database.ts';
import { addCounts, addDecisions, readCounts } from './guard-store.ts';
import { createPumpingGuard, type PumpingGuard } from './pumping.ts';

const PAUSE_MS = 1_000;
/** What another node counts late in a minute is written in the beginning of the next. */
const OVERLAP_MINUTES = 1;

type Known = { guard: PumpingGuard; readUntil: number };

const knownOf = perDatabase((_db): Known => ({ guard: createPumpingGuard(), readUntil: 0 }));

export function pumpingGuardOf(db: Database): PumpingGuard {
  return knownOf(db).guard;
}

/**
 * Writes what this node has counted and reads what all have, about once a second. A process that
 * dies loses that second of its counts, and so does a round that fails: the shares hardly notice.
 */
export async function startGuard(ctx: Pick<Context, 'db' | 'config' | 'log'>): Promise<Rounds> {
  // The hour before this start is known before the first send.
  await guardOnce(ctx);
  return inRounds(ctx.log, {
    name: 'guard',
    pauseMs: PAUSE_MS,
    endsWithRound: true,
    async round() {
      await guardOnce(ctx);
      return false;
    },
  });
}

/** One round. */
export async function guardOnce(ctx: Pick<Context, 'db' | 'config' | 'log'>): Promise<void> {
  const known = knownOf(ctx.db);
  const concerns = known.guard.takeConcerns();
  const counts = known.guard.takeCounts();
  if (counts.length > 0) await addCounts(ctx.db, counts);
  if (concerns.length > 0) await addDecisions(ctx.db, ctx.config.pumpingGuard, concerns);
  const read = await readCounts(ctx.db, known.readUntil - OVERLAP_MINUTES);
  known.readUntil = read.now;
  for (const { companyId, ...found } of known.guard.learn(read.now, read.counts)) {
    ctx.log.warn({ company_id: companyId, ...found }, 'hardly any code is verified: pumping?');
  }
}
