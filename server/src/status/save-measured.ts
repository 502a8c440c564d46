import type { Context } from '../context.ts';
import { readOutside, statusFolder } from './status-files.ts';
import { addMinutes, setMinutes } from './status-store.ts';

/** The process that watches from outside writes no more often. */
const OUTSIDE_PAUSE_MS = 30_000;
/** The minute under way is still being counted there. */
const REPEATED_MS = 120_000;

/**
 * Returns a function that saves what this node has counted, and what the status page's own process
 * has measured while nobody else could.
 */
export function saveMeasured(
  ctx: Pick<Context, 'db' | 'traffic' | 'config' | 'log' | 'clock'>,
): () => Promise<void> {
  let outsideUntilMs = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const saveOutside = async () => {
    const nowMs = ctx.clock.now().getTime();
    if (nowMs - lookedMs < OUTSIDE_PAUSE_MS) return;
    lookedMs = nowMs;
    const rows = await readOutside(statusFolder(ctx.config.dataDir)).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the measurements of the status page process were not read');
      return [];
    });
    const fresh = rows.filter(({ minuteMs }) => minuteMs >= outsideUntilMs && minuteMs <= nowMs);
    if (fresh.length === 0) return;
    await setMinutes(ctx.db, fresh);
    outsideUntilMs = Math.max(...fresh.map(({ minuteMs }) => minuteMs)) - REPEATED_MS;
  };
  return async () => {
    await ctx.traffic.save((counts) => addMinutes(ctx.db, counts));
    await saveOutside();
  };
}
