import { CHANNEL_TITLES, CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { KEY_EXPIRY_WARNING_DAYS } from '@zhiber/contract/api/limits.ts';
import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { OVERVIEW_ENDPOINTS } from '@zhiber/contract/cabinet/overview.ts';
import { almatyDay, type BucketRange, bucketEdges, HOUR_MS } from '../almaty.ts';
import { readAccount } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { type ConfirmTimes, percentile } from './confirm-times.ts';
import { countSendsBetween } from './count-store.ts';
import { openUsage, type Usage } from './open-usage.ts';
import {
  type ChannelAttempts,
  countRecentAttempts,
  listExpiringKeys,
  listFailingWebhooks,
  listIdleKeys,
  readSteps,
  type StepsDone,
} from './overview-store.ts';
import { daysLeft, hoursAgo, PACE_DAYS, readPace, total } from './pace.ts';
import type { UsageSum } from './usage-store.ts';

export type Overview = Omit<AnswerOf<typeof OVERVIEW_ENDPOINTS.overview>, 'success'>;
type Request = { range: BucketRange; isTest: boolean | undefined };
type Reading = Pick<Context, 'db' | 'reads' | 'clock' | 'usageCounts' | 'prices'> & {
  companyId: CompanyId;
  usage: Usage;
  now: Date;
};

const DAY_MS = 24 * HOUR_MS;
/** The longest period on the page. */
const DAYS_READ = 30;

/** The figures of the overview page: balance, sends, problems and onboarding steps. */
export async function readOverview(
  ctx: Pick<Context, 'db' | 'reads' | 'clock' | 'usageCounts' | 'prices'>,
  companyId: CompanyId,
  request: Request,
): Promise<Overview> {
  const now = ctx.clock.now();
  const usage = await openUsage(ctx, companyId, almatyDay(now, -DAYS_READ));
  const reading = { ...ctx, companyId, usage, now };
  const { balance, held } = await readAccount(ctx.db, companyId);
  const prices = await ctx.prices.read(companyId);
  const pace = await readPace(usage, now);
  const lasts = daysLeft(balance - held, pace);
  const lastDay = pace.filter(({ bucket }) => bucket === PACE_DAYS - 1);
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const monthAgo = new Date(now.getTime() - DAYS_READ * DAY_MS);
  return {
    hours_to_count: usage.hoursToCount,
    balance,
    held,
    days_left: lasts,
    prices,
    today: await readToday(reading, request.isTest),
    buckets: await readBuckets(reading, request),
    problems: findProblems({
      available: balance - held,
      smsPrice: prices.sms,
      daysLeft: lasts,
      channels: await countRecentAttempts(ctx.reads, companyId, hourAgo),
      webhooks: await listFailingWebhooks(ctx.reads, companyId, hourAgo),
      day: { sends: total(lastDay, 'sends'), failed: total(lastDay, 'failed') },
      expiringKeys: await listExpiringKeys(ctx.reads, companyId, KEY_EXPIRY_WARNING_DAYS),
      idleKeys: await findIdleKeys(reading, monthAgo),
    }),
    steps: await readAllSteps(reading, monthAgo),
  };
}

/** Today, and the same weekday a week ago up to the same minute. */
async function readToday(
  { reads, companyId, usage, now }: Reading,
  isTest: boolean | undefined,
): Promise<Overview['today']> {
  const midnight = almatyDay(now);
  const midnightThen = almatyDay(now, -7);
  const then = new Date(midnightThen.getTime() + now.getTime() - midnight.getTime());
  const hourThen = new Date(Math.floor(then.getTime() / HOUR_MS) * HOUR_MS);
  const today = await usage.sends({ edges: [midnight, almatyDay(now, 1)], isTest });
  const before = await usage.sends({ edges: [midnightThen, hourThen], isTest });
  const lastHour = await countSendsBetween(reads, companyId, { from: hourThen, to: then, isTest });
  return {
    sends: total(today, 'sends'),
    confirmed: total(today, 'confirmed'),
    same_day_last_week: total(before, 'sends') + lastHour,
  };
}

async function readBuckets(
  { usage, now }: Reading,
  { range, isTest }: Request,
): Promise<Overview['buckets']> {
  const edges = bucketEdges(range, now);
  const sums = Map.groupBy(await usage.sends({ edges, isTest }), ({ bucket }) => bucket);
  const times = await usage.times({ edges, isTest });
  return edges.slice(0, -1).map((at, bucket) => ({
    at: at.toISOString(),
    ...toBucket(sums.get(bucket) ?? [], times[bucket] ?? []),
  }));
}

function toBucket(
  sums: readonly UsageSum[],
  times: ConfirmTimes,
): Omit<Overview['buckets'][number], 'at'> {
  const ofChannel = (channel: Channel) => sums.filter((sum) => sum.channel === channel);
  const sends = CHANNELS.map((channel) => [channel, total(ofChannel(channel), 'sends')]);
  return {
    sends: Object.fromEntries(sends) as Record<Channel, number>,
    confirmed: total(sums, 'confirmed'),
    failed: total(sums, 'failed'),
    spent: total(sums, 'charged'),
    confirm_ms_p50: percentile(times, 0.5),
    confirm_ms_p95: percentile(times, 0.95),
  };
}

/** The last two hours are not stored. A key that was used in them is not idle. */
async function findIdleKeys({ reads, companyId, usage, now }: Reading, since: Date) {
  const idle = await listIdleKeys(reads, companyId, since);
  if (idle.length === 0) return [];
  const used = await usage.sends({ edges: [hoursAgo(now, 3), hoursAgo(now, 0)] });
  return idle.filter(({ id }) => !used.some(({ key_id }) => key_id === id));
}

async function readAllSteps(
  { reads, companyId, usage, now }: Reading,
  since: Date,
): Promise<StepsDone> {
  const done = await readSteps(reads, companyId, since);
  const edges = [hoursAgo(now, 3), hoursAgo(now, 0)];
  const hasSent = async (isTest: boolean) => (await usage.sends({ edges, isTest })).length > 0;
  return {
    ...done,
    has_test_send: done.has_test_send || (await hasSent(true)),
    has_live_send: done.has_live_send || (await hasSent(false)),
  };
}

export type OverviewProblem = AnswerOf<typeof OVERVIEW_ENDPOINTS.overview>['problems'][number];

export type ProblemFacts = {
  /** The balance without the holds. */
  available: number;
  smsPrice: number;
  daysLeft: number | null;
  /** Of the last hour. */
  channels: readonly ChannelAttempts[];
  /** For more than an hour. */
  webhooks: readonly { url: string; is_off: boolean; hours: number }[];
  /** Of the last day. */
  day: { sends: number; failed: number };
  expiringKeys: readonly { name: string; is_expired: boolean; days_left: number }[];
  idleKeys: readonly { name: string; idle_days: number }[];
};

/** Fewer attempts than this say nothing about a channel. */
const ATTEMPTS_MIN = 10;
const CHANNEL_FAILURES_SHARE = 0.5;
const DAY_SENDS_MIN = 20;
const DAY_FAILURES_SHARE = 0.2;

/** Only what needs attention, the most urgent first. */
export function findProblems(facts: ProblemFacts): OverviewProblem[] {
  const { available, smsPrice, daysLeft, day } = facts;
  const problems: OverviewProblem[] = [];
  if (available < smsPrice || (daysLeft !== null && daysLeft < 1)) {
    problems.push({ kind: 'low_balance', object: null, count: available });
  }
  for (const { channel, attempts, failures } of facts.channels) {
    if (attempts >= ATTEMPTS_MIN && failures > attempts * CHANNEL_FAILURES_SHARE) {
      problems.push({ kind: 'channel_failing', object: CHANNEL_TITLES[channel], count: failures });
    }
  }
  if (day.sends >= DAY_SENDS_MIN && day.failed > day.sends * DAY_FAILURES_SHARE) {
    problems.push({ kind: 'many_failures', object: null, count: day.failed });
  }
  for (const { url, is_off, hours } of facts.webhooks) {
    const kind = is_off ? 'webhook_off' : 'webhook_failing';
    problems.push({ kind, object: url, count: hours });
  }
  for (const { name, is_expired, days_left } of facts.expiringKeys) {
    const kind = is_expired ? 'key_expired' : 'key_expires';
    problems.push({ kind, object: name, count: days_left });
  }
  for (const { name, idle_days } of facts.idleKeys) {
    problems.push({ kind: 'key_idle', object: name, count: idle_days });
  }
  return problems;
}
