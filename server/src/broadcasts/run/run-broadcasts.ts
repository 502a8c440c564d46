import { setImmediate } from 'node:timers/promises';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Context } from '../../context.ts';
import { logUnlessAway } from '../../db/sql-errors.ts';
import type { BroadcastId } from '../../ids.ts';
import { type Repetition, repeatEvery } from '../../runtime/repeat.ts';
import { createRecount, SLICE_PAUSE_MS } from '../results/recount-broadcasts.ts';
import { readBroadcastKey } from './broadcast-key.ts';
import { listRunning, type StoredBroadcast, takeTurns } from './broadcast-store.ts';
import { claimBatch, stepSecondsOf } from './claim-batch.ts';
import { pauseForChannel } from './control-broadcast.ts';
import {
  deliverTo,
  NOT_DELIVERED,
  type RecipientResult,
  settleRecipient,
} from './send-recipient.ts';
import { tickBroadcasts } from './tick-broadcasts.ts';

/** Bulk messages in flight in this process, of all broadcasts together. */
const WINDOW_MAX = 128;
/**
 * The window opens with every answer, up to the maximum, and closes by half with every message that
 * got none: a provider that starts slowly or is about to fail is not flooded.
 */
const WINDOW_START = 16;
/** While the database is away, what was sent waits to be settled, and no more is claimed. */
const UNSETTLED_MAX = 1_024;
/** While the pace or the channel allows no more. */
const PAUSE_MS = 40;
/** A pace that fell behind is caught up with. */
const PACE_MARGIN = 1.25;
/** While no broadcast runs. */
const IDLE_MS = 500;
const TICK_PAUSE_MS = 500;
const TURNS_PAUSE_MS = 1_000;
/** After a claim that took longer, another node may have taken the messages for abandoned. */
const CLAIMED_WITHIN_MS = 5_000;
/** So many recipients in a row that found no channel available. */
const UNAVAILABLE_MAX = 5;

/**
 * Sends the broadcasts that run. Nothing about them is kept in memory but the messages in flight, so
 * any number of nodes works on one broadcast, and a node that dies leaves only those: the watch over
 * messages settles them.
 */
export function startBroadcasts(ctx: Context): Repetition {
  const runner = createRunner(ctx);
  const recount = createRecount(ctx);
  const report = logUnlessAway(ctx.log, 'broadcasts failed');
  const every = (pauseMs: number, run: () => Promise<boolean>) =>
    repeatEvery({ pauseMs, onError: report, run });
  const repetitions = [
    // Codes are sent by every node.
    every(TURNS_PAUSE_MS, () => reportCodes(ctx)),
    ...(ctx.config.role === 'api'
      ? []
      : [
          every(PAUSE_MS, runner.runOnce),
          every(TICK_PAUSE_MS, () => tickBroadcasts(ctx)),
          every(SLICE_PAUSE_MS, recount),
        ]),
  ];
  return {
    async stop() {
      await Promise.all(repetitions.map((repetition) => repetition.stop()));
      await runner.idle();
    },
  };
}

export type Runner = {
  /** Claims what there is room for, and begins to send it. True when there may be more at once. */
  runOnce(): Promise<boolean>;
  /** Resolves when no message is in flight. */
  idle(): Promise<void>;
};

export function createRunner(ctx: Context): Runner {
  /** With the channel that each is sent by first. */
  const inFlight = new Map<Promise<unknown>, Channel | undefined>();
  const unsettled = new Set<Promise<void>>();
  const unavailableInRow = new Map<BroadcastId, number>();
  /** Of the broadcasts that run. */
  const claimedAtMs = new Map<BroadcastId, number>();
  let window = WINDOW_START;
  let idleUntil = 0;
  let turn = 0;

  const record = async ({ id }: StoredBroadcast, result: RecipientResult) => {
    const isAnswered = result === 'sent' || result === 'failed';
    window = isAnswered ? Math.min(window + 1, WINDOW_MAX) : Math.max(Math.floor(window / 2), 1);
    if (result !== 'returned') {
      unavailableInRow.delete(id);
      return;
    }
    const inRow = (unavailableInRow.get(id) ?? 0) + 1;
    unavailableInRow.set(id, inRow);
    if (inRow >= UNAVAILABLE_MAX) await pauseForChannel(ctx, id);
  };

  /** How many more may be sent for a broadcast now; 0 until a claim is worth it. */
  const findRoom = ({ id, channels }: StoredBroadcast, running: number): number => {
    // One at a time shows whether a channel is available again.
    if (unavailableInRow.has(id)) return unsettled.size === 0 ? 1 : 0;
    if (unsettled.size > UNSETTLED_MAX) return 0;
    const first = channels[0] as Channel;
    const channelMax = ctx.channels.adapter(first, false)?.bulkInFlightMax ?? WINDOW_MAX;
    const most = Math.min(window, channelMax);
    const taken = [...inFlight.values()].filter((channel) => channel === first).length;
    const free = Math.min(window - inFlight.size, channelMax - taken);
    // A claim costs the same for one as for many. And no broadcast takes all while others wait.
    return free < most / 4 ? 0 : Math.min(free, Math.ceil(most / running));
  };

  /** How many the pace can have allowed since the last claim. More would be composed for nothing. */
  const estimateAllowed = (broadcast: StoredBroadcast): number => {
    const rate = ctx.channels.adapter(broadcast.channels[0] as Channel, false)?.ratePerSecond;
    const stepSeconds = stepSecondsOf(broadcast);
    const spread = stepSeconds === undefined ? undefined : 1 / stepSeconds;
    const perSecond = Math.min(rate ?? Infinity, spread ?? Infinity);
    const sinceMs = performance.now() - (claimedAtMs.get(broadcast.id) ?? 0);
    return 1 + Math.ceil((PACE_MARGIN * perSecond * sinceMs) / 1_000);
  };

  const runBroadcast = async (broadcast: StoredBroadcast, room: number): Promise<boolean> => {
    const key = await readBroadcastKey(ctx, broadcast.companyId);
    if (key.isSuspended) return false;
    if (!broadcast.channels.some((channel) => canCarry(ctx, channel))) {
      await pauseForChannel(ctx, broadcast.id);
      return false;
    }
    const prices = await ctx.prices.read(broadcast.companyId);
    const startedMs = performance.now();
    const limit = Math.min(room, estimateAllowed(broadcast));
    claimedAtMs.set(broadcast.id, startedMs);
    const { claimed, isDry, isHeldBack } = await claimBatch(ctx, broadcast, { key, prices, limit });
    const isLate = performance.now() - startedMs > CLAIMED_WITHIN_MS;
    for (const recipient of claimed) {
      // Requests that came meanwhile are answered first.
      await setImmediate();
      const sending = { broadcast, key, recipient };
      const delivering = isLate ? Promise.resolve(NOT_DELIVERED) : deliverTo(ctx, sending);
      inFlight.set(delivering, broadcast.channels[0]);
      void delivering.finally(() => inFlight.delete(delivering));
      const settling = delivering
        .then((delivery) => settleRecipient(ctx, sending, delivery))
        .then((result) => record(broadcast, result))
        .catch((error: unknown) => {
          // The watch over messages settles it.
          const fields = { err: error, message_id: recipient.messageId };
          ctx.log.error(fields, 'a recipient of a broadcast was not settled');
        })
        .finally(() => unsettled.delete(settling));
      unsettled.add(settling);
    }
    return claimed.length > 0 && !isDry && !isHeldBack && limit === room;
  };

  return {
    async runOnce() {
      if (performance.now() < idleUntil) return false;
      const running = rotate(await listRunning(ctx.bulk), turn++);
      for (const id of claimedAtMs.keys())
        if (!running.some((broadcast) => broadcast.id === id)) claimedAtMs.delete(id);
      if (running.length === 0) idleUntil = performance.now() + IDLE_MS;
      let hasMore = false;
      for (const broadcast of running) {
        const room = findRoom(broadcast, running.length);
        if (room > 0) hasMore = (await runBroadcast(broadcast, room)) || hasMore;
      }
      if (running.length === 0 || hasMore || unsettled.size === 0) return hasMore;
      const isFull = running.some((broadcast) => findRoom(broadcast, running.length) === 0);
      if (isFull) await Promise.race([...inFlight.keys(), ...unsettled]);
      return isFull;
    },
    async idle() {
      while (unsettled.size > 0) await Promise.all(unsettled);
    },
  };
}

/** The first one takes what a scarce rate allows, so each is the first in its turn. */
function rotate<T>(items: readonly T[], turn: number): T[] {
  const first = items.length === 0 ? 0 : turn % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

function canCarry({ channels }: Pick<Context, 'channels'>, channel: Channel): boolean {
  return channels.adapter(channel, false)?.carries.has('broadcast') ?? false;
}

/** Lets the codes of this node take their part of the rates that bulk messages keep. */
async function reportCodes(ctx: Pick<Context, 'bulk' | 'channels'>): Promise<boolean> {
  for (const channel of CHANNELS) {
    const count = ctx.channels.takeUrgentCount(channel);
    const ratePerSecond = ctx.channels.adapter(channel, false)?.ratePerSecond;
    if (count === 0 || ratePerSecond === undefined) continue;
    await takeTurns(ctx.bulk, channel, { count, ratePerSecond });
  }
  return false;
}
