import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CompanyId, PersonId } from '../../src/ids.ts';
import { exportMessages } from '../../src/messages/export-messages.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { insertPastMessages } from './past-messages.ts';

const service = useService();
const cabinet = createCabinetClient(service);

async function createCompanyWithMessages(
  count: number,
  columns: Parameters<typeof insertPastMessages>[1]['columns'] = {},
) {
  const key = await service.key();
  await insertPastMessages(service.sql, { ...key, count, fromHours: 2, columns });
  return key;
}

async function download(companyId: CompanyId, role: Role, query: string) {
  const { cookie } = await cabinet.person({ companyId, role });
  const response = await service.http.inject({
    url: `/cabinet/messages/export?${query}`,
    headers: { cookie },
  });
  return response;
}

/** Extracts the XML of the first sheet of a workbook. */
function readSheet({ rawPayload }: { rawPayload: Buffer }): string {
  const start = rawPayload.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length;
  return inflateRawSync(rawPayload.subarray(start)).toString();
}

const auditEvents = (companyId: CompanyId) =>
  service.sql<{ action: string; object: string; after: Record<string, unknown> }>(
    'select action, object, after from audit_record where company_id = $1',
    [companyId],
  );

test('a CSV file has every message, escapes formulas, and is recorded in the audit log', async () => {
  const { companyId } = await createCompanyWithMessages(3, {
    purpose: `(array['=1+1', 'a;b"c', 'ok'])[n::integer]`,
    receipt: `(array['delivered', 'failed', 'read'])[n::integer]::receipt`,
  });
  const file = await download(companyId, 'owner', 'format=csv');
  assert.equal(file.statusCode, 200);
  assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8');
  assert.match(
    String(file.headers['content-disposition']),
    /^attachment; filename="messages-\d{4}-\d\d-\d\d\.csv"$/,
  );
  assert.deepEqual([...file.rawPayload.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const lines = file.payload.slice(1).trimEnd().split('\r\n');
  assert.equal(lines.length, 4);
  assert.match(lines[0] ?? '', /^Время \(Алматы\);Время \(UTC\);Телефон или группа;/);
  assert.match(lines[1] ?? '', /;\+77010000003;KZ;код;ok;доставлено;;SMS;SMS: доставлено;2000;0;/);
  assert.match(lines[2] ?? '', /;"a;b""c";не доставлено;/);
  assert.match(lines[3] ?? '', /;'=1\+1;доставлено;/);
  assert.deepEqual(await auditEvents(companyId), [
    { action: 'messages.exported', object: 'csv', after: { filter: {}, rows: 3, is_cut: false } },
  ]);
});

/** Columns with text from outside: from the company, an API client or a provider. */
const UNTRUSTED_COLUMNS = ['Телефон или группа', 'Назначение', 'Причина', 'Ключ', 'ID запроса'];

/** Creates a group message with a spreadsheet formula in every column that takes outside text. */
async function createMessageWithFormulas(formula: string): Promise<CompanyId> {
  const key = await service.key();
  const { companyId } = key;
  const groups = await service.sql<{ id: number }>(
    `insert into messenger_group (company_id, channel, name, chat_id)
     values ($1, 'telegram', $2, '-1') returning id`,
    [companyId, formula],
  );
  const columns = { kind: `'group'`, recipient: String(groups[0]?.id), channel: `'telegram'` };
  await insertPastMessages(service.sql, { ...key, count: 1, fromHours: 2, columns });
  await service.sql(
    'update message set purpose = $2, reason = $2, request_id = $2 where company_id = $1',
    [companyId, formula],
  );
  await service.sql('update api_key set name = $2 where company_id = $1', [companyId, formula]);
  return companyId;
}

for (const start of ['=', '+', '-', '@', '\t']) {
  const formula = `${start}cmd|' /C calc'!A0`;
  test(`no exported column contains a formula: ${JSON.stringify(formula)}`, async () => {
    const companyId = await createMessageWithFormulas(formula);
    const { payload } = await download(companyId, 'owner', 'format=csv&lang=ru');
    const [head = [], row = []] = payload
      .slice(1)
      .split('\r\n')
      .map((line) => line.split(';'));
    assert.deepEqual(
      head.filter((_, column) => row[column]?.includes(formula)),
      UNTRUSTED_COLUMNS,
    );
    for (const [column, cell] of row.entries())
      assert.doesNotMatch(cell, /^[=+\-@\t](?!\d+$)/, head[column]);

    const sheet = readSheet(await download(companyId, 'owner', 'format=xlsx&lang=ru'));
    const cells = sheet.match(/<c[ >/].*?(?:<\/c>|\/>)/gs);
    const untrusted = cells?.filter((cell) => cell.includes(formula)) ?? [];
    assert.equal(untrusted.length, UNTRUSTED_COLUMNS.length);
    // The cells are typed as text, so Excel neither runs nor guesses their content.
    for (const cell of untrusted)
      assert.match(cell, /^<c r="[A-Z]\d" t="inlineStr"><is><t xml:space="preserve">/);
  });
}

test('the Almaty time and the UTC time of a row are the same instant', async () => {
  const { companyId } = await createCompanyWithMessages(1);
  const [, line = ''] = (await download(companyId, 'owner', 'format=csv&lang=en')).payload.split(
    '\r\n',
  );
  const [almaty = '', utc = ''] = line.split(',');
  const gapMs = Date.parse(`${almaty.replace(' ', 'T')}Z`) - Date.parse(utc);
  assert.equal(Math.round(gapMs / 60_000), 300);
});

test('a searched phone is masked in the audit log, and who sees phones masked exports nothing', async () => {
  const { companyId } = await createCompanyWithMessages(2);
  const file = await download(companyId, 'manager', 'format=csv&lang=kk&search=87010000001');
  assert.match(file.payload, /\+77010000001/);
  assert.doesNotMatch(file.payload, /0000002/);
  const record = (await auditEvents(companyId)).at(-1);
  assert.deepEqual(record?.after, { filter: { search: '+7701***0001' }, rows: 1, is_cut: false });
  for (const role of ['developer', 'accountant', 'marketer', 'viewer'] as const) {
    assert.equal((await download(companyId, role, 'format=csv')).statusCode, 403, role);
  }
});

test('a workbook has the same rows', async () => {
  const { companyId } = await createCompanyWithMessages(2);
  const sheet = readSheet(await download(companyId, 'owner', 'format=xlsx&lang=en'));
  assert.equal(sheet.match(/<row /g)?.length, 3);
  assert.match(sheet, />Phone or group</);
  assert.match(sheet, />\+77010000002</);
});

test('an export reads all database pages without gaps, and a truncated file says so', async () => {
  const { companyId } = await createCompanyWithMessages(2_500);
  const request = { companyId, filter: {}, format: 'csv', lang: 'ru', canSeePhones: true } as const;
  const actor = {};
  const whole = await Array.fromAsync(exportMessages(service.ctx, { ...request, actor }));
  const phones = new Set(whole.join('').match(/\+7701\d{7}/g));
  assert.equal(phones.size, 2_500);
  const cut = await Array.fromAsync(
    exportMessages(service.ctx, { ...request, actor, rowsMax: 1_200 }),
  );
  const lines = cut.join('').trimEnd().split('\r\n');
  assert.equal(lines.length, 1 + 1_200 + 1);
  assert.match(lines.at(-1) ?? '', /первые 1\s200 строк/);
  const records = await auditEvents(companyId);
  assert.deepEqual(
    records.map(({ after }) => [after.rows, after.is_cut]),
    [
      [2_500, false],
      [1_200, true],
    ],
  );
});

test('an aborted download is recorded in the audit log', async () => {
  const { companyId } = await createCompanyWithMessages(3_000);
  const { personId } = await cabinet.person({ companyId, role: 'owner' });
  for await (const _chunk of exportMessages(service.ctx, {
    companyId,
    filter: {},
    format: 'csv',
    lang: 'ru',
    canSeePhones: true,
    actor: { person: { id: personId as PersonId, name: 'Кто-то' } },
  })) {
    break;
  }
  await until('the export is recorded', async () => (await auditEvents(companyId)).length === 1);
});

test('at most four exports run at a time', async () => {
  const { companyId } = await createCompanyWithMessages(10);
  const request = {
    companyId,
    filter: {},
    format: 'csv',
    lang: 'ru',
    canSeePhones: true,
    actor: {},
  } as const;
  const running = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const file = exportMessages(service.ctx, request);
      await file.next();
      return file;
    }),
  );
  const busy = await download(companyId, 'owner', 'format=csv');
  assert.equal(busy.statusCode, 503);
  for (const file of running) await file.return(undefined);
  assert.equal((await download(companyId, 'owner', 'format=csv')).statusCode, 200);
});
