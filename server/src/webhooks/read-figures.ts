import type { Context } from '../context.ts';
import { addUp, p95Of } from './durations.ts';
import { type EndpointHour, type EndpointRef, readHours } from './endpoint-store.ts';
import { readEndpoint } from './manage-webhooks.ts';

export type FiguresRange = '24h' | '7d';

const HOUR_MS = 3_600_000;
const RANGES: Readonly<Record<FiguresRange, { buckets: number; bucketHours: number }>> = {
  '24h': { buckets: 24, bucketHours: 1 },
  '7d': { buckets: 28, bucketHours: 6 },
};

export type TryCounts = Pick<
  EndpointHour,
  'delivered' | 'refused' | 'timed_out' | 'unreachable' | 'blocked'
>;
export type Figures = {
  successShare: number | null;
  p95Ms: number | null;
  buckets: (TryCounts & { at: Date; p95Ms: number | null })[];
};

/** The tries of an endpoint by their outcome, for a chart; includes empty columns. */
export async function readFigures(
  ctx: Pick<Context, 'db' | 'clock'>,
  { range, ...ref }: EndpointRef & { range: FiguresRange },
): Promise<Figures> {
  const { id } = await readEndpoint(ctx, ref);
  const { buckets, bucketHours } = RANGES[range];
  const bucketMs = bucketHours * HOUR_MS;
  // The last column ends with the hour that is under way; the clock of the database may be ahead.
  const endMs = Math.floor(ctx.clock.now().getTime() / HOUR_MS + 1) * HOUR_MS;
  const startMs = endMs - buckets * bucketMs;
  const hours = await readHours(ctx.db, [id], new Date(startMs));
  return {
    ...summaryOf(hours),
    buckets: Array.from({ length: buckets }, (_, i) => {
      const isLast = i === buckets - 1;
      const own = hours.filter(({ at }) => {
        const place = Math.floor((at.getTime() - startMs) / bucketMs);
        return isLast ? place >= i : place === i;
      });
      const { p95Ms } = summaryOf(own);
      return { at: new Date(startMs + i * bucketMs), ...countsOf(own), p95Ms };
    }),
  };
}

/** Of all tries, those that succeeded; and how long answers took. Null where there were none. */
export function summaryOf(hours: readonly EndpointHour[]): Omit<Figures, 'buckets'> {
  const counts = countsOf(hours);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    successShare: all === 0 ? null : counts.delivered / all,
    p95Ms: p95Of(addUp(hours.map(({ durations }) => durations))),
  };
}

function countsOf(hours: readonly EndpointHour[]): TryCounts {
  const sum = (name: keyof TryCounts) => hours.reduce((total, hour) => total + hour[name], 0);
  return {
    delivered: sum('delivered'),
    refused: sum('refused'),
    timed_out: sum('timed_out'),
    unreachable: sum('unreachable'),
    blocked: sum('blocked'),
  };
}
