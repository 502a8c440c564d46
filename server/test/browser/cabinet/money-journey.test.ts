/**
 * Money as a company lives it, through the whole service: the cabinet in one browser, the app of the
 * sandbox bank in another one, signed notices between them, and the watch over what is not finished.
 */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { correctBalance } from '../../../src/billing/correct-balance.ts';
import { auditIn } from '../../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../../src/ids.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { readPdf } from '../../read-pdf.ts';
import { eventually, NARROW, type Opened, usePages } from '../open-pages.ts';
import {
  askForQr,
  assertSamePage,
  BUSINESS_ID,
  bar,
  inHeader,
  notStopped,
  press,
  readJournal,
  readLedger,
  receiptsOf,
  shown,
  stopped,
} from './money-pages.ts';
import { named } from './newcomer.ts';
import { openSignedIn } from './signed-in.ts';

const { open, running } = usePages();
const { openAs } = openSignedIn({ open, running });

const PRICE = 3;

const site = () => running().ctx.urls.publicUrl;
const sql = <Row>(text: string, values: unknown[] = []) =>
  running().ctx.db.query<Row>(text, values);

afterEach(assertAuditClean);

async function assertAuditClean(): Promise<void> {
  const { violations } = await auditIn(running().ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
}

type Company = Opened & { id: CompanyId; key: string };

/** With a live key and nothing left of the welcome bonus. */
async function openEmptyCompany(): Promise<Company> {
  const opened = await openAs('owner');
  const id = opened.companyId;
  const { db } = running().ctx;
  await db.transaction((tx) =>
    correctBalance(tx, {
      companyId: id,
      amount: -50,
      cause: newId(Date.now()),
      reason: 'бонус потрачен',
    }),
  );
  const { key } = await createKey(db, { companyId: id, name: 'Сайт', isTest: false });
  return { ...opened, id, key };
}

let phones = 0;
/** Calls the API as the company's server would, each time for another phone. */
async function send(key: string): Promise<{ status: number; code?: string }> {
  phones += 1;
  const answer = await fetch(`${site()}/api/otp/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone: `+7701555${1_000 + phones}`, channel: 'whatsapp' }),
  });
  const { error_code: code } = (await answer.json()) as { error_code?: string };
  return { status: answer.status, ...(code !== undefined && { code }) };
}

/** The payer's phone, with the bank open at what the QR says. */
async function openBank(address: string): Promise<Page> {
  assert.match(address, /\/sandbox\/bank\/ZB-[0-9A-Z]+$/);
  const { page } = await open(new URL(address).pathname, { ...NARROW, hasTouch: true });
  return page;
}

/** An order of 5 000 ₸, shown in the cabinet and open in the bank. */
async function openOrder(company: Company) {
  const { page } = company;
  await page.goto(`${site()}/app/balance/topup`);
  const address = await askForQr(page, '5 000');
  const reference = address.slice(address.lastIndexOf('/') + 1);
  // Lost with any reload.
  await page.evaluate('window.isSamePage = true');
  return { reference, bank: await openBank(address) };
}

type Money = { balance: number; held: number; debt: number };
const moneyOf = async (id: CompanyId) => {
  const [money] = await sql<Money>(
    'select balance, held, debt from account where company_id = $1',
    [id],
  );
  return money;
};

/** How every ledger here begins. */
const BEGINNING = ['Приветственный бонус +50 = 50', 'Корректировка −50 = 0'];

test('an empty balance stops the sends; a payment by QR brings the bonus, a receipt and the sends back', async () => {
  const company = await openEmptyCompany();
  const { page, id, key } = company;
  const { link, heading } = named(page);
  assert.deepEqual(await send(key), { status: 402, code: 'insufficient_tokens' });
  await page.goto(`${site()}/app/messages`);
  await stopped(
    page,
    /^Отправки остановлены: на балансе 0\s₸, сообщение стоит от 3\s₸\. С .* отклонена 1 отправка\.Пополнить$/,
  );

  await bar(page).getByRole('link', { name: 'Пополнить' }).click();
  await heading('Пополнить баланс').waitFor();
  await shown(page, /\+1\s000\s₸ в подарок\. На баланс поступит 6\s000\s₸/);
  const address = await askForQr(page, '5 000');
  const reference = address.slice(address.lastIndexOf('/') + 1);
  await page.evaluate('window.isSamePage = true');
  const bank = await openBank(address);
  assert.match((await bank.textContent('dl')) ?? '', new RegExp(reference));
  await press(bank, 'Оплатить');
  await bank.getByText('Сервис получил уведомление').waitFor();

  await shown(page, /Оплачено\+6\s000\s₸Баланс: 6\s000\s₸/);
  await shown(page, /Зачислено5\s000\s₸Бонус за первое пополнение1\s000\s₸/);
  await inHeader(page, /6\s000\s₸/);
  await notStopped(page);
  await assertSamePage(page);
  assert.deepEqual(await moneyOf(id), { balance: 6_000, held: 0, debt: 0 });

  const [, number] = /Квитанция№ (\d{6})/.exec(await shown(page, /Квитанция№ \d{6}/)) ?? [];
  const [file] = await Promise.all([
    page.context().waitForEvent('response', (answer) => answer.url().includes('/papers/')),
    link('Открыть квитанцию').click(),
  ]);
  assert.equal(file.headers()['content-type'], 'application/pdf');
  const paper = await readPdf(await (await page.request.get(file.url())).body());
  assert.match(paper, new RegExp(`Квитанция № ${number}`));
  assert.match(paper, /Сумма 5 000 ₸ Сумма прописью пять тысяч тенге/i);
  assert.match(paper, new RegExp(`Плательщик ТОО «Цветы» БИН/ИИН ${BUSINESS_ID}`));
  assert.match(paper, new RegExp(reference));
  assert.match(paper, /Бонус за первое пополнение 1 000 ₸ Итого на баланс 6 000 ₸/);

  const [check = ''] = /https?:\S+\/receipt\/\S+/.exec(paper) ?? [];
  const { page: checkPage } = await open(new URL(check).pathname);
  const confirmed = (await checkPage.locator('main').textContent()) ?? '';
  assert.match(confirmed, /Квитанция подлинная/);
  assert.match(confirmed, new RegExp(`Номер\\s*${number}\\s*Сумма\\s*5\\s000\\s₸`));
  assert.match(confirmed, /Возврат\s*не было/);

  assert.deepEqual(await send(key), { status: 200 });
  assert.deepEqual(await readLedger(page), [
    ...BEGINNING,
    'Пополнение +5000 = 5000',
    'Бонус за первое пополнение +1000 = 6000',
    `Списание за сообщения −${PRICE} = ${6_000 - PRICE}`,
  ]);
  await notStopped(page);
});

test('an order that has ended is credited when it is paid after all', async () => {
  const company = await openEmptyCompany();
  const { page, id } = company;
  const { reference, bank } = await openOrder(company);
  // Twenty minutes pass, here and at the bank.
  await sql(`update sandbox_bank_order set expires_at = clock_timestamp() where reference = $1`, [
    reference,
  ]);
  await sql(
    `update payment_order set expires_at = clock_timestamp(), next_check_at = clock_timestamp()
     where reference = $1`,
    [reference],
  );
  await shown(page, /Время истекло.*Если вы уже оплатили, деньги зачислятся/);
  assert.deepEqual(await moneyOf(id), { balance: 0, held: 0, debt: 0 });
  await bank.reload();
  await bank.getByText('Срок истёк').waitFor();
  await press(bank, 'Оплатить');
  await shown(page, /Оплачено после срока — деньги зачислены\./);
  await shown(page, /Баланс: 6\s000\s₸/);
  await inHeader(page, /6\s000\s₸/);
  await assertSamePage(page);
  assert.deepEqual(await readLedger(page), [
    ...BEGINNING,
    'Пополнение +5000 = 5000',
    'Бонус за первое пополнение +1000 = 6000',
  ]);
  await eventually(() => receiptsOf(page).textContent(), /5\s000\s₸бонус 1\s000\s₸после срока/);
});

test('an order that is paid twice is credited twice, with one bonus', async () => {
  const company = await openEmptyCompany();
  const { page, id } = company;
  const { bank } = await openOrder(company);
  await press(bank, 'Оплатить дважды');
  await shown(page, /Баланс: 11\s000\s₸.*Платежей: 2.*Оплачено ещё раз — зачислены оба платежа\./);
  await inHeader(page, /11\s000\s₸/);
  await assertSamePage(page);
  assert.deepEqual(await moneyOf(id), { balance: 11_000, held: 0, debt: 0 });
  assert.deepEqual(await readLedger(page), [
    ...BEGINNING,
    'Пополнение +5000 = 5000',
    'Бонус за первое пополнение +1000 = 6000',
    'Пополнение +5000 = 11000',
  ]);
  const receipts = await receiptsOf(page).allTextContents();
  assert.equal(receipts.length, 2);
  assert.equal(receipts.filter((text) => text.includes('повторно')).length, 1);
});

test('another amount is credited as it was paid, and said so', async () => {
  const company = await openEmptyCompany();
  const { page, id } = company;
  const { bank } = await openOrder(company);
  await bank.getByLabel('Другая сумма').fill('4 000');
  await press(bank, 'Оплатить эту сумму');
  await shown(page, /Пришла другая сумма: 4\s000\s₸ вместо 5\s000\s₸\. Зачислено столько/);
  await shown(page, /Баланс: 5\s000\s₸/);
  await assertSamePage(page);
  assert.deepEqual(await moneyOf(id), { balance: 5_000, held: 0, debt: 0 });
  assert.deepEqual(await readLedger(page), [
    ...BEGINNING,
    'Пополнение +4000 = 4000',
    'Бонус за первое пополнение +1000 = 5000',
  ]);
  await eventually(() => receiptsOf(page).textContent(), /4\s000\s₸бонус 1\s000\s₸другая сумма/);
});

test('an order that is cancelled at the bank brings nothing, and the sends stay stopped', async () => {
  const company = await openEmptyCompany();
  const { page, id, key } = company;
  assert.equal((await send(key)).status, 402);
  const { bank } = await openOrder(company);
  await press(bank, 'Отменить платёж');
  await bank.getByText('Отменено').waitFor();
  assert.equal(await bank.getByRole('button', { name: /Оплатить/ }).count(), 0);
  await shown(page, /Отменено/);
  await assertSamePage(page);
  assert.deepEqual(await moneyOf(id), { balance: 0, held: 0, debt: 0 });
  assert.deepEqual(await readLedger(page), BEGINNING);
  assert.equal((await send(key)).status, 402);
  await stopped(page, /на балансе 0\s₸/);
});

test('a refund at the bank takes the payment and its bonus back; what is spent already is owed', async () => {
  const company = await openEmptyCompany();
  const { page, id, key } = company;
  const { bank } = await openOrder(company);
  await press(bank, 'Оплатить');
  await shown(page, /Баланс: 6\s000\s₸/);
  assert.equal((await send(key)).status, 200);
  await eventually(async () => JSON.stringify(await moneyOf(id)), /"balance":5997,"held":0/);

  await press(bank, /^Вернуть деньги/);
  await bank.getByText(/^Возвращено: 5\s000\s₸$/).waitFor();
  await shown(page, /Платёж возвращён.*Возвращено5\s000\s₸/);
  await inHeader(page, /Баланс\s*0\s₸/);
  await assertSamePage(page);
  assert.deepEqual(await moneyOf(id), { balance: 0, held: 0, debt: PRICE });
  assert.equal((await send(key)).status, 402);
  await stopped(page, /после возврата платежа у компании долг 3\s₸/);
  const refunded = [
    ...BEGINNING,
    'Пополнение +5000 = 5000',
    'Бонус за первое пополнение +1000 = 6000',
    'Списание за сообщения −3 = 5997',
    'Возврат платежа −5000 = 997',
    'Отмена бонуса −997 = 0',
  ];
  assert.deepEqual(await readLedger(page), refunded);
  await eventually(() => receiptsOf(page).textContent(), /возвращено 5\s000\s₸/);
  await assertAuditClean();
  assert.deepEqual(await readJournal(page, 'balance.refunded'), [
    'Банк: Платёж возвращён, долг 3 ₸, бонус 1 000 ₸, сумма 5 000 ₸, причина возврат на стороне банка',
  ]);
  assert.deepEqual(await readJournal(page, 'balance.topped_up'), [
    'Банк: Баланс пополнен, бонус 1 000 ₸, сумма 5 000 ₸, способ оплаты Банк песочницы',
  ]);

  // The next payment pays the debt first, and brings no second bonus.
  const next = await openOrder(company);
  await press(next.bank, 'Оплатить');
  await shown(page, /Баланс: 4\s997\s₸/);
  await notStopped(page);
  assert.equal((await send(key)).status, 200);
  assert.deepEqual(await readLedger(page), [
    ...refunded,
    'Пополнение +5000 = 5000',
    'Погашение долга −3 = 4997',
    'Списание за сообщения −3 = 4994',
  ]);
});
