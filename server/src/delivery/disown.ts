import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { isTemporary } from '../db/group-commit.ts';
import { type Disowned, settleDisowned } from './settle-store.ts';

const RETRY_PAUSE_MS = 500;
/** Whoever is away for longer finds the watch at work: it settles what was never settled, for free. */
const RETRIES_MAX = 1_200;
/** A statement that a hung server still had before it has been run by then, or never will be. */
const LATE_STATEMENT_MS = 3_000;

/**
 * Makes a send true to what its caller was told: that it failed, and so is free. What was written
 * about it is not known when the database goes away in the middle: the answer of a commit may have
 * been lost, and a server that hung runs the statement it was given once it comes back. So this is
 * done when the database answers again, and once more when nothing late can come any more.
 */
export function disown(ctx: Pick<Context, 'db' | 'log'>, send: Disowned): void {
  const settleTwice = async () => {
    await settleWhenBack(ctx, send);
    await pause(LATE_STATEMENT_MS, undefined, { ref: false });
    await settleWhenBack(ctx, send);
  };
  settleTwice().catch((error: unknown) => {
    ctx.log.error({ err: error, message_id: send.id }, 'a failed send may not be free');
  });
}

async function settleWhenBack(ctx: Pick<Context, 'db'>, send: Disowned): Promise<void> {
  for (let retries = 0; ; retries++) {
    try {
      if (await ctx.db.inGroup(settleDisowned, send)) return;
    } catch (error) {
      if (!isTemporary(error) || retries === RETRIES_MAX) throw error;
    }
    // A process that ends does not wait for this.
    await pause(RETRY_PAUSE_MS, undefined, { ref: false });
  }
}
