import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import { MESSAGE_ENDPOINTS as M, type MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import { listMessages } from '../../src/messages/list-messages.ts';
import { WINDOW } from '../../src/messages/message-list-store.ts';
import { toQuery } from '../../src/messages/message-query.ts';
import { type TestKey, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { explainQueries } from './explain-queries.ts';
import { insertPastMessages, type PastMessages } from './past-messages.ts';

const service = useService();
const cabinet = createCabinetClient(service);

/** Reads all pages of a list. */
async function readAllPages(who: { cookie: string }, query: MessageFilter) {
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

async function createCompanyWithKey() {
  const key = await service.key({ balance: 10_000 });
  const owner = await cabinet.person({ companyId: key.companyId, role: 'owner' });
  return { ...key, owner };
}

test('the pages of a list contain every message of the company once, newest first', async () => {
  const { owner, ...key } = await createCompanyWithKey();
  await insertPastMessages(service.sql, { ...key, count: 120, fromHours: 3 });
  const other = await service.key();
  await insertPastMessages(service.sql, { ...other, count: 60, fromHours: 3 });
  const pages = await readAllPages(owner, {});
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

describe('the filter finds', () => {
  const setUp = async () => {
    const found = await createCompanyWithKey();
    const past = { ...found, fromHours: 2 };
    const make = (columns: NonNullable<PastMessages['columns']>, hours = 0.5) =>
      insertPastMessages(service.sql, { ...past, count: 1, fromHours: hours, columns });
    await make({ purpose: `'a'`, charged: '8' });
    await make({ purpose: `'b'`, receipt: `'read'`, channel: `'whatsapp'`, charged: '3' }, 0.6);
    await make({ purpose: `'c'`, receipt: `'failed'`, channel: `'telegram'` }, 0.7);
    await make({ purpose: `'d'`, receipt: 'null', kind: `'link'`, is_test: 'true' }, 0.8);
    await make({ purpose: `'e'`, state: `'failed'`, receipt: 'null' }, 0.9);
    await make({ purpose: `'f'`, state: `'unknown'`, receipt: 'null' }, 1.5);
    await make({ purpose: `'g'`, receipt: `'unconfirmed'`, recipient: '79161234567' }, 26);
    await make({ purpose: `'h'`, state: `'sending'`, receipt: 'null', channel: 'null' }, 24 * 10);
    // WhatsApp was tried first, and SMS delivered it.
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
    'custom bounds': [() => ({ from: hoursAgo(27), to: hoursAgo(0.85) }), 'efg'],
    'custom bounds rather than the range': [() => ({ from: hoursAgo(0.65), range: '30d' }), 'ab'],
    'thirty days': [{ range: '30d' }, 'abcdefghi'],
    'seven days': [{ range: '7d' }, 'abcdefg'],
    delivered: [{ state: ['delivered'] }, 'ai'],
    'one of several states': [{ state: ['read', 'sent', 'unconfirmed', 'unknown'] }, 'bdfg'],
    'failed, by the send or by a receipt': [{ state: ['failed'] }, 'ce'],
    sending: [{ state: ['sending'] }, 'h'],
    'the channel that accepted it': [{ channel: ['whatsapp'] }, 'b'],
    'a channel that was tried': [{ tried: ['whatsapp'] }, 'bi'],
    kind: [{ kind: ['link'] }, 'd'],
    purpose: [{ purpose: 'c' }, 'c'],
    mode: [{ mode: 'test' }, 'd'],
    charged: [{ is_charged: true }, 'ab'],
    'not charged': [{ is_charged: false }, 'cdefghi'],
    'several filters combined': [{ range: '7d', is_charged: true, channel: ['sms'] }, 'a'],
    'a phone in any spelling': [{ search: ' 8 (916) 123-45-67 ' }, 'g'],
    'a request id': [{ search: 'my-own.id' }, 'i'],
    'nothing for an unknown search text': [{ search: 'нет такого' }, ''],
    'everything for an empty list of states': [{ state: [] }, 'abcdefghi'],
  };
  for (const [name, [filter, purposes]] of Object.entries(cases)) {
    test(name, async () => {
      ready ??= setUp();
      const { owner } = await ready;
      const query = typeof filter === 'function' ? filter() : filter;
      const [page, ...more] = await readAllPages(owner, query);
      assert.deepEqual(more, []);
      assert.equal(page?.rows.map((row) => row.purpose).join(''), purposes);
    });
  }

  test('a message id, ignoring case, and a key', async () => {
    ready ??= setUp();
    const { owner, keyId } = await ready;
    const [page] = await readAllPages(owner, { purpose: 'd' });
    const id = page?.rows[0]?.id as string;
    const [found] = await readAllPages(owner, { search: id.toUpperCase() });
    assert.deepEqual(found?.rows, page?.rows);
    assert.equal((await readAllPages(owner, { key_id: keyId }))[0]?.rows.length, 9);
    assert.equal((await readAllPages(owner, { key_id: keyId + 1 }))[0]?.rows.length, 0);
  });

  test('rows with the path of each message through the channels', async () => {
    ready ??= setUp();
    const { owner, keyId } = await ready;
    const [moved] = await readAllPages(owner, { purpose: 'i' });
    assert.deepEqual(moved?.rows[0]?.path, [
      { channel: 'whatsapp', outcome: 'unconfirmed' },
      { channel: 'sms', outcome: 'delivered' },
    ]);
    const [refused] = await readAllPages(owner, { purpose: 'e' });
    assert.deepEqual(refused?.rows[0]?.path, [{ channel: 'sms', outcome: 'refused' }]);
    const [sent] = await readAllPages(owner, { purpose: 'a' });
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
    const [foreign] = await readAllPages(owner, { purpose: 'g' });
    assert.equal(foreign?.rows[0]?.country, 'RU');
  });
});

test('a phone can be searched by every role, and is masked without the right to see phones', async () => {
  const { companyId, keyId } = await createCompanyWithKey();
  await insertPastMessages(service.sql, { companyId, keyId, count: 1, fromHours: 1 });
  for (const [role, phone] of [
    ['owner', '+77010000001'],
    ['manager', '+77010000001'],
    ['support', '+77010000001'],
    ['developer', '+7701***0001'],
    ['viewer', '+7701***0001'],
  ] as const) {
    const who = await cabinet.person({ companyId, role });
    const [page] = await readAllPages(who, { search: '8 701 000-00-01' });
    assert.deepEqual(
      page?.rows.map((row) => row.phone),
      [phone],
    );
  }
});

test('the last digits of a phone find its messages, of hidden digits they tell nothing', async () => {
  const { companyId, keyId } = await createCompanyWithKey();
  const make = (recipient: string, columns = {}) =>
    insertPastMessages(service.sql, {
      companyId,
      keyId,
      count: 1,
      fromHours: 1,
      columns: { recipient, ...columns },
    });
  await make('77011230045');
  await make('77019990045');
  await make('77011230046');
  await make('79');
  await make('77011231111', { request_id: `'0045'` });
  const found = async (role: 'support' | 'developer', search: string) => {
    const [page] = await readAllPages(await cabinet.person({ companyId, role }), { search });
    return page?.rows.map((row) => row.phone).sort();
  };
  const all = ['+77011230045', '+77011231111', '+77019990045'];
  assert.deepEqual(await found('support', '…00-45'), all.toSpliced(1, 1));
  assert.deepEqual(await found('support', '0045'), all);
  assert.deepEqual(await found('support', '123-0045'), ['+77011230045']);
  const masked = ['+7701***0045', '+7701***0045'];
  assert.deepEqual(await found('developer', '123-0045'), masked);
  assert.deepEqual(await found('developer', '555-0045'), masked);
  const searches = await service.sql(
    `select 1 from audit_record where company_id = $1 and action = 'phones.searched'`,
    [companyId],
  );
  assert.equal(searches.length, 0, 'what everybody sees is not counted');
});

test('a message opens by its short id', async () => {
  const { owner, companyId, keyId } = await createCompanyWithKey();
  await insertPastMessages(service.sql, { companyId, keyId, count: 1, fromHours: 1 });
  const [page] = await readAllPages(owner, {});
  const id = page?.rows[0]?.id as string;
  const read = await cabinet.as(owner).call(M.message, { params: { id: shortMessageId(id) } });
  assert.equal(read.ok().id, id);
  const wrong = await cabinet.as(owner).call(M.message, { params: { id: 'msg_x' } });
  wrong.refused('not_found');
});

test('an invalid cursor or filter is refused, and an unusual one does not fail', async () => {
  const { owner } = await createCompanyWithKey();
  const invalid: Record<string, string>[] = [
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
  for (const query of invalid) {
    const answer = await cabinet.as(owner).call(M.messages, { query: query as never });
    answer.refused('validation_error');
  }
  const unusual = [
    { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' },
    { cursor: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
    { search: '\ud800' },
    { key_id: 999_999_999_999_999 },
  ];
  for (const query of unusual) (await cabinet.as(owner).call(M.messages, { query })).ok();
});

describe('the number of rows that a list reads does not grow with the number of messages', () => {
  const COUNT = WINDOW + 5_000;
  let ready: Promise<TestKey> | undefined;
  const setUp = async () => {
    const key = await service.key();
    await insertPastMessages(service.sql, {
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

  /** The list, and the number of message rows that the database read for it. */
  const read = async (filter: MessageFilter, cursor?: string) => {
    ready ??= setUp();
    const { companyId } = await ready;
    const { db, largest } = explainQueries(service.ctx.db);
    const page = await listMessages(db, companyId, toQuery(filter, new Date()), { cursor });
    return { ...page, rowsRead: largest.rows };
  };

  test('without a filter it reads only the rows of the page', async () => {
    const { rows, rowsRead } = await read({});
    assert.equal(rows.length, 50);
    assert(rowsRead <= 60, `${rowsRead} rows`);
  });

  test('a search for a phone reads only its messages', async () => {
    const { rows, rowsRead, next } = await read({ search: '+7 701 999-99-99' });
    assert.equal(rows.length, 3);
    assert.equal(next, null);
    assert(rowsRead <= 10, `${rowsRead} rows`);
  });

  test('a search for a rare match is done in steps that return their progress', async () => {
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

// Last, because the few rows of its months are read as a whole by a search over all of them.
test('a page goes on with messages of months before', async () => {
  const { owner, ...key } = await createCompanyWithKey();
  const DAY = 24;
  // The messages of an hour may belong to two months.
  await service.sql(
    `select make_partition('message', month, true, 65) from (
       select distinct date_trunc('month', (clock_timestamp() - make_interval(hours => age)) at time zone 'UTC')::date
         as month from unnest($1::integer[]) as age) m`,
    [[70 * DAY, 70 * DAY - 1, 130 * DAY, 130 * DAY - 1]],
  );
  for (const [count, fromHours] of [
    [30, 3],
    [10, 70 * DAY],
    [25, 130 * DAY],
  ] as const) {
    await insertPastMessages(service.sql, { ...key, count, fromHours, toHours: fromHours - 1 });
  }
  const pages = await readAllPages(owner, {});
  assert.deepEqual(
    pages.map((page) => page.rows.length),
    [50, 15],
  );
  const rows = pages.flatMap((page) => page.rows);
  assert.equal(new Set(rows.map(({ id }) => id)).size, 65);
  const times = rows.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted().reverse());
});
