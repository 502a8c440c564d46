import type { Context } from '../context.ts';
import { retryWhileDatabaseAway } from '../db/retry-conflicts.ts';
import { isDatabaseAway, logUnlessAway } from '../db/sql-errors.ts';
import { newId } from '../ids.ts';
import type { Phone } from '../phone.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { askWithDeadline } from './deliver.ts';
import { endsBroadcast, fallBack, LEASE_SECONDS } from './fall-back.ts';
import { recordReceipt } from './record-receipt.ts';
import { recoverFallback, recoverSend } from './recover.ts';
import { type Settled, type Settlement, settle } from './settle-store.ts';
import {
  checkLater,
  type DueMessage,
  endWatch,
  findProviderId,
  settleFallback,
  sweepMissed,
  takeDue,
} from './watch-store.ts';

const PAUSE_MS = 500;
const BATCH_MAX = 500;
/** The sweep hardly ever finds anything and is not urgent. */
const SWEEP_PAUSE_MS = 15_000;
/** Scanned in a tenth of the statement timeout. */
const SWEEP_MAX = 20_000;
const WORKERS_MAX = 32;
const BROADCAST_OPEN_SECONDS = 24 * 3_600;
/** Work begun within this ends within the lease, because a delivery takes at most half of it. */
const BEGIN_WITHIN_MS = (LEASE_SECONDS * 1_000) / 2 - 1_000;

/**
 * The watch over unfinished messages: settles those whose process died, starts fallbacks when their
 * time has come, and marks unconfirmed messages. It keeps no state in memory, so it continues after
 * a restart, and any node can run it.
 */
export function startWatch(ctx: Context): Repetition {
  const watch = repeatEvery({
    pauseMs: PAUSE_MS,
    onError: logUnlessAway(ctx.log, 'watch failed'),
    run: async () => (await watchOnce(ctx)) >= BATCH_MAX,
  });
  const sweep = repeatEvery({
    pauseMs: SWEEP_PAUSE_MS,
    onError: logUnlessAway(ctx.log, 'watch sweep failed'),
    run: async () => await sweepOnce(ctx),
  });
  return { stop: async () => void (await Promise.all([watch.stop(), sweep.stop()])) };
}

/** Makes messages due again that the watch has missed. True when there is more to scan. */
export async function sweepOnce(ctx: Pick<Context, 'db' | 'log'>): Promise<boolean> {
  const { missed, has_more } = await sweepMissed(ctx.db, SWEEP_MAX);
  if (missed > 0) ctx.log.warn({ missed }, 'slow commits hid messages from the watch');
  return has_more;
}

/** One round. Returns how many messages were due. */
export async function watchOnce(ctx: Context): Promise<number> {
  const due = await takeDue(ctx.db, { limit: BATCH_MAX, leaseSeconds: LEASE_SECONDS });
  const queue = [...due];
  const takenAt = performance.now();
  const worker = async () => {
    for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
      // Begun this late, the work could outlast the lease, and another node would take the message.
      if (performance.now() - takenAt > BEGIN_WITHIN_MS) return;
      try {
        await checkMessage(ctx, message);
      } catch (error) {
        // It is due again after the lease. The loss of the database is logged elsewhere.
        if (isDatabaseAway(error)) continue;
        ctx.log.error({ err: error, message_id: message.id }, 'watch: message failed');
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS_MAX }, worker));
  return due.length;
}

async function checkMessage(ctx: Context, message: DueMessage): Promise<void> {
  if (message.state === 'sending') return await settleAbandoned(ctx, message);
  if (message.state !== 'sent') return;
  if (message.open_attempt_seconds !== null) {
    if (message.open_attempt_seconds < LEASE_SECONDS) return;
    const recovered = await recoverFallback(ctx, message);
    const isSettledHere = await settleFallback(ctx.db, message, {
      attempt: message.attempt,
      state: recovered?.state ?? 'unknown',
      price: recovered?.price ?? 0,
      hasReceipts: recovered?.hasReceipts ?? true,
      providerId: recovered?.providerId ?? null,
      reason: recovered === undefined ? 'Обработка прервана' : recovered.reason,
      checkSeconds: LEASE_SECONDS,
      cause: newId(ctx.clock.now().getTime()),
    });
    // Its process was only slow, and has settled it meanwhile.
    if (!isSettledHere || recovered?.state === 'accepted') return;
    if (endsBroadcast(message, recovered?.state ?? 'unknown'))
      return await endWatch(ctx.db, message);
    return await fallBack(ctx, message);
  }
  if (message.receipt === 'failed') return await fallBack(ctx, message);
  if (message.kind === 'broadcast') return await checkBroadcast(ctx, message);

  const key = await ctx.keys.read(message.key_id);
  const leftSeconds = key.fallbackSeconds - (message.settled_seconds ?? 0);
  if (leftSeconds > 0) return await checkLater(ctx.db, message, leftSeconds);
  if (await askStatus(ctx, message)) return;
  if (message.route === '') return await endWatch(ctx.db, message);
  await fallBack(ctx, message);
}

/**
 * Nobody waits for a broadcast, and a second copy is worse than a late one: silence is no reason to
 * try another channel, only a failure is. It has a day to come.
 */
async function checkBroadcast(ctx: Context, message: DueMessage): Promise<void> {
  if (await askStatus(ctx, message)) return;
  const leftSeconds = BROADCAST_OPEN_SECONDS - (message.settled_seconds ?? 0);
  // A channel that it fell back to is charged with its receipt.
  const isOpen = message.route !== '' || message.attempt > 1;
  if (leftSeconds > 0 && isOpen) {
    return await checkLater(ctx.db, message, leftSeconds);
  }
  await endWatch(ctx.db, message);
}

async function settleAbandoned(ctx: Context, message: DueMessage): Promise<void> {
  if (message.age_seconds < LEASE_SECONDS) return;
  await settleWithRetry(ctx, await recoverSend(ctx, message));
}

/**
 * Asks the provider for the status, where it can be asked, before a second message is sent. True
 * when it had one.
 */
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
  const known = await askWithDeadline(ctx, (signal) => adapter.readStatus?.(question, signal));
  if (known === undefined) return false;
  await recordReceipt(ctx, { ref, ...known });
  return true;
}

/**
 * Retries while the database is away. After that the watch checks the message again when its lease
 * is over.
 */
export function settleWithRetry(
  ctx: Pick<Context, 'db'>,
  settlement: Settlement,
): Promise<Settled> {
  return retryWhileDatabaseAway(() => ctx.db.inGroup(settle, settlement));
}
