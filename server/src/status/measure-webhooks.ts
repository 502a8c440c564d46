import type { Context } from '../context.ts';
import { setMinutes } from './status-store.ts';
import { readWebhookHealth } from './webhook-health-store.ts';

const MINUTE_MS = 60_000;
/** A little more than the pause between two runs. */
const LOOKED_AT_MINUTES = 7;
/** Until then a first try can still be in time. */
const WAITED_MINUTES = 1;

/** Stores how webhooks did in the last minutes. Done once more, it changes nothing. */
export async function measureWebhooks({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const minuteMs = Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
  const until = new Date(minuteMs - WAITED_MINUTES * MINUTE_MS);
  const from = new Date(until.getTime() - LOOKED_AT_MINUTES * MINUTE_MS);
  const minutes = await readWebhookHealth(db, { from, until });
  if (minutes.length === 0) return 0;
  await setMinutes(
    db,
    minutes.map(({ minute, good, bad }) => ({
      minuteMs: minute.getTime(),
      name: 'webhooks',
      source: 'traffic',
      good,
      bad,
    })),
  );
  return minutes.length;
}
