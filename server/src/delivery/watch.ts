import { ATTEMPT_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import type { Context } from '../context.ts';
import { inRounds, type Rounds } from '../db/in-rounds.ts';
import { untilBack } from '../db/run-again.ts';
import { newId } from '../ids.ts';
import { readKey } from '../keys/find-key.ts';
import type { Phone } from '../phone.ts';
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
  takeDue,
} from './watch-store.ts';

const PAUSE_MS = 500;
const TAKEN_MAX = 500;
const AT_ONCE_MAX = 32;
/** What is begun within this ends within the lease, because no delivery takes more than half of it. */
const BEGIN_WITHIN_MS = (LEASE_SECONDS * 1_000) / 2 - 1_000;

/**
 * The watch over messages that are under way: settles those whose process died, falls back by time,
 * and marks what nobody confirmed. It keeps no state of its own, so it goes on after a restart, and
 * any node can do it.
 */
export function startWatch(ctx: Context): Rounds {
  return inRounds(ctx.log, {
    name: 'watch',
    pauseMs: PAUSE_MS,
    endsWithRound: false,
    round: async () => (await watchOnce(ctx)) >= TAKEN_MAX,
  });
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
        // It stays due: the lease brings it back.
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

/**
 * The process that sent it died on the way. Where nobody can tell what came of it, it is free and
 * never sent again.
 */
async function settleAbandoned(ctx: Context, message: DueMessage): Promise<void> {
  if (message.age_seconds < LEASE_SECONDS) return;
  const recovered = await recoverSend(ctx, message);
  await settleSurely(
    ctx,
    recovered ?? {
      companyId: message.company_id,
      id: message.id,
      state: 'unknown',
      channel: null,
      price: 0,
      providerId: null,
      reason: 'Обработка прервана',
      route: '',
      attempts: [],
    },
  );
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
  const known = await inTime(ctx, (signal) => adapter.readStatus?.(question, signal));
  if (known === undefined) return false;
  await recordReceipt(ctx, { ref, ...known });
  return true;
}

/** A provider that hangs or fails when asked knows nothing; it must not hold up the watch. */
async function inTime<T>(
  ctx: Context,
  ask: (signal: AbortSignal) => Promise<T | undefined> | undefined,
): Promise<T | undefined> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      late.abort();
      resolve(undefined);
    }, ATTEMPT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([ask(late.signal), tooLate]);
  } catch (error) {
    ctx.log.warn({ err: error }, 'a channel could not be asked for a status');
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** If the database stays away, the watch looks at the message again when its lease is over. */
export function settleSurely(ctx: Pick<Context, 'db'>, settlement: Settlement): Promise<Settled> {
  return untilBack(() => ctx.db.inGroup(settle, settlement));
}
