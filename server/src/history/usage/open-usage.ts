import { HOUR_MS } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import { perDatabase } from '../../db/per-database.ts';
import type { CompanyId, KeyId } from '../../ids.ts';
import { addTimes, type ConfirmTimes } from './confirm-times.ts';
import { type CountedSends, countCalls, countSends } from './count-store.ts';
import { toCallHours, toHourTimes, toUsageHours } from './fold-counts.ts';
import { type HourSpan, liveSince, staleHours } from './stale-hours.ts';
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
  sends(buckets: Buckets): Promise<UsageSum[]>;
  calls(buckets: Buckets): Promise<CallSum[]>;
  /** Times to a confirmation, for each bucket. */
  times(buckets: Omit<Buckets, 'keyIds'>): Promise<ConfirmTimes[]>;
};

type Reader = Pick<Context, 'db' | 'clock'>;

/** Brings the stored hours since an instant up to date, and reads from there on. */
export async function openUsage(ctx: Reader, companyId: CompanyId, from: Date): Promise<Usage> {
  await freshenOnce(ctx, companyId, from);
  const since = liveSince(ctx.clock.now());
  const span = [0, 1, 2].map((hours) => new Date(since.getTime() + hours * HOUR_MS));
  let counted: Promise<CountedSends[]> | undefined;
  const countLive = () => {
    counted ??= countSends(ctx.db, companyId, span);
    return counted;
  };

  return {
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

/** Pages ask for several things at once; what is stale is counted once for all of them. */
const freshening = perDatabase(() => new Map<string, Promise<void>>());

async function freshenOnce(ctx: Reader, companyId: CompanyId, from: Date): Promise<void> {
  const underWay = freshening(ctx.db);
  const name = `${companyId} ${from.getTime()}`;
  const work = underWay.get(name) ?? freshen(ctx, companyId, from);
  underWay.set(name, work);
  try {
    await work;
  } finally {
    underWay.delete(name);
  }
}

async function freshen(ctx: Reader, companyId: CompanyId, from: Date): Promise<void> {
  const now = ctx.clock.now();
  const start = await readCompanyStart(ctx.db, companyId);
  const counted = await listCountedHours(ctx.db, companyId, from);
  const stale = staleHours(
    new Map(counted.map(({ hour, counted_at }) => [hour.getTime(), counted_at])),
    { from: start > from ? start : from, now },
  );
  for (const span of stale) await storeHours(ctx, companyId, span);
}

/** Counts some hours and stores them, apart from every send: no message is ever locked for it. */
async function storeHours(ctx: Reader, companyId: CompanyId, span: HourSpan): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockStoring(tx, companyId);
    const countedAt = ctx.clock.now();
    const sends = await countSends(tx, companyId, span);
    const calls = await countCalls(tx, companyId, span);
    await replaceHours(tx, companyId, toHourTimes(span, sends), countedAt);
    await insertUsage(tx, companyId, toUsageHours(span, sends));
    await insertCalls(tx, companyId, toCallHours(span, calls));
  });
}
