import { HOUR_MS } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import { perDatabase } from '../../db/per-database.ts';
import type { CompanyId, KeyId } from '../../ids.ts';
import { addTimes, type ConfirmTimes } from './confirm-times.ts';
import {
  type CountedSends,
  countCalls,
  countSends,
  findTooMany,
  ROWS_PER_STATEMENT,
} from './count-store.ts';
import { toCallHours, toHourTimes, toUsageHours } from './fold-counts.ts';
import { type HourSpan, liveSince, newestSpan, staleHours } from './stale-hours.ts';
import {
  type CallSum,
  insertCalls,
  insertUsage,
  listCountedHours,
  listTimes,
  lockStoring,
  readCompanyStart,
  replaceHours,
  sumCalls,
  sumUsage,
  type UsageSum,
} from './usage-store.ts';

export type Buckets = {
  /** Whole hours, one more than there are buckets. */
  edges: readonly Date[];
  keyIds?: readonly KeyId[] | undefined;
  isTest?: boolean | undefined;
};

/** What a company has sent and called, in buckets of hours: closed hours as stored, others counted. */
export type Usage = {
  /** The oldest hours, which are not in the answers yet: the next reader goes on counting them. */
  hoursToCount: number;
  sends(buckets: Buckets): Promise<UsageSum[]>;
  calls(buckets: Buckets): Promise<CallSum[]>;
  /** Times to a confirmation, for each bucket. */
  times(buckets: Omit<Buckets, 'keyIds'>): Promise<ConfirmTimes[]>;
};

type Reader = Pick<Context, 'db' | 'clock'>;

/** Somebody waits for the page. */
const COUNT_MS_MAX = 2_000;

/**
 * Brings the stored hours since an instant up to date, the newest first and for a limited time, and
 * reads from there on.
 */
export async function openUsage(
  ctx: Reader,
  companyId: CompanyId,
  from: Date,
  countMsMax = COUNT_MS_MAX,
): Promise<Usage> {
  const hoursToCount = await freshenOnce(ctx, companyId, { from, countMsMax });
  const since = liveSince(ctx.clock.now());
  const span = [0, 1, 2].map((hours) => new Date(since.getTime() + hours * HOUR_MS));
  let counted: Promise<CountedSends[]> | undefined;
  const countLive = () => {
    counted ??= countSends(ctx.db, companyId, span);
    return counted;
  };

  return {
    hoursToCount,
    async sends(buckets) {
      const stored = await sumUsage(ctx.db, companyId, { ...buckets, until: since });
      const live = toUsageHours(span, (await countLive()).filter(isWanted(buckets)));
      return [...stored, ...inBuckets(live, buckets.edges)];
    },
    async calls(buckets) {
      const stored = await sumCalls(ctx.db, companyId, { ...buckets, until: since });
      const live = (await countCalls(ctx.db, companyId, span)).filter(isWanted(buckets));
      return [...stored, ...inBuckets(toCallHours(span, live), buckets.edges)];
    },
    async times({ edges, isTest }) {
      const stored = await listTimes(ctx.db, companyId, { from: edges[0] as Date, until: since });
      const hours = inBuckets([...stored, ...toHourTimes(span, await countLive())], edges);
      return edges
        .slice(1)
        .map((_edge, bucket) =>
          addTimes(
            hours
              .filter((hour) => hour.bucket === bucket)
              .flatMap(({ live_times, test_times }) => [
                ...(isTest === true ? [] : [live_times]),
                ...(isTest === false ? [] : [test_times]),
              ]),
          ),
        );
    },
  };
}

/** Calls of the log know their key but not its mode; whoever asks by mode does not ask for calls. */
function isWanted({ keyIds, isTest }: Buckets) {
  return (row: { key_id: KeyId; is_test?: boolean }) =>
    (keyIds === undefined || keyIds.includes(row.key_id)) &&
    (isTest === undefined || row.is_test === undefined || row.is_test === isTest);
}

/** Hours outside of the edges are in no bucket. */
function inBuckets<Row extends { hour: Date }>(
  rows: readonly Row[],
  edges: readonly Date[],
): (Row & { bucket: number })[] {
  return rows
    .map((row) => ({ ...row, bucket: edges.findLastIndex((edge) => edge <= row.hour) }))
    .filter(({ bucket }) => bucket >= 0 && bucket < edges.length - 1);
}

type Freshening = { from: Date; countMsMax: number };

/** Pages ask for several things at once; what is stale is counted once for all of them. */
const freshening = perDatabase(() => new Map<CompanyId, { from: Date; work: Promise<number> }>());

/** Returns how many hours are left to be counted. */
async function freshenOnce(
  ctx: Reader,
  companyId: CompanyId,
  options: Freshening,
): Promise<number> {
  const underWay = freshening(ctx.db);
  const other = underWay.get(companyId);
  if (other !== undefined && other.from <= options.from) return await other.work;
  const inTurn = async () => {
    await other?.work.catch(() => undefined);
    return await freshen(ctx, companyId, options);
  };
  const own = { from: options.from, work: inTurn() };
  underWay.set(companyId, own);
  try {
    return await own.work;
  } finally {
    if (underWay.get(companyId) === own) underWay.delete(companyId);
  }
}

async function freshen(
  ctx: Reader,
  companyId: CompanyId,
  { from, countMsMax }: Freshening,
): Promise<number> {
  const startedAt = performance.now();
  const start = await readCompanyStart(ctx.db, companyId);
  const counted = await listCountedHours(ctx.db, companyId, from);
  const stale = staleHours(
    new Map(counted.map(({ hour, counted_at }) => [hour.getTime(), counted_at])),
    { from: start > from ? start : from, now: ctx.clock.now() },
  );
  while (stale.length > 0) {
    const span = await nextSpan(ctx, companyId, stale);
    // Another node counts them just now.
    if (!(await storeHours(ctx, companyId, span))) break;
    stale.splice(1 - span.length);
    if (performance.now() - startedAt > countMsMax) break;
  }
  return stale.length;
}

/** As many of the newest hours as have not too many messages and calls together; at least one. */
async function nextSpan(
  ctx: Reader,
  companyId: CompanyId,
  stale: readonly Date[],
): Promise<HourSpan> {
  const span = newestSpan(stale);
  const tooMany = await findTooMany(ctx.db, companyId, {
    from: span[0] as Date,
    to: span.at(-1) as Date,
    rowsMax: ROWS_PER_STATEMENT,
  });
  return tooMany === undefined ? span : newestSpan(stale, tooMany);
}

/**
 * Counts some hours and stores them, apart from every send: no message is ever locked for it. False
 * when another node is at it.
 */
async function storeHours(ctx: Reader, companyId: CompanyId, span: HourSpan): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    if (!(await lockStoring(tx, companyId))) return false;
    const countedAt = ctx.clock.now();
    const sends = await countSends(tx, companyId, span);
    const calls = await countCalls(tx, companyId, span);
    await replaceHours(tx, companyId, toHourTimes(span, sends), countedAt);
    await insertUsage(tx, companyId, toUsageHours(span, sends));
    await insertCalls(tx, companyId, toCallHours(span, calls));
    return true;
  });
}
