import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { PricedItem } from '@zhiber/contract/api/prices.ts';
import { KEY_ENDPOINTS as K } from '@zhiber/contract/cabinet/keys.ts';
import { OVERVIEW_ENDPOINTS as O } from '@zhiber/contract/cabinet/overview.ts';
import {
  listPrices,
  previewPrice,
  setPrice,
  withdrawPrice,
} from '../../src/billing/manage-prices.ts';
import { createPriceTable, openPriceCache } from '../../src/billing/price-cache.ts';
import type { PriceVersion } from '../../src/billing/price-store.ts';
import type { Context } from '../../src/context.ts';
import type { CompanyId } from '../../src/ids.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { advanceProcessClock, useService } from '../harness.ts';
import { openContext } from './two-nodes.ts';

const closers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closers) await close();
});
const service = useService();
const cabinet = createCabinetClient(service);

/** The midnight in Almaty at which a price changes: UTC+5. */
const MOMENT = new Date('2027-01-01T00:00:00+05:00');
const at = (ms: number) => new Date(MOMENT.getTime() + ms);

/** A node with its own pool and caches, whose clock stands where the test sets it. */
function openNodeAt(now: Date): Context & { setNow(now: Date): void } {
  const { ctx, close } = openContext(service);
  closers.push(close);
  let current = now;
  const clock = { now: () => current };
  return {
    ...ctx,
    clock,
    prices: openPriceCache({ db: ctx.db, clock }),
    setNow(moment) {
      current = moment;
    },
  };
}

const auditOf = (companyId: CompanyId) =>
  service.sql<{ action: string; object: string; before: object; after: object | null }>(
    `select action, object, before, after from audit_record where company_id = $1 order by id`,
    [companyId],
  );

const version = (one: Partial<PriceVersion> & { id: number }): PriceVersion => ({
  item: 'sms',
  company_id: null,
  tokens: 8,
  valid_from: new Date(0),
  ...one,
});
/** All four items cost 1 from the beginning. */
const BASE = (['whatsapp', 'telegram', 'sms', 'group'] as PricedItem[]).map((item, index) =>
  version({ id: index + 1, item, tokens: 1 }),
);
const OWN = 7 as CompanyId;
const OTHER = 8 as CompanyId;

describe('the price table', () => {
  const smsOf = (versions: PriceVersion[], company: CompanyId, moment: Date) =>
    createPriceTable([...BASE, ...versions], new Date(0)).pricesOf(company, moment).sms;

  test('a version holds from its very millisecond, not before', () => {
    const later = version({ id: 9, tokens: 5, valid_from: MOMENT });
    assert.equal(smsOf([later], OWN, at(-1)), 1);
    assert.equal(smsOf([later], OWN, at(0)), 5);
  });

  test('of two versions of one moment the later row wins, in any order of loading', () => {
    const first = version({ id: 9, tokens: 5, valid_from: MOMENT });
    const second = version({ id: 10, tokens: 6, valid_from: MOMENT });
    assert.equal(smsOf([first, second], OWN, at(0)), 6);
    assert.equal(smsOf([second, first], OWN, at(0)), 6);
  });

  test('the price of a company wins over a newer common price, and over no other company', () => {
    const own = version({ id: 9, company_id: OWN, tokens: 2, valid_from: at(-1000) });
    const common = version({ id: 10, tokens: 20, valid_from: MOMENT });
    assert.equal(smsOf([own, common], OWN, at(1)), 2);
    assert.equal(smsOf([own, common], OTHER, at(1)), 20);
  });

  test('a price of 0 is a price, and no price is the common one again', () => {
    const free = version({ id: 9, company_id: OWN, tokens: 0, valid_from: at(-1000) });
    const ended = version({ id: 10, company_id: OWN, tokens: null, valid_from: MOMENT });
    assert.equal(smsOf([free, ended], OWN, at(-1)), 0);
    assert.equal(smsOf([free, ended], OWN, at(0)), 1);
  });

  test('a clock that was set back reads the prices of the moment of loading', () => {
    const current = version({ id: 9, tokens: 5, valid_from: at(0) });
    const table = createPriceTable([...BASE.filter((v) => v.item !== 'sms'), current], at(10));
    assert.equal(table.pricesOf(OWN, at(-5)).sms, 5);
  });
});

test('a dated price takes effect at its moment on two nodes that had loaded it before', async () => {
  const nodes = [openNodeAt(at(-3_600_000)), openNodeAt(at(-3_600_000))] as const;
  const companyId = await service.company();
  const telegram = async () =>
    Promise.all(nodes.map(async (node) => (await node.prices.read(companyId)).telegram));
  assert.deepEqual(await telegram(), [3, 3]);
  await setPrice(nodes[0], {}, { item: 'telegram', tokens: 4, from: MOMENT, by: 'тест' });
  advanceProcessClock();
  assert.deepEqual(await telegram(), [3, 3]);

  nodes[0].setNow(at(-1));
  nodes[1].setNow(at(0));
  assert.deepEqual(await telegram(), [3, 4]);
  nodes[0].setNow(at(0));
  assert.deepEqual(await telegram(), [4, 4]);
});

test('a change reaches another node once its cache of a second has expired', async () => {
  const node = openNodeAt(new Date());
  const companyId = await service.company();
  assert.equal((await node.prices.read(companyId)).group, 0);
  await setPrice(node, {}, { item: 'group', companyId, tokens: 2, by: 'тест' });
  advanceProcessClock();
  assert.equal((await node.prices.read(companyId)).group, 2);
});

test('a thousand companies with prices of their own cost one query a second', async () => {
  const node = openNodeAt(new Date());
  const rows = await service.sql<{ id: CompanyId }>(
    `with made as (insert into company (name) select 'Компания ' || n from generate_series(1, 1000) n returning id)
     insert into price_version (item, company_id, tokens, valid_from)
     select 'sms', id, 100 + id % 50, clock_timestamp() - interval '1 hour' from made returning company_id as id`,
  );
  const asked: string[] = [];
  const db: Pick<Context['db'], 'query'> = {
    query: (text, values, name) => {
      asked.push(name ?? text);
      return node.db.query(text, values, name);
    },
  };
  const cache = openPriceCache({ db, clock: node.clock });
  for (const { id } of rows) assert.equal((await cache.read(id)).sms, 100 + (id % 50));
  assert.deepEqual(asked, ['read-price-revision', 'load-price-versions']);
  advanceProcessClock();
  for (const { id } of rows) await cache.read(id);
  assert.deepEqual(asked.slice(2), ['read-price-revision']);
});

test('a send is charged by the price of its company; one in flight keeps the price it was made at', async () => {
  const key = await service.key({ balance: 100 });
  const other = await service.key({ balance: 100 });
  const { companyId } = key;
  const send = async (one: typeof key) => {
    const body = { phone: service.phone(), channel: 'sms' };
    return (await service.call('/otp/send', body, one)).body;
  };
  const before = await send(key);
  await setPrice(service.ctx, {}, { item: 'sms', companyId, tokens: 11, by: 'тест' });
  advanceProcessClock();
  const after = await send(key);
  assert.deepEqual([before.cost, after.cost, (await send(other)).cost], [8, 11, 8]);
  const charged = await service.sql<{ charged: number }>(
    'select charged from message where company_id = $1 order by id',
    [companyId],
  );
  assert.deepEqual(charged, [{ charged: 8 }, { charged: 11 }]);
  assert.equal((await service.balance(companyId)).balance, 81);
});

test('the overview, the keys and the try page show what their company pays', async (t) => {
  const companyId = await service.company();
  const owner = await cabinet.person({ companyId, role: 'owner' });
  await setPrice(service.ctx, {}, { item: 'sms', companyId, tokens: 17, by: 'тест' });
  advanceProcessClock();
  assert.equal((await cabinet.as(owner).call(O.overview, { query: {} })).ok().prices.sms, 17);
  assert.equal((await cabinet.as(owner).call(K.keys, {})).ok().prices.sms, 17);
  service.ctx.demo = { companyId, name: 'Демо', keys: { test: 'a', live: 'b' } };
  t.after(() => {
    service.ctx.demo = undefined;
  });
  const tried = await service.http.inject({ method: 'GET', url: '/try/session' });
  assert.equal(tried.json().prices?.sms, 17, tried.payload);
});

test('the history has every version with its state, and the company its audit records', async () => {
  const companyId = await service.company();
  const now = new Date();
  const ctx = { ...service.ctx, clock: { now: () => now } };
  const set = (tokens: number | null, from?: Date) =>
    setPrice(ctx, {}, { item: 'sms', companyId, tokens, from, by: 'Айгуль' });
  await set(7);
  await set(6);
  const next = await set(5, MOMENT);
  assert(next.result === 'set');
  assert.equal(await withdrawPrice(ctx, {}, { id: next.id, by: 'Болат' }), 'withdrawn');
  assert.equal(await withdrawPrice(ctx, {}, { id: next.id, by: 'Болат' }), 'already_withdrawn');
  await set(null, MOMENT);

  const { prices, own, history } = await listPrices(ctx, { companyId });
  assert.equal(prices.sms, 6);
  assert.deepEqual(own, ['sms']);
  assert.deepEqual(
    history.map(({ tokens, state, set_by, withdrawn_by }) => ({
      tokens,
      state,
      set_by,
      withdrawn_by,
    })),
    [
      { tokens: null, state: 'future', set_by: 'Айгуль', withdrawn_by: null },
      { tokens: 5, state: 'withdrawn', set_by: 'Айгуль', withdrawn_by: 'Болат' },
      { tokens: 6, state: 'holds', set_by: 'Айгуль', withdrawn_by: null },
      { tokens: 7, state: 'past', set_by: 'Айгуль', withdrawn_by: null },
    ],
  );
  const events = await auditOf(companyId);
  assert.deepEqual(
    events.map(({ action, object, before }) => [action, object, before]),
    [
      ['price.set', 'sms', { tokens: 8 }],
      ['price.set', 'sms', { tokens: 7 }],
      ['price.set', 'sms', { tokens: 6 }],
      ['price.withdrawn', 'sms', { tokens: 5, from: '2027-01-01 00:00:00' }],
      ['price.set', 'sms', { tokens: 6 }],
    ],
  );
  assert.deepEqual(events[2]?.after, { tokens: 5, from: '2027-01-01 00:00:00' });
});

test('a withdrawn price never takes effect, also where it had been loaded', async () => {
  const node = openNodeAt(at(-60_000));
  const companyId = await service.company();
  const set = await setPrice(
    node,
    {},
    { item: 'sms', companyId, tokens: 99, from: MOMENT, by: 'т' },
  );
  assert(set.result === 'set');
  await node.prices.read(companyId);
  assert.equal(await withdrawPrice(node, {}, { id: set.id, by: 'т' }), 'withdrawn');
  advanceProcessClock();
  // Loaded again before the moment, and once more by a node that starts after it.
  await node.prices.read(companyId);
  node.setNow(at(0));
  assert.equal((await node.prices.read(companyId)).sms, 8);
  assert.equal((await openNodeAt(at(0)).prices.read(companyId)).sms, 8);
});

test('neither the past nor a price about to hold can be changed', async () => {
  const node = openNodeAt(at(-60_000));
  const companyId = await service.company();
  const price = { item: 'sms', companyId, tokens: 9, by: 'тест' } as const;
  assert.deepEqual(await setPrice(node, {}, { ...price, from: at(-60_001) }), {
    result: 'in_the_past',
  });
  const set = await setPrice(node, {}, { ...price, from: MOMENT });
  assert(set.result === 'set');
  node.setNow(at(-1_999));
  assert.equal(await withdrawPrice(node, {}, { id: set.id, by: 'тест' }), 'holds_already');
  assert.equal(await withdrawPrice(node, {}, { id: 999_999_999, by: 'тест' }), 'unknown');
  for (const text of [
    'update price_version set tokens = 1',
    'delete from price_version',
    'truncate price_version cascade',
  ]) {
    await assert.rejects(service.sql(text), /never changed/);
  }
});

test('a preview counts the charged sends of a week and names companies with another price', async () => {
  const key = await service.key({ balance: 100 });
  const other = await service.key({ balance: 100 });
  const test = await service.key({ companyId: key.companyId, isTest: true });
  await setPrice(
    service.ctx,
    {},
    {
      item: 'telegram',
      companyId: other.companyId,
      tokens: 5,
      by: 'тест',
    },
  );
  advanceProcessClock();
  const preview = () => previewPrice(service.ctx, { item: 'telegram' });
  const before = await preview();
  for (const one of [key, key, other, test]) {
    await service.call('/otp/send', { phone: service.phone(), channel: 'telegram' }, one);
  }
  const after = await preview();
  assert.equal(after.sends - before.sends, 2);
  assert.equal(after.before, 3);
  assert.deepEqual(
    after.otherPrices.filter(({ companyId }) => companyId === other.companyId),
    [{ companyId: other.companyId, tokens: 5 }],
  );
  const own = await previewPrice(service.ctx, { item: 'telegram', companyId: other.companyId });
  assert.deepEqual(own, { before: 5, otherPrices: [], sends: 1, days: 7 });
});

test('the previous release reads and sets the common price where it always did', async (t) => {
  t.after(() => setPrice(service.ctx, {}, { item: 'whatsapp', tokens: 3, by: 'тест' }));
  const read = () =>
    service.sql<{ tokens: number }>(`select item, tokens from price where item = 'whatsapp'`);
  assert.equal((await read())[0]?.tokens, 3);
  await service.sql(
    `update price set tokens = $2, changed_at = clock_timestamp() where item = $1`,
    ['whatsapp', 4],
  );
  assert.equal((await read())[0]?.tokens, 4);
  const companyId = await service.company();
  advanceProcessClock();
  assert.equal((await service.ctx.prices.read(companyId)).whatsapp, 4);
  await setPrice(service.ctx, {}, { item: 'whatsapp', companyId, tokens: 1, by: 'тест' });
  assert.equal((await read())[0]?.tokens, 4);
});
