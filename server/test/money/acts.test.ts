import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { exportLedger } from '../../src/ledger/export-ledger.ts';
import { type Month, monthOf, nextMonth, rangeOf } from '../../src/papers/month.ts';
import { drawAct } from '../../src/papers/paper-file.ts';
import { readAct } from '../../src/papers/read-act.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { createEmptyCompany, insertEntries } from '../cabinet/ledger-entries.ts';
import { runConcurrently, type TestKey, useService } from '../harness.ts';
import { readPdf } from '../read-pdf.ts';

const SELLER = {
  SELLER_NAME: 'ТОО «Жібер»',
  SELLER_BIN: '230140012345',
  SELLER_ADDRESS: 'г. Алматы, пр. Абая, 150',
  SELLER_VAT: '16',
};
const service = useService({ env: SELLER });

const MONTH = monthOf(new Date());
/** In the following month, whose first minutes are for what is still on its way into the ledger. */
const NEXT_MONTH = { now: () => new Date(rangeOf(MONTH).to.getTime() + 10 * 60_000) };
const later = () => ({ ...service.ctx, clock: NEXT_MONTH });

const LAST_MONTH = monthOf(new Date(rangeOf(MONTH).from.getTime() - 1));

/** As the upkeep does when the messages of a month are old enough. */
const removeMessages = (companyId: CompanyId, month: Month) =>
  service.sql(
    `insert into removed_month (company_id, month, messages, charged) values ($1, $2, 0, 0)
     on conflict do nothing`,
    [companyId, `${month}-01`],
  );

const readNow = (companyId: CompanyId, month: Month = MONTH) => readAct(later(), companyId, month);

async function send(key: TestKey, channel: 'whatsapp' | 'telegram' | 'sms'): Promise<string> {
  const answer = await service.call('/otp/send', { phone: service.phone(), channel }, key);
  assert.equal(answer.status, 200);
  return String(answer.body.message_id);
}

const post = (companyId: CompanyId, kind: string, amount: number) =>
  service.sql('select post_entry($1, $2, $3, $4)', [companyId, kind, amount, newId(Date.now())]);

/** What the ledger itself says about the charges of a company. */
async function chargesOf(companyId: CompanyId): Promise<number> {
  const [row] = await service.sql<{ total: number }>(
    `select (-coalesce(sum(amount), 0))::bigint as total from entry
     where company_id = $1 and kind in ('charge', 'charge_moved')`,
    [companyId],
  );
  return row?.total as number;
}

/** Two by WhatsApp, one by Telegram, two by SMS; 5,000 ₸ paid with the bonus of the first top-up. */
async function createBusyCompany(): Promise<TestKey> {
  const key = await service.key({ balance: 100 });
  for (const channel of ['whatsapp', 'whatsapp', 'telegram', 'sms', 'sms'] as const) {
    await send(key, channel);
  }
  await topUp(service.ctx, { companyId: key.companyId, amount: 5_000 });
  return key;
}

async function read(
  companyId: CompanyId,
  format: 'pdf' | 'xlsx' | 'csv',
  lang: 'ru' | 'kk' = 'ru',
) {
  return await drawAct(later(), { companyId, lang }, { month: MONTH, format });
}

describe('an act', () => {
  test('has the messages of each channel, and the balance from opening to closing', async () => {
    const { companyId } = await createBusyCompany();
    const act = await readNow(companyId);
    assert.deepEqual(act.lines, [
      { channel: 'whatsapp', price: 3, count: 2, amount: 6 },
      { channel: 'telegram', price: 3, count: 1, amount: 3 },
      { channel: 'sms', price: 8, count: 2, amount: 16 },
    ]);
    assert.deepEqual([act.total, act.adjustment, act.messages], [25, 0, 5]);
    assert.equal(await chargesOf(companyId), 25);
    assert.deepEqual(act.balance, {
      opening: 0,
      moves: { topup: 5_000, welcome_bonus: 50, first_topup_bonus: 1_000, correction: 50 },
      closing: 6_075,
    });
    assert.equal((await service.balance(companyId)).balance, 6_075);
  });

  test('has another line for another price', async () => {
    const key = await createBusyCompany();
    const id = await send(key, 'sms');
    await service.sql('update message set charged = 10 where id = $1', [id]);
    await post(key.companyId, 'charge_moved', -2);
    const { lines, total } = await readNow(key.companyId);
    assert.deepEqual(
      lines.filter(({ channel }) => channel === 'sms').map(({ price, count }) => [price, count]),
      [
        [8, 2],
        [10, 1],
      ],
    );
    assert.equal(total, 35);
  });

  test('counts a charge that has moved to another channel there', async () => {
    const key = await service.key({ balance: 100 });
    const id = await send(key, 'whatsapp');
    await service.sql(`update message set channel = 'sms', charged = 8 where id = $1`, [id]);
    await post(key.companyId, 'charge_moved', -5);
    const act = await readNow(key.companyId);
    assert.deepEqual(act.lines, [{ channel: 'sms', price: 8, count: 1, amount: 8 }]);
    assert.deepEqual([act.total, act.adjustment], [8, 0]);
  });

  test('has no line for a charge that was given back', async () => {
    const key = await service.key({ balance: 100 });
    const id = await send(key, 'sms');
    await send(key, 'sms');
    await service.sql(`update message set charged = 0, state = 'unknown' where id = $1`, [id]);
    await post(key.companyId, 'charge_moved', 8);
    const act = await readNow(key.companyId);
    assert.deepEqual(act.lines, [{ channel: 'sms', price: 8, count: 1, amount: 8 }]);
    assert.deepEqual([act.total, act.adjustment], [8, 0]);
  });

  test('equals the ledger where a message stands on the other side of midnight', async () => {
    const key = await createBusyCompany();
    const id = await send(key, 'sms');
    // Sent in the next month by its id, charged in this one by the ledger.
    const nextId = newId(rangeOf(nextMonth(MONTH)).from.getTime() + 1);
    await service.sql('update message set id = $2 where id = $1', [id, nextId]);
    const act = await readNow(key.companyId);
    assert.deepEqual([act.total, act.adjustment], [33, 8]);
    const text = await readPdf((await read(key.companyId, 'pdf')).bytes);
    assert.match(text, /Перерасчёт: смена канала, .* — — — 8 Итого 33/);
  });

  test('comes from the ledger alone once the messages are removed, and says so', async () => {
    const { companyId } = await createBusyCompany();
    await service.sql(
      `insert into removed_month (company_id, month, messages, charged) values ($1, $2, 5, 25)`,
      [companyId, `${new Date().toISOString().slice(0, 7)}-01`],
    );
    await service.sql('delete from message where company_id = $1', [companyId]);
    const act = await readNow(companyId);
    assert.deepEqual([act.lines, act.total, act.messages, act.isFromLedger], [[], 25, 5, true]);
    const text = await readPdf((await read(companyId, 'pdf')).bytes);
    assert.match(text, /Доставка сообщений сообщ\. 5 — 25 Итого 25/);
    assert.match(text, /сообщения за этот месяц уже удалены по сроку хранения/);
  });

  test('goes on with the balance where the month before has ended', async () => {
    const { companyId } = await createBusyCompany();
    const next = nextMonth(MONTH);
    const afterNext = { now: () => new Date(rangeOf(next).to.getTime() + 10 * 60_000) };
    const [first, second] = [
      await readNow(companyId),
      await readAct({ ...service.ctx, clock: afterNext }, companyId, next),
    ];
    assert.equal(second.balance.opening, first.balance.closing);
    assert.deepEqual(
      [second.total, second.lines, second.balance],
      [0, [], { opening: 6_075, moves: {}, closing: 6_075 }],
    );
    assert.equal(second.number, first.number + 1);
  });

  test('of a month has what its statement has: from its first midnight to before the next', async () => {
    const companyId = await createEmptyCompany(service);
    const { from, to } = rangeOf(LAST_MONTH);
    await insertEntries(service, companyId, [
      { kind: 'topup', amount: 9_000, at: new Date(from.getTime() - 1) },
      { kind: 'charge', amount: -300, at: from, messages: 100 },
      { kind: 'charge_moved', amount: 30, at: new Date(to.getTime() - 1), messages: -10 },
      { kind: 'charge', amount: -7_000, at: to, messages: 1 },
    ]);
    await removeMessages(companyId, LAST_MONTH);
    const act = await readNow(companyId, LAST_MONTH);
    assert.deepEqual([act.total, act.messages], [270, 90]);
    assert.deepEqual(act.balance, { opening: 9_000, moves: {}, closing: 8_730 });
    const range = { from: from.toISOString(), to: to.toISOString() };
    const statement = {
      companyId,
      range,
      by: 'line',
      format: 'csv',
      lang: 'ru',
      actor: {},
    } as const;
    const lines = (await Array.fromAsync(await exportLedger(service.ctx, statement))).join('');
    assert.match(
      lines,
      /начало, ₸;9000\r\nПоступило, ₸;30\r\nСписано, ₸;300\r\nОстаток на конец, ₸;8730\r\n$/,
    );
  });

  test('of a month with refunds alone has no services, and says what went back', async () => {
    const companyId = await createEmptyCompany(service);
    const { from } = rangeOf(LAST_MONTH);
    const dayOf = (days: number) => new Date(from.getTime() + days * 24 * 3_600_000);
    await insertEntries(service, companyId, [
      { kind: 'topup', amount: 5_000, at: dayOf(-3) },
      { kind: 'first_topup_bonus', amount: 1_000, at: dayOf(-3) },
      { kind: 'refund', amount: -5_000, at: dayOf(3) },
      { kind: 'bonus_taken_back', amount: -1_000, at: dayOf(3) },
    ]);
    const act = await readNow(companyId, LAST_MONTH);
    assert.deepEqual([act.total, act.lines, act.adjustment], [0, [], 0]);
    assert.deepEqual(act.balance, {
      opening: 6_000,
      moves: { refund: -5_000, bonus_taken_back: -1_000 },
      closing: 0,
    });
    const owner = { companyId, lang: 'ru' } as const;
    const pdf = await drawAct(later(), owner, { month: LAST_MONTH, format: 'pdf' });
    const text = await readPdf(pdf.bytes);
    assert.match(text, /В этом месяце платных услуг не было\./);
    assert.match(
      text,
      /периода 6 000 Возвраты платежей −5 000 Отмена бонуса −1 000 Услуги по этому акту 0 .* периода 0/,
    );
  });

  test('never changes, whatever happens later', async () => {
    const { companyId } = await createBusyCompany();
    const pdf = await read(companyId, 'pdf');
    await post(companyId, 'correction', -70);
    await service.sql(`update company set name = 'Другое имя' where id = $1`, [companyId]);
    const again = await read(companyId, 'pdf');
    assert(again.bytes.equals(pdf.bytes));
  });

  test('asked for 40 times at once is one act, and numbers have no gap', async () => {
    const companies = await Promise.all(Array.from({ length: 4 }, () => service.company()));
    const acts = await runConcurrently(40, (i) => readNow(companies[i % 4] as CompanyId));
    const numbers = new Set(acts.map(({ number }) => number));
    assert.equal(numbers.size, 4);
    assert.equal(Math.max(...numbers) - Math.min(...numbers), 3);
  });

  test('of a month that is not over, or from before the company, does not exist', async () => {
    const companyId = await service.company();
    const tooEarly = { now: () => new Date(NEXT_MONTH.now().getTime() - 1) };
    await assert.rejects(readAct({ ...service.ctx, clock: tooEarly }, companyId, MONTH), {
      code: 'month_not_over',
    });
    await assert.rejects(readNow(companyId, '2020-01' as Month), { code: 'not_found' });
    await assert.rejects(readNow(companyId, nextMonth(MONTH)), { code: 'month_not_over' });
  });

  test('that was changed in the database is refused', async () => {
    const companyId = await service.company();
    await readNow(companyId);
    await service.sql(
      `update act set content = replace(content, '"total":0', '"total":1') where company_id = $1`,
      [companyId],
    );
    await assert.rejects(readNow(companyId), /a stored act was changed/);
    await service.sql('delete from act where company_id = $1', [companyId]);
    await service.sql(`update paper_number set last = last - 1 where kind = 'act'`);
  });
});

describe('the files of an act', () => {
  test('are a PDF in both languages with every line and the sum in words', async () => {
    const { companyId } = await createBusyCompany();
    const ru = await readPdf((await read(companyId, 'pdf')).bytes);
    for (const fact of [
      'ТОО «Жібер» БИН/ИИН 230140012345',
      'Доставка сообщений: WhatsApp сообщ. 2 3 6',
      'Доставка сообщений: Telegram сообщ. 1 3 3',
      'Доставка сообщений: SMS сообщ. 2 8 16',
      'Итого 25',
      'В том числе НДС 16 % 3,45',
      '25 ₸',
      'Двадцать пять тенге 00 тиын',
      'Остаток на начало периода 0',
      'Пополнения 5 000',
      'Услуги по этому акту −25',
      'Остаток на конец периода 6 075',
    ]) {
      assert(ru.includes(fact), `${fact}\nis missing in\n${ru}`);
    }
    const kk = await readPdf((await read(companyId, 'pdf', 'kk')).bytes);
    for (const fact of ['актісі №', 'Жиырма бес теңге 00 тиын', 'Кезең соңындағы қалдық 6 075']) {
      assert(kk.includes(fact), `${fact}\nis missing in\n${kk}`);
    }
  });

  test('are a CSV that accounting programs take, whose lines add up', async () => {
    const { companyId } = await createBusyCompany();
    const { bytes, type, name } = await read(companyId, 'csv');
    assert.equal(type, 'text/csv; charset=utf-8');
    assert.equal(name, `act-${MONTH}.csv`);
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    const text = bytes.toString().slice(1);
    assert(text.endsWith('\r\n'));
    const [head = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(';'));
    const at = (title: string) => head.indexOf(title);
    const shown = rows.map((row) => [
      row[at('Раздел')],
      row[at('Наименование услуги')],
      row[at('Кол-во')],
      row[at('Цена, ₸')],
      row[at('Сумма, ₸')],
      row[at('Сумма НДС, ₸')],
    ]);
    assert.deepEqual(shown, [
      ['Услуги', 'Доставка сообщений: WhatsApp', '2', '3', '6', '0,83'],
      ['Услуги', 'Доставка сообщений: Telegram', '1', '3', '3', '0,41'],
      ['Услуги', 'Доставка сообщений: SMS', '2', '8', '16', '2,21'],
      ['Баланс', 'Остаток на начало периода', '', '', '0', ''],
      ['Баланс', 'Пополнения', '', '', '5000', ''],
      ['Баланс', 'Приветственный бонус', '', '', '50', ''],
      ['Баланс', 'Бонус за первое пополнение', '', '', '1000', ''],
      ['Баланс', 'Корректировки', '', '', '50', ''],
      ['Баланс', 'Услуги по этому акту', '', '', '-25', ''],
      ['Баланс', 'Остаток на конец периода', '', '', '6075', ''],
    ]);
  });

  test('count VAT line by line, that of an adjustment too, and add it up to the tiyn', async () => {
    const key = await service.key({ balance: 100 });
    await send(key, 'whatsapp');
    await send(key, 'sms');
    const { companyId } = key;
    // Given back for a message of an earlier month.
    await insertEntries(service, companyId, [{ kind: 'charge_moved', amount: 2, at: new Date() }]);
    const csv = (await read(companyId, 'csv')).bytes.toString();
    const vats = csv.split('\r\n').flatMap((line) => /;16;(.*)$/.exec(line)?.[1] ?? []);
    assert.deepEqual(vats, ['0,41', '1,1', '-0,28']);
    // 16/116 of 9 is 1.24; the lines say 1.23.
    const text = await readPdf((await read(companyId, 'pdf')).bytes);
    assert(text.includes('В том числе НДС 16 % 1,23'), text);
    const { bytes } = await read(companyId, 'xlsx');
    const start = bytes.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length;
    assert.match(inflateRawSync(bytes.subarray(start)).toString(), /<v>-0\.28<\/v><\/c>/);
  });

  test('are a workbook with the same rows', async () => {
    const { companyId } = await createBusyCompany();
    const { bytes } = await read(companyId, 'xlsx', 'kk');
    const start = bytes.indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length;
    const sheet = inflateRawSync(bytes.subarray(start)).toString();
    assert.equal(sheet.match(/<row /g)?.length, 11);
    assert.match(sheet, />Хабарлама жеткізу: SMS<.*?<v>2<\/v>.*?<v>8<\/v>.*?<v>16<\/v>/);
    assert.match(sheet, />Кезең соңындағы қалдық<.*?<v>6075<\/v>/);
  });
});

test('the audit knows acts: their numbers have no gap, and their sums are those of the ledger', async () => {
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual([violations.act_number_is_missing, violations.act_differs_from_ledger], [0, 0]);
});
