import { SMS_SEGMENTS_MAX } from '@zhiber/contract/api/limits.ts';
import { messagePrice } from '@zhiber/contract/api/prices.ts';
import { freeTokens, readAccount } from '../../billing/ledger-store.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { isDatabaseAway } from '../../db/sql-errors.ts';
import type { BroadcastId } from '../../ids.ts';
import { findFailureShare, storeCounts } from '../results/count-progress.ts';
import { readBroadcastKey } from './broadcast-key.ts';
import {
  countWaiting,
  hasWaiting,
  holdTokens,
  isWithChannels,
  lockBroadcast,
  readBroadcast,
  type StoredBroadcast,
  setEnded,
  setPaused,
  setRunning,
  takeDueBroadcasts,
  tickAgain,
} from './broadcast-store.ts';
import { type BroadcastFacts, nextStep, type Step } from './next-step.ts';

const DUE_MAX = 20;
/** Longer than a tick takes; another node repeats it after that. */
const LEASE_SECONDS = 30;
const RUNNING_TICK_SECONDS = 1;
const PAUSED_TICK_SECONDS = 5;

/** Starts, pauses, resumes and ends broadcasts, each on one node at a time. */
export async function tickBroadcasts(ctx: Context): Promise<boolean> {
  const due = await takeDueBroadcasts(ctx.bulk, { limit: DUE_MAX, leaseSeconds: LEASE_SECONDS });
  for (const id of due) {
    try {
      await tickBroadcast(ctx, id);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      ctx.log.error({ err: error, broadcast_id: id }, 'a broadcast was not checked');
    }
  }
  return due.length === DUE_MAX;
}

export async function tickBroadcast(ctx: Context, id: BroadcastId): Promise<Step> {
  const step = await ctx.bulk.transaction(async (tx) => {
    const broadcast = await lockBroadcast(tx, id);
    if (broadcast === undefined) return { does: 'stay' } as const;
    const { cheapest, dearest } = await readPriceRange(ctx, broadcast);
    const key = await readBroadcastKey(ctx, broadcast.companyId);
    const account = await readAccount(tx, broadcast.companyId);
    const isAnyWaiting = await hasWaiting(tx, id);
    const facts: BroadcastFacts = {
      isAnyWaiting,
      isWithChannels: !isAnyWaiting && (await isWithChannels(tx, broadcast)),
      isSuspended: key.isSuspended,
      free: freeTokens(account),
      cheapest,
      recent: await findRecent(tx, broadcast),
    };
    const next = nextStep(broadcast, facts);
    if (next.does === 'pause') await setPaused(tx, id, next);
    else if (next.does === 'end') await setEnded(tx, id, 'done');
    else if (next.does === 'run') {
      await setRunning(tx, id);
      // What the balance has, at most: the rest is asked for while it runs.
      await holdTokens(tx, id, (await countWaiting(tx, id)) * dearest);
    }
    const isRunning =
      next.does === 'run' || (next.does === 'stay' && broadcast.state === 'running');
    await tickAgain(tx, id, isRunning ? RUNNING_TICK_SECONDS : PAUSED_TICK_SECONDS);
    return next;
  });
  // Who sees the change sees its counts.
  if (step.does !== 'stay' && (await readBroadcast(ctx.bulk, id)).startedAt !== null)
    await storeCounts(ctx.bulk, id);
  return step;
}

async function findRecent(
  tx: Transaction,
  { id, state, resumedAt }: StoredBroadcast,
): Promise<BroadcastFacts['recent']> {
  if (state !== 'running' || resumedAt === null) return { count: 0, failed: 0, reason: null };
  const { messages: count, failed, reason } = await findFailureShare(tx, id, resumedAt);
  return { count, failed, reason };
}

/** What a message costs at least and at most, by whichever channel. */
async function readPriceRange(
  ctx: Pick<Context, 'prices' | 'config'>,
  { companyId, channels }: StoredBroadcast,
): Promise<{ cheapest: number; dearest: number }> {
  const prices = await ctx.prices.read(companyId);
  const smsPartsMax = ctx.config.isSmsPricedPerPart ? SMS_SEGMENTS_MAX : 1;
  const pricesFor = (smsParts: number) =>
    channels.map((channel) => messagePrice(prices, channel, smsParts));
  return { cheapest: Math.min(...pricesFor(1)), dearest: Math.max(...pricesFor(smsPartsMax)) };
}
