import { type Announcer, announceLowBalances } from '../alerts/announce-low-balances.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { removeOldSpend } from '../keys/key-cap-store.ts';
import { countEarlierSpend } from '../keys/manage-keys.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';

const PAUSE_MS = 60_000;

/**
 * Looks at the balances once a minute, on every node, and completes the counts of keys that got a
 * cap. Sends do none of it, so they are as fast as without alerts.
 */
export function startBalanceWatch(announcer: Announcer): Repetition {
  const { ctx } = announcer;
  return repeatEvery({
    pauseMs: PAUSE_MS,
    onError: logUnlessAway(ctx.log, 'the watch over balances failed'),
    async run() {
      await countEarlierSpend(ctx);
      await removeOldSpend(ctx.db);
      return await announceLowBalances(announcer);
    },
  });
}
