import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROADCAST_RESULT_ENDPOINTS as E } from '@zhiber/contract/cabinet/broadcast-results.ts';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { parse } from 'csv-parse/sync';
import readXlsx from 'read-excel-file/node';
import {
  countProgress,
  findFailureShare,
  storeCounts,
} from '../../src/broadcasts/results/count-progress.ts';
import { createRecount } from '../../src/broadcasts/results/recount-broadcasts.ts';
import { eachRecipient } from '../../src/broadcasts/results/results.ts';
import {
  findRun,
  type Run,
  scanRecipients,
  takeDueCounts,
} from '../../src/broadcasts/results/results-store.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { useService } from '../harness.ts';
import { type SeedRecipient, seedRun } from './seed-run.ts';

const service = useService();
const { person, as } = createCabinetClient(service);

/** Fourteen recipients: every way in which a message can stand, and both ways of having none. */
const EVERY_OUTCOME: readonly SeedRecipient[] = [
  {},
  {},
  { skipped: 'unsubscribed' },
  { state: 'sending', channel: 'telegram' },
  // The failure was reported, and another channel is left or under way.
  { state: 'sent', receipt: 'failed', channel: 'telegram', charged: 3, route: 'sms' },
  {
    state: 'sent',
    receipt: 'failed',
    channel: 'telegram',
    charged: 3,
    second: { state: 'sending' },
  },
  { state: 'sent', channel: 'telegram', charged: 3, clicks: [{ by: 'robot', after: 60 }] },
  { state: 'sent', receipt: 'unconfirmed', channel: 'sms', charged: 8 },
  {
    state: 'sent',
    receipt: 'delivered',
    channel: 'sms',
    charged: 8,
    clicks: [
      { by: 'robot', after: 50 },
      { by: 'person', after: 90 },
      { by: 'person', after: 95 },
    ],
  },
  {
    state: 'sent',
    receipt: 'read',
    channel: 'telegram',
    charged: 3,
    clicks: [{ by: 'person', after: 200 }],
  },
  { state: 'failed', channel: 'sms', reason: 'Абонент заблокирован' },
  {
    state: 'sent',
    receipt: 'failed',
    channel: 'telegram',
    charged: 3,
    reason: 'Бот остановлен',
    second: { state: 'refused', reason: 'Абонент заблокирован' },
  },
  // The second channel may have it.
  {
    state: 'sent',
    receipt: 'failed',
    channel: 'telegram',
    charged: 3,
    second: { state: 'unknown' },
  },
  { state: 'unknown', channel: 'sms', reason: 'Оператор не ответил' },
];

const startedRun = async (id: string) => (await findRun(service.ctx.db, id)) as Run;

test('every recipient is in one outcome, and money, channels, clicks and unsubscriptions are counted', async () => {
  const key = await service.key();
  const { id, phones } = await seedRun(service.sql, key, EVERY_OUTCOME, { state: 'paused' });
  await service.sql(
    `insert into unsubscribed (phone, company_id, source, broadcast_id)
     values ($1, $2, 'link', $3), ($1, null, 'link', $3), ($4, $2, 'company', null)`,
    [phones[8], key.companyId, id, phones[9]],
  );
  const progress = await countProgress(service.ctx.db, id);
  assert.deepEqual(progress, {
    recipients: 14,
    outcomes: {
      waiting: 2,
      sending: 3,
      sent: 2,
      delivered: 1,
      read: 1,
      failed: 2,
      unknown: 2,
      skipped: 1,
    },
    charged: 3 + 3 + 3 + 8 + 8 + 3 + 3 + 3,
    // The carried ones alone: sent, delivered and read.
    channels: { whatsapp: 0, telegram: 2, sms: 2 },
    clicked: 2,
    unsubscribed: 1,
    rate: 0,
    ends_at: null,
    counted_at: progress.counted_at,
  });
});

test('the rate is that of the last minute, and the end follows from it', async () => {
  const key = await service.key();
  // 30 left in the first second, long ago; 12 in the last minute; 24 wait.
  const recipients: SeedRecipient[] = [
    ...Array.from({ length: 30 }, () => ({ state: 'sent', after: 1 }) as const),
    ...Array.from({ length: 12 }, () => ({ state: 'sent', after: 595 }) as const),
    ...Array.from({ length: 24 }, () => ({})),
    // While the others are counted, more leave: they belong to the next count.
    ...Array.from({ length: 9 }, () => ({ state: 'sent', after: 630 }) as const),
  ];
  const seeded = { state: 'running', startedSecondsAgo: 600 };
  const { id } = await seedRun(service.sql, key, recipients, seeded);
  const setQuiet = (from: number, to: number) =>
    service.sql(
      'update broadcast set quiet_from = $2, quiet_to = $3, skips_days_off = false where id = $1',
      [id, from, to],
    );
  await setQuiet(0, 0);
  const progress = await countProgress(service.ctx.db, id);
  assert.equal(progress.rate, 0.2);
  const countedMs = Date.parse(progress.counted_at);
  assert.equal(Date.parse(progress.ends_at ?? '') - countedMs, (24 / 0.2) * 1_000);

  // A rest of three hours around this one: the test may pass a full hour.
  const hour = Math.floor(countedMs / 3_600_000) + 5;
  await setQuiet((hour - 1) % 24, (hour + 2) % 24);
  const { rate, ends_at: endsAt } = await countProgress(service.ctx.db, id);
  const restEndsMs = (hour + 2 - 5) * 3_600_000;
  assert.equal(Date.parse(endsAt ?? '') - restEndsMs, Math.ceil(24 / rate) * 1_000);
});

test('the outcomes add up in every count while recipients move between them', async () => {
  const key = await service.key();
  const recipients = Array.from({ length: 60 }, () => ({ state: 'sending' }) as const);
  const { id, messageIds } = await seedRun(service.sql, key, recipients, { state: 'running' });
  let isMoving = true;
  const move = async () => {
    for (const messageId of messageIds) {
      await service.sql(
        `update message set state = 'sent', receipt = 'delivered', settled_at = clock_timestamp() where id = $1`,
        [messageId],
      );
    }
    isMoving = false;
  };
  const moving = move();
  const sums = new Set<number>();
  while (isMoving) {
    const { outcomes } = await countProgress(service.ctx.db, id);
    sums.add(Object.values(outcomes).reduce((sum, count) => sum + count, 0));
  }
  await moving;
  assert.deepEqual([...sums], [60]);
});

test('stored counts never go back in time', async () => {
  const key = await service.key();
  const { id } = await seedRun(service.sql, key, [
    { state: 'sent', clicks: [{ by: 'person', after: 9 }] },
  ]);
  const stored = async () => (await startedRun(id)).counts;
  assert.equal((await storeCounts(service.ctx.db, id)).clicked, 1);
  await service.sql(
    `update broadcast set counted_at = counted_at + interval '1 day' where id = $1`,
    [id],
  );
  await service.sql('delete from click where company_id = $1', [key.companyId]);
  const before = await stored();
  assert.equal((await storeCounts(service.ctx.db, id)).clicked, 0);
  assert.deepEqual(await stored(), before);
});

/** Makes the counts of these due, the first one longest, and no others. */
async function countOnly(...ids: string[]) {
  await service.sql(
    `update broadcast set next_count_at = coalesce(
       clock_timestamp() - interval '1 hour' + array_position($1::uuid[], id) * interval '1 minute', 'infinity')`,
    [ids],
  );
}

test('a broadcast under way is counted in slices, each recipient once, and small ones do not wait for it', async () => {
  const key = await service.key();
  // 1,200 recipients make three slices; the last row of each has another outcome.
  const large = Array.from(
    { length: 1_200 },
    (_, i): SeedRecipient =>
      i % 500 === 499 || i === 1_199 ? { state: 'failed' } : { state: 'sent', channel: 'sms' },
  );
  const clicked: SeedRecipient = { state: 'sent', clicks: [{ by: 'person', after: 1 }] };
  const { id } = await seedRun(service.sql, key, [...large, clicked], { state: 'running' });
  const { id: small } = await seedRun(service.sql, key, [clicked, {}], { state: 'paused' });
  const outcomesOf = async (one: string) => (await startedRun(one)).counts?.outcomes;
  const recount = createRecount(service.ctx);
  await countOnly(id, small);

  await recount();
  await recount();
  assert.deepEqual(
    [await outcomesOf(id), (await outcomesOf(small))?.waiting],
    [undefined, 1],
    'one slice of the large one, then the small one',
  );
  await recount();
  await recount();
  const counts = (await startedRun(id)).counts;
  assert.deepEqual(
    [counts?.outcomes.sent, counts?.outcomes.failed, counts?.clicked, counts?.recipients],
    [1_198, 3, 1, 1_201],
  );
});

test('one node counts a broadcast, until its lease ends', async () => {
  const key = await service.key();
  const { id } = await seedRun(service.sql, key, [{ state: 'sent' }, {}], { state: 'running' });
  await countOnly(id);
  await createRecount(service.ctx)();
  const first = await startedRun(id);
  assert.equal(first.counts?.outcomes.sent, 1);
  const dueIn = async () => {
    const [row] = await service.sql<{ seconds: number }>(
      'select extract(epoch from next_count_at - clock_timestamp())::float8 as seconds from broadcast where id = $1',
      [id],
    );
    return row?.seconds ?? 0;
  };
  const running = await dueIn();
  assert.ok(running > 0 && running <= 1.5, `due again in ${running} s while it runs`);

  await countOnly(id);
  const taken = await Promise.all(
    Array.from({ length: 4 }, () =>
      takeDueCounts(service.ctx.bulk, { limit: 10, leaseSeconds: 60 }),
    ),
  );
  assert.equal(taken.flat().filter((one) => one === id).length, 1);
  const leased = await dueIn();
  assert.ok(leased > 50 && leased <= 60, `leased for ${leased} s`);
});

test('clicks are counted every twenty seconds, and kept between', async () => {
  const key = await service.key();
  const { id } = await seedRun(
    service.sql,
    key,
    [{ state: 'sent', clicks: [{ by: 'person', after: 9 }] }],
    { state: 'paused' },
  );
  const recountAt = async (countedAt: string) => {
    await service.sql(`update broadcast set counted_at = ${countedAt} where id = $1`, [id]);
    await countOnly(id);
    await createRecount(service.ctx)();
    const { counts, counted_at } = await startedRun(id);
    return { clicked: counts?.clicked, countedAt: counted_at };
  };
  assert.equal((await recountAt('null')).clicked, 1);
  await service.sql('delete from click where company_id = $1', [key.companyId]);
  // The period of twenty seconds may end between the two statements: then the clicks are counted.
  const periodOf = (at: Date | null | undefined) => Math.floor((at?.getTime() ?? 0) / 20_000);
  let before: Date | null = null;
  for (;;) {
    const [row] = await service.sql<{ now: Date }>('select clock_timestamp() as now', []);
    before = row?.now ?? null;
    const { clicked, countedAt } = await recountAt('clock_timestamp()');
    if (periodOf(before) !== periodOf(countedAt)) continue;
    assert.equal(clicked, 1);
    break;
  }
  assert.equal((await recountAt(`clock_timestamp() - interval '20 seconds'`)).clicked, 0);
});

test('the share of failures is that of the last 200 settled messages, without unknown ones', async () => {
  const key = await service.key();
  const refused = { state: 'failed', reason: 'Номер не обслуживается' } as const;
  const recipients: SeedRecipient[] = [
    // Too old to be among the last 200.
    ...Array.from({ length: 5 }, () => refused),
    ...Array.from({ length: 168 }, () => ({ state: 'sent', receipt: 'delivered' }) as const),
    ...Array.from({ length: 2 }, () => ({ state: 'failed', reason: 'Спам' }) as const),
    ...Array.from({ length: 20 }, () => ({ state: 'unknown', reason: 'Нет ответа' }) as const),
    ...Array.from({ length: 10 }, () => refused),
    { state: 'sending' },
    {},
  ];
  const { id } = await seedRun(service.sql, key, recipients, { state: 'running' });
  const { started_at } = await startedRun(id);
  assert.deepEqual(await findFailureShare(service.ctx.db, id, started_at), {
    messages: 200,
    failed: 12,
    reason: 'Номер не обслуживается',
  });
  // Since it was resumed, 193 seconds after the start.
  const resumedAt = new Date(started_at.getTime() + 193_000);
  const share = await findFailureShare(service.ctx.db, id, resumedAt);
  assert.deepEqual([share.messages, share.failed], [12, 10]);
});

test('failures that a channel reports late count, although newer messages are only accepted', async () => {
  const key = await service.key();
  const recipients: SeedRecipient[] = [
    ...Array.from({ length: 50 }, () => ({ state: 'sent', receipt: 'failed', after: 10 }) as const),
    ...Array.from({ length: 200 }, () => ({ state: 'sent', after: 95 }) as const),
  ];
  const seeded = { state: 'running', startedSecondsAgo: 100 };
  const { id } = await seedRun(service.sql, key, recipients, seeded);
  const { started_at } = await startedRun(id);
  const share = await findFailureShare(service.ctx.db, id, started_at);
  assert.deepEqual([share.messages, share.failed], [50, 50]);
});

test('the page of results has the figures, the times, the reasons and the last failures', async () => {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as never;
  const key = await service.key({ companyId });
  const { id, messageIds, phones } = await seedRun(service.sql, key, EVERY_OUTCOME);
  const answer = (await as(owner).call(E.results, { params: { id } })).ok();
  assert.equal(answer.progress.recipients, 14);
  assert.equal(answer.progress.clicked, 2);
  assert.equal(answer.step, 'minute');
  const total = (name: 'sent' | 'delivered' | 'failed' | 'clicked') =>
    answer.times.reduce((sum, bucket) => sum + bucket[name], 0);
  assert.deepEqual(
    [total('sent'), total('delivered'), total('failed'), total('clicked')],
    [8, 2, 2, 2],
  );
  const minutes = answer.times.map(({ at }) => Date.parse(at) / 60_000);
  assert.deepEqual(
    minutes,
    Array.from(minutes, (_, place) => (minutes[0] as number) + place),
  );
  assert.deepEqual(answer.reasons, [
    { reason: 'Абонент заблокирован', channel: 'sms', count: 2 },
    { reason: '', channel: 'sms', count: 1 },
    { reason: 'unsubscribed', channel: null, count: 1 },
    { reason: 'Оператор не ответил', channel: 'sms', count: 1 },
  ]);
  assert.deepEqual(
    answer.last_failures.map(({ message_id, number, phone, reason }) => [
      message_id,
      number,
      phone,
      reason,
    ]),
    [
      [messageIds[11], 13, `+${phones[11]}`, 'Абонент заблокирован'],
      [messageIds[10], 12, `+${phones[10]}`, 'Абонент заблокирован'],
    ],
  );
  const viewer = await person({ role: 'viewer', companyId });
  const seen = (await as(viewer).call(E.results, { params: { id } })).ok();
  assert.match(seen.last_failures[0]?.phone ?? '', /^\+7701\*\*\*\d{4}$/);
});

test('a draft and the broadcast of another company have no results', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key();
  const { id } = await seedRun(service.sql, key, [{ state: 'failed' }]);
  for (const endpoint of [E.results, E.recipients, E.repeatFailed]) {
    (await as(owner).call(endpoint, { params: { id } } as never)).refused('not_found');
  }
  const query = { which: 'all', format: 'csv' } as const;
  (await as(owner).call(E.exportRecipients, { params: { id }, query })).refused('not_found');
  (await as(owner).call(E.results, { params: { id: 'none' } })).refused('not_found');
  const own = await service.key({ companyId: owner.companyId as never });
  const draft = await seedRun(service.sql, own, [{}], { state: 'draft' });
  await service.sql('update broadcast set started_at = null where id = $1', [draft.id]);
  (await as(owner).call(E.results, { params: { id: draft.id } })).refused('not_found');
});

test('the list of recipients filters by outcome and by clicks, and masks phones for a viewer', async () => {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as never;
  const key = await service.key({ companyId });
  const { id, phones, messageIds } = await seedRun(service.sql, key, EVERY_OUTCOME);
  const list = async (query: object, who = owner) =>
    (await as(who).call(E.recipients, { params: { id }, query: query as never })).ok().rows;
  const numbers = async (query: object) => (await list(query)).map(({ number }) => number);
  assert.deepEqual(
    (await list({})).map(({ outcome }) => outcome),
    [
      'waiting',
      'waiting',
      'skipped',
      'sending',
      'sending',
      'sending',
      'sent',
      'sent',
      'delivered',
      'read',
      'failed',
      'failed',
      'unknown',
      'unknown',
    ],
  );
  assert.deepEqual(await numbers({ outcome: 'failed' }), [12, 13]);
  assert.deepEqual(await numbers({ clicked: 'yes' }), [10, 11]);
  assert.deepEqual(await numbers({ clicked: 'no' }), [8, 9]);
  assert.deepEqual(await numbers({ clicked: 'yes', outcome: 'read' }), [11]);
  const [delivered] = await list({ outcome: 'delivered' });
  const { started_at } = await startedRun(id);
  assert.deepEqual(delivered, {
    number: 10,
    phone: `+${phones[8]}`,
    outcome: 'delivered',
    channel: 'sms',
    reason: null,
    charged: 8,
    sent_at: new Date(started_at.getTime() + 8_000).toISOString(),
    clicked_at: new Date(started_at.getTime() + 90_000).toISOString(),
    message_id: messageIds[8],
  });
  const viewer = await person({ role: 'viewer', companyId });
  assert.equal((await list({}, viewer))[0]?.phone, `+7701***${phones[0]?.slice(-4)}`);
});

test('a message of a broadcast names it, and only to its own company', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const { id, messageIds } = await seedRun(service.sql, key, [{ state: 'sent' }]);
  const params = { id: messageIds[0] as string };
  const read = async () => (await as(owner).call(M.message, { params })).ok().broadcast;
  assert.deepEqual(await read(), { id, name: 'Скидки недели' });
  await service.sql('update broadcast set company_id = $2 where id = $1', [
    id,
    await service.company(),
  ]);
  assert.equal(await read(), null);
});

test('pages of recipients follow each other without gaps, and find rare ones far down', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const recipients = Array.from(
    { length: 120 },
    (_, place): SeedRecipient =>
      place === 0 || place === 115 ? { state: 'unknown' } : { state: 'sent' },
  );
  const { id } = await seedRun(service.sql, key, recipients);
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const page = (await as(owner).call(E.recipients, { params: { id }, query })).ok();
    assert(page.rows.length <= 50);
    seen.push(...page.rows.map(({ number }) => number));
    cursor = page.next;
  } while (cursor !== null);
  assert.deepEqual(
    seen,
    Array.from({ length: 120 }, (_, place) => place + 2),
  );

  const run = await startedRun(id);
  const scan = (after: number) =>
    scanRecipients(
      service.ctx.db,
      run,
      { outcome: 'unknown' },
      { after, rowsMax: 5, windowRows: 50 },
    );
  assert.deepEqual(
    (await scan(0)).rows.map(({ number }) => number),
    [2],
  );
  assert.equal((await scan(0)).reached, 51);
  assert.deepEqual([(await scan(51)).rows, (await scan(51)).reached], [[], 101]);
  assert.deepEqual(
    (await scan(101)).rows.map(({ number }) => number),
    [117],
  );
  assert.equal((await scan(101)).reached, undefined);
  // Full before the window ends: the rest of the window is not skipped.
  const full = { after: 0, rowsMax: 3, windowRows: 50 };
  assert.equal((await scanRecipients(service.ctx.db, run, {}, full)).reached, 4);
  const all = [];
  for await (const { number } of eachRecipient(service.ctx.db, run, {}, 7)) all.push(number);
  assert.deepEqual(all, seen);
  (await as(owner).call(E.recipients, { params: { id }, query: { cursor: 'x' } })).refused(
    'validation_error',
  );
});

const EXPORTED: readonly SeedRecipient[] = [
  {
    state: 'sent',
    receipt: 'delivered',
    channel: 'sms',
    charged: 8,
    name: '=HYPERLINK("http://evil.kz")',
  },
  {
    state: 'sent',
    receipt: 'read',
    channel: 'telegram',
    charged: 3,
    name: 'Әйгерім; "Қызғалдақ"',
    clicks: [{ by: 'person', after: 60 }],
  },
  { state: 'failed', channel: 'sms', reason: 'Абонент заблокирован', name: 'Нұрлан\nАсқар' },
  { skipped: 'unsubscribed', name: '@SUM(A1)' },
];

test('exports are read by other programs, hold no formula, and are in the audit log', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const { id, phones } = await seedRun(service.sql, key, EXPORTED);
  const download = async (query: string) => {
    const url = `/cabinet/broadcasts/${id}/recipients/file?${query}`;
    const file = await service.http.inject({ url, headers: { cookie: owner.cookie } });
    assert.equal(file.statusCode, 200, file.payload);
    return file;
  };
  const csv = await download('which=all&format=csv');
  assert.match(String(csv.headers['content-disposition']), /filename="recipients-all-[\d-]+\.csv"/);
  const rows: string[][] = parse(csv.payload, { bom: true, delimiter: ';' });
  const sent = rows.map((row) => row[8]);
  assert.deepEqual(
    rows.map((row) => row.toSpliced(8, 2)),
    [
      ['Строка', 'Телефон', 'Телефон', 'Имя', 'Результат', 'Причина', 'Канал', 'Стоимость, ₸'],
      [
        '2',
        `'+${phones[0]}`,
        `'+${phones[0]}`,
        `'=HYPERLINK("http://evil.kz")`,
        'доставлено',
        '',
        'SMS',
        '8',
      ],
      [
        '3',
        `'+${phones[1]}`,
        `'+${phones[1]}`,
        'Әйгерім; "Қызғалдақ"',
        'прочитано',
        '',
        'Telegram',
        '3',
      ],
      [
        '4',
        `'+${phones[2]}`,
        `'+${phones[2]}`,
        'Нұрлан\nАсқар',
        'не доставлено',
        'Абонент заблокирован',
        'SMS',
        '0',
      ],
      [
        '5',
        `'+${phones[3]}`,
        `'+${phones[3]}`,
        `'@SUM(A1)`,
        'не отправлялось',
        'отписался до отправки',
        '',
        '0',
      ],
    ],
  );
  assert.match(sent[1] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.equal(sent[4], '');

  const book = await readXlsx((await download('which=all&format=xlsx&lang=en')).rawPayload);
  const sheet = (book as { data?: unknown[][] }[])[0]?.data ?? (book as unknown as unknown[][]);
  assert.deepEqual(
    sheet.map((row) => [row[0], row[3], row[4], row[7]]),
    [
      ['Row', 'Имя', 'Result', 'Cost, ₸'],
      [2, '=HYPERLINK("http://evil.kz")', 'delivered', 8],
      [3, 'Әйгерім; "Қызғалдақ"', 'read', 3],
      [4, 'Нұрлан\nАсқар', 'not delivered', 0],
      [5, '@SUM(A1)', 'not sent', 0],
    ],
  );
  const numbers = async (which: string) =>
    parse((await download(`which=${which}&format=csv&lang=kk`)).payload, {
      bom: true,
      delimiter: ';',
      fromLine: 2,
    }).map(([number]: string[]) => number);
  assert.deepEqual(await numbers('failed'), ['4']);
  assert.deepEqual(await numbers('clicked'), ['3']);
  assert.deepEqual(await numbers('not_clicked'), ['2']);
  const audit = await service.sql(
    `select object, after from audit_record where company_id = $1 and action = 'broadcast.exported' order by id`,
    [owner.companyId],
  );
  assert.deepEqual(audit.slice(0, 3), [
    { object: 'Скидки недели', after: { which: 'all', format: 'csv', rows: 4 } },
    { object: 'Скидки недели', after: { which: 'all', format: 'xlsx', rows: 4 } },
    { object: 'Скидки недели', after: { which: 'failed', format: 'csv', rows: 1 } },
  ]);
});

test('a repeat is a draft of those who failed, without unknown ones, and skips the unsubscribed', async () => {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as never;
  const key = await service.key({ companyId });
  const recipients: SeedRecipient[] = [
    { state: 'unknown' },
    { state: 'failed', name: 'Айдана' },
    { state: 'sent', receipt: 'delivered' },
    { state: 'failed', name: 'Болат' },
    { state: 'failed', name: 'Гүлнәр' },
    { state: 'failed', name: 'Жанар' },
  ];
  const { id, phones } = await seedRun(service.sql, key, recipients);
  await service.sql(
    `insert into unsubscribed (phone, company_id, source) values ($1, $2, 'word'), ($3, null, 'operator')`,
    [phones[3], companyId, phones[4]],
  );
  // The list of another company is none of ours.
  const foreign = await service.company();
  await service.sql(
    `insert into unsubscribed (phone, company_id, source) values ($1, $2, 'link')`,
    [phones[5], foreign],
  );
  const { id: copy } = (await as(owner).call(E.repeatFailed, { params: { id } })).ok();
  const [draft] = await service.sql(
    `select name, state, source, source_name, columns, phone_column, rows_state, rows_count, text, url, channels::text[],
       quiet_from, quiet_to, consent_basis, created_by, recipients, started_at, held from broadcast where id = $1`,
    [copy],
  );
  assert.deepEqual(draft, {
    name: 'Скидки недели — повторно',
    state: 'draft',
    source: 'failed',
    source_name: 'Скидки недели',
    columns: ['Телефон', 'Имя'],
    phone_column: 1,
    rows_state: 'checked',
    rows_count: 4,
    text: 'Здравствуйте, {{Имя|друг}}! :link',
    url: 'https://shop.kz/sale',
    channels: ['telegram', 'sms'],
    quiet_from: 22,
    quiet_to: 8,
    consent_basis: 'form',
    created_by: owner.personId,
    recipients: null,
    started_at: null,
    held: 0,
  });
  const rows = await service.sql(
    'select number, cells[2] as name, verdict, message_id from broadcast_row where broadcast_id = $1 order by number',
    [copy],
  );
  assert.deepEqual(rows, [
    { number: 1, name: 'Айдана', verdict: 'send', message_id: null },
    { number: 2, name: 'Болат', verdict: 'unsubscribed', message_id: null },
    { number: 3, name: 'Гүлнәр', verdict: 'unsubscribed', message_id: null },
    { number: 4, name: 'Жанар', verdict: 'send', message_id: null },
  ]);
});

test('nothing is repeated while the broadcast runs, or when nobody is left to repeat to', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const running = await seedRun(service.sql, key, [{ state: 'failed' }], { state: 'running' });
  const repeat = (id: string) => as(owner).call(E.repeatFailed, { params: { id } });
  (await repeat(running.id)).refused('changed_meanwhile');
  const reached = await seedRun(service.sql, key, [{ state: 'sent' }, { state: 'unknown' }]);
  (await repeat(reached.id)).refused('nothing_to_repeat');
  const drafts = await service.sql(
    `select from broadcast where company_id = $1 and state = 'draft'`,
    [owner.companyId],
  );
  assert.equal(drafts.length, 0);
});

test('the page of a broadcast under way shows the last count, unless no worker renews it', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const { id } = await seedRun(service.sql, key, [{ state: 'sent' }], { state: 'running' });
  const read = async () => (await as(owner).call(E.results, { params: { id } })).ok().progress;
  assert.equal((await read()).outcomes.sent, 1);
  await service.sql(`update message set receipt = 'delivered' where company_id = $1`, [
    owner.companyId,
  ]);
  const age = (seconds: number) =>
    service.sql(
      'update broadcast set counted_at = clock_timestamp() - make_interval(secs => $2) where id = $1',
      [id, seconds],
    );
  await age(30);
  assert.equal((await read()).outcomes.sent, 1);
  await age(61);
  assert.equal((await read()).outcomes.delivered, 1);
});

test('two weeks after its end a broadcast keeps the counts it has', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const { id } = await seedRun(service.sql, key, [{ state: 'sent' }]);
  const read = async () => (await as(owner).call(E.results, { params: { id } })).ok().progress;
  assert.equal((await read()).outcomes.sent, 1);
  const age = (days: number) =>
    service.sql(
      `update broadcast set ended_at = clock_timestamp() - make_interval(days => $2),
         counted_at = clock_timestamp() - make_interval(days => 1) where id = $1`,
      [id, days],
    );
  await service.sql(`update message set receipt = 'delivered' where company_id = $1`, [
    owner.companyId,
  ]);
  await age(15);
  assert.equal((await read()).outcomes.sent, 1);
  await age(13);
  assert.equal((await read()).outcomes.delivered, 1);
});
