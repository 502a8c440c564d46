import { HOUR_MS } from '../almaty.ts';
import type { Context } from '../context.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import { addTimes, type ConfirmTimes, SLOTS } from './confirm-times.ts';
import {
  type CountedCalls,
  type CountedSends,
  countCalls,
  countSends,
  findRowLimitTime,
  ROWS_PER_STATEMENT,
} from './count-store.ts';
import {
  countSpend,
  insertSpend,
  PURPOSES_PER_HOUR_MAX,
  type SpendHour,
  type SpendSum,
  sumSpend,
} from './spend-store.ts';
import { type HourSpan, liveSince, newestSpan, staleHours } from './stale-hours.ts';
import {
  type CallHour,
  type CallSum,
  type HourTimes,
  insertCalls,
  insertUsage,
  listCountedHours,
  listTimes,
  lockStoring,
  readCompanyStart,
  replaceHours,
  sumCalls,
  sumUsage,
  type UsageHour,
  type UsageSum,
} from './usage-store.ts';

export type Buckets = {
  /** Whole hours, one more than there are buckets. */
  edges: readonly Date[];
  keyIds?: readonly KeyId[] | undefined;
  isTest?: boolean | undefined;
};

/**
 * The sends and calls of a company in buckets of hours. Closed hours are read as stored, the others
 * are counted.
 */
export type Usage = {
  /** How many of the oldest hours are not counted yet; the next request continues with them. */
  hoursToCount: number;
  sends(buckets: Buckets): Promise<UsageSum[]>;
  calls(buckets: Buckets): Promise<CallSum[]>;
  /** Times to a confirmation, for each bucket. */
  times(buckets: Omit<Buckets, 'keyIds'>): Promise<ConfirmTimes[]>;
  /** What messages cost by purpose, between two whole hours. */
  spend(edges: readonly [from: Date, to: Date]): Promise<SpendSum[]>;
};

type Reader = Pick<Context, 'db' | 'clock' | 'usageCounts'>;

/** Short, because a person waits for the page. */
const COUNT_MS_MAX = 2_000;

/**
 * Updates the stored hours since an instant, the newest first and for a limited time, and returns a
 * reader of all hours from there on.
 */
export async function openUsage(
  ctx: Reader,
  companyId: CompanyId,
  from: Date,
  countMsMax = COUNT_MS_MAX,
): Promise<Usage> {
  const hoursToCount = await updateHoursOnce(ctx, companyId, { from, countMsMax });
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
    async spend([from, to]) {
      const stored = await sumSpend(ctx.db, companyId, { from, until: to < since ? to : since });
      const live = toSpendHours(span, await countSpend(ctx.db, companyId, span));
      return addSpend([...stored, ...inBuckets(live, [from, to])]);
    },
  };
}

/** Logged calls have a key but no mode. No caller filters calls by mode. */
function isWanted({ keyIds, isTest }: Buckets) {
  return (row: { key_id: KeyId; is_test?: boolean }) =>
    (keyIds === undefined || keyIds.includes(row.key_id)) &&
    (isTest === undefined || row.is_test === undefined || row.is_test === isTest);
}

/** Drops the hours outside the edges. */
function inBuckets<Row extends { hour: Date }>(
  rows: readonly Row[],
  edges: readonly Date[],
): (Row & { bucket: number })[] {
  return rows
    .map((row) => ({ ...row, bucket: edges.findLastIndex((edge) => edge <= row.hour) }))
    .filter(({ bucket }) => bucket >= 0 && bucket < edges.length - 1);
}

type UpdateOptions = { from: Date; countMsMax: number };

/**
 * Returns how many hours are left to count. A page sends several requests at once; the stale hours
 * are counted once for all of them.
 */
async function updateHoursOnce(
  ctx: Reader,
  companyId: CompanyId,
  options: UpdateOptions,
): Promise<number> {
  const underWay = ctx.usageCounts;
  const other = underWay.get(companyId);
  if (other !== undefined && other.from <= options.from) return await other.work;
  const inTurn = async () => {
    await other?.work.catch(() => undefined);
    return await updateHours(ctx, companyId, options);
  };
  const own = { from: options.from, work: inTurn() };
  underWay.set(companyId, own);
  try {
    return await own.work;
  } finally {
    if (underWay.get(companyId) === own) underWay.delete(companyId);
  }
}

async function updateHours(
  ctx: Reader,
  companyId: CompanyId,
  { from, countMsMax }: UpdateOptions,
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
    // Another node is counting them.
    if (!(await storeHours(ctx, companyId, span))) break;
    stale.splice(1 - span.length);
    if (performance.now() - startedAt > countMsMax) break;
  }
  return stale.length;
}

/** The newest hours that do not hold too many messages or calls for one statement; at least one. */
async function nextSpan(
  ctx: Reader,
  companyId: CompanyId,
  stale: readonly Date[],
): Promise<HourSpan> {
  const span = newestSpan(stale);
  const tooMany = await findRowLimitTime(ctx.db, companyId, {
    from: span[0] as Date,
    to: span.at(-1) as Date,
    rowsMax: ROWS_PER_STATEMENT,
  });
  return tooMany === undefined ? span : newestSpan(stale, tooMany);
}

/**
 * Counts some hours and stores the counts. It locks no message, so sends never wait for it. False
 * when another node is doing it.
 */
async function storeHours(ctx: Reader, companyId: CompanyId, span: HourSpan): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    if (!(await lockStoring(tx, companyId))) return false;
    const countedAt = ctx.clock.now();
    const sends = await countSends(tx, companyId, span);
    const calls = await countCalls(tx, companyId, span);
    const spend = await countSpend(tx, companyId, span);
    await replaceHours(tx, companyId, toHourTimes(span, sends), countedAt);
    await insertUsage(tx, companyId, toUsageHours(span, sends));
    await insertCalls(tx, companyId, toCallHours(span, calls));
    await insertSpend(tx, companyId, toSpendHours(span, spend));
    return true;
  });
}

/** The counts of all slots added up, by hour, key and channel. */
export function toUsageHours(span: HourSpan, counted: readonly CountedSends[]): UsageHour[] {
  const groups = Map.groupBy(counted, ({ hour, key_id, channel }) =>
    [hour, key_id, channel].join(),
  );
  return [...groups.values()].map((rows) => {
    const [first] = rows as [CountedSends];
    const sum = (read: (row: CountedSends) => number) =>
      rows.reduce((total, row) => total + read(row), 0);
    return {
      hour: span[first.hour] as Date,
      key_id: first.key_id,
      channel: first.channel,
      sends: sum((row) => row.sends),
      accepted: sum((row) => row.accepted),
      confirmed: sum((row) => (row.slot === null ? 0 : row.sends)),
      failed: sum((row) => row.failed),
      charged: sum((row) => row.charged),
    };
  });
}

/** Histograms of the confirmation times for every hour of the span, empty ones too. */
export function toHourTimes(span: HourSpan, counted: readonly CountedSends[]): HourTimes[] {
  const hours = span.slice(0, -1).map((hour) => ({
    hour,
    live_times: new Array<number>(SLOTS).fill(0),
    test_times: new Array<number>(SLOTS).fill(0),
  }));
  for (const { hour, is_test, slot, sends } of counted) {
    const times = hours[hour]?.[is_test ? 'test_times' : 'live_times'];
    if (times !== undefined && slot !== null) times[slot] = (times[slot] ?? 0) + sends;
  }
  return hours.map(({ hour, live_times, test_times }) => ({
    hour,
    live_times: withoutEmptyEnd(live_times),
    test_times: withoutEmptyEnd(test_times),
  }));
}

/** Most hours have nothing in the slowest slots, so these are not stored. */
function withoutEmptyEnd(times: number[]): number[] {
  return times.slice(0, times.findLastIndex((count) => count > 0) + 1);
}

export function toCallHours(span: HourSpan, counted: readonly CountedCalls[]): CallHour[] {
  const groups = Map.groupBy(counted, ({ hour, key_id, status, error_code }) =>
    [hour, key_id, status, error_code].join(),
  );
  return [...groups.values()].map((rows) => {
    const [{ hour, key_id, status, error_code }] = rows as [CountedCalls];
    const calls = rows.reduce((total, row) => total + row.calls, 0);
    return { hour: span[hour] as Date, key_id, status, error_code, calls };
  });
}

/** Of each hour and kind the largest purposes; the others are one row without a purpose. */
export function toSpendHours(
  span: HourSpan,
  counted: readonly (SpendSum & { hour: number })[],
): SpendHour[] {
  const groups = Map.groupBy(counted, ({ hour, kind }) => `${hour} ${kind}`);
  return [...groups.values()].flatMap((rows) => {
    const [{ hour }] = rows as [(typeof counted)[number]];
    const largest = addSpend(rows).sort((one, other) => other.charged - one.charged);
    const kept = largest.map((sum, place) =>
      place < PURPOSES_PER_HOUR_MAX ? sum : { ...sum, purpose: null },
    );
    return addSpend(kept).map((sum) => ({ ...sum, hour: span[hour] as Date }));
  });
}

function addSpend(sums: readonly SpendSum[]): SpendSum[] {
  const groups = Map.groupBy(sums, ({ kind, purpose }) => JSON.stringify([kind, purpose]));
  return [...groups.values()].map((rows) => {
    const [{ kind, purpose }] = rows as [SpendSum];
    return { kind, purpose, charged: rows.reduce((sum, row) => sum + row.charged, 0) };
  });
}
