import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BROADCAST_ROW_ENDPOINTS as B } from '@zhiber/contract/cabinet/broadcast-rows.ts';
import {
  RECIPIENT_FILE_BYTES_MAX,
  RECIPIENTS_MAX,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import { recheckRows } from '../../src/broadcasts/rows/check-rows.ts';
import { uploadRows } from '../../src/broadcasts/rows/load-rows.ts';
import { countVerdicts } from '../../src/broadcasts/rows/row-store.ts';
import { describeRows } from '../../src/broadcasts/rows/show-rows.ts';
import { until, useService } from '../harness.ts';
import {
  EXPECTED_COUNTS,
  encode1251,
  HEADINGS,
  type PlannedRow,
  planRecipients,
  ROWS,
  toCsv,
} from './recipients-plan.ts';
import { createRowsRig, NO_VERDICTS } from './rows-rig.ts';

const service = useService();
const { openDraft, storedRows } = createRowsRig(service);

const plan = planRecipients();

/** Those who unsubscribed before the file was uploaded. */
async function unsubscribe(companyId: number): Promise<void> {
  for (const { phone, unsubscribedFrom } of plan) {
    if (unsubscribedFrom === undefined) continue;
    await service.sql(
      `insert into unsubscribed (phone, company_id, source) values ($1, $2, 'link') on conflict do nothing`,
      [phone, unsubscribedFrom === 'company' ? companyId : null],
    );
  }
}

const expectedRow = ({ number, phone, verdict, reason }: PlannedRow) => ({
  number,
  phone,
  verdict,
  reason,
});

describe('10,000 rows with 5 % rubbish', () => {
  const FILES = {
    'in Windows-1251 with semicolons': encode1251(toCsv(plan)),
    'saved by LibreOffice as XLSX': readFileSync(path.join(import.meta.dirname, 'recipients.xlsx')),
  };
  for (const [what, bytes] of Object.entries(FILES)) {
    test(`${what} reconcile to the row`, async () => {
      const draft = await openDraft();
      await unsubscribe(draft.companyId);
      const { rows } = (await draft.upload(bytes, { name: 'Клиенты ноябрь.csv' })).ok();
      assert.deepEqual(
        { ...rows, preview: [] },
        {
          state: 'checked',
          source: 'file',
          source_name: 'Клиенты ноябрь.csv',
          rows: ROWS,
          columns: HEADINGS,
          phone_column: 2,
          consent_column: 4,
          preview: [],
          verdicts: EXPECTED_COUNTS,
        },
      );
      const sum = Object.values(rows.verdicts ?? {}).reduce((total, count) => total + count, 0);
      assert.equal(sum, ROWS);
      const stored = await storedRows(draft.id);
      assert.deepEqual(
        stored.map(({ cells: _, ...row }) => row),
        plan.map(expectedRow),
      );
      // A quote, a delimiter and a line break inside of a cell are a part of it.
      assert.deepEqual(stored[7]?.cells.slice(0, 1), ['ТОО "Ромашка";\nфилиал в Алматы']);
      assert.deepEqual(
        rows.preview.map(({ number, cells }) => [number, cells[0]]),
        [
          [2, 'Айгуль'],
          [3, 'Нурлан'],
          [4, 'Ольга'],
          [5, 'Ербол'],
          [6, 'Ёлка и Ко'],
        ],
      );
    });
  }
});

const PHONES = '87011234567\n87011234568\n';
const TWO_SENT = { ...NO_VERDICTS, send: 2 };

describe('a file', () => {
  const WIDE = 'Имя\tТелефон\r\nӘйгерім\t87011234567\r\n';
  const FILES: Record<string, Buffer> = {
    'in UTF-16 from Excel': Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(WIDE, 'utf16le'),
    ]),
    'in UTF-8 with a mark': Buffer.from(`\ufeff${WIDE}`),
  };
  for (const [what, bytes] of Object.entries(FILES)) {
    test(`${what} is read with its headings and letters`, async () => {
      const { id, upload } = await openDraft();
      const { rows } = (await upload(bytes)).ok();
      assert.deepEqual([rows.columns, rows.verdicts?.send], [['Имя', 'Телефон'], 1]);
      assert.deepEqual((await storedRows(id))[0]?.cells, ['Әйгерім', '87011234567']);
    });
  }

  test('replaces the rows of the one before, and is a record in the audit log', async () => {
    const { id, companyId, personId, upload } = await openDraft();
    (await upload('Телефон\n87019999999\n87018888888\n87017777777\n')).ok();
    const { rows } = (await upload(PHONES, { source: 'text', name: 'Вставлено' })).ok();
    assert.deepEqual([rows.rows, rows.source, rows.verdicts], [2, 'text', TWO_SENT]);
    assert.deepEqual(
      (await storedRows(id)).map(({ number, phone }) => [number, phone]),
      [
        [1, 77011234567],
        [2, 77011234568],
      ],
    );
    const records = await service.sql(
      `select action, object, person_id, after from audit_record where company_id = $1 order by id`,
      [companyId],
    );
    const record = { action: 'broadcast.rows_loaded', object: 'Скидки', person_id: personId };
    assert.deepEqual(records, [
      { ...record, after: { source: 'file', file: 'clients.csv', rows: 3 } },
      { ...record, after: { source: 'text', file: 'Вставлено', rows: 2 } },
    ]);
  });

  test('without phones is read, and checked once the column is chosen', async () => {
    const { upload, chooseColumns } = await openDraft();
    const { rows } = (await upload('Имя;Город\nОльга;Алматы\n')).ok();
    assert.deepEqual([rows.state, rows.phone_column, rows.verdicts], ['read', null, null]);
    const chosen = (await chooseColumns(2, null, ['Имя', 'Город'])).ok();
    assert.deepEqual(chosen.rows.verdicts, { ...NO_VERDICTS, invalid: 1 });
  });

  test('whose last row is the widest gives every row all cells', async () => {
    const { id, upload } = await openDraft();
    const rows = Array.from({ length: 1_200 }, (_, i) => String(87_010_000_000 + i));
    const { columns } = (await upload([...rows, '87021234567\tАлматы'].join('\n'))).ok().rows;
    assert.deepEqual(columns, ['Столбец 1', 'Столбец 2']);
    const widths = new Set((await storedRows(id)).map(({ cells }) => cells.length));
    assert.deepEqual([...widths], [2]);
  });

  const REFUSED: Record<string, [bytes: Buffer | string, code: string]> = {
    empty: ['\n\n', 'file_empty'],
    'of 51 columns': [`87011234567${',x'.repeat(50)}`, 'too_many_columns'],
    'with a long cell': [`87011234567,${'x'.repeat(501)}`, 'cell_too_long'],
    'that is a picture': [
      Buffer.from('89504e470d0a1a0a0000000d4948445200000010000000100806000000', 'hex'),
      'file_unreadable',
    ],
    'that is a document': ['%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj', 'file_unreadable'],
    'that is a page of the web': ['<HTML><table><tr><td>87011234567', 'file_unreadable'],
    'that is a damaged workbook': ['PK\x03\x04 and no more', 'file_unreadable'],
  };
  for (const [what, [bytes, code]] of Object.entries(REFUSED)) {
    test(`${what} is refused, and leaves no rows`, async () => {
      const { id, upload } = await openDraft();
      (await upload(PHONES)).ok();
      (await upload(bytes)).refused(code as never);
      assert.deepEqual(await storedRows(id), []);
      assert.deepEqual(await stateOf(id), { rows_state: 'none', rows_count: 0, source: null });
    });
  }

  test('of another type, or for an endpoint that takes none, is refused by its type', async () => {
    const { id, upload, call } = await openDraft();
    const json = { 'content-type': 'application/json' };
    (await upload('{}', {}, json)).refused('unsupported_media_type');
    (await upload(PHONES, {}, { 'content-type': 'text/csv' })).refused('unsupported_media_type');
    (await upload(PHONES, {}, { 'content-encoding': 'gzip' })).refused('unsupported_media_type');
    const asFile = { params: { id }, file: Buffer.from(PHONES) };
    (await call(B.chooseColumns, asFile)).refused('unsupported_media_type');
    assert.equal((await stateOf(id))?.rows_state, 'none');
  });
});

const stateOf = async (id: string) =>
  (
    await service.sql<{ rows_state: string; rows_count: number; source: string | null }>(
      'select rows_state, rows_count, source from broadcast where id = $1',
      [id],
    )
  )[0];

describe('a draft', () => {
  test('that was started, or waits for a second person, keeps its rows', async () => {
    const { id, upload, useList, chooseColumns, fix } = await openDraft();
    (await upload(PHONES)).ok();
    const before = await storedRows(id);
    const CHANGES = [
      `update broadcast set approval_asked_at = clock_timestamp() where id = $1`,
      `update broadcast set approval_asked_at = null, state = 'running' where id = $1`,
    ];
    const [list] = await service.sql<{ id: number }>(
      `insert into recipient_list (company_id, name) select company_id, 'Все' from broadcast where id = $1 returning id`,
      [id],
    );
    for (const change of CHANGES) {
      await service.sql(change, [id]);
      (await upload('87015555555')).refused('broadcast_not_draft');
      (await useList(list?.id as number)).refused('broadcast_not_draft');
      (await chooseColumns(1, null, ['Номер'])).refused('broadcast_not_draft');
      (await fix(1, '87015555555')).refused('broadcast_not_draft');
      await recheckRows(service.ctx, id);
    }
    assert.deepEqual(await storedRows(id), before);
    await service.sql(`update broadcast set state = 'draft' where id = $1`, [id]);
  });

  test('of another company is not found', async () => {
    const theirs = await openDraft();
    (await theirs.upload(PHONES)).ok();
    const mine = await openDraft({ id: theirs.id });
    (await mine.upload(PHONES)).refused('not_found');
    (await mine.rows()).refused('not_found');
    (await mine.download()).refused('not_found');
    (await mine.fix(1, '87015555555')).refused('not_found');
    (await mine.chooseColumns(1, null, ['Номер'])).refused('not_found');
    assert.deepEqual((await theirs.rows()).ok().rows.length, 2);
    (await (await openDraft({ id: 'no-id' })).upload(PHONES)).refused('not_found');
  });

  test('into which two files are uploaded at once has the rows of one of them', async () => {
    const { id, upload } = await openDraft();
    const fileOf = (start: number) =>
      Array.from({ length: 3_000 }, (_, i) => `${87_010_000_000 + start + i}\n`).join('');
    const answers = await Promise.all([upload(fileOf(0)), upload(fileOf(5_000_000))]);
    const winners = answers.filter(({ status }) => status === 200);
    assert(winners.length >= 1);
    for (const answer of answers) if (answer.status !== 200) answer.refused('changed_meanwhile');
    const rows = await storedRows(id);
    assert.equal(rows.length, 3_000);
    assert.equal(
      new Set(rows.map(({ phone }) => Math.floor((phone as number) / 5_000_000))).size,
      1,
    );
    assert(rows.every(({ verdict }) => verdict === 'send'));
    assert.equal((await stateOf(id))?.rows_state, 'checked');
  });

  test('whose file is replaced while it still comes has the rows of the later one alone', async () => {
    const { id, companyId, upload } = await openDraft();
    const replaced = Promise.withResolvers<void>();
    const slowFile = async function* () {
      yield Buffer.from('87010000001\n'.repeat(10_000));
      await replaced.promise;
      yield Buffer.from('87010000002\n'.repeat(10_000));
    };
    const file = { companyId, broadcastId: id, source: 'file', name: 'slow.csv' } as const;
    const slow = uploadRows(service.ctx, {}, { ...file, bytes: slowFile() });
    const refused = assert.rejects(slow, { code: 'changed_meanwhile' });
    await until('rows were written', async () => ((await stateOf(id))?.rows_count ?? 0) > 0);
    (await upload(PHONES)).ok();
    replaced.resolve();
    await refused;
    assert.deepEqual(
      (await storedRows(id)).map(({ phone, verdict }) => [phone, verdict]),
      [
        [77011234567, 'send'],
        [77011234568, 'send'],
      ],
    );
    const state = { rows_state: 'checked', rows_count: 2, source: 'file' };
    assert.deepEqual(await stateOf(id), state);
  });

  test('whose reading was cut by a crash has no rows; a cut check is done again', async () => {
    const { id, companyId, upload } = await openDraft();
    (await upload(PHONES)).ok();
    const place = { companyId, broadcastId: id };
    const show = () => describeRows(service.ctx, place, { canSeePhones: true });
    const crash = (state: string, age: string) =>
      service.sql(
        `update broadcast set rows_state = $2, rows_at = clock_timestamp() - $3::interval where id = $1`,
        [id, state, age],
      );
    await service.sql('update broadcast_row set verdict = null where broadcast_id = $1', [id]);
    await crash('checking', '50 seconds');
    assert.deepEqual([(await show()).state, (await show()).verdicts], ['checking', null]);
    await crash('checking', '70 seconds');
    const shown = await Promise.all([show(), show(), show()]);
    assert(shown.some(({ state }) => state === 'checked'));
    assert.deepEqual((await show()).verdicts, TWO_SENT);
    await crash('reading', '50 seconds');
    assert.equal((await show()).state, 'reading');
    await crash('reading', '70 seconds');
    assert.deepEqual(await show(), {
      state: 'none',
      source: null,
      source_name: null,
      rows: 0,
      columns: [],
      phone_column: null,
      consent_column: null,
      preview: [],
      verdicts: null,
    });
    assert.equal((await upload(PHONES)).ok().rows.rows, 2);
  });
});

describe('over a connection', () => {
  /** Sends the head of an upload; the test sends the body. */
  async function startUpload(
    headers: Record<string, string | number> = {},
    opened?: Awaited<ReturnType<typeof openDraft>>,
  ) {
    const draft = opened ?? (await openDraft());
    const { http } = service;
    if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = http.server.address() as AddressInfo;
    const upload = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/cabinet/broadcasts/${draft.id}/file?name=a.csv&source=file`,
      headers: {
        cookie: draft.cookie,
        'x-zhiber-cabinet': '1',
        'content-type': 'application/octet-stream',
        ...headers,
      },
    });
    upload.on('error', () => undefined);
    const answer = once(upload, 'response');
    answer.catch(() => undefined);
    return { ...draft, request: upload, answer };
  }
  const bodyOf = async (answer: IncomingMessage) => JSON.parse(await text(answer));

  test('a client that leaves half-way leaves a draft without rows', async () => {
    const { id, request: upload } = await startUpload();
    upload.write(`${'87011234567\n'.repeat(10_000)}`);
    await until('rows were written', async () => ((await stateOf(id))?.rows_count ?? 0) > 0);
    upload.destroy();
    await until('they are gone', async () => (await stateOf(id))?.rows_state === 'none');
    assert.deepEqual(await storedRows(id), []);
  });

  test('a company sends three files at once, and leaves places to others', async () => {
    const { companyId } = await openDraft();
    // A newer file of the same draft would replace the one before.
    const startOwn = async (headers = {}) => startUpload(headers, await openDraft({ companyId }));
    const uploads = [];
    for (let i = 0; i < 3; i++) {
      const slow = await startOwn();
      slow.request.write('87011234567\n');
      uploads.push(slow);
    }
    /** Takes a place only for the moment of the look, in which no request can come. */
    const hasPlace = () => {
      const release = service.ctx.uploads.take(companyId);
      release?.();
      return release !== undefined;
    };
    await until('three are coming', async () => !hasPlace());
    const fourth = await startOwn({ 'content-length': 12 });
    fourth.request.end('87011234567\n');
    const [refused] = (await fourth.answer) as [IncomingMessage];
    assert.equal(refused.statusCode, 503);
    assert.equal((await bodyOf(refused)).error_code, 'service_unavailable');

    const other = await startUpload();
    other.request.end('87011234567\n');
    const [accepted] = (await other.answer) as [IncomingMessage];
    assert.equal(accepted.statusCode, 200);
    accepted.resume();

    for (const { request: upload } of uploads) upload.destroy();
    await until('a place is free again', async () => hasPlace());
  });

  test('a file above the limit is refused by its length, and as it comes', async () => {
    const promised = await startUpload({ 'content-length': RECIPIENT_FILE_BYTES_MAX + 1 });
    promised.request.write('87011234567\n');
    const [refusal] = (await promised.answer) as [IncomingMessage];
    assert.equal(refusal.statusCode, 413);
    assert.equal((await bodyOf(refusal)).error_code, 'payload_too_large');
    assert.equal((await stateOf(promised.id))?.rows_state, 'none');

    const chunked = await startUpload();
    // One row whose cell is never closed would be refused for that, so these are workbooks.
    chunked.request.write('PK\x03\x04');
    const megabyte = Buffer.alloc(1024 * 1024);
    for (let sent = 0; sent <= RECIPIENT_FILE_BYTES_MAX; sent += megabyte.length) {
      chunked.request.write(megabyte);
    }
    const [late] = (await chunked.answer) as [IncomingMessage];
    assert.equal(late.statusCode, 413);
    assert.equal((await bodyOf(late)).error_code, 'payload_too_large');
    assert.equal((await stateOf(chunked.id))?.rows_state, 'none');
    for (const { request: upload } of [promised, chunked]) upload.destroy();
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('100,000 rows are read and checked in flat memory', async () => {
  const heapsMb: number[] = [];
  const measure = () => {
    collectGarbage();
    heapsMb.push(process.memoryUsage().heapUsed / 2 ** 20);
  };
  /** The file is never whole. */
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from('Имя;Телефон;Город\n');
    for (let i = 0; i < RECIPIENTS_MAX; i += 500) {
      if (i % 20_000 === 5_000) measure();
      const part = Array.from(
        { length: 500 },
        (_, k) => `Получатель ${i + k};8701${String(i + k).padStart(7, '0')};Алматы\n`,
      );
      yield Buffer.from(part.join(''));
    }
  }
  const { id, companyId } = await openDraft();
  const upload = { companyId, broadcastId: id, source: 'file', name: 'big.csv' } as const;
  await uploadRows(service.ctx, {}, { ...upload, bytes: lines() });
  measure();
  const expected = { ...NO_VERDICTS, send: RECIPIENTS_MAX };
  assert.deepEqual(await countVerdicts(service.ctx.db, id), expected);
  const growthMb = Math.max(...heapsMb) - (heapsMb[0] as number);
  // The rows themselves would take 30.
  assert(growthMb < 8, `${growthMb} MB`);
});
