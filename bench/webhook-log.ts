import { EVENT_TYPES } from '@zhiber/contract/api/events.ts';
import { systemClock } from '../server/src/clock.ts';
import type { Database } from '../server/src/db/database.ts';
import { lowestIdAt } from '../server/src/ids.ts';
import { claimDeliveries, makeDue } from '../server/src/webhooks/delivery-store.ts';
import { webhookIdOf } from '../server/src/webhooks/event-body.ts';
import { listDeliveries, readDelivery } from '../server/src/webhooks/read-deliveries.ts';
import { readFigures } from '../server/src/webhooks/read-figures.ts';
import { countReplay } from '../server/src/webhooks/replay-webhook.ts';
import type { RunSql } from '../server/test/harness.ts';
import { insertPastDeliveries } from '../server/test/webhooks/past-deliveries.ts';
import type { Client } from './service.ts';

const EVENTS = 1_000_000;
const EVENTS_PER_STATEMENT = 50_000;
const DAY_MS = 86_400_000;

/** Their leases have ended at once, so that each claim finds as many. */
const CLAIM = { max: 64, slowMax: 8, share: 64, leaseSeconds: 0, busy: [] };

type Read = (sql: Database) => Promise<unknown>;

/** Adds an endpoint with a million events in its log. */
export async function insertWebhookLog(sql: RunSql, { companyId }: Client): Promise<void> {
  const [endpoint] = await sql<{ id: number }>(
    `insert into webhook_endpoint (company_id, url, events) values ($1, 'https://shop.kz/hook', $2) returning id::integer`,
    [companyId, EVENT_TYPES],
  );
  const place = { companyId, id: (endpoint as { id: number }).id };
  for (let from = 0; from < EVENTS; from += EVENTS_PER_STATEMENT) {
    await insertPastDeliveries(sql, place, {
      from,
      to: from + EVENTS_PER_STATEMENT,
      count: EVENTS,
    });
  }
}

/** What the pages of that endpoint read, and the steps of a replay. */
export async function webhookReads(
  db: Database,
  { companyId }: Client,
): Promise<Record<string, Read>> {
  const [endpoint] = await db.query<{ id: number }>(
    'select id::integer from webhook_endpoint where company_id = $1',
    [companyId],
  );
  const { id } = endpoint as { id: number };
  const ref = { companyId, id };
  const long = new Date(Date.now() - 30 * DAY_MS);
  const old = lowestIdAt(Date.now() - 19 * DAY_MS);
  const list =
    (filter: Partial<Parameters<typeof listDeliveries>[1]>): Read =>
    (sql) =>
      listDeliveries({ db: sql }, { ...ref, ...filter });
  const count =
    (which: 'failed' | 'all'): Read =>
    (sql) =>
      countReplay({ db: sql, clock: systemClock }, { ...ref, which, since: long });
  const { deliveries } = await listDeliveries({ db }, ref);
  const webhookId = webhookIdOf(deliveries[0]?.id ?? '');
  let replayed: string | undefined;
  return {
    'webhook, newest': list({}),
    'webhook, 19 days ago': list({ cursor: old }),
    'webhook, failed': list({ state: 'failed' }),
    'webhook, a type': list({ type: 'otp.verified' }),
    'webhook, a type that never failed': list({ type: 'otp.verified', state: 'failed' }),
    'webhook, one event': (sql) =>
      readDelivery({ db: sql }, { ...ref, webhookId, canSeePhones: true }),
    'webhook, count failed': count('failed'),
    'webhook, count all': count('all'),
    'webhook, chart of 7 days': (sql) =>
      readFigures({ db: sql, clock: systemClock }, { ...ref, range: '7d' }),
    'webhook, replay of 2,000': async (sql) => {
      const filter = { which: 'all', since: long, after: replayed, limit: 2_000 } as const;
      replayed = (await makeDue(sql, id, filter)).last ?? undefined;
    },
    'webhook, claim after a replay': (sql) => claimDeliveries(sql, CLAIM),
  };
}
