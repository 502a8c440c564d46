import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { readBroadcastKey } from './broadcast-key.ts';
import { listRunning, type StoredBroadcast, takeTurns } from './broadcast-store.ts';
import { claimBatch } from './claim-batch.ts';
import { pauseForChannel } from './control-broadcast.ts';
import { sendRecipient } from './send-recipient.ts';
import { tickBroadcasts } from './tick-broadcasts.ts';

/** Bulk messages in flight in this process, of all broadcasts together. */
const WINDOW = 128;
/** A claim costs the same for one recipient as for many, so it waits until so many have room. */
const ROOM_MIN = 32;
/** While the pace or the channel allows no more. */
const PAUSE_MS = 100;
const TICK_PAUSE_MS = 500;
const TURNS_PAUSE_MS = 1_000;
/** After a claim that took longer, another node may have taken the messages for abandoned. */
const CLAIMED_WITHIN_MS = 5_000;
/** So many recipients in a row that found no channel available. */
const UNAVAILABLE_MAX = 20;

/**
 * Sends the broadcasts that run. Nothing about them is kept in memory but the messages in flight, so
 * any number of nodes works on one broadcast, and a node that dies leaves only those: the watch over
 * messages settles them.
 */
export function startBroadcasts(ctx: Context): Repetition {
  const runner = createRunner(ctx);
  const report = logUnlessAway(ctx.log, 'broadcasts failed');
  const every = (pauseMs: number, run: () => Promise<boolean>) =>
    repeatEvery({ pauseMs, onError: report, run });
  const repetitions = [
    // Codes are sent by every node.
    every(TURNS_PAUSE_MS, () => reportCodes(ctx)),
    ...(ctx.config.role === 'api'
      ? []
      : [every(PAUSE_MS, runner.runOnce), every(TICK_PAUSE_MS, () => tickBroadcasts(ctx))]),
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
  const inFlight = new Set<Promise<void>>();
  const unavailableInRow = new Map<string, number>();

  const record = async (broadcast: StoredBroadcast, isUnavailable: boolean) => {
    const inRow = isUnavailable ? (unavailableInRow.get(broadcast.id) ?? 0) + 1 : 0;
    if (inRow === 0) unavailableInRow.delete(broadcast.id);
    else unavailableInRow.set(broadcast.id, inRow);
    if (inRow !== UNAVAILABLE_MAX) return;
    unavailableInRow.delete(broadcast.id);
    await pauseForChannel(ctx, broadcast.id);
  };

  const runBroadcast = async (broadcast: StoredBroadcast, limit: number): Promise<boolean> => {
    const key = await readBroadcastKey(ctx, broadcast.companyId);
    if (key.isSuspended) return false;
    const canCarry = (channel: Channel) =>
      ctx.channels.adapter(channel, false)?.carries.has('broadcast');
    if (!broadcast.channels.some(canCarry)) {
      await pauseForChannel(ctx, broadcast.id);
      return false;
    }
    const prices = await ctx.prices.read(broadcast.companyId);
    const startedMs = performance.now();
    const { claimed, isDry, isHeldBack } = await claimBatch(ctx, broadcast, { key, prices, limit });
    const isLate = performance.now() - startedMs > CLAIMED_WITHIN_MS;
    for (const recipient of claimed) {
      const sending = sendRecipient(ctx, { broadcast, key, recipient, isLate })
        .then((result) => record(broadcast, result === 'returned'))
        .catch((error: unknown) => {
          // The watch over messages settles it.
          const fields = { err: error, message_id: recipient.messageId };
          ctx.log.error(fields, 'a recipient of a broadcast was not settled');
        })
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    return claimed.length > 0 && !isDry && !isHeldBack;
  };

  return {
    async runOnce() {
      const running = await listRunning(ctx.bulk);
      let hasMore = false;
      for (const broadcast of running) {
        while (WINDOW - inFlight.size < ROOM_MIN) await Promise.race(inFlight);
        // No broadcast takes all of the window while others wait.
        const limit = Math.min(WINDOW - inFlight.size, Math.ceil(WINDOW / running.length));
        hasMore = (await runBroadcast(broadcast, limit)) || hasMore;
      }
      return hasMore;
    },
    async idle() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
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
