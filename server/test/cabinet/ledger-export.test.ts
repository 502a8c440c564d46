import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inflateRawSync } from 'node:zlib';
import { correctBalance } from '../../src/billing/correct-balance.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { exportLedger, type LedgerExport } from '../../src/ledger/export-ledger.ts';
import { creditPayment } from '../../src/topups/credit-payment.ts';
import { recordReportedRefund } from '../../src/topups/refund-payment.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { createEmptyCompany, insertEntries, insertManyCharges } from './ledger-entries.ts';

const service = useService();
const cabinet = createCabinetClient(service);

async function download(companyId: CompanyId, query: string, role = 'accountant' as const) {
  const { cookie } = await cabinet.person({ companyId, role });
  return await service.http.inject({
    url: `/cabinet/ledger/export?${query}`,
    headers: { cookie },
  });
}

/** The rows of the first sheet of a workbook, each cell as text. */
function readSheet(file: Buffer): string[][] {
  const start = file.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length;
  const text = inflateRawSync(file.subarray(start)).toString();
  return [...text.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c [^>]*\/>|<c [^>]*>.*?<\/c>/gs)].map(([cell]) => shownCell(cell)),
  );
}

/** A time (format 1) or a day (format 2) as a spreadsheet shows it, any other cell as it is. */
function shownCell(cell: string): string {
  const value = cell.replaceAll(/<[^>]*>/g, '');
  const format = / s="(\d)"/.exec(cell)?.[1];
  if (format === undefined) return value;
  const at = new Date(Date.UTC(1899, 11, 30) + Math.round(Number(value) * 86_400) * 1000);
  return at
    .toISOString()
    .replace('T', ' ')
    .slice(0, format === '1' ? 19 : 10);
}

const readCsv = (text: string) =>
  text
    .slice(1)
    .split('\r\n')
    .map((line) => line.split(';'));

/** A month of a small shop: two days in November, with an entry before and one after. */
async function createShop(): Promise<CompanyId> {
  const companyId = await createEmptyCompany(service);
  await insertEntries(service, companyId, [
    { kind: 'topup', amount: 1_000, at: '2026-10-31T18:59:59Z' },
    // 00:00 on 1 November in Almaty.
    { kind: 'charge', amount: -300, at: '2026-10-31T19:00:00Z', messages: 100 },
    { kind: 'charge_moved', amount: 30, at: '2026-11-01T18:59:59Z', messages: -10 },
    { kind: 'correction', amount: 70, at: '2026-11-10T06:00:00Z' },
    { kind: 'charge', amount: -80, at: '2026-11-10T06:00:01Z', messages: 10 },
    { kind: 'charge', amount: -8, at: '2026-11-30T19:00:00Z', messages: 1 },
  ]);
  return companyId;
}
const NOVEMBER = 'from=2026-10-31T19:00:00Z&to=2026-11-30T19:00:00Z';

const LINES = [
  ['Номер', 'Время (Алматы)', 'Время (UTC)', 'Вид', 'Поступило, ₸', 'Списано, ₸', 'Остаток, ₸'],
  [
    '2',
    '2026-11-01 00:00:00',
    '2026-10-31T19:00:00.000Z',
    'Списание за сообщения',
    '',
    '300',
    '700',
  ],
  ['3', '2026-11-01 23:59:59', '2026-11-01T18:59:59.000Z', 'Пересчёт списания', '30', '', '730'],
  ['4', '2026-11-10 11:00:00', '2026-11-10T06:00:00.000Z', 'Корректировка', '70', '', '800'],
  [
    '5',
    '2026-11-10 11:00:01',
    '2026-11-10T06:00:01.000Z',
    'Списание за сообщения',
    '',
    '80',
    '720',
  ],
];
const TOTALS = [
  ['Остаток на начало, ₸', '1000'],
  ['Поступило, ₸', '100'],
  ['Списано, ₸', '380'],
  ['Остаток на конец, ₸', '720'],
];

test('a statement has the company, the period, every entry and totals that add up', async () => {
  const companyId = await createShop();
  const file = await download(companyId, `by=line&format=csv&${NOVEMBER}`);
  assert.equal(file.statusCode, 200, file.payload);
  assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8');
  assert.match(
    String(file.headers['content-disposition']),
    /^attachment; filename="ledger-\d{4}-\d\d-\d\d\.csv"$/,
  );
  assert.deepEqual([...file.rawPayload.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  assert.equal(file.payload.replaceAll('\r\n', '').includes('\n'), false);
  const rows = readCsv(file.payload);
  const [made] = rows.splice(3, 1);
  assert.match(made?.join(';') ?? '', /^Сформировано \(Алматы\);\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.deepEqual(rows.slice(0, 5), [
    ['Компания', 'ТОО «Проводки»'],
    ['БИН/ИИН', '980540000016'],
    ['Период (Алматы)', '2026-11-01 00:00:00 – 2026-12-01 00:00:00'],
    ['Остаток на начало, ₸', '1000'],
    [''],
  ]);
  assert.deepEqual(
    rows.slice(5, 10).map((row) => row.slice(0, 7)),
    LINES,
  );
  assert.deepEqual(rows[5]?.slice(7), ['Сообщений', 'Квитанция', 'Код платежа', 'Причина']);
  assert.deepEqual(
    rows.slice(6, 10).map((row) => row[7]),
    ['100', '-10', '', '10'],
  );
  assert.deepEqual(rows.slice(10), [[''], ...TOTALS, ['']]);

  const sheet = readSheet(
    (await download(companyId, `by=line&format=xlsx&${NOVEMBER}`)).rawPayload,
  );
  assert.deepEqual(
    sheet.slice(6, 11).map((row) => row.slice(0, 7)),
    LINES,
  );
  assert.deepEqual(sheet.slice(-4), TOTALS);
});

test('by day there is a row for each day in Almaty on which the balance changed', async () => {
  const companyId = await createShop();
  const days = [
    ['Day', 'Opening balance, ₸', 'In, ₸', 'Out, ₸', 'Closing balance, ₸', 'Messages'],
    ['2026-11-01', '1000', '30', '300', '730', '90'],
    ['2026-11-10', '730', '70', '80', '720', '10'],
  ];
  const query = `by=day&lang=en&${NOVEMBER}`;
  const rows = readCsv((await download(companyId, `${query}&format=csv`)).payload);
  assert.deepEqual(rows.slice(6, 9), days);
  const sheet = readSheet((await download(companyId, `${query}&format=xlsx`)).rawPayload);
  assert.deepEqual(sheet.slice(6, 9), days);
  for (const file of [rows.slice(0, -1), sheet]) {
    assert.deepEqual(file.slice(-4), [
      ['Opening balance, ₸', '1000'],
      ['In, ₸', '100'],
      ['Out, ₸', '380'],
      ['Closing balance, ₸', '720'],
    ]);
  }
});

test('without a period a statement begins at 0 and ends at the balance of the account', async () => {
  const companyId = await createShop();
  const file = await download(companyId, 'by=line&format=csv&lang=kk');
  const rows = readCsv(file.payload);
  assert.deepEqual(rows[2], ['Кезең (Алматы)', 'басынан – қазірге дейін']);
  assert.deepEqual(rows.slice(-5, -1), [
    ['Басындағы қалдық, ₸', '0'],
    ['Түсті, ₸', '1100'],
    ['Шегерілді, ₸', '388'],
    ['Соңындағы қалдық, ₸', '712'],
  ]);
  assert.equal((await service.balance(companyId)).balance, 712);
});

test('a period without entries has its balance and no lines; one that ends before it begins too', async () => {
  const companyId = await createShop();
  for (const [period, balance] of [
    ['from=2026-11-11T00:00:00Z&to=2026-11-12T00:00:00Z', '720'],
    ['from=2026-11-12T00:00:00Z&to=2026-11-01T00:00:00Z', '720'],
    ['to=2020-01-01T00:00:00Z', '0'],
  ] as const) {
    const rows = readCsv((await download(companyId, `by=line&format=csv&${period}`)).payload);
    assert.deepEqual(
      rows.slice(7, -1).map((row) => row.join(' ')),
      [
        '',
        `Остаток на начало, ₸ ${balance}`,
        'Поступило, ₸ 0',
        'Списано, ₸ 0',
        `Остаток на конец, ₸ ${balance}`,
      ],
    );
  }
});

for (const start of ['=', '+', '-', '@', '\t']) {
  test(`no text of a statement is a formula: ${JSON.stringify(start)}`, async () => {
    const formula = `${start}cmd|' /C calc'!A0`;
    const companyId = await createEmptyCompany(service);
    await service.sql('update company set name = $2 where id = $1', [companyId, formula]);
    await service.ctx.db.transaction((tx) =>
      correctBalance(tx, { companyId, amount: 1, cause: newId(Date.now()), reason: formula }),
    );
    const { payload } = await download(companyId, 'by=line&format=csv');
    const cells = readCsv(payload).flat();
    assert.equal(cells.filter((cell) => cell.includes(formula)).length, 2);
    for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@\t]/);
  });
}

test('a role without the right and another company get nothing', async () => {
  const companyId = await createShop();
  const other = await service.company();
  const foreign = await download(other, 'by=line&format=csv');
  assert.doesNotMatch(foreign.payload, /Проводки|1000/);
  const viewer = await cabinet.person({ companyId, role: 'viewer' });
  const refused = await service.http.inject({
    url: '/cabinet/ledger/export?by=line&format=csv',
    headers: { cookie: viewer.cookie },
  });
  assert.equal(refused.statusCode, 403);
  for (const query of ['by=line', 'format=csv', 'by=week&format=csv', 'by=line&format=pdf']) {
    assert.equal((await download(companyId, query)).statusCode, 422, query);
  }
});

const request = (companyId: CompanyId, more: Partial<LedgerExport> = {}): LedgerExport => ({
  actor: {},
  companyId,
  range: {},
  by: 'line',
  format: 'csv',
  lang: 'ru',
  ...more,
});

test('lines beyond the limit are refused, or added up by day where that is asked for', async () => {
  const companyId = await createShop();
  const read = async (more: Partial<LedgerExport>) => {
    const file = await exportLedger(service.ctx, request(companyId, { linesMax: 5, ...more }));
    return readCsv((await Array.fromAsync(file)).join(''));
  };
  await assert.rejects(read({}), { code: 'validation_error' });
  assert.equal((await read({ by: 'auto' }))[6]?.[0], 'День');
  assert.equal((await read({ by: 'auto', linesMax: 6 }))[6]?.[0], 'Номер');
});

const recordsOf = (companyId: CompanyId) =>
  service.sql<{ person_name: string | null; object: string; after: { rows: number } }>(
    `select person_name, object, after from audit_record
     where company_id = $1 and action = 'ledger.exported' order by id`,
    [companyId],
  );

test('the audit log has who has downloaded which period, and how much of it', async () => {
  const companyId = await createShop();
  const { cookie, phone } = await cabinet.person({ companyId, role: 'accountant' });
  const name = `Человек ${phone}`;
  for (const query of [`by=line&format=csv&${NOVEMBER}`, 'by=day&format=xlsx']) {
    const url = `/cabinet/ledger/export?${query}`;
    assert.equal((await service.http.inject({ url, headers: { cookie } })).statusCode, 200);
  }
  assert.deepEqual(await recordsOf(companyId), [
    {
      person_name: name,
      object: 'csv',
      after: { period: '2026-11-01 00:00:00 – 2026-12-01 00:00:00', rows: 4 },
    },
    { person_name: name, object: 'xlsx', after: { period: '… – …', rows: 6 } },
  ]);
});

test('a refund made at the bank gives its reason in the language of the file', async () => {
  const companyId = await createEmptyCompany(service);
  const credited = await creditPayment(
    service.ctx,
    {},
    {
      companyId,
      provider: 'kaspi',
      providerPaymentId: `bank-${companyId}`,
      amount: 1_000,
      paidAt: new Date(),
    },
  );
  assert(credited.result === 'credited');
  const { id: paymentId } = credited.payment;
  await recordReportedRefund(service.ctx, { paymentId, refundedTotal: 1_000 });
  for (const [lang, reason] of [
    ['ru', 'возврат на стороне банка'],
    ['kk', 'банк тарапынан қайтарылды'],
    ['en', 'refunded by the bank'],
  ] as const) {
    const file = await download(companyId, `by=line&format=csv&lang=${lang}`);
    const reasons = readCsv(file.payload).flatMap((row) => row[10] ?? []);
    assert.deepEqual(reasons.slice(1).filter(Boolean), [reason, reason], lang);
  }
});

test('at most four exports run at a time, and one that is left counts no more', async () => {
  const companyId = await createShop();
  const running = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const file = await exportLedger(service.ctx, request(companyId));
      await file.next();
      return file;
    }),
  );
  assert.equal((await download(companyId, 'by=line&format=csv')).statusCode, 503);
  for (const file of running) await file.return(undefined);
  await until('the exports have ended', async () => service.ctx.exports.taken === 0);
  assert.equal((await download(companyId, 'by=line&format=csv')).statusCode, 200);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const COUNT = 100_000;
const MEGABYTE = 1_048_576;

/** Made once, for all tests that need a file larger than any buffer. */
let large: Promise<CompanyId> | undefined;
async function createLargeCompany(): Promise<CompanyId> {
  const companyId = await service.company();
  await insertManyCharges(service, companyId, COUNT);
  return companyId;
}
function largeCompany(): Promise<CompanyId> {
  large ??= createLargeCompany();
  return large;
}

/** Reads a file to its end. Keeps its last part, and how much memory was in use on the way. */
async function readFlat(
  file: AsyncIterable<Buffer | string>,
  { everyBytes, onPart }: { everyBytes: number; onPart: () => Promise<unknown> },
) {
  const memory: NodeJS.MemoryUsage[] = [];
  let bytes = 0;
  let lines = 0;
  let tail = '';
  for await (const chunk of file) {
    bytes += Buffer.byteLength(chunk);
    if (typeof chunk === 'string') {
      lines += 1;
      tail = (tail + chunk).slice(-400);
    }
    if (bytes < everyBytes * (memory.length + 1)) continue;
    await onPart();
    collectGarbage();
    memory.push(process.memoryUsage());
  }
  return { memory, bytes, lines, tail };
}

test('100,000 entries are exported with flat memory, as of one moment, while more are posted', async () => {
  const companyId = await largeCompany();
  // The bonus, the correction that pays for all, and charges of 3 and 8 in turn.
  const moneyIn = 50 + 8 * COUNT;
  const moneyOut = (COUNT / 2) * 11;
  const totals = `Поступило, ₸;${moneyIn}\r\nСписано, ₸;${moneyOut}\r\nОстаток на конец, ₸;${moneyIn - moneyOut}\r\n`;
  assert.equal((await service.balance(companyId)).balance, moneyIn - moneyOut);

  let posted = 0;
  const onPart = async () => {
    posted += 1;
    await service.sql('select post_entry($1, $2, $3, uuidv7())', [companyId, 'correction', 1]);
  };
  const csv = await readFlat(await exportLedger(service.ctx, request(companyId)), {
    everyBytes: MEGABYTE,
    onPart,
  });
  assert(posted >= 5, `${posted} entries were posted meanwhile`);
  // The mark, seven lines at the head, an empty one, and four of totals.
  assert.equal(csv.lines, 1 + 7 + (COUNT + 2) + 5);
  assert.equal(csv.tail.slice(-totals.length), totals);
  assertFlat(csv.memory);
  assert.equal((await service.balance(companyId)).balance, moneyIn - moneyOut + posted);

  const now = posted;
  const xlsxFile = await exportLedger(service.ctx, request(companyId, { format: 'xlsx' }));
  const parts: Buffer[] = [];
  const kept = async function* () {
    for await (const part of xlsxFile) {
      parts.push(part as Buffer);
      yield part;
    }
  };
  const xlsx = await readFlat(kept(), { everyBytes: MEGABYTE / 4, onPart });
  assert(posted >= now + 5, `${posted - now} entries were posted meanwhile`);
  const file = Buffer.concat(parts);
  assertFlat(xlsx.memory, file.length / MEGABYTE);
  const sheet = readSheet(file);
  assert.equal(sheet.length, 7 + (COUNT + 2 + now) + 5);
  assert.deepEqual(sheet.slice(-3), [
    ['Поступило, ₸', String(moneyIn + now)],
    ['Списано, ₸', String(moneyOut)],
    ['Остаток на конец, ₸', String(moneyIn + now - moneyOut)],
  ]);
  const lines = sheet.slice(7, -5);
  let balance = 0;
  for (const [number, , , , added = '', taken = '', after = ''] of lines) {
    balance += Number(added) - Number(taken);
    assert.equal(Number(after), balance, `entry ${number}`);
  }
});

/** The rows as objects would take more than 40 MB, and the sheet as text 20 MB. */
function assertFlat(memory: readonly NodeJS.MemoryUsage[], keptMegabytes = 0): void {
  const growth = (name: 'heapUsed' | 'external') => {
    const values = memory.map((sample) => sample[name] / MEGABYTE);
    return Math.max(...values) - (values[0] as number);
  };
  assert(memory.length >= 5, `${memory.length} samples`);
  const [heap, buffers] = [growth('heapUsed'), growth('external')];
  assert(
    heap < 10 && buffers < 10 + keptMegabytes,
    `the heap grew by ${heap} MB, buffers by ${buffers} MB`,
  );
}

test('a client that hangs up ends its export, and the audit log says how far it came', async () => {
  const companyId = await largeCompany();
  const { cookie } = await cabinet.person({ companyId, role: 'accountant' });
  const origin = await service.http.listen({ port: 0, host: '127.0.0.1' });
  for (const format of ['csv', 'xlsx']) {
    const url = `${origin}/cabinet/ledger/export?by=line&format=${format}`;
    const request = get(url, { headers: { cookie } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await once(answer, 'readable');
    assert.equal(service.ctx.exports.taken, 1);
    request.destroy();
    await until('the export has ended', async () => service.ctx.exports.taken === 0);
    const record = (await recordsOf(companyId)).at(-1);
    assert.equal(record?.object, format);
    assert(record.after.rows < COUNT, `${record.after.rows} entries were read`);
  }
});
