import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RECIPIENT_LIST_ENDPOINTS as L } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { UNSUBSCRIBED_ENDPOINTS as U } from '@zhiber/contract/cabinet/unsubscribed.ts';
import { recheckRows } from '../../src/broadcasts/rows/check-rows.ts';
import { describeRows } from '../../src/broadcasts/rows/show-rows.ts';
import { addUnsubscribed } from '../../src/broadcasts/unsubscribe/unsubscribed-store.ts';
import type { CompanyId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';
import { useService } from '../harness.ts';
import { createRowsRig, NO_VERDICTS } from './rows-rig.ts';

const service = useService();
const { openDraft, verdictsOf, storedRows, createDraft } = createRowsRig(service);

type Draft = Awaited<ReturnType<typeof openDraft>>;

const unsubscribe = (
  companyId: CompanyId | null,
  phone: string,
  source: 'link' | 'company' | 'word' = 'link',
) => addUnsubscribed(service.ctx.db, { phone: phone as Phone, companyId, source });

const auditOf = async (companyId: CompanyId) =>
  (
    await service.sql<{ action: string; object: string; before: unknown; after: unknown }>(
      'select action, object, before, after from audit_record where company_id = $1 order by id',
      [companyId],
    )
  ).map(({ action, object, before, after }) => [action, object, before, after]);

describe('the check', () => {
  test('gives a row the first verdict that holds, by their order', async () => {
    const { id, companyId, upload } = await openDraft();
    await unsubscribe(companyId, '77010000001');
    await unsubscribe(companyId, '79160000001');
    const { rows } = (
      await upload(
        [
          'Телефон;Согласие',
          // Each row could have several verdicts.
          '8701000000;нет',
          '87272500001;нет',
          '89160000001;нет',
          '87010000002;нет',
          '87010000002;да',
          '87010000001;да',
          '87010000001;да',
          '87010000003;да',
          '8 701 000 00 03;нет',
        ].join('\n'),
      )
    ).ok();
    assert.deepEqual(await verdictsOf(id), [
      '2 invalid too_short',
      '3 cannot_receive',
      '4 other_country',
      '5 no_consent',
      // The first one stays, and says no.
      '6 duplicate 5',
      '7 unsubscribed',
      '8 duplicate 7',
      '9 send',
      '10 duplicate 9',
    ]);
    assert.deepEqual(rows.verdicts, {
      send: 1,
      duplicate: 3,
      invalid: 1,
      cannot_receive: 1,
      other_country: 1,
      unsubscribed: 1,
      no_consent: 1,
    });
  });

  test('is done again when phones of other countries are included', async () => {
    const { id, companyId, upload } = await openDraft();
    await unsubscribe(companyId, '79160000002');
    (await upload('89160000001\n89160000001\n89160000002\n87010000001\n')).ok();
    const before = ['1 other_country', '2 other_country', '3 other_country', '4 send'];
    assert.deepEqual(await verdictsOf(id), before);
    const include = async (includes: boolean) => {
      await service.sql('update broadcast set includes_other_countries = $2 where id = $1', [
        id,
        includes,
      ]);
      await recheckRows(service.ctx, id);
      return await verdictsOf(id);
    };
    assert.deepEqual(await include(true), ['1 send', '2 duplicate 1', '3 unsubscribed', '4 send']);
    assert.deepEqual(await include(false), before);
  });

  test('knows those who unsubscribed here or everywhere, and not those of another company', async () => {
    const { id, companyId, upload } = await openDraft();
    await unsubscribe(companyId, '77010000011');
    await unsubscribe(null, '77010000012');
    await unsubscribe(await service.company(), '77010000013');
    (await upload('87010000011\n87010000012\n87010000013\n')).ok();
    assert.deepEqual(await verdictsOf(id), ['1 unsubscribed', '2 unsubscribed', '3 send']);
  });

  test('goes on where another column holds the phones, and the first of two checks gives way', async () => {
    const { id, upload, chooseColumns } = await openDraft();
    // The holder of a phone moves up a row: it may not be held by two at any time.
    (await upload('a;87010000001;87010000002\nb;87010000002;87010000001\n')).ok();
    const names = ['Имя', 'Мобильный', 'Рабочий'];
    assert.deepEqual((await chooseColumns(3, null, names)).ok().rows.verdicts, {
      ...NO_VERDICTS,
      send: 2,
    });
    const phones = (await storedRows(id)).map(({ phone }) => phone);
    assert.deepEqual(phones, [77010000002, 77010000001]);
    const answers = await Promise.all(
      [2, 3, 2, 3].map((column) => chooseColumns(column, 1, names)),
    );
    for (const answer of answers) if (answer.status !== 200) answer.refused('changed_meanwhile');
    const [draft] = await service.sql<{ phone_column: number; rows_state: string }>(
      'select phone_column, rows_state from broadcast where id = $1',
      [id],
    );
    assert.equal(draft?.rows_state, 'checked');
    const [first] = await storedRows(id);
    assert.equal(first?.phone, draft?.phone_column === 2 ? 77010000001 : 77010000002);
  });
});

describe('columns', () => {
  test('get names, and a consent that is chosen by hand', async () => {
    const { id, upload, chooseColumns } = await openDraft();
    (await upload('87010000001;да\n87010000002;нет\n')).ok();
    const { rows } = (await chooseColumns(1, 2, [' Номер ', 'Можно {{писать}}'])).ok();
    assert.deepEqual(rows.columns, ['Номер', 'Можно писать']);
    assert.deepEqual(await verdictsOf(id), ['1 send', '2 no_consent']);
    const versionOf = async () =>
      (
        await service.sql<{ v: number }>('select rows_version as v from broadcast where id = $1', [
          id,
        ])
      )[0]?.v;
    const version = await versionOf();
    (await chooseColumns(1, 2, ['Телефон', 'Согласие'])).ok();
    assert.equal(await versionOf(), version, 'new names alone need no check');
  });

  test('that cannot be are refused by the field', async () => {
    const { upload, chooseColumns } = await openDraft();
    (await chooseColumns(1, null, ['Телефон'])).refused('rows_not_checked');
    (await upload('87010000001;да\n')).ok();
    const refusals: [number, number | null, string[], string][] = [
      [3, null, ['a', 'b'], 'phone'],
      [1, 3, ['a', 'b'], 'consent'],
      [1, 1, ['a', 'b'], 'consent'],
      [1, null, ['a'], 'names'],
      [1, null, ['a', 'b', 'c'], 'names'],
      [1, null, ['Имя', 'имя'], 'names'],
      [1, null, ['Имя', ' | '], 'names'],
    ];
    for (const [phone, consent, names, field] of refusals) {
      const { errors } = (await chooseColumns(phone, consent, names)).refused('validation_error');
      assert.deepEqual(Object.keys(errors as object), [field], names.join());
    }
  });
});

describe('a row', () => {
  test('is fixed in place, and its duplicates with it', async () => {
    const { id, upload, fix } = await openDraft();
    (await upload('87O10000001\n87010000002\n87010000002\n87010000003\n87010000003\n')).ok();
    assert.deepEqual(await verdictsOf(id), [
      '1 invalid letters',
      '2 send',
      '3 duplicate 2',
      '4 send',
      '5 duplicate 4',
    ]);
    const first = (await fix(1, ' 8 701 000 00 01 ')).ok();
    assert.deepEqual(first.row, {
      number: 1,
      phone: '+77010000001',
      cells: ['8 701 000 00 01'],
      verdict: 'send',
      reason: null,
    });
    assert.deepEqual(first.verdicts, { ...NO_VERDICTS, send: 3, duplicate: 2 });
    // Row 2 leaves its phone to row 3, and takes that of 4 and 5, which come after it.
    (await fix(2, '87010000003')).ok();
    assert.deepEqual(await verdictsOf(id), [
      '1 send',
      '2 send',
      '3 send',
      '4 duplicate 2',
      '5 duplicate 2',
    ]);
    const last = (await fix(1, '')).ok();
    assert.deepEqual([last.row.verdict, last.row.reason], ['invalid', 'empty']);
    assert.deepEqual(last.verdicts, { ...NO_VERDICTS, send: 2, duplicate: 2, invalid: 1 });
    (await fix(6, '87010000009')).refused('not_found');
    (await fix(99_999_999_999, '87010000009')).refused('not_found');
  });

  test('that is fixed is judged by consent and by who unsubscribed', async () => {
    const { id, companyId, upload, fix } = await openDraft();
    await unsubscribe(companyId, '77010000001');
    (await upload('Телефон;Согласие\n???;да\n???;нет\n')).ok();
    assert.equal((await fix(2, '87010000001')).ok().row.verdict, 'unsubscribed');
    assert.equal((await fix(3, '87010000002')).ok().row.verdict, 'no_consent');
    assert.deepEqual(await verdictsOf(id), ['2 unsubscribed', '3 no_consent']);
  });

  test('that was fixed changes the version of the draft, so that an old page cannot start it', async () => {
    const { id, upload, fix, chooseColumns } = await openDraft();
    const versionOf = async () =>
      (
        await service.sql<{ version: number }>('select version from broadcast where id = $1', [id])
      )[0]?.version as number;
    const versions = [await versionOf()];
    (await upload('87010000001\n')).ok();
    versions.push(await versionOf());
    (await fix(1, '87010000002')).ok();
    versions.push(await versionOf());
    (await chooseColumns(1, null, ['Телефон'])).ok();
    versions.push(await versionOf());
    assert.deepEqual(versions, [1, 2, 3, 4]);
  });

  test('is listed by its verdict, page by page', async () => {
    const { upload, rows } = await openDraft();
    const lines = Array.from({ length: 120 }, (_, i) => (i % 2 ? `?${i}` : `8701000${1_000 + i}`));
    (await upload(['Телефон', ...lines].join('\n'))).ok();
    const first = (await rows({ verdict: 'invalid' })).ok();
    assert.deepEqual([first.rows.length, first.rows[0]?.number, first.next], [50, 3, '101']);
    const second = (await rows({ verdict: 'invalid', cursor: first.next ?? '' })).ok();
    assert.deepEqual([second.rows.length, second.rows[0]?.number, second.next], [10, 103, null]);
    assert.equal((await rows({ verdict: 'duplicate' })).ok().rows.length, 0);
    (await rows({ cursor: 'x' })).refused('validation_error');
    assert.equal((await rows({ cursor: '99999999999' })).ok().rows.length, 0);
  });

  test('shows its phone to those who make broadcasts, and hides it from others', async () => {
    const { id, companyId, upload, rows } = await openDraft();
    (await upload('Имя;Телефон\nОльга;8 (701) 123-45-67\nОлег;87O11234568\n')).ok();
    assert.equal((await rows()).ok().rows[0]?.phone, '+77011234567');
    const viewer = await openDraft({ companyId, id, role: 'viewer' });
    const seen = (await viewer.rows()).ok().rows.map(({ phone, cells }) => [phone, ...cells]);
    assert.deepEqual(seen, [
      ['+7701***4567', 'Ольга', '* (***) ***-45-67'],
      [null, 'Олег', '**O****4568'],
    ]);
    const place = { companyId, broadcastId: id };
    const shown = await describeRows(service.ctx, place, { canSeePhones: false });
    assert.deepEqual(shown.preview[0]?.cells, ['Ольга', '* (***) ***-45-67']);
    (await viewer.download()).refused('no_right');
  });
});

describe('the file of rows', () => {
  test('has the rows as they were, with the reasons, and can be uploaded again', async () => {
    const { id, companyId, upload, download } = await openDraft();
    const text = 'Имя;Телефон\n=A1;+7 701 000 00 01\nОльга;87O10000002\n"a;""b";87010000001\n';
    (await upload(text)).ok();
    const all = await download();
    assert.equal(all.headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(String(all.headers['content-disposition']), /recipients-all-\d{4}-\d\d-\d\d\.csv/);
    assert.deepEqual(all.text.split('\r\n'), [
      '\ufeffИмя;Телефон;Строка файла;Результат проверки;Причина',
      "'=A1;'+7 701 000 00 01;2;Будет отправлено;",
      'Ольга;87O10000002;3;Неверный номер;В номере буквы',
      '"a;""b";87010000001;4;Дубликат;Тот же номер в строке 2',
      '',
    ]);
    const invalid = await download({ verdict: 'invalid', lang: 'en' });
    assert.deepEqual(invalid.text.split('\r\n').slice(1), [
      'Ольга,87O10000002,3,Invalid number,Letters in the number',
      '',
    ]);
    (await upload(all.text)).ok();
    assert.deepEqual(await verdictsOf(id), ['2 send', '3 invalid letters', '4 duplicate 2']);
    assert.deepEqual((await storedRows(id))[0]?.cells.slice(0, 2), ['=A1', '+7 701 000 00 01']);
    const exported = (await auditOf(companyId)).filter(
      ([action]) => action === 'broadcast.exported',
    );
    assert.deepEqual(exported, [
      ['broadcast.exported', 'Скидки', null, { verdict: 'all' }],
      ['broadcast.exported', 'Скидки', null, { verdict: 'invalid' }],
    ]);
  });
});

const createList = async ({ call }: Draft, name = 'Клиенты') =>
  (await call(L.createList, { body: { name } })).ok().id;
const importInto = (draft: Draft, id: number, tags?: string[], broadcast_id = draft.id) =>
  draft.call(L.importIntoList, { params: { id }, body: { broadcast_id, ...(tags && { tags }) } });
const membersOf = async ({ call }: Draft, id: number, tag?: string) =>
  (await call(L.listMembers, { params: { id }, query: tag === undefined ? {} : { tag } })).ok()
    .rows;

describe('a list', () => {
  test('is made, renamed and deleted, with records in the audit log', async () => {
    const draft = await openDraft();
    const { call, companyId } = draft;
    const id = await createList(draft, ' Клиенты ');
    (await call(L.createList, { body: { name: 'КЛИЕНТЫ' } })).refused('name_taken');
    const other = await createList(draft, 'Другие');
    const rename = (name: string) => call(L.renameList, { params: { id }, body: { name } });
    (await rename('другие')).refused('name_taken');
    (await rename('Покупатели')).ok();
    const names = async () => (await call(L.recipientLists)).ok().lists.map(({ name }) => name);
    assert.deepEqual(await names(), ['Другие', 'Покупатели']);
    (await call(L.deleteList, { params: { id: other } })).ok();
    assert.deepEqual(await names(), ['Покупатели']);
    assert.deepEqual(await auditOf(companyId), [
      ['recipient_list.created', 'Клиенты', null, null],
      ['recipient_list.created', 'Другие', null, null],
      ['recipient_list.changed', 'Покупатели', { name: 'Клиенты' }, { name: 'Покупатели' }],
      ['recipient_list.deleted', 'Другие', { members: 0 }, null],
    ]);
  });

  test('takes the rows of a draft, and tells what changed to the row', async () => {
    const draft = await openDraft();
    const { companyId, upload, call } = draft;
    const id = await createList(draft);
    await unsubscribe(companyId, '77010000003');
    (await importInto(draft, id)).refused('rows_not_checked');
    (
      await upload(
        'Имя;Телефон;Город\nОльга;87010000001;Алматы\nОлег;87010000002;\nИра;87010000003;\nx;87O1;\nx;87010000001;\n',
      )
    ).ok();
    const first = (await importInto(draft, id, ['ноябрь', ' ноябрь '])).ok();
    assert.deepEqual(first, { success: true, added: 3, updated: 0, unchanged: 0, left_out: 2 });
    const again = (await importInto(draft, id, ['ноябрь'])).ok();
    assert.deepEqual(again, { success: true, added: 0, updated: 0, unchanged: 3, left_out: 2 });

    const fileB =
      'Телефон,Возраст,ГОРОД,Согласие\n87010000001,30,,да\n87010000002,,Шымкент,да\n87010000004,40,Астана,да\n87010000005,,,нет\n';
    (await upload(fileB)).ok();
    const second = (await importInto(draft, id, ['vip'])).ok();
    assert.deepEqual(second, { success: true, added: 1, updated: 2, unchanged: 0, left_out: 1 });
    const member = (phone: string, cells: string[], tags: string[], has_consent: true | null) => ({
      phone,
      cells,
      tags,
      has_consent,
      is_unsubscribed: phone === '+77010000003',
    });
    assert.deepEqual(await membersOf(draft, id), [
      // An empty cell does not take the city away.
      member('+77010000001', ['Ольга', 'Алматы', '30'], ['ноябрь', 'vip'], true),
      member('+77010000002', ['Олег', 'Шымкент', ''], ['ноябрь', 'vip'], true),
      member('+77010000003', ['Ира', ''], ['ноябрь'], null),
      member('+77010000004', ['', 'Астана', '40'], ['vip'], true),
    ]);
    const [list] = (await call(L.recipientLists)).ok().lists;
    assert.deepEqual(
      { ...list, updated_at: '' },
      {
        id,
        name: 'Клиенты',
        columns: ['Имя', 'Город', 'Возраст'],
        members: 4,
        tags: [
          { tag: 'ноябрь', members: 3 },
          { tag: 'vip', members: 3 },
        ],
        updated_at: '',
      },
    );
    assert.deepEqual((await auditOf(companyId)).at(-1), [
      'recipient_list.imported',
      'Клиенты',
      null,
      { added: 1, updated: 2, unchanged: 0, left_out: 1, tags: ['vip'] },
    ]);
  });

  test('makes the rows of a draft, of all members or of those with all of the tags', async () => {
    const draft = await openDraft();
    const { upload, useList, companyId, id: draftId } = draft;
    const id = await createList(draft);
    (await upload('Имя;Телефон\nОльга;87010000001\nОлег;87010000002\n')).ok();
    (await importInto(draft, id, ['a'])).ok();
    (await upload('Имя;Телефон;Город\nИра;87010000003;Алматы\nОлег;87010000002;Семей\n')).ok();
    (await importInto(draft, id, ['b'])).ok();
    await service.sql(
      `update list_member set has_consent = phone <> 77010000001 where list_id = $1 and phone < 77010000003`,
      [id],
    );
    await unsubscribe(companyId, '77010000003');

    const { rows } = (await useList(id)).ok();
    assert.deepEqual(
      { ...rows, preview: rows.preview.map(({ number, cells }) => [number, ...cells]) },
      {
        state: 'checked',
        source: 'list',
        source_name: 'Клиенты',
        rows: 3,
        columns: ['Телефон', 'Имя', 'Город', 'Согласие'],
        phone_column: 1,
        consent_column: 4,
        preview: [
          [1, '+77010000001', 'Ольга', '', 'нет'],
          [2, '+77010000002', 'Олег', 'Семей', 'да'],
          [3, '+77010000003', 'Ира', 'Алматы', 'не указано'],
        ],
        verdicts: { ...NO_VERDICTS, send: 1, unsubscribed: 1, no_consent: 1 },
      },
    );
    assert.deepEqual(await verdictsOf(draftId), ['1 no_consent', '2 send', '3 unsubscribed']);
    const tagged = (await useList(id, ['a', 'b'])).ok().rows;
    assert.deepEqual([tagged.rows, tagged.source_name], [1, 'Клиенты · a · b']);
    assert.equal((await useList(id, ['нет такой'])).ok().rows.rows, 0);
  });

  test('lists members by tag, and takes one out', async () => {
    const draft = await openDraft();
    const { upload, call, companyId } = draft;
    const id = await createList(draft);
    (await upload('87010000001\n')).ok();
    (await importInto(draft, id, ['a'])).ok();
    (await upload('87010000002\n')).ok();
    (await importInto(draft, id, ['b'])).ok();
    assert.deepEqual(
      (await membersOf(draft, id, 'b')).map(({ phone }) => phone),
      ['+77010000002'],
    );
    const viewer = await openDraft({ companyId, id: draft.id, role: 'viewer' });
    assert.equal((await membersOf(viewer, id))[0]?.phone, '+7701***0001');
    const remove = (phone: string) => call(L.removeListMember, { params: { id, phone } });
    (await remove('87010000001')).ok();
    (await remove('87010000001')).refused('not_found');
    (await remove('x')).refused('not_found');
    const [list] = (await call(L.recipientLists)).ok().lists;
    assert.deepEqual([list?.members, list?.tags], [1, [{ tag: 'b', members: 1 }]]);
  });

  test('and a draft of another company are not found', async () => {
    const theirs = await openDraft();
    const list = await createList(theirs);
    (await theirs.upload('87010000001\n')).ok();
    (await importInto(theirs, list)).ok();
    const mine = await openDraft();
    (await mine.upload('87010000002\n')).ok();
    const own = await createList(mine);
    (await importInto(mine, list)).refused('not_found');
    (await importInto(mine, own, undefined, theirs.id)).refused('not_found');
    (await mine.useList(list)).refused('not_found');
    const params = { id: list };
    (await mine.call(L.listMembers, { params })).refused('not_found');
    (await mine.call(L.deleteList, { params })).refused('not_found');
    const member = { id: list, phone: '87010000001' };
    (await mine.call(L.removeListMember, { params: member })).refused('not_found');
    assert.equal((await membersOf(theirs, list)).length, 1);
    assert.equal((await mine.rows()).ok().rows[0]?.phone, '+77010000002');
    (await mine.fix(1, '87010000003')).ok();
  });

  test('cannot hold more members or columns than a broadcast takes', async () => {
    const draft = await openDraft();
    const id = await createList(draft);
    (await draft.upload('87010000001\n')).ok();
    await service.sql('update recipient_list set members = 100000 where id = $1', [id]);
    (await importInto(draft, id)).refused('too_many_rows');
    await service.sql('update recipient_list set members = 0 where id = $1', [id]);
    const columns = Array.from({ length: 49 }, (_, i) => `c${i}`);
    (await draft.upload(`Телефон;${columns.join(';')}\n87010000001;1\n`)).ok();
    (await importInto(draft, id)).refused('too_many_columns');
    assert.deepEqual(await membersOf(draft, id), []);
  });
});

describe('unsubscribed phones', () => {
  const list = async ({ call }: Draft, phone?: string) =>
    (await call(U.unsubscribed, { query: phone === undefined ? {} : { phone } })).ok().rows;

  test('are added from any text, once each, and taken off again', async () => {
    const draft = await openDraft();
    const { call, companyId } = draft;
    const phones = '8 701 000 00 01, +77010000002;87010000001\n87O1\t\n\n87010000003';
    const add = () => call(U.unsubscribePhones, { body: { phones } });
    assert.deepEqual((await add()).ok(), { success: true, added: 3, invalid: 1 });
    assert.deepEqual((await add()).ok(), { success: true, added: 0, invalid: 1 });
    const remove = (phone: string) => call(U.removeUnsubscribed, { params: { phone } });
    (await remove('+77010000002')).ok();
    (await remove('+77010000002')).refused('not_found');
    assert.deepEqual(
      (await list(draft)).map(({ at: _, ...row }) => row),
      ['+77010000003', '+77010000001'].map((phone) => ({
        phone,
        source: 'company',
        is_everywhere: false,
      })),
    );
    assert.deepEqual(await auditOf(companyId), [
      ['unsubscribed.added', '', null, { phones: 3 }],
      ['unsubscribed.removed', '+7701***0002', null, null],
    ]);
  });

  test('that a person asked for stay, also when the company had entered them before', async () => {
    const draft = await openDraft();
    const { companyId, call } = draft;
    assert.equal(await unsubscribe(companyId, '77010000021', 'company'), true);
    assert.equal(await unsubscribe(companyId, '77010000021', 'word'), false);
    assert.equal(await unsubscribe(companyId, '77010000021', 'company'), false);
    assert.equal(await unsubscribe(null, '77010000022'), true);
    for (const phone of ['77010000021', '77010000022']) {
      const refused = await call(U.removeUnsubscribed, { params: { phone } });
      refused.refused('unsubscribed_by_person');
    }
    assert.deepEqual(
      (await list(draft)).map(({ phone, source }) => [phone, source]),
      [['+77010000021', 'word']],
    );
  });

  test('of everybody are shown to who asks for one, and never as a list', async () => {
    const draft = await openDraft();
    await unsubscribe(null, '77010000031');
    await unsubscribe(await service.company(), '77010000032');
    assert.deepEqual(await list(draft), []);
    const [found] = await list(draft, '8 701 000 00 31');
    assert.deepEqual([found?.phone, found?.is_everywhere], ['+77010000031', true]);
    assert.deepEqual(await list(draft, '87010000032'), []);
    assert.deepEqual(await list(draft, 'x'), []);
  });

  test('are masked for a viewer, whose searches are counted', async () => {
    const { companyId, id, call } = await openDraft();
    (await call(U.unsubscribePhones, { body: { phones: '87010000041' } })).ok();
    const viewer = await openDraft({ companyId, id, role: 'viewer' });
    assert.equal((await list(viewer))[0]?.phone, '+7701***0041');
    assert.equal((await list(viewer, '87010000041')).length, 1);
    assert.deepEqual((await auditOf(companyId)).at(-1)?.slice(0, 2), [
      'phones.searched',
      '+7701***0041',
    ]);
  });

  test('come in pages, the newest first', async () => {
    const { call } = await openDraft();
    const phones = Array.from({ length: 60 }, (_, i) => `8701000${1_000 + i}`).join('\n');
    assert.equal((await call(U.unsubscribePhones, { body: { phones } })).ok().added, 60);
    const first = (await call(U.unsubscribed)).ok();
    assert.deepEqual([first.rows.length, first.rows[0]?.phone], [50, '+77010001059']);
    const query = { cursor: first.next ?? '' };
    const second = (await call(U.unsubscribed, { query })).ok();
    assert.deepEqual(
      [second.rows.length, second.rows.at(-1)?.phone, second.next],
      [10, '+77010001000', null],
    );
  });
});

test('a draft without rows says so', async () => {
  const { companyId } = await openDraft();
  const broadcastId = await createDraft(companyId);
  const shown = await describeRows(service.ctx, { companyId, broadcastId }, { canSeePhones: true });
  assert.deepEqual([shown.state, shown.rows, shown.verdicts], ['none', 0, null]);
});
