import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MESSAGE_ENDPOINTS as M, type MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import { listMessages } from '../../src/history/list/list-messages.ts';
import { WINDOW } from '../../src/history/list/message-list-store.ts';
import { toQuery } from '../../src/history/list/message-query.ts';
import { type TestKey, useService } from '../harness.ts';
import { explained } from './explained.ts';
import { insertPast, type Past } from './past.ts';
import { signedIn } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);

/** Every page of a list, one after the other. */
async function everyPage(who: { cookie: string }, query: MessageFilter) {
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = (
      await cabinet.as(who).call(M.messages, {
        query: { ...query, ...(cursor !== undefined && { cursor }) },
      })
    ).ok();
    pages.push(page);
    cursor = page.next ?? undefined;
    assert(pages.length < 200, 'the list never ends');
  } while (cursor !== undefined);
  return pages;
}

async function companyWithKey() {
  const key = await service.key({ balance: 10_000 });
  const owner = await cabinet.person({ companyId: key.companyId, role: 'owner' });
  return { ...key, owner };
}

test('pages of a list hold every message once, newest first, and nothing of another company', async () => {
  const { owner, ...key } = await companyWithKey();
  await insertPast(service.sql, { ...key, count: 120, fromHours: 3 });
  const other = await service.key();
  await insertPast(service.sql, { ...other, count: 60, fromHours: 3 });
  const pages = await everyPage(owner, {});
  assert.deepEqual(
    pages.map((page) => page.rows.length),
    [50, 50, 20],
  );
  const ids = pages.flatMap((page) => page.rows.map((row) => row.id));
  const stored = await service.sql<{ id: string }>(
    'select id from message where company_id = $1 order by id desc',
    [key.companyId],
  );
  assert.deepEqual(
    ids,
    stored.map(({ id }) => id),
  );
  assert(pages.every((page) => page.searched_until === null));
});

describe('each filter finds what the page says it does', () => {
  const setUp = async () => {
    const found = await companyWithKey();
    const past = { ...found, fromHours: 2 };
    const make = (columns: NonNullable<Past['columns']>, hours = 0.5) =>
      insertPast(service.sql, { ...past, count: 1, fromHours: hours, columns });
    await make({ purpose: `'a'`, charged: '8' });
    await make({ purpose: `'b'`, receipt: `'read'`, channel: `'whatsapp'`, charged: '3' }, 0.6);
    await make({ purpose: `'c'`, receipt: `'failed'`, channel: `'telegram'` }, 0.7);
    await make({ purpose: `'d'`, receipt: 'null', kind: `'link'`, is_test: 'true' }, 0.8);
    await make({ purpose: `'e'`, state: `'failed'`, receipt: 'null' }, 0.9);
    await make({ purpose: `'f'`, state: `'unknown'`, receipt: 'null' }, 1.5);
    await make({ purpose: `'g'`, receipt: `'unconfirmed'`, recipient: '79161234567' }, 26);
    await make({ purpose: `'h'`, state: `'sending'`, receipt: 'null', channel: 'null' }, 24 * 10);
    // Tried by WhatsApp first, and carried by SMS.
    await make({ purpose: `'i'`, attempt: '2', request_id: `'my-own.id'` }, 24 * 20);
    await service.sql(
      `insert into attempt (company_id, message_id, number, channel, state, receipt, price, started_at, settled_at)
       select company_id, id, n, (array['whatsapp', 'sms'])[n]::channel, 'accepted',
         (array['unconfirmed', 'delivered'])[n]::receipt, 3, created_at, settled_at
       from message, generate_series(1, 2) as n where company_id = $1 and purpose = 'i'`,
      [found.companyId],
    );
    return found;
  };
  let ready: ReturnType<typeof setUp> | undefined;
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const cases: Record<string, [MessageFilter | (() => MessageFilter), string]> = {
    'the last hour': [{ range: 'hour' }, 'abcde'],
    'bounds of one’s own': [() => ({ from: hoursAgo(27), to: hoursAgo(0.85) }), 'efg'],
    'bounds of one’s own win': [() => ({ from: hoursAgo(0.65), range: '30d' }), 'ab'],
    'thirty days': [{ range: '30d' }, 'abcdefghi'],
    'seven days': [{ range: '7d' }, 'abcdefg'],
    delivered: [{ state: ['delivered'] }, 'ai'],
    'one of several states': [{ state: ['read', 'sent', 'unconfirmed', 'unknown'] }, 'bdfg'],
    'failed by the call or by the receipt': [{ state: ['failed'] }, 'ce'],
    'being sent': [{ state: ['sending'] }, 'h'],
    'the channel that carried it': [{ channel: ['whatsapp'] }, 'b'],
    'a channel that was tried': [{ tried: ['whatsapp'] }, 'bi'],
    kind: [{ kind: ['link'] }, 'd'],
    purpose: [{ purpose: 'c' }, 'c'],
    mode: [{ mode: 'test' }, 'd'],
    charged: [{ is_charged: true }, 'ab'],
    'not charged': [{ is_charged: false }, 'cdefghi'],
    'several at once': [{ range: '7d', is_charged: true, channel: ['sms'] }, 'a'],
    'a phone as people write it': [{ search: ' 8 (916) 123-45-67 ' }, 'g'],
    'a request id': [{ search: 'my-own.id' }, 'i'],
    'what nothing can be': [{ search: 'нет такого' }, ''],
    'no choice of states': [{ state: [] }, 'abcdefghi'],
  };
  for (const [name, [filter, purposes]] of Object.entries(cases)) {
    test(name, async () => {
      ready ??= setUp();
      const { owner } = await ready;
      const query = typeof filter === 'function' ? filter() : filter;
      const [page, ...more] = await everyPage(owner, query);
      assert.deepEqual(more, []);
      assert.equal(page?.rows.map((row) => row.purpose).join(''), purposes);
    });
  }

  test('a message id, in capitals too, and the key', async () => {
    ready ??= setUp();
    const { owner, keyId } = await ready;
    const [page] = await everyPage(owner, { purpose: 'd' });
    const id = page?.rows[0]?.id as string;
    const [found] = await everyPage(owner, { search: id.toUpperCase() });
    assert.deepEqual(found?.rows, page?.rows);
    assert.equal((await everyPage(owner, { key_id: keyId }))[0]?.rows.length, 9);
    assert.equal((await everyPage(owner, { key_id: keyId + 1 }))[0]?.rows.length, 0);
  });

  test('a row tells the way a message took', async () => {
    ready ??= setUp();
    const { owner, keyId } = await ready;
    const [moved] = await everyPage(owner, { purpose: 'i' });
    assert.deepEqual(moved?.rows[0]?.path, [
      { channel: 'whatsapp', outcome: 'unconfirmed' },
      { channel: 'sms', outcome: 'delivered' },
    ]);
    const [refused] = await everyPage(owner, { purpose: 'e' });
    assert.deepEqual(refused?.rows[0]?.path, [{ channel: 'sms', outcome: 'refused' }]);
    const [sent] = await everyPage(owner, { purpose: 'a' });
    const row = sent?.rows[0];
    assert.deepEqual(row, {
      id: row?.id,
      at: row?.at,
      phone: '+77010000001',
      country: null,
      kind: 'otp',
      has_link: false,
      purpose: 'a',
      state: 'delivered',
      reason: null,
      channel: 'sms',
      path: [{ channel: 'sms', outcome: 'delivered' }],
      took_ms: 2000,
      cost: 8,
      mode: 'live',
      key: { id: keyId, name: 'ключ' },
    });
    const [foreign] = await everyPage(owner, { purpose: 'g' });
    assert.equal(foreign?.rows[0]?.country, 'RU');
  });
});

test('whoever may not see phones finds one by its digits and sees it masked', async () => {
  const { companyId, keyId } = await companyWithKey();
  await insertPast(service.sql, { companyId, keyId, count: 1, fromHours: 1 });
  for (const [role, phone] of [
    ['owner', '+77010000001'],
    ['manager', '+77010000001'],
    ['developer', '+7701***0001'],
    ['viewer', '+7701***0001'],
  ] as const) {
    const who = await cabinet.person({ companyId, role });
    const [page] = await everyPage(who, { search: '8 701 000-00-01' });
    assert.deepEqual(
      page?.rows.map((row) => row.phone),
      [phone],
    );
  }
});

test('a cursor or a filter that nobody has given out is refused, never a failure', async () => {
  const { owner } = await companyWithKey();
  const bad: Record<string, string>[] = [
    { cursor: 'x' },
    { cursor: "' or 1=1" },
    { cursor: '0'.repeat(36) },
    { cursor: '\0' },
    { purpose: 'a\0b' },
    { from: 'yesterday' },
    { from: '2026-11-15T23:59:60Z' },
    { state: 'lost' },
    { key_id: '1e9' },
    { key_id: '-1' },
  ];
  for (const query of bad) {
    const answer = await cabinet.as(owner).call(M.messages, { query: query as never });
    answer.refused('validation_error');
  }
  const odd = [
    { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' },
    { cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
    { search: '\ud800' },
    { key_id: 999_999_999_999_999 },
  ];
  for (const query of odd) (await cabinet.as(owner).call(M.messages, { query })).ok();
});

describe('a list reads no more than it must, however many messages there are', () => {
  const COUNT = WINDOW + 5_000;
  let ready: Promise<TestKey> | undefined;
  const setUp = async () => {
    const key = await service.key();
    await insertPast(service.sql, {
      ...key,
      count: COUNT,
      fromHours: 24 * 20,
      columns: {
        purpose: `case when n % 10000 = 1 then 'rare' else 'login' end`,
        recipient: `case when n % 10000 = 1 then 77019999999 else 77010000000 + n end`,
      },
    });
    await service.sql('analyze message');
    return key;
  };

  /** The list, and how many rows the database read of messages to give it. */
  const read = async (filter: MessageFilter, cursor?: string) => {
    ready ??= setUp();
    const { companyId } = await ready;
    const { db, largest } = explained(service.ctx.db);
    const page = await listMessages(db, companyId, toQuery(filter, new Date()), { cursor });
    return { ...page, rowsRead: largest.rows };
  };

  test('without a filter it reads what it shows', async () => {
    const { rows, rowsRead } = await read({});
    assert.equal(rows.length, 50);
    assert(rowsRead <= 60, `${rowsRead} rows`);
  });

  test('a phone is found without reading others', async () => {
    const { rows, rowsRead, next } = await read({ search: '+7 701 999-99-99' });
    assert.equal(rows.length, 3);
    assert.equal(next, null);
    assert(rowsRead <= 10, `${rowsRead} rows`);
  });

  test('a rare match is looked for in steps that say how far they came', async () => {
    const first = await read({ purpose: 'rare' });
    assert.equal(first.rowsRead, WINDOW);
    assert.equal(first.rows.length, 2);
    assert(first.searchedUntil !== null && first.next !== null);
    const second = await read({ purpose: 'rare' }, first.next);
    assert.equal(second.rows.length, 1);
    assert.deepEqual([second.next, second.searchedUntil], [null, null]);
    const nothing = await read({ search: 'req_nobody', range: '30d' });
    assert.equal(nothing.rowsRead, WINDOW);
    assert.deepEqual(nothing.rows, []);
  });
});
