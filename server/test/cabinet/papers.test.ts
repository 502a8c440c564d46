import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { PAPER_ENDPOINTS as P } from '@zhiber/contract/cabinet/papers.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { listPapers } from '../../src/papers/list-papers.ts';
import { type Month, monthOf, rangeOf } from '../../src/papers/month.ts';
import { archiveMonth } from '../../src/papers/month-archive.ts';
import { receiptCode } from '../../src/papers/receipt-code.ts';
import { creditPayment } from '../../src/topups/credit-payment.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import type { Payment } from '../../src/topups/payment-store.ts';
import { askRefund, settleRefund } from '../../src/topups/refund-payment.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { until, useService } from '../harness.ts';
import { readPdf } from '../read-pdf.ts';
import { readZip } from '../read-zip.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { explainQueries } from './explain-queries.ts';
import { insertManyCharges } from './ledger-entries.ts';
import { openMailServer } from './mail-server.ts';

const mail = await openMailServer();
after(() => mail.close());
const service = useService({ env: { SMTP_URL: mail.url, MAIL_FROM: 'zhiber@example.kz' } });
const { person, as } = createCabinetClient(service);

/** 17 November 2026 in Almaty, though still the 16th in UTC. */
const PAID_AT = new Date('2026-11-16T20:01:48Z');

type Pay = { amount?: number; asked?: number; expiresAt?: Date; orderId?: string };

let orders = 0;
async function createOrder(companyId: CompanyId, more: Pay = {}): Promise<string> {
  const id = newId(Date.now());
  orders += 1;
  await insertOrder(service.ctx.db, {
    id,
    company_id: companyId,
    reference: `ZB-PAPER${String(orders).padStart(3, '0')}`,
    provider: 'kaspi',
    amount: more.asked ?? more.amount ?? 5_000,
    payer_name: 'ТОО «Қазақстан Өнімдері мен Ұлттық Әуендер»',
    payer_business_id: '123456789012',
    provider_id: null,
    qr: null,
    pay_url: null,
    created_by: null,
    expires_at: more.expiresAt ?? new Date(Date.now() + 3_600_000),
    next_check_at: null,
  });
  return id;
}

let payments = 0;
async function pay(companyId: CompanyId, more: Pay = {}): Promise<Payment> {
  payments += 1;
  const outcome = await creditPayment(
    service.ctx,
    {},
    {
      companyId,
      orderId: more.orderId ?? (await createOrder(companyId, more)),
      provider: 'kaspi',
      providerPaymentId: `77812345${payments}`,
      amount: more.amount ?? 5_000,
      paidAt: PAID_AT,
    },
  );
  assert(outcome.result === 'credited');
  return outcome.payment;
}

async function createPayer(more: Pay = {}) {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as CompanyId;
  await service.sql(`update company set name = $2, business_id = '987654321098' where id = $1`, [
    companyId,
    'Магазин «Арай»',
  ]);
  return { owner, companyId, payment: await pay(companyId, more) };
}

async function refund(payment: Payment, amount: number): Promise<string> {
  const ask = { paymentId: payment.id, amount, reason: 'ошибка', askedBy: 'Оператор' };
  const outcome = await askRefund(service.ctx, {}, ask);
  assert(outcome.result === 'asked');
  return outcome.refund.id;
}

async function get(who: TestPerson | undefined, path: string) {
  return await service.http.inject({
    url: `/cabinet${path}`,
    headers: who === undefined ? {} : { cookie: who.cookie },
  });
}

const openReceipt = (who: TestPerson, number: number, lang = 'ru') =>
  get(who, `/papers/receipts/${number}?lang=${lang}`);

async function readReceipt(who: TestPerson, number: number, lang = 'ru'): Promise<string> {
  const file = await openReceipt(who, number, lang);
  assert.equal(file.statusCode, 200, file.payload);
  return await readPdf(file.rawPayload);
}

const padded = (number: number) => String(number).padStart(6, '0');

function assertHas(text: string, facts: readonly string[]): void {
  for (const fact of facts) assert(text.includes(fact), `${fact}\nis missing in\n${text}`);
}

describe('a receipt', () => {
  test('says everything about its payment, in Russian', async () => {
    const { owner, payment } = await createPayer();
    const number = payment.receipt_number;
    assertHas(await readReceipt(owner, number), [
      `Квитанция № ${padded(number)}`,
      'ТОО «Образец Песочницы» БИН/ИИН 000000000000',
      'ТОО «Қазақстан Өнімдері мен Ұлттық Әуендер» БИН/ИИН 123456789012',
      'Магазин «Арай» БИН/ИИН 987654321098',
      '5 000 ₸',
      'Пять тысяч тенге 00 тиын',
      '17.11.2026, 01:01:48 (время Алматы)',
      'Kaspi QR',
      payment.provider_payment_id,
      'ZB-PAPER',
      'Бонус за первое пополнение 1 000 ₸',
      'Итого на баланс 6 000 ₸',
      `http://localhost:3000/receipt/${receiptCode(service.ctx.secrets, number)}`,
      'ПЕСОЧНИЦА',
    ]);
  });

  test('says the same in Kazakh, with all its letters', async () => {
    const { owner, payment } = await createPayer();
    const text = await readReceipt(owner, payment.receipt_number, 'kk');
    assertHas(text, [
      `Түбіртек № ${padded(payment.receipt_number)}`,
      'ТОО «Қазақстан Өнімдері мен Ұлттық Әуендер» БСН/ЖСН 123456789012',
      '5 000 ₸',
      'Бес мың теңге 00 тиын',
      '17.11.2026, 01:01:48 (Алматы уақыты)',
      'Алғашқы толтыру бонусы 1 000 ₸',
    ]);
    for (const letter of 'әғқңөұүі') assert(text.toLowerCase().includes(letter), letter);
  });

  test('is a small file with the letters it needs, the same bytes every time', async () => {
    const { owner, payment } = await createPayer();
    const file = await openReceipt(owner, payment.receipt_number);
    assert.equal(file.headers['content-type'], 'application/pdf');
    assert.equal(file.headers['x-content-type-options'], 'nosniff');
    assert.equal(file.headers['cache-control'], 'no-store');
    assert.equal(
      file.headers['content-disposition'],
      `attachment; filename="receipt-${padded(payment.receipt_number)}.pdf"; filename*=UTF-8''${encodeURIComponent(`Квитанция №\u{a0}${padded(payment.receipt_number)}.pdf`)}`,
    );
    // The two fonts have more than a megabyte.
    assert(file.rawPayload.length < 60_000, `${file.rawPayload.length} bytes`);
    const again = await openReceipt(owner, payment.receipt_number);
    assert(again.rawPayload.equals(file.rawPayload));
  });

  test('of a later payment has no line for a bonus', async () => {
    const { owner, companyId } = await createPayer();
    const second = await pay(companyId, { amount: 1_000 });
    const text = await readReceipt(owner, second.receipt_number);
    assert(!text.includes('Бонус'), text);
    assertHas(text, ['Одна тысяча тенге 00 тиын', 'Итого на баланс 1 000 ₸']);
  });

  test('says that a payment was late, a second one, or of another amount', async () => {
    const { owner, companyId, payment } = await createPayer();
    const late = await pay(companyId, { expiresAt: new Date('2026-11-01Z') });
    const again = await pay(companyId, { orderId: payment.order_id as string });
    const other = await pay(companyId, { amount: 700, asked: 1_000 });
    const textOf = ({ receipt_number }: Payment) => readReceipt(owner, receipt_number);
    assertHas(await textOf(late), ['Оплачено после окончания срока заказа.']);
    assertHas(await textOf(again), ['Повторная оплата того же заказа.']);
    assertHas(await textOf(other), ['Оплачена не та сумма, что в заказе (1 000 ₸).']);
    assert.doesNotMatch(await textOf(payment), /Повторная|после окончания|не та сумма/);
  });

  test('shows each refund, and that the whole was sent back', async () => {
    const { owner, payment } = await createPayer();
    const first = await refund(payment, 1_000);
    assertHas(await readReceipt(owner, payment.receipt_number), ['Возвращается 1 000 ₸, начато']);
    await settleRefund(service.ctx, {}, first, { result: 'done', providerRefundId: 'r1' });
    const partly = await readReceipt(owner, payment.receipt_number);
    assertHas(partly, ['Возвращено 1 000 ₸,']);
    assert(!partly.includes('полностью'), partly);
    const rest = await refund(payment, 4_000);
    await settleRefund(service.ctx, {}, rest, { result: 'done', providerRefundId: 'r2' });
    assertHas(await readReceipt(owner, payment.receipt_number), [
      'Возвращено 4 000 ₸,',
      'Платёж возвращён полностью.',
    ]);
  });

  test('of a payment that the operator entered has its reference, or none', async () => {
    const owner = await person({ role: 'owner' });
    const companyId = owner.companyId as CompanyId;
    const enter = async (reference?: string) => {
      const outcome = await topUp(service.ctx, { companyId, amount: 1_000, reference });
      assert(outcome.result === 'credited');
      return outcome.receiptNumber;
    };
    const named = await readReceipt(owner, await enter('ПП 118 от 17.11'));
    assertHas(named, ['Номер платежа ПП 118 от 17.11', 'Внесено оператором сервиса']);
    const number = await enter();
    assert.doesNotMatch(await readReceipt(owner, number), /Номер платежа|[0-9a-f]{8}-/);
    const records = await service.sql<{ object: string }>(
      `select object from audit_record where company_id = $1 and action = 'balance.topped_up' order by id`,
      [companyId],
    );
    assert.deepEqual(records, [
      { object: 'ПП 118 от 17.11' },
      { object: `Квитанция № ${padded(number)}` },
    ]);
  });

  test('of who pays for itself names the company once', async () => {
    const owner = await person({ role: 'owner' });
    const companyId = owner.companyId as CompanyId;
    await service.sql('update company set business_id = $2 where id = $1', [
      companyId,
      '123456789012',
    ]);
    const receiptOf = async (name: string, businessId: string | null) => {
      const orderId = await createOrder(companyId);
      await service.sql(
        'update payment_order set payer_name = $2, payer_business_id = $3 where id = $1',
        [orderId, name, businessId],
      );
      const { receipt_number } = await pay(companyId, { orderId });
      return await readReceipt(owner, receipt_number);
    };
    const [company] = await service.sql<{ name: string }>(
      'select name from company where id = $1',
      [companyId],
    );
    const { name } = company as { name: string };
    assert.doesNotMatch(await receiptOf(name, '123456789012'), /Компания в сервисе/);
    assert.match(await receiptOf(name, '987654321098'), /Компания в сервисе/);
    assert.match(await receiptOf('ИП Сәуле', '123456789012'), /Компания в сервисе/);
  });

  test('of another company, or of nobody, is not found', async () => {
    const { payment } = await createPayer();
    const stranger = await person({ role: 'owner' });
    for (const number of [payment.receipt_number, 999_999, '0', 'x', '1e3', '-1']) {
      const answer = await get(stranger, `/papers/receipts/${number}`);
      assert.equal(answer.statusCode, 404, `${number}: ${answer.payload}`);
    }
  });

  test('with a hostile name of a payer is drawn as it is written', async () => {
    const owner = await person({ role: 'owner' });
    const companyId = owner.companyId as CompanyId;
    const orderId = await createOrder(companyId);
    const name = `(x) Tj ET \\ <</JS>> ${'Ы'.repeat(170)}`;
    await service.sql('update payment_order set payer_name = $2 where id = $1', [orderId, name]);
    const payment = await pay(companyId, { orderId });
    const text = await readReceipt(owner, payment.receipt_number);
    assertHas(text, ['(x) Tj ET \\ <</JS>>']);
  });
});

describe('the list of papers', () => {
  test('has the receipts of a month, the newest first, with their sums', async () => {
    const { owner, companyId, payment } = await createPayer();
    const second = await pay(companyId, { amount: 1_500 });
    await refund(second, 500);
    const list = (await as(owner).call(P.papers)).ok();
    assert.equal(list.month, monthOf(new Date()));
    assert.deepEqual(list.months, [monthOf(new Date())]);
    assert.deepEqual(
      list.receipts.map(({ number, amount, bonus, refunded, way }) => [
        number,
        amount,
        bonus,
        refunded,
        way,
      ]),
      [
        [second.receipt_number, 1_500, 0, 500, 'kaspi'],
        [payment.receipt_number, 5_000, 1_000, 0, 'kaspi'],
      ],
    );
    assert.equal(list.paid, 6_500);
    assert.deepEqual([list.spent, list.has_act, list.act_number], [0, false, null]);
    const earlier = (await as(owner).call(P.papers, { query: { month: '2026-01' } })).ok();
    assert.deepEqual([earlier.receipts, earlier.has_act], [[], false]);
  });

  test('says what a month has cost without a look at its charges', async () => {
    const companyId = await service.company();
    // Of the last 28 days: in one month or in two.
    await insertManyCharges(service, companyId, 2_000);
    const month = monthOf(new Date());
    const before = monthOf(new Date(rangeOf(month).from.getTime() - 1));
    const { db, largest } = explainQueries(service.ctx.db);
    const spentIn = async (asked: Month) =>
      (await listPapers({ ...service.ctx, db }, companyId, asked)).spent;
    assert.equal((await spentIn(before)) + (await spentIn(month)), 1_000 * (3 + 8));
    assert(largest.rows <= 60, `${largest.rows} rows`);
  });

  test('has the receipts from the first instant of a month to the last before the next', async () => {
    const { owner, companyId, payment } = await createPayer();
    const second = await pay(companyId);
    const month = monthOf(new Date());
    const { from, to } = rangeOf(month);
    const credited = ({ id }: Payment, at: Date) =>
      service.sql('update payment set credited_at = $2 where id = $1', [id, at]);
    const listed = async () => (await as(owner).call(P.papers, { query: { month } })).ok().receipts;
    await credited(payment, from);
    await credited(second, new Date(to.getTime() - 1));
    assert.equal((await listed()).length, 2);
    await credited(payment, new Date(from.getTime() - 1));
    await credited(second, to);
    assert.deepEqual(await listed(), []);
  });

  test('is for who may see the balance', async () => {
    const { companyId } = await createPayer();
    const accountant = await person({ companyId, role: 'accountant' });
    assert.equal((await as(accountant).call(P.papers)).ok().receipts.length, 1);
    const developer = await person({ companyId, role: 'developer' });
    (await as(developer).call(P.papers)).refused('no_right');
  });
});

describe('an invoice', () => {
  test('has the requisites, the reference and the amount in words', async () => {
    const { owner, companyId } = await createPayer();
    const id = await createOrder(companyId, {
      amount: 150_000,
      expiresAt: new Date('2026-12-01T10:00:00Z'),
    });
    const file = await get(owner, `/papers/invoices/${id}`);
    assert.equal(file.statusCode, 200, file.payload);
    const [order] = await service.sql<{ reference: string }>(
      'select reference from payment_order where id = $1',
      [id],
    );
    assertHas(await readPdf(file.rawPayload), [
      `Счёт на оплату № ${order?.reference}`,
      'ИИК KZ00SAMPLE0000000000',
      'КБе 17',
      'БИК SAMPLEKZ',
      '(КНП) 859',
      'АО «Учебный Банк»',
      'ТОО «Қазақстан Өнімдері мен Ұлттық Әуендер» БИН/ИИН 123456789012',
      '150 000 ₸',
      'Сто пятьдесят тысяч тенге 00 тиын',
      `Пополнение баланса Zhiber, заказ ${order?.reference}`,
      'Счёт действителен до 01.12.2026.',
      'Без НДС',
    ]);
    const kk = await get(owner, `/papers/invoices/${id}?lang=kk`);
    assertHas(await readPdf(kk.rawPayload), [
      'Төлемге арналған шот',
      'ЖСК KZ00SAMPLE0000000000',
      'Жүз елу мың теңге 00 тиын',
    ]);
  });

  test('is for an order that can still be paid', async () => {
    const { owner, companyId, payment } = await createPayer();
    const paid = await get(owner, `/papers/invoices/${payment.order_id}`);
    assert.equal(paid.json().error_code, 'order_closed');
    const cancelled = await createOrder(companyId);
    await service.sql(`update payment_order set state = 'cancelled' where id = $1`, [cancelled]);
    const answer = await get(owner, `/papers/invoices/${cancelled}`);
    assert.equal(answer.json().error_code, 'order_closed');
  });

  test('of another company is not found', async () => {
    const { companyId } = await createPayer();
    const id = await createOrder(companyId);
    const stranger = await person({ role: 'owner' });
    for (const path of [id, newId(Date.now()), 'x']) {
      assert.equal((await get(stranger, `/papers/invoices/${path}`)).statusCode, 404);
    }
  });
});

describe('the archive of a month', () => {
  const open = (who: TestPerson, month: string = monthOf(new Date())) =>
    get(who, `/papers/archive?month=${month}&lang=kk`);

  test('has every receipt of the month, as each is alone, and its statement', async () => {
    const { owner, companyId, payment } = await createPayer();
    const second = await pay(companyId, { amount: 1_000 });
    const month = monthOf(new Date());
    const file = await open(owner);
    assert.equal(file.headers['content-type'], 'application/zip');
    assert.equal(file.headers['content-disposition'], `attachment; filename="papers-${month}.zip"`);
    const files = await readZip(file.rawPayload);
    const names = [payment, second].map(
      ({ receipt_number }) => `receipt-${padded(receipt_number)}.pdf`,
    );
    const statement = `ledger-${month}.csv`;
    assert.deepEqual([...files.keys()], [...names, statement]);
    const alone = await openReceipt(owner, second.receipt_number, 'kk');
    assert(files.get(names[1] as string)?.equals(alone.rawPayload));
    // The bonus of the beginning, two payments, and the bonus of the first.
    assert.match(
      String(files.get(statement)),
      /Басындағы қалдық, ₸;0\r\nТүсті, ₸;7050\r\nШегерілді, ₸;0\r\nСоңындағы қалдық, ₸;7050\r\n$/,
    );
    const records = await service.sql<{ object: string }>(
      `select object from audit_record where company_id = $1 and action = 'ledger.exported'`,
      [companyId],
    );
    assert.deepEqual(records, [{ object: 'csv' }]);
    assert.equal(service.ctx.exports.taken, 0);
  });

  test('of a month without papers has a statement that says so', async () => {
    const { owner } = await createPayer();
    const files = await readZip((await open(owner, '2026-01')).rawPayload);
    assert.deepEqual([...files.keys()], ['ledger-2026-01.csv']);
    assert.match(String(files.get('ledger-2026-01.csv')), /Соңындағы қалдық, ₸;0\r\n$/);
  });

  test('is refused while too many files are written', async () => {
    const { owner } = await createPayer();
    const releases = Array.from({ length: 4 }, () => service.ctx.exports.tryAcquire());
    const busy = await open(owner);
    assert.equal(busy.statusCode, 503);
    for (const release of releases) release?.();
    assert.equal((await open(owner)).statusCode, 200);
  });

  test('is refused before its first byte where no paper can be drawn', async () => {
    const { companyId } = await createPayer();
    const channels = { ...service.ctx.channels, isSandbox: false };
    const ctx = { ...service.ctx, channels };
    const reader = { companyId, lang: 'ru' } as const;
    await assert.rejects(archiveMonth(ctx, {}, reader, monthOf(new Date())), {
      code: 'seller_unknown',
    });
    assert.equal(service.ctx.exports.taken, 0);
  });

  test('that nobody reads to its end ends the statement in it', async () => {
    const { companyId } = await createPayer();
    await insertManyCharges(service, companyId, 10_000);
    const month = monthOf(new Date());
    const archive = await archiveMonth(service.ctx, {}, { companyId, lang: 'ru' }, month);
    // The receipt has been read, and the file after it has begun.
    let read = Buffer.alloc(0);
    for await (const part of archive.iterator({ destroyOnReturn: false })) {
      read = Buffer.concat([read, part]);
      if (read.includes('ledger-')) break;
    }
    archive.destroy();
    const records = () =>
      service.sql<{ after: { rows: number } }>(
        `select after from audit_record where company_id = $1 and action = 'ledger.exported'`,
        [companyId],
      );
    await until('the statement has ended', async () => (await records()).length === 1);
    const [record] = await records();
    assert(Number(record?.after.rows) < 10_000, JSON.stringify(record));
    assert.equal(service.ctx.exports.taken, 0);
  });
});

describe('a letter', () => {
  const send = (who: TestPerson, id: string | number, email: string, kind = 'receipt' as const) =>
    as(who).call(P.sendPaper, { body: { kind, id: String(id), email } });

  test('carries the receipt to any address, and the audit log has it', async () => {
    const { owner, companyId, payment } = await createPayer();
    (await send(owner, payment.receipt_number, 'books@example.kz')).ok();
    await until('the letter arrives', async () => mail.letters.length === 1);
    const [letter] = mail.letters;
    assert.deepEqual(letter?.recipients, ['books@example.kz']);
    const source = letter?.source ?? '';
    assert.match(source, new RegExp(`filename=receipt-${padded(payment.receipt_number)}.pdf`));
    const [, base64 = ''] =
      /Content-Type: application\/pdf[\s\S]*?\n\n([A-Za-z0-9+/=\n]+)/.exec(source) ?? [];
    const alone = await openReceipt(owner, payment.receipt_number);
    assert(Buffer.from(base64, 'base64').equals(alone.rawPayload));
    const records = await service.sql<{ object: string; after: object }>(
      `select object, after from audit_record where company_id = $1 and action = 'paper.sent'`,
      [companyId],
    );
    assert.deepEqual(records, [
      {
        object: `Квитанция №\u{a0}${padded(payment.receipt_number)}`,
        after: { email: 'books@example.kz' },
      },
    ]);
  });

  test('is not sent for a receipt of another company', async () => {
    const { payment } = await createPayer();
    const stranger = await person({ role: 'owner' });
    const before = mail.letters.length;
    (await send(stranger, payment.receipt_number, 'me@example.kz')).refused('not_found');
    (await send(stranger, newId(Date.now()), 'me@example.kz')).refused('not_found');
    (await send(stranger, 'x', 'me@example.kz')).refused('validation_error');
    assert.equal(mail.letters.length, before);
  });

  test('goes to one address and nothing else', async () => {
    const { owner, payment } = await createPayer();
    for (const email of ['a@b.kz, c@d.kz', 'a@b.kz\r\nBcc: c@d.kz', 'nobody', '<a@b.kz>']) {
      (await send(owner, payment.receipt_number, email)).refused('validation_error');
    }
  });

  test('is one of at most twenty an hour for a person', async () => {
    const { owner, companyId, payment } = await createPayer();
    // Numbers that are not there count too, and nothing is drawn for them.
    for (let i = 0; i < 20; i++) (await send(owner, 999_999, 'b@example.kz')).refused('not_found');
    (await send(owner, payment.receipt_number, 'b@example.kz')).refused('sign_in_limited');
    const colleague = await person({ companyId, role: 'accountant' });
    (await send(colleague, payment.receipt_number, 'b@example.kz')).ok();
  });
});

describe('the public page of a receipt', () => {
  const open = (code: string, headers: Record<string, string> = {}) =>
    service.http.inject({ url: `/receipt/${code}`, headers: { accept: 'text/html', ...headers } });
  const codeOf = ({ receipt_number }: Payment) => receiptCode(service.ctx.secrets, receipt_number);

  test('confirms it to whoever has the paper, without the name of the payer', async () => {
    const { payment } = await createPayer();
    const page = await open(codeOf(payment));
    assert.equal(page.statusCode, 200, page.payload);
    assert(page.payload.includes('5\u{a0}000\u{a0}₸'), 'an amount stays on one line');
    assertHas(page.payload.replaceAll('\u{a0}', ' '), [
      'Квитанция подлинная',
      padded(payment.receipt_number),
      '5 000 ₸',
      '17 ноября 2026',
      '01:01',
      'ТОО «Образец Песочницы»',
      'ТОО «Қа… Өн… мен Ұл… Әу…»',
      'не было',
      '<meta name="robots" content="noindex">',
    ]);
    assert(!page.payload.includes('Өнімдері') && !page.payload.includes('123456789012'));
    assert.equal(page.headers['x-robots-tag'], 'noindex');
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'/);
    assert.doesNotMatch(page.payload, /<script/);
  });

  test('says what was refunded', async () => {
    const { payment } = await createPayer();
    await refund(payment, 1_000);
    assertHas((await open(codeOf(payment))).payload.replaceAll('\u{a0}', ' '), [
      'Возвращено 1 000 ₸',
    ]);
    await refund(payment, 4_000);
    assertHas((await open(codeOf(payment))).payload, ['Платёж возвращён полностью']);
  });

  test('speaks three languages', async () => {
    const { payment } = await createPayer();
    const kk = await open(codeOf(payment), { 'accept-language': 'kk' });
    assertHas(kk.payload, ['<html lang="kk">', 'Түбіртектің түпнұсқалығы расталды']);
    const en = await open(`${codeOf(payment)}?lang=en`);
    assertHas(en.payload, ['The receipt is genuine', '5\u{a0}000\u{a0}₸']);
  });

  test('is not found by a number without its token, and guessing is slowed down', async () => {
    const { payment } = await createPayer();
    const number = payment.receipt_number;
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const wrong = [`${number}`, `${number}-${'0'.repeat(16)}`, codeOf(payment).slice(0, -1), 'x'];
    for (const code of wrong) {
      const page = await open(code, from);
      assert.equal(page.statusCode, 404, code);
      assertHas(page.payload, ['Такой квитанции нет']);
    }
    const statuses = [];
    for (let i = 0; i < 30; i++) {
      statuses.push((await open(`${number}-${String(i).padStart(16, '0')}`, from)).statusCode);
    }
    assert.equal(statuses.at(-1), 429);
    // Who has the paper still sees it.
    assert.equal((await open(codeOf(payment), from)).statusCode, 200);
  });
});
