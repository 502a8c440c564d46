import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BROADCAST_TEMPLATE_ENDPOINTS } from '@zhiber/contract/cabinet/broadcast-templates.ts';
import { BROADCAST_DRAFT_ENDPOINTS } from '@zhiber/contract/cabinet/broadcasts.ts';
import { AUDIT_ENDPOINTS, COMPANY_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import type { BodyOf } from '@zhiber/contract/cabinet/endpoint.ts';
import { costsOf, shareOut } from '../../src/broadcasts/drafts/estimate.ts';
import { findObstacles } from '../../src/broadcasts/drafts/obstacles.ts';
import { barHost } from '../../src/links/bar-host.ts';
import { createCabinetClient, type TestPerson } from '../cabinet/cabinet-client.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { advanceProcessClock, useService } from '../harness.ts';
import { type CheckedRow, insertCheckedRows } from './checked-rows.ts';

const service = useService();
const { person, as } = createCabinetClient(service);
const E = BROADCAST_DRAFT_ENDPOINTS;
const T = BROADCAST_TEMPLATE_ENDPOINTS;

type Change = BodyOf<typeof E.changeBroadcast>;

const create = async (who: TestPerson, name = 'Скидки') =>
  (await as(who).call(E.createBroadcast, { body: { name } })).ok().id;
const change = (who: TestPerson, id: string, body: Change) =>
  as(who).call(E.changeBroadcast, { params: { id }, body });
const read = async (who: TestPerson, id: string) =>
  (await as(who).call(E.broadcast, { params: { id } })).ok();
const check = async (who: TestPerson, id: string) =>
  (await as(who).call(E.checkText, { params: { id } })).ok();
const estimate = async (who: TestPerson, id: string) =>
  (await as(who).call(E.estimate, { params: { id } })).ok();
const sendToMe = (who: TestPerson, id: string) => as(who).call(E.sendToMe, { params: { id } });
const lastActions = async (who: TestPerson) =>
  (await as(who).call(AUDIT_ENDPOINTS.audit)).ok().rows.map(({ action }) => action);

const COLUMNS = ['Телефон', 'Имя', 'Сумма'];
const ROWS: CheckedRow[] = [
  { cells: ['77011110001', 'Айгүл', '12 500'] },
  { cells: ['77011110001', 'Айгүл', '1'], verdict: 'duplicate' },
  { cells: ['77011110002', '', '900'] },
  { cells: ['77011110003', '{{Сумма}} :link', '5'] },
  { cells: ['77011110004', 'Серік', '7'], verdict: 'unsubscribed' },
];

/** A draft that could be started. */
async function createReady(who: TestPerson, more: Change = {}, rows = ROWS): Promise<string> {
  const id = await create(who);
  await insertCheckedRows(service.sql, id, COLUMNS, rows);
  const text = '{{имя|клиент}}, скидка: :link';
  const body = { text, url: 'https://shop.kz/sale', channels: ['sms'], consent_basis: 'form' };
  (await change(who, id, { ...body, ...more } as Change)).ok();
  return id;
}

describe('a draft', () => {
  test('is created with the usual hours, changed in parts, and read again', async () => {
    const owner = await person({ role: 'owner' });
    const id = await create(owner, ' Скидки ');
    const empty = await read(owner, id);
    assert.equal(empty.name, 'Скидки');
    assert.deepEqual([empty.quiet_from, empty.quiet_to, empty.skips_days_off], [21, 9, true]);
    assert.deepEqual(empty.offered_channels, ['whatsapp', 'telegram', 'sms']);
    assert.deepEqual(empty.obstacles, ['no_recipients', 'no_text', 'no_channel', 'no_consent']);
    assert.deepEqual([empty.rows.state, empty.rows.verdicts], ['none', null]);
    assert.deepEqual([empty.version, empty.author], [1, `Человек ${owner.phone}`]);

    const start = '2027-01-14T04:00:00.000Z';
    (await change(owner, id, { version: 1, text: 'Скидка', channels: ['sms', 'telegram'] })).ok();
    const later = { start_at: start, spread_minutes: 90, quiet_from: 22, quiet_to: 8 };
    const more = { consent_basis: 'form', consent_note: ' Анкета ', name: 'Другая' } as const;
    const saved = (await change(owner, id, { version: 2, ...later, ...more })).ok();
    assert.equal(saved.version, 3);
    const changed = await read(owner, id);
    assert.deepEqual(changed.channels, ['sms', 'telegram']);
    assert.deepEqual([changed.text, changed.name], ['Скидка', 'Другая']);
    assert.deepEqual([changed.start_at, changed.spread_minutes], [start, 90]);
    assert.deepEqual([changed.quiet_from, changed.quiet_to], [22, 8]);
    assert.deepEqual([changed.consent_basis, changed.consent_note], ['form', 'Анкета']);

    (await change(owner, id, { start_at: null, consent_note: ' ' })).ok();
    const cleared = await read(owner, id);
    assert.deepEqual([cleared.start_at, cleared.consent_note], [null, null]);
    assert.deepEqual(await lastActions(owner), ['broadcast.created']);
  });

  test('is not overwritten by a page that shows an older version', async () => {
    const owner = await person({ role: 'owner' });
    const id = await create(owner);
    const both = await Promise.all(
      ['один', 'два'].map((text) => change(owner, id, { version: 1, text })),
    );
    const [first, second] = both.toSorted((a, b) => a.status - b.status);
    assert.equal(first?.ok().version, 2);
    second?.refused('broadcast_outdated');
    // The same again changes nothing, and makes no page older.
    const { text } = await read(owner, id);
    assert.equal((await change(owner, id, { version: 2, text })).ok().version, 2);
  });

  test('belongs to its company alone', async () => {
    const owner = await person({ role: 'owner' });
    const stranger = await person({ role: 'owner' });
    const id = await createReady(owner);
    const before = await read(owner, id);
    for (const endpoint of [E.broadcast, E.deleteBroadcast, E.checkText, E.sendToMe, E.estimate]) {
      (await as(stranger).call(endpoint, { params: { id } })).refused('not_found');
    }
    (await change(stranger, id, { text: 'чужой' })).refused('not_found');
    assert.deepEqual((await as(stranger).call(E.broadcasts)).ok().rows, []);
    assert.deepEqual(await read(owner, id), before);
    (await as(owner).call(E.broadcast, { params: { id: 'none' } })).refused('not_found');
  });

  test('is removed with its rows, and a started one is neither removed nor changed', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner);
    const params = { id };
    await service.sql(`update broadcast set state = 'scheduled' where id = $1`, [id]);
    (await as(owner).call(E.deleteBroadcast, { params })).refused('broadcast_not_draft');
    (await change(owner, id, { text: 'поздно' })).refused('broadcast_not_draft');
    assert.deepEqual((await read(owner, id)).obstacles, []);
    await service.sql(`update broadcast set state = 'draft' where id = $1`, [id]);
    (await as(owner).call(E.deleteBroadcast, { params })).ok();
    (await as(owner).call(E.broadcast, { params })).refused('not_found');
    const rows = await service.sql('select from broadcast_row where broadcast_id = $1', [id]);
    assert.equal(rows.length, 0);
    assert.equal((await lastActions(owner))[0], 'broadcast.deleted');
  });

  test('shows how its rows add up, and hides phones from those who bring none', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner);
    const { rows, recipients } = await read(owner, id);
    assert.equal(recipients, 3);
    assert.deepEqual(rows.verdicts, {
      ...{ send: 3, duplicate: 1, invalid: 0, cannot_receive: 0, other_country: 0 },
      ...{ unsubscribed: 1, no_consent: 0 },
    });
    assert.deepEqual([rows.rows, rows.phone_column, rows.columns], [5, 1, COLUMNS]);
    assert.deepEqual(rows.preview[0], { number: 2, cells: ['77011110001', 'Айгүл', '12 500'] });

    const viewer = await person({ role: 'viewer', companyId: owner.companyId as never });
    const masked = await read(viewer, id);
    assert.deepEqual(masked.rows.preview[0]?.cells, ['*******0001', 'Айгүл', '12 500']);
    (await change(owner, id, { text: 'Ваш номер {{телефон}}' })).ok();
    const { samples } = await check(viewer, id);
    assert.equal(samples[0]?.phone, '+7701***0001');
    assert.match(samples[0]?.texts.sms ?? '', /^Ваш номер \*{7}0001\n/);
  });

  test('is checked again when other countries are let in', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner);
    await service.sql(
      `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
       values ($1, 900, $2, '{+79161234567,Пётр,1}', 79161234567, 'other_country')`,
      [id, owner.companyId],
    );
    assert.equal((await read(owner, id)).rows.verdicts?.other_country, 1);
    (await change(owner, id, { includes_other_countries: true })).ok();
    const { rows, recipients } = await read(owner, id);
    assert.deepEqual([rows.state, rows.verdicts?.other_country], ['checked', 0]);
    (await change(owner, id, { includes_other_countries: false })).ok();
    assert.equal((await read(owner, id)).recipients, recipients - 1);
  });

  test('takes an address as a short link does', async () => {
    const owner = await person({ role: 'owner' });
    const id = await create(owner);
    (await change(owner, id, { url: 'HTTPS://Shop.kz' })).ok();
    assert.equal((await read(owner, id)).url, 'https://shop.kz/');
    for (const url of ['ftp://shop.kz', 'shop', 'https://a:b@shop.kz']) {
      (await change(owner, id, { url })).refused('invalid_url');
    }
    await barHost(service.ctx, { host: 'barred.kz', reason: 'фишинг' });
    advanceProcessClock();
    (await change(owner, id, { url: 'https://barred.kz/a' })).refused('invalid_url');
    assert.equal((await read(owner, id)).url, 'https://shop.kz/');
    (await change(owner, id, { url: '' })).ok();
    assert.equal((await read(owner, id)).url, null);
  });

  test('has the body of the approved template, whatever the page says', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner, { channels: ['whatsapp'] });
    assert.deepEqual((await read(owner, id)).obstacles, ['no_template']);
    const { templates } = (await as(owner).call(E.whatsappTemplates)).ok();
    const [approved] = templates;
    assert(approved !== undefined);
    const chosen = { ...approved, body: 'Чужой текст {{1}}', variables: ['{{имя|клиент}}'] };
    (await change(owner, id, { whatsapp_template: chosen })).ok();
    const draft = await read(owner, id);
    assert.equal(draft.whatsapp_template?.body, approved.body);
    assert.deepEqual(draft.obstacles, ['no_template'], 'two variables have no text');
    const whole = { ...chosen, variables: ['{{имя|клиент}}', 'Скидка', ':link'] };
    (await change(owner, id, { whatsapp_template: whole })).ok();
    assert.deepEqual((await read(owner, id)).obstacles, []);
    const unknown = { ...chosen, name: 'not_approved' };
    (await change(owner, id, { whatsapp_template: unknown })).refused('validation_error');
  });
});

test('the list shows the newest first, by state and in pages', async () => {
  const owner = await person({ role: 'owner' });
  const ids: string[] = [];
  for (let i = 0; i < 22; i++) ids.push(await create(owner, `Рассылка ${i}`));
  await service.sql(`update broadcast set state = 'done', recipients = 7 where id = $1`, [ids[3]]);
  const first = (await as(owner).call(E.broadcasts)).ok();
  const second = (
    await as(owner).call(E.broadcasts, { query: { cursor: String(first.next) } })
  ).ok();
  const listed = [...first.rows, ...second.rows].map(({ id }) => id);
  assert.deepEqual(listed, ids.toReversed());
  assert.deepEqual([first.rows.length, second.next], [20, null]);
  const query = { state: ['done' as const, 'cancelled' as const] };
  const done = (await as(owner).call(E.broadcasts, { query })).ok().rows;
  assert.deepEqual(
    done.map(({ id, recipients }) => [id, recipients]),
    [[ids[3], 7]],
  );
  (await as(owner).call(E.broadcasts, { query: { cursor: 'x' } })).refused('validation_error');
});

test('a company has at most 50 drafts', async () => {
  const owner = await person({ role: 'owner' });
  await service.sql(
    `insert into broadcast (id, company_id, name) select gen_random_uuid(), $1, 'x' from generate_series(1, 49)`,
    [owner.companyId],
  );
  const id = await create(owner);
  const body = { name: 'Ещё одна' };
  (await as(owner).call(E.createBroadcast, { body })).refused('too_many');
  await service.sql(`update broadcast set state = 'done' where id = $1`, [id]);
  (await as(owner).call(E.createBroadcast, { body })).ok();
});

describe('the text of a draft', () => {
  test('is shown for the first rows as people would get it', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner, { channels: ['telegram', 'sms'] });
    const { samples, unknown_variables, empty_cells } = await check(owner, id);
    const base = service.ctx.urls.shortLinkBase;
    const link = `${base}/Kd7mWq3x`;
    const stop = `${base}/u/Kd7mWq3x9bTzP`;
    assert.deepEqual(samples, [
      {
        ...{ number: 2, phone: '+77011110001', parts: 2 },
        texts: {
          telegram: `Айгүл, скидка: ${link}\n\nОтписаться: ${stop} или ответьте СТОП`,
          sms: `Айгүл, скидка: ${link}\nОткл: ${stop}`,
        },
      },
      {
        ...{ number: 4, phone: '+77011110002', parts: 2 },
        texts: {
          telegram: `клиент, скидка: ${link}\n\nОтписаться: ${stop} или ответьте СТОП`,
          sms: `клиент, скидка: ${link}\nОткл: ${stop}`,
        },
      },
      {
        ...{ number: 5, phone: '+77011110003', parts: 2 },
        texts: {
          telegram: `{{Сумма}} :link, скидка: ${link}\n\nОтписаться: ${stop} или ответьте СТОП`,
          sms: `{{Сумма}} :link, скидка: ${link}\nОткл: ${stop}`,
        },
      },
    ]);
    assert.deepEqual([unknown_variables, empty_cells], [[], []]);
  });

  test('is counted over all rows that will be sent, and over no others', async () => {
    const owner = await person({ role: 'owner' });
    const long = 'я'.repeat(120);
    const rows: CheckedRow[] = [
      { cells: ['77011110001', 'Я', ''] },
      { cells: ['77011110002', long, ''] },
      { cells: ['77011110003', 'я'.repeat(400), ''], verdict: 'duplicate' },
      { cells: ['77011110004', ' \n', '1'] },
      { cells: ['77011110005', `${long}я`, ''] },
    ];
    const text = '{{имя}}{{сумма|0}} {{Город}} {{нет|x}} {{не закрыта';
    const id = await createReady(owner, { text, url: null }, rows);
    const checked = await check(owner, id);
    const line = `\nОткл: ${service.ctx.urls.shortLinkBase}/u/Kd7mWq3x9bTzP`.length;
    // The text of row 3 has 120 letters and 16 more, and the line.
    assert(120 + 16 + line > 134 && 1 + 16 + line <= 70, String(line));
    assert.deepEqual([checked.parts_min, checked.parts_max], [1, 3]);
    assert.deepEqual([checked.too_long, checked.too_long_row], [2, 3]);
    assert.deepEqual(checked.unknown_variables, ['Город', 'нет', '{{не закрыта']);
    assert.deepEqual(checked.empty_cells, [{ column: 'Имя', rows: 1 }]);
    assert.deepEqual((await read(owner, id)).obstacles, ['unknown_variable']);
  });

  test('of many rows is counted in parts, to the last of them', async () => {
    const owner = await person({ role: 'owner' });
    const rows = Array.from({ length: 2_001 }, (_, i) => ({
      cells: [String(77_020_000_000 + i), i === 2_000 ? 'я'.repeat(200) : 'Я', ''],
    }));
    const id = await createReady(owner, { text: '{{имя}}{{сумма}}', url: null }, rows);
    const checked = await check(owner, id);
    assert.deepEqual([checked.too_long, checked.too_long_row], [1, 2_002]);
    assert.deepEqual(checked.empty_cells, [{ column: 'Сумма', rows: 2_001 }]);
  });

  test('is nothing to count without recipients or without a text', async () => {
    const owner = await person({ role: 'owner' });
    const id = await create(owner);
    assert.deepEqual(await check(owner, id), {
      success: true,
      ...{ parts_min: null, parts_max: null, too_long: 0, too_long_row: null },
      ...{ unknown_variables: [], empty_cells: [], samples: [] },
    });
  });

  test('of a template counts where WhatsApp carries it', async () => {
    const owner = await person({ role: 'owner' });
    const { templates } = (await as(owner).call(E.whatsappTemplates)).ok();
    const template = templates.find(({ name }) => name === 'visit_reminder');
    assert(template !== undefined);
    const whatsapp_template = { ...template, variables: ['{{имя}}', '{{город}}'] };
    const id = await createReady(owner, { channels: ['whatsapp'], whatsapp_template, text: '' });
    const checked = await check(owner, id);
    assert.deepEqual([checked.parts_min, checked.samples[0]?.parts], [null, 0]);
    assert.deepEqual(checked.unknown_variables, ['город']);
    assert.deepEqual(checked.empty_cells, [{ column: 'Имя', rows: 1 }]);
    assert.deepEqual(Object.keys(checked.samples[0]?.texts ?? {}), ['whatsapp']);
    assert.match(checked.samples[0]?.texts.whatsapp ?? '', /^Айгүл, ждём вас \. Чтобы/);
  });
});

describe('what stands in the way of a start', () => {
  const now = new Date('2026-11-17T10:00:00Z');
  const sample = (cells: readonly string[]) => ({
    cells,
    link: 'https://zhbr.kz/Kd7mWq3x',
    unsubscribeUrl: 'https://zhbr.kz/u/Kd7mWq3x9bTz',
  });
  const facts = { now, language: 'ru' as const, offeredChannels: ['sms' as const], sample };
  const ready = {
    ...{ text: 'Скидка, {{имя}}', url: null, whatsappTemplate: null, columns: COLUMNS },
    ...{ startAt: null, consentBasis: 'form' as const, recipients: 1 },
    channels: ['sms' as const],
  };
  const template = { name: 'a', language: 'ru', body: '{{1}}', variables: ['{{имя}}'] };
  const CASES: [string, Parameters<typeof findObstacles>[0], string[]][] = [
    ['nothing', ready, []],
    ['no rows to send', { ...ready, recipients: 0 }, ['no_recipients']],
    ['a blank text', { ...ready, text: ' \n' }, ['no_text']],
    ['a link without an address', { ...ready, text: ':link' }, ['no_url']],
    ['an unknown variable', { ...ready, text: '{{город}}' }, ['unknown_variable']],
    ['lone braces', { ...ready, text: 'а {{имя' }, ['unknown_variable']],
    ['a text of two parts', { ...ready, text: 'я'.repeat(134 - 37) }, []],
    ['a text of three', { ...ready, text: 'я'.repeat(135 - 37) }, ['text_too_long']],
    ['no channel', { ...ready, channels: [] }, ['no_channel']],
    ['a channel that is not offered', { ...ready, channels: ['telegram'] }, ['no_channel']],
    ['WhatsApp without a template', { ...ready, channels: ['sms', 'whatsapp'] }, ['no_template']],
    [
      'WhatsApp alone needs no text',
      { ...ready, channels: ['whatsapp'], text: '' },
      ['no_channel', 'no_template'],
    ],
    [
      'a template with a link without an address',
      {
        ...ready,
        channels: ['sms', 'whatsapp'],
        whatsappTemplate: { ...template, variables: [':link'] },
      },
      ['no_url'],
    ],
    [
      'a template whose button is the link',
      {
        ...ready,
        channels: ['sms', 'whatsapp'],
        whatsappTemplate: { ...template, has_link: true },
      },
      ['no_url'],
    ],
    [
      'such a template while WhatsApp is not chosen',
      { ...ready, whatsappTemplate: { ...template, has_link: true } },
      [],
    ],
    ['a passed time', { ...ready, startAt: new Date(now.getTime() - 1) }, ['start_in_past']],
    ['a time that is now', { ...ready, startAt: now }, []],
    ['no consent', { ...ready, consentBasis: null }, ['no_consent']],
  ];
  for (const [what, draft, expected] of CASES) {
    test(`is right about ${what}`, () => assert.deepEqual(findObstacles(draft, facts), expected));
  }
});

describe('the price of a draft', () => {
  test('follows the channels that carried the messages of the company', async () => {
    const owner = await person({ role: 'owner', companyId: await service.company(1_000) });
    const companyId = owner.companyId as never;
    const { keyId } = await service.key({ companyId });
    const past = { companyId, keyId, toHours: 3 };
    const of = (channel: string, state = 'sent') => ({
      ...{ channel: `'${channel}'`, charged: '0', state: `'${state}'` },
    });
    // The last 30 days: 6 by WhatsApp, 2 by Telegram, 2 by SMS. Failed and older ones do not count.
    await service.sql(
      `update company set created_at = created_at - interval '60 days' where id = $1`,
      [companyId],
    );
    await insertPastMessages(service.sql, {
      ...past,
      count: 6,
      fromHours: 100,
      columns: of('whatsapp'),
    });
    await insertPastMessages(service.sql, {
      ...past,
      count: 2,
      fromHours: 90,
      columns: of('telegram'),
    });
    await insertPastMessages(service.sql, { ...past, count: 2, fromHours: 80, columns: of('sms') });
    await insertPastMessages(service.sql, {
      ...past,
      count: 9,
      fromHours: 70,
      columns: of('sms', 'failed'),
    });
    await insertPastMessages(service.sql, {
      ...past,
      count: 9,
      fromHours: 31 * 24,
      toHours: 30 * 24 + 2,
      columns: of('sms'),
    });

    const id = await createReady(owner, { channels: ['telegram', 'sms'] });
    const two = await estimate(owner, id);
    // Of the two channels of the draft each carried one half: 3 × (3 + 8) / 2 = 16.5.
    assert.deepEqual([two.recipients, two.least, two.expected, two.most], [3, 9, 17, 24]);
    assert.deepEqual(two.shares, [
      { channel: 'telegram', price: 3, share: 0.5 },
      { channel: 'sms', price: 8, share: 0.5 },
    ]);
    assert.deepEqual([two.has_history, two.balance, two.needs_approval], [true, 1_000, false]);

    (await change(owner, id, { channels: ['whatsapp', 'telegram', 'sms'] })).ok();
    const three = await estimate(owner, id);
    // 3 × (0.6 × 3 + 0.2 × 3 + 0.2 × 8) = 12.
    assert.deepEqual([three.least, three.expected, three.most], [9, 12, 24]);
  });

  test('follows the installation while the company has sent nothing, then the first channel', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner, { channels: ['sms', 'telegram'] });
    const without = await estimate(owner, id);
    assert.deepEqual([without.has_history, without.expected, without.most], [false, 24, 24]);
    assert.deepEqual(
      without.shares.map(({ share }) => share),
      [1, 0],
    );
    await service.sql(
      `insert into figure_day (day, item, provider, prefix, sends, delivered, failed, charged, carried)
       select current_date - age, item, '', '', carried, 0, 0, 0, carried
       from (values (3, 'sms', 10), (4, 'telegram', 30), (5, 'whatsapp', 60), (40, 'sms', 900)) as d(age, item, carried)`,
    );
    const all = await estimate(owner, id);
    // A quarter by SMS: 3 × (0.25 × 8 + 0.75 × 3) = 12.75.
    assert.deepEqual([all.has_history, all.expected], [true, 13]);
    await service.sql('delete from figure_day');
  });

  test('says when it begins, and whether a second person is needed', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner);
    // 16 May 2027 is a Sunday, and 21:00 in Almaty is quiet.
    (await change(owner, id, { start_at: '2027-05-14T16:00:00Z' })).ok();
    assert.equal((await estimate(owner, id)).starts_at, '2027-05-17T04:00:00.000Z');
    (await change(owner, id, { skips_days_off: false })).ok();
    assert.equal((await estimate(owner, id)).starts_at, '2027-05-15T04:00:00.000Z');
    for (const [above, isNeeded] of [
      [3, false],
      [2, true],
      [0, true],
    ] as const) {
      const facts = { name: 'Тест', business_id: null, language: 'ru', brand: null } as const;
      const body = { ...facts, approval_above: above };
      (await as(owner).call(COMPANY_ENDPOINTS.changeCompany, { body })).ok();
      assert.equal((await estimate(owner, id)).needs_approval, isNeeded, String(above));
    }
  });

  test('is nothing without channels, and what is held cannot be spent twice', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner, { channels: [] });
    const none = await estimate(owner, id);
    assert.deepEqual([none.least, none.expected, none.most, none.shares], [0, 0, 0, []]);
    await service.sql('update account set held = 20 where company_id = $1', [owner.companyId]);
    assert.equal((await estimate(owner, id)).balance, 30);
    await service.sql('update account set held = 0, debt = 5 where company_id = $1', [
      owner.companyId,
    ]);
    assert.equal((await estimate(owner, id)).balance, 0, 'who owes sends nothing');
    await service.sql('update account set debt = 0 where company_id = $1', [owner.companyId]);
  });

  test('is in whole tokens', () => {
    const prices = { whatsapp: 3, telegram: 3, sms: 8, group: 0 };
    const shares = shareOut(['whatsapp', 'sms'], prices, { whatsapp: 2, telegram: 5, sms: 1 });
    // 100 × (2/3 × 3 + 1/3 × 8) = 466.67.
    assert.deepEqual(costsOf(100, shares), { least: 300, expected: 467, most: 800 });
    assert.deepEqual(costsOf(0, shares), { least: 0, expected: 0, most: 0 });
    // Where parts are charged: of SMS alone.
    const parts = { min: 1, mean: 1.5, max: 2 };
    const half = [
      { channel: 'whatsapp' as const, price: 3, share: 0.5 },
      { channel: 'sms' as const, price: 8, share: 0.5 },
    ];
    assert.deepEqual(costsOf(100, half, parts), { least: 300, expected: 750, most: 1_600 });
  });
});

describe('a draft that waits for a second person', () => {
  test('can be approved by another approver alone, and not be changed', async () => {
    const author = await person({ role: 'manager' });
    const companyId = author.companyId as never;
    const id = await createReady(author);
    const colleague = await person({ role: 'manager', companyId });
    const marketer = await person({ role: 'marketer', companyId });
    const asker = await person({ role: 'owner', companyId });
    for (const who of [author, colleague]) assert.equal((await read(who, id)).can_approve, false);
    await service.sql('update broadcast set approval_asked_by = $2 where id = $1', [
      id,
      asker.personId,
    ]);
    const can = await Promise.all(
      [author, asker, marketer, colleague].map(async (who) => (await read(who, id)).can_approve),
    );
    assert.deepEqual(can, [false, false, false, true]);
    assert.equal((await read(author, id)).needs_approval, true);
    (await change(author, id, { text: 'тайком' })).refused('broadcast_not_draft');
    const params = { id };
    (await as(author).call(E.deleteBroadcast, { params })).refused('broadcast_not_draft');
    await service.sql(`update broadcast set state = 'scheduled' where id = $1`, [id]);
    const started = await read(colleague, id);
    assert.deepEqual([started.can_approve, started.needs_approval], [false, false]);
  });
});

describe('sending to oneself', () => {
  test('sends the text of the first row and charges it once', async () => {
    const owner = await person({ role: 'owner' });
    const companyId = owner.companyId as never;
    const id = await createReady(owner, { channels: ['telegram', 'sms'] });
    const both = await Promise.all([sendToMe(owner, id), sendToMe(owner, id)]);
    const [first, second] = both.toSorted((a, b) => a.status - b.status);
    const sent = first?.ok();
    assert.deepEqual([sent?.channel, sent?.cost], ['telegram', 3]);
    second?.refused('daily_limit_reached');
    assert.deepEqual(await service.balance(companyId), { balance: 47, held: 0 });
    assert.equal((await service.charges(companyId)).length, 1);

    const [message] = service.sandbox.phone
      .recent(500)
      .filter(({ phone }) => phone === owner.phone);
    assert(message !== undefined);
    assert(message.link?.startsWith(`${service.ctx.urls.shortLinkBase}/`));
    const stop = `${service.ctx.urls.shortLinkBase}/u/Kd7mWq3x9bTzP`;
    assert.equal(
      message.text,
      `Айгүл, скидка: ${message.link}\n\nОтписаться: ${stop} или ответьте СТОП`,
    );
    const [stored] = await service.sql<{ kind: string; request_id: string; body: string }>(
      'select kind, request_id, body from message where id = $1',
      [sent?.message_id],
    );
    assert.deepEqual([stored?.kind, stored?.body], ['broadcast', message.text]);
    assert.notEqual(stored?.request_id, id, 'it is no recipient of the broadcast');
    const rows = await service.sql(
      'select from broadcast_row where broadcast_id = $1 and message_id is not null',
      [id],
    );
    assert.equal(rows.length, 0);
  });

  test('can be done again later, ten times an hour', async () => {
    const owner = await person({ role: 'owner', companyId: await service.company(500) });
    const id = await createReady(owner);
    const wait = (seconds: number) =>
      service.sql(
        `update recent_sends set recent = array(select t - make_interval(secs => $1) from unnest(recent) as t)`,
        [seconds],
      );
    const settle = () =>
      service.sql(
        `update message set settled_at = settled_at - interval '11 s' where kind = 'broadcast'`,
      );
    for (let i = 0; i < 10; i++) {
      (await sendToMe(owner, id)).ok();
      await wait(11);
      await settle();
    }
    (await sendToMe(owner, id)).refused('daily_limit_reached');
    await wait(3_600);
    (await sendToMe(owner, id)).ok();
  });

  test('needs a phone of the person, a text that can be sent, and money', async () => {
    const owner = await person({ role: 'owner', companyId: await service.company(2) });
    const id = await createReady(owner);
    (await sendToMe(owner, id)).refused('insufficient_tokens');
    (await change(owner, id, { text: '{{город}}' })).ok();
    (await sendToMe(owner, id)).refused('broadcast_not_ready');
    await service.sql('update person set phone = null, email = $2 where id = $1', [
      owner.personId,
      'me@example.kz',
    ]);
    (await sendToMe(owner, id)).refused('phone_needed');
    await service.sql(`update broadcast set state = 'done' where id = $1`, [id]);
    (await sendToMe(owner, id)).refused('broadcast_not_draft');
  });

  test('goes by a channel that carries it while none is chosen: WhatsApp has a template or is none', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner, { channels: [] });
    assert.equal((await sendToMe(owner, id)).ok().channel, 'telegram');
    assert.deepEqual((await read(owner, id)).channels, [], 'nothing is chosen by it');
  });

  test('shows the defaults while there are no recipients', async () => {
    const owner = await person({ role: 'owner' });
    const id = await createReady(owner);
    await service.sql(`update broadcast set rows_state = 'read' where id = $1`, [id]);
    (await sendToMe(owner, id)).ok();
    const message = service.sandbox.phone
      .recent(500)
      .findLast(({ phone }) => phone === owner.phone);
    assert.match(message?.text ?? '', /^клиент, скидка: /);
  });
});

describe('a saved template', () => {
  test('is replaced by one of the same name, and removed', async () => {
    const owner = await person({ role: 'owner' });
    const save = (name: string, text: string, url: string | null = null) =>
      as(owner).call(T.saveTemplate, { body: { name, text, url } });
    const list = async () => (await as(owner).call(T.broadcastTemplates)).ok().templates;
    const { id } = (await save('Скидка', 'Скидка 10 %', 'https://Shop.kz')).ok();
    assert.equal((await save(' СКИДКА ', 'Скидка 20 %')).ok().id, id);
    assert.deepEqual(await list(), [{ id, name: 'СКИДКА', text: 'Скидка 20 %', url: null }]);
    (await save('Плохой', 'x', 'ftp://shop.kz')).refused('invalid_url');

    const stranger = await person({ role: 'owner' });
    const params = { id };
    (await as(stranger).call(T.deleteTemplate, { params })).refused('not_found');
    (await as(owner).call(T.deleteTemplate, { params })).ok();
    (await as(owner).call(T.deleteTemplate, { params })).refused('not_found');
    assert.deepEqual(await list(), []);
    assert.deepEqual(await lastActions(owner), [
      ...['template.deleted', 'template.saved', 'template.saved'],
    ]);
  });

  test('is one of at most a hundred; at the limit one can still be replaced', async () => {
    const owner = await person({ role: 'owner' });
    await service.sql(
      `insert into broadcast_template (company_id, name, text) select $1, 'т' || n, 'x' from generate_series(1, 100) n`,
      [owner.companyId],
    );
    const save = (name: string) =>
      as(owner).call(T.saveTemplate, { body: { name, text: 'y', url: null } });
    (await save('новый')).refused('too_many');
    (await save('Т7')).ok();
  });
});
