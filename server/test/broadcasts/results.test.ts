import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROADCAST_RESULT_ENDPOINTS as E } from '@zhiber/contract/cabinet/broadcast-results.ts';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { parse } from 'csv-parse/sync';
import readXlsx from 'read-excel-file/node';
import { eachRecipient } from '../../src/broadcasts/results/results.ts';
import { scanRecipients } from '../../src/broadcasts/results/results-store.ts';
import { findRun, type Run } from '../../src/broadcasts/results/run-store.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { useService } from '../harness.ts';
import { EVERY_OUTCOME, type SeedRecipient, seedRun } from './seed-run.ts';

const service = useService();
const { person, as } = createCabinetClient(service);

const startedRun = async (id: string) => (await findRun(service.ctx.db, id)) as Run;

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
        `+${phones[0]}`,
        `+${phones[0]}`,
        `'=HYPERLINK("http://evil.kz")`,
        'доставлено',
        '',
        'SMS',
        '8',
      ],
      [
        '3',
        `+${phones[1]}`,
        `+${phones[1]}`,
        'Әйгерім; "Қызғалдақ"',
        'прочитано',
        '',
        'Telegram',
        '3',
      ],
      [
        '4',
        `+${phones[2]}`,
        `+${phones[2]}`,
        'Нұрлан\nАсқар',
        'не доставлено',
        'Абонент заблокирован',
        'SMS',
        '0',
      ],
      [
        '5',
        `+${phones[3]}`,
        `+${phones[3]}`,
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
