/**
 * The cabinet's database reads, for a company with a million messages in a month, as many calls in
 * its request log, and as many events in the log of a webhook. For each read: its duration, and what
 * its largest statement reads.
 */

import type { MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import pg from 'pg';
import { openPriceCache } from '../server/src/billing/price-cache.ts';
import { systemClock } from '../server/src/clock.ts';
import type { Database } from '../server/src/db/database.ts';
import { lowestIdAt } from '../server/src/ids.ts';
import { listMessages } from '../server/src/messages/list-messages.ts';
import { listRequests, type RequestFilter } from '../server/src/messages/list-requests.ts';
import { countNewMessages } from '../server/src/messages/message-list-store.ts';
import { toQuery } from '../server/src/messages/message-query.ts';
import { readOverview } from '../server/src/messages/read-overview.ts';
import { explainQueries } from '../server/test/cabinet/explain-queries.ts';
import { insertPastMessages } from '../server/test/cabinet/past-messages.ts';
import type { RunSql } from '../server/test/harness.ts';
import { type Client, type Service, vacuumTables } from './service.ts';
import { insertWebhookLog, webhookReads } from './webhook-log.ts';

const MESSAGES = 1_000_000;
const DAYS = 27;
const REPEATS = 7;
const DAY_MS = 86_400_000;

export async function prepareReads(service: Service, client: Client): Promise<void> {
  // The service's statement timeout of 1.5 s is too short to insert a history.
  const sqlClient = new pg.Client(service.connection);
  await sqlClient.connect();
  try {
    const sql = (async (text, values) => (await sqlClient.query(text, values)).rows) as RunSql;
    await insertMonth(sql, client);
    await insertWebhookLog(sql, client);
  } finally {
    await sqlClient.end();
  }
  await vacuumTables(service.connection);
}

async function insertMonth(sql: RunSql, client: Client) {
  await sql(`update company set created_at = now() - interval '40 days' where id = $1`, [
    client.companyId,
  ]);
  await insertPastMessages(sql, {
    ...client,
    count: MESSAGES,
    fromHours: 24 * DAYS,
    columns: {
      // Some phones get several messages.
      recipient: '77010000000 + (n::bigint * 7919) % 600000',
      channel: `(array['whatsapp', 'telegram', 'sms'])[1 + n % 3]`,
      receipt: `case when n % 50 = 1 then 'failed' when n % 30 = 0 then 'unconfirmed' else 'delivered' end`,
      purpose: `case when n % 250000 = 1 then 'rare' else 'login' end`,
      attempt: 'case when n % 10 = 0 then 2 else 1 end',
      confirm_seconds: '1 + n % 6',
    },
  });
  const now = Date.now();
  for (let day = 0; day < DAYS; day++) {
    const [from, to] = [day + 1, day].map((days) => now - days * DAY_MS) as [number, number];
    await insertAttempts(sql, client, { from, to });
    await insertCalls(sql, client, { from, to });
  }
}

type Span = { from: number; to: number };

async function insertAttempts(sql: RunSql, client: Client, { from, to }: Span): Promise<void> {
  await sql(
    `insert into attempt (company_id, message_id, number, channel, state, receipt, price, started_at, settled_at)
     select company_id, id, k, (array['whatsapp', 'sms'])[k]::channel, 'accepted', 'delivered', 3, created_at,
       settled_at
     from message, generate_series(1, 2) as k
     where company_id = $1 and attempt = 2 and id >= $2 and id < $3`,
    [client.companyId, lowestIdAt(from), lowestIdAt(to)],
  );
}

async function insertCalls(sql: RunSql, client: Client, { from, to }: Span): Promise<void> {
  await sql(
    `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms)
     select at, $1, $2, 'log_' || extract(epoch from at)::bigint, '/api/otp/verify',
       case when n % 9 = 0 then 422 else 200 end,
       case when n = 18 then 'code_expired' when n % 9 = 0 then 'invalid_code' end, 5
     from (select n, $3::timestamptz + n * ($4::timestamptz - $3::timestamptz) / $5 as at
       from generate_series(1, $5::integer) as n) made`,
    [client.companyId, client.keyId, new Date(from), new Date(to), Math.round(MESSAGES / DAYS)],
  );
}

type Read = (sql: Database) => Promise<unknown>;

/** The context of an overview in a process with empty caches. */
export function overviewContext(db: Database) {
  return {
    db,
    reads: db,
    clock: systemClock,
    prices: openPriceCache({ db, clock: systemClock }),
    usageCounts: new Map(),
  };
}

/** A text table of every read. */
export async function measureReads(db: Database, client: Client): Promise<string> {
  const { companyId } = client;
  const list = (filter: MessageFilter): Read => {
    return (sql) => listMessages(sql, companyId, toQuery(filter, new Date()));
  };
  const requests = (filter: RequestFilter): Read => {
    return (sql) =>
      listRequests({ db: sql, reads: sql, clock: systemClock }, companyId, filter, undefined);
  };
  const overview = (range: '24h' | '30d'): Read => {
    return (sql) => readOverview(overviewContext(sql), companyId, { range, isTest: undefined });
  };
  const after = lowestIdAt(Date.now() - 60_000);
  const newer: Read = (sql) =>
    countNewMessages(sql, companyId, [{ query: toQuery({}, new Date()), after }], {
      after,
      bound: after,
      rowsMax: 2_000,
    });
  const reads: Record<string, Read> = {
    'messages, no filter': list({}),
    'messages, a phone': list({ search: '+7 701 000-00-01' }),
    'messages, failed': list({ state: ['failed'] }),
    'messages, a rare purpose': list({ purpose: 'rare' }),
    'messages, no such request': list({ search: 'req_nobody' }),
    'messages, tried and never there': list({ tried: ['telegram'], purpose: 'rare' }),
    'messages, yesterday and rare': list({ range: 'yesterday', purpose: 'rare' }),
    'messages, newer ones': newer,
    'requests, no filter': requests({}),
    'requests, a rare error': requests({ error_code: 'code_expired' }),
    'requests, no such request': requests({ request_id: 'nobody' }),
    'overview, for the first time': overview('30d'),
    'overview, 30 days': overview('30d'),
    'overview, 24 hours': overview('24h'),
    ...(await webhookReads(db, client)),
  };
  const lines = [
    'read                              | median ms | slowest ms | rows read | buffers',
  ];
  for (const [name, read] of Object.entries(reads)) {
    lines.push(await measureRead(db, name, read));
  }
  return lines.join('\n');
}

async function measureRead(db: Database, name: string, read: Read): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < (name.endsWith('first time') ? 1 : REPEATS); i++) {
    const startedAt = performance.now();
    await read(db);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const { db: explainedDb, largest } = explainQueries(db);
  await read(explainedDb);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const cells = [median.toFixed(1), (times.at(-1) ?? 0).toFixed(1), largest.rows, largest.buffers];
  return [name.padEnd(33), ...cells.map((cell) => String(cell).padStart(9))].join(' | ');
}
