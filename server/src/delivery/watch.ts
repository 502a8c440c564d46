import type { Context } from '../context.ts';
import { inRounds, type Rounds } from '../db/in-rounds.ts';
import { untilBack } from '../db/run-again.ts';
import { isDatabaseAway } from '../db/sql-errors.ts';
import { newId } from '../ids.ts';
import { readKey } from '../keys/find-key.ts';
import type { Phone } from '../phone.ts';
import { askInTime } from './ask-in-time.ts';
import { fallBack, LEASE_SECONDS } from './fall-back.ts';
import { recordReceipt } from './receipts/record-receipt.ts';
import { recoverFallback, recoverSend } from './recover.ts';
import { type Settled, type Settlement, settle } from './settle-store.ts';
import {
  type DueMessage,
  endWatch,
  findProviderId,
  lookAgain,
  settleFallback,
  sweepMissed,
  takeDue,
} from './watch-store.ts';

const PAUSE_MS = 500;
const TAKEN_MAX = 500;
/** Hardly ever finds anything, and has no hurry. */
const SWEEP_PAUSE_MS = 15_000;
/** Read in a tenth of the time that a statement may take. */
const SWEPT_MAX = 20_000;
const AT_ONCE_MAX = 32;
/** What is begun within this ends within the lease, because no delivery takes more than half of it. */
const BEGIN_WITHIN_MS = (LEASE_SECONDS * 1_000) / 2 - 1_000;

/**
 * The watch over messages that are under way: settles those whose process died, falls back by time,
 * and marks what nobody confirmed. It keeps no state of its own, so it goes on after a restart, and
 * any node can do it.
 */
export function startWatch(ctx: Context): Rounds {
  const watch = inRounds(ctx.log, {
    name: 'watch',
    pauseMs: PAUSE_MS,
    endsWithRound: false,
    round: async () => (await watchOnce(ctx)) >= TAKEN_MAX,
  });
  const sweep = inRounds(ctx.log, {
    name: 'sweep of the watch',
    pauseMs: SWEEP_PAUSE_MS,
    endsWithRound: false,
    round: async () => await sweepOnce(ctx),
  });
  return { stop: async () => void (await Promise.all([watch.stop(), sweep.stop()])) };
}

/** Makes due again what the watch could not see when its time came; true when there is more. */
export async function sweepOnce(ctx: Pick<Context, 'db' | 'log'>): Promise<boolean> {
  const { missed, has_more } = await sweepMissed(ctx.db, SWEPT_MAX);
  if (missed > 0) ctx.log.warn({ missed }, 'commits that took long hid messages from the watch');
  return has_more;
}

/** One round; returns how many messages were due. */
export async function watchOnce(ctx: Context): Promise<number> {
  const due = await takeDue(ctx.db, { limit: TAKEN_MAX, leaseSeconds: LEASE_SECONDS });
  const queue = [...due];
  const takenAt = performance.now();
  const worker = async () => {
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      // Whoever comes so late might still be at it when another node takes it for abandoned.
      if (performance.now() - takenAt > BEGIN_WITHIN_MS) return;
      try {
        await lookAt(ctx, message);
      } catch (error) {
        // It stays due: the lease brings it back. That the database is away is told elsewhere.
        if (isDatabaseAway(error)) continue;
        ctx.log.error({ err: error, message_id: message.id }, 'watch: one message');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE_MAX }, worker));
  return due.length;
}

async function lookAt(ctx: Context, message: DueMessage): Promise<void> {
  if (message.state === 'sending') return await settleAbandoned(ctx, message);
  if (message.state !== 'sent') return;
  if (message.open_attempt_seconds !== null) {
    if (message.open_attempt_seconds < LEASE_SECONDS) return;
    const recovered = await recoverFallback(ctx, message);
    const isMine = await settleFallback(ctx.db, message, {
      attempt: message.attempt,
      state: recovered?.state ?? 'unknown',
      price: recovered?.price ?? 0,
      providerId: recovered?.providerId ?? null,
      reason: recovered === undefined ? 'Обработка прервана' : recovered.reason,
      lookSeconds: LEASE_SECONDS,
      cause: newId(ctx.clock.now().getTime()),
    });
    // Its process was only slow, and has just settled it.
    if (!isMine || recovered?.state === 'accepted') return;
    return await fallBack(ctx, message);
  }
  if (message.receipt === 'failed') return await fallBack(ctx, message);

  const key = await readKey(ctx.db, message.key_id);
  const leftSeconds = key.fallbackSeconds - (message.settled_seconds ?? 0);
  if (leftSeconds > 0) return await lookAgain(ctx.db, message, leftSeconds);
  if (await askStatus(ctx, message)) return;
  if (message.route === '') return await endWatch(ctx.db, message);
  await fallBack(ctx, message);
}

async function settleAbandoned(ctx: Context, message: DueMessage): Promise<void> {
  if (message.age_seconds < LEASE_SECONDS) return;
  await settleSurely(ctx, await recoverSend(ctx, message));
}

/** Asks the provider, where it can be asked, before a second message goes out. True when it knew. */
async function askStatus(ctx: Context, message: DueMessage): Promise<boolean> {
  if (message.channel === null || message.kind === 'group') return false;
  const adapter = ctx.channels.adapter(message.channel, message.is_test);
  const ref = {
    companyId: message.company_id,
    messageId: message.id,
    attempt: message.standing_attempt,
  };
  if (adapter?.readStatus === undefined) return false;
  const providerId = await findProviderId(ctx.db, message);
  const question = {
    ref,
    providerId,
    to: message.recipient as Phone,
    isTest: message.is_test,
    secondsAgo: message.settled_seconds ?? 0,
  };
  const known = await askInTime(ctx, (signal) => adapter.readStatus?.(question, signal));
  if (known === undefined) return false;
  await recordReceipt(ctx, { ref, ...known });
  return true;
}

/** If the database stays away, the watch looks at the message again when its lease is over. */
export function settleSurely(ctx: Pick<Context, 'db'>, settlement: Settlement): Promise<Settled> {
  return untilBack(() => ctx.db.inGroup(settle, settlement));
}
