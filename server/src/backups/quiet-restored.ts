import { holdByOperator } from '../broadcasts/run/control-broadcast.ts';
import { listLiveBroadcasts } from '../broadcasts/run/operator-store.ts';
import type { Database } from '../db/database.ts';
import { settle } from '../delivery/settle-store.ts';
import { expandOutbox } from '../webhooks/delivery-store.ts';
import {
  askAboutRefunds,
  endWaitingFallbacks,
  listInFlight,
  missWaitingWebhooks,
  removeSealedCodes,
  settleOpenFallbacks,
  silenceAlerts,
} from './restored-store.ts';

/** What a restored copy will not do by itself. */
export type Quieted = { broadcasts: number; sends: number; fallbacks: number; webhooks: number };

const REASON = 'Восстановлено из резервной копии';
const EXPANDED_ROWS_MAX = 500;
const EXPANDED_EVENTS_MAX = 5_000;

/**
 * Ends what was under way when the backup was made. Where it came from, all of it has gone on since:
 * this copy must not send, call or charge a second time. Repeating it changes nothing.
 */
export async function quietRestored(db: Database, shortLinkBase: string): Promise<Quieted> {
  return await db.maintain(async (sql) => {
    let broadcasts = 0;
    for (const id of await listLiveBroadcasts(sql)) {
      if (await holdByOperator({ db }, id)) broadcasts += 1;
    }
    const sends = await listInFlight(sql);
    for (let at = 0; at < sends.length; at += settle.itemsMax) {
      await settle.run(sql, sends.slice(at, at + settle.itemsMax).map(toFree));
    }
    let fallbacks = await settleOpenFallbacks(sql, REASON);
    for (let ended = 1; ended > 0; fallbacks += ended) ended = await endWaitingFallbacks(sql);
    await removeSealedCodes(sql);
    const limits = { rowsMax: EXPANDED_ROWS_MAX, eventsMax: EXPANDED_EVENTS_MAX };
    while ((await expandOutbox(sql, limits, shortLinkBase)) > 0);
    const webhooks = await missWaitingWebhooks(sql);
    await askAboutRefunds(sql);
    await silenceAlerts(sql);
    return { broadcasts, sends: sends.length, fallbacks, webhooks };
  });
}

/** Whether it arrived is not known, so it is free. */
function toFree(send: Awaited<ReturnType<typeof listInFlight>>[number]) {
  return {
    ...send,
    state: 'unknown' as const,
    channel: null,
    price: 0,
    providerId: null,
    reason: REASON,
    route: '',
    attempts: [],
  };
}
