/** A page of a long log reads as little as one of a short log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId } from '../../src/ids.ts';
import { listDeliveries } from '../../src/webhooks/read-deliveries.ts';
import { countReplay } from '../../src/webhooks/replay-webhook.ts';
import { analyzeTables } from '../analyze-tables.ts';
import { explainQueries } from '../cabinet/explain-queries.ts';
import { useService } from '../harness.ts';
import { insertPastDeliveries } from './past-deliveries.ts';
import { createWebhookRig } from './webhook-rig.ts';

const service = useService();
const rig = createWebhookRig(service);
const EVENTS = 40_000;
const PAGE = 50;
/** An endpoint with a long log, made once for all tests. */
let made: Promise<{ companyId: CompanyId; id: number }> | undefined;
const endpoint = () => {
  made ??= makeLog();
  return made;
};

async function makeLog() {
  const companyId = await service.company();
  const { id } = await rig.endpoint(companyId, 'http://127.0.0.1:9/');
  await insertPastDeliveries(service.sql, { companyId, id }, { to: EVENTS });
  await analyzeTables(service, 'webhook_delivery', 'webhook_event');
  return { companyId, id };
}

type Filter = Partial<Parameters<typeof listDeliveries>[1]>;

async function read(filter: Filter) {
  const { db, largest } = explainQueries(service.ctx.db);
  const page = await listDeliveries({ db }, { ...(await endpoint()), ...filter });
  return { ...page, rows: largest.rows };
}

test('a page of any filter reads few rows, also where nothing is found', async () => {
  const newest = await read({});
  assert.equal(newest.deliveries.length, PAGE);
  assert(newest.rows <= PAGE + 1, `${newest.rows} rows`);
  const filters: [Filter, found: number][] = [
    [{ cursor: newest.next ?? '' }, PAGE],
    [{ state: 'failed' }, PAGE],
    [{ state: 'missed' }, PAGE],
    [{ state: 'waiting' }, 0],
    [{ type: 'otp.verified' }, PAGE],
    [{ type: 'message.failed' }, PAGE],
    [{ type: 'otp.verified', state: 'delivered' }, PAGE],
    // Many of the type, many of the state, none of both.
    [{ type: 'otp.verified', state: 'failed' }, 0],
    [{ type: 'message.failed', state: 'delivered' }, 0],
    [{ type: 'message.failed', state: 'failed', cursor: newest.next ?? '' }, PAGE],
  ];
  for (const [filter, found] of filters) {
    const { deliveries, rows } = await read(filter);
    const name = JSON.stringify(filter);
    assert.equal(deliveries.length, found, name);
    // A type alone reads a page of each of the four states.
    assert(rows <= 4 * (PAGE + 1), `${rows} rows for ${name}`);
  }
});

test('the pages of a type are in order, and none of its events is missing', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  const ref = await endpoint();
  do {
    const { deliveries, next } = await listDeliveries(service.ctx, {
      ...ref,
      type: 'message.sent',
      cursor,
    });
    assert(deliveries.every(({ type }) => type === 'message.sent'));
    seen.push(...deliveries.map(({ id }) => id));
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(seen, seen.toSorted().toReversed());
  assert.equal(new Set(seen).size, EVENTS / 10);
});

test('what a replay would send is counted no further than it is shown', async () => {
  const { db, largest } = explainQueries(service.ctx.db);
  const filter = { ...(await endpoint()), which: 'all', since: new Date(0) } as const;
  assert.equal(await countReplay({ ...service.ctx, db }, filter), 10_001);
  assert(largest.rows <= 10_001, `${largest.rows} rows`);
});
