import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { SMS_SEGMENTS_MAX } from '@zhiber/contract/api/limits.ts';
import type { Prices } from '@zhiber/contract/api/prices.ts';
import { nextSendingTime } from '@zhiber/contract/quiet-hours.ts';
import { almatyDay, almatyTime } from '../../almaty.ts';
import { freeTokens, readAccount } from '../../billing/ledger-store.ts';
import { readCompany } from '../../company/change-company.ts';
import type { Context } from '../../context.ts';
import type { CompanyId } from '../../ids.ts';
import { openUsage } from '../../messages/open-usage.ts';
import { hoursAgo } from '../../messages/pace.ts';
import { needsApproval } from './approval.ts';
import { checkText } from './check-text.ts';
import { type BroadcastRef, type CarriedByChannel, sumCarried } from './draft-store.ts';
import { readDraft } from './drafts.ts';

const HISTORY_DAYS = 30;

export type Share = { channel: Channel; price: number; share: number };

export type Estimate = {
  recipients: number;
  least: number;
  expected: number;
  most: number;
  hasHistory: boolean;
  shares: Share[];
  /** What can be spent: neither held nor owed. */
  available: number;
  startsAt: Date;
  needsApproval: boolean;
};

/** What a broadcast will cost, and when it begins if it is confirmed now. */
export async function estimateCost(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts' | 'prices' | 'config' | 'channels' | 'urls'>,
  ref: BroadcastRef,
): Promise<Estimate> {
  const { companyId } = ref;
  const draft = await readDraft(ctx, ref);
  const { recipients, channels } = draft;
  const company = await readCompany(ctx, companyId);
  const prices = await ctx.prices.read(companyId);
  const account = await readAccount(ctx.db, companyId);
  const carried = await readHistory(ctx, companyId, channels);
  const shares = shareOut(channels, prices, carried);
  const now = ctx.clock.now();
  const { startAt } = draft;
  return {
    ...costsOf(recipients, shares, await countChargedParts(ctx, ref, channels)),
    recipients,
    hasHistory: carried !== undefined,
    shares,
    available: freeTokens(account),
    startsAt: nextSendingTime(startAt !== null && startAt > now ? startAt : now, draft),
    needsApproval: needsApproval(company, recipients),
  };
}

/**
 * How many messages each channel carried: of the company, or of the whole installation while the
 * company has sent nothing by these channels. Undefined when nobody has.
 */
async function readHistory(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts'>,
  companyId: CompanyId,
  channels: readonly Channel[],
): Promise<CarriedByChannel | undefined> {
  const hasAny = (carried: CarriedByChannel) => channels.some((channel) => carried[channel] > 0);
  const own = await sumOwn(ctx, companyId);
  if (hasAny(own)) return own;
  const firstDay = almatyTime(almatyDay(ctx.clock.now(), -HISTORY_DAYS)).slice(0, 10);
  const all = await sumCarried(ctx.db, firstDay);
  return hasAny(all) ? all : undefined;
}

async function sumOwn(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts'>,
  companyId: CompanyId,
): Promise<CarriedByChannel> {
  const now = ctx.clock.now();
  const edges = [hoursAgo(now, HISTORY_DAYS * 24), hoursAgo(now, 0)];
  const usage = await openUsage(ctx, companyId, edges[0] as Date);
  const sums = await usage.sends({ edges, isTest: false });
  const acceptedBy = (channel: Channel) =>
    sums.reduce((sum, row) => sum + (row.channel === channel ? row.accepted : 0), 0);
  return Object.fromEntries(
    CHANNELS.map((channel) => [channel, acceptedBy(channel)]),
  ) as CarriedByChannel;
}

/** The shares add up to 1. Without history the first channel has all. */
export function shareOut(
  channels: readonly Channel[],
  prices: Prices,
  carried: CarriedByChannel | undefined,
): Share[] {
  const total = channels.reduce((sum, channel) => sum + (carried?.[channel] ?? 0), 0);
  return channels.map((channel, place) => ({
    channel,
    price: prices[channel],
    share: carried === undefined ? Number(place === 0) : carried[channel] / total,
  }));
}

type ChargedParts = { min: number; mean: number; max: number };

const ONE_PART: ChargedParts = { min: 1, mean: 1, max: 1 };

/** How many times its price an SMS to one recipient costs. */
async function countChargedParts(
  ctx: Pick<Context, 'db' | 'config' | 'channels' | 'urls'>,
  ref: BroadcastRef,
  channels: readonly Channel[],
): Promise<ChargedParts> {
  if (!ctx.config.isSmsPricedPerPart || !channels.includes('sms')) return ONE_PART;
  const { partsMin, partsMean, partsMax } = await checkText(ctx, ref, { seesPhones: false });
  // A text that is too long for SMS is not sent by it.
  const within = (parts: number | null) => Math.min(parts ?? 1, SMS_SEGMENTS_MAX);
  return { min: within(partsMin), mean: within(partsMean), max: within(partsMax) };
}

export function costsOf(
  recipients: number,
  shares: readonly Share[],
  smsParts: ChargedParts = ONE_PART,
): { least: number; expected: number; most: number } {
  if (shares.length === 0) return { least: 0, expected: 0, most: 0 };
  const pricesWith = (parts: number) =>
    shares.map(({ channel, price }) => price * (channel === 'sms' ? parts : 1));
  const means = pricesWith(smsParts.mean);
  const mean = shares.reduce((sum, { share }, i) => sum + (means[i] as number) * share, 0);
  return {
    least: recipients * Math.min(...pricesWith(smsParts.min)),
    expected: Math.round(recipients * mean),
    most: recipients * Math.max(...pricesWith(smsParts.max)),
  };
}
