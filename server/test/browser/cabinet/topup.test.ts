/** A company tops up: from the amount to the credited payment, and what can go otherwise. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { CompanyId } from '../../../src/ids.ts';
import { createOrder } from '../../../src/topups/orders.ts';
import { openTestBank, type TestBank } from '../../cabinet/test-bank.ts';
import { readPdf } from '../../read-pdf.ts';
import {
  assertAccessible,
  eventually,
  type Look,
  NARROW,
  sidewaysScroll,
  usePages,
  WIDE,
} from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { named } from './newcomer.ts';
import { openSignedIn } from './signed-in.ts';

const { open, running } = usePages();
const { createMember, openAs, openWith } = openSignedIn({ open, running });

const site = () => running().ctx.urls.publicUrl;

type Banks = { bank: TestBank; transfer: TestBank };

/** Banks that this test can make pay. */
function openBanks(): Banks {
  const { ctx } = running();
  const bank = openTestBank(() => ctx);
  const transfer = openTestBank(() => ctx, { name: 'transfer', confirmation: 'operator' });
  // A transfer has nothing to scan.
  transfer.answer = async ({ reference }) => ({
    result: 'created',
    providerId: reference,
    qr: undefined,
    payUrl: undefined,
  });
  ctx.payments = [bank, transfer];
  const seller = { name: 'ТОО «Жибер»', businessId: '123456789013', iban: 'KZ000000000000000000' };
  ctx.config = { ...ctx.config, payments: { seller } };
  return { bank, transfer };
}

let requests = 0;
async function makeOrder(companyId: CompanyId, provider = 'freedom-pay') {
  requests += 1;
  const id = await createOrder(
    running().ctx,
    {},
    {
      companyId,
      requestId: `browser-request-${requests}`,
      provider,
      amount: 5_000,
      payer: { name: 'ТОО «Плательщик»', businessId: null },
      language: 'ru',
    },
  );
  const [order] = await running().ctx.db.query<{ reference: string }>(
    'select reference from payment_order where id = $1',
    [id],
  );
  return { id, reference: (order as { reference: string }).reference };
}

/** The order of a company that has never paid, as its accountant sees it. */
async function openOrder({ provider, look = {} }: { provider?: string; look?: Look } = {}) {
  const { cookie, companyId } = await createMember('accountant');
  const order = await makeOrder(companyId, provider);
  const opened = await openWith(cookie, `/app/balance/topup/${order.id}`, {
    isAxeNeeded: true,
    ...look,
  });
  return { ...opened, ...order, companyId };
}

const endIn = (id: string, seconds: number) =>
  running().ctx.db.query(
    `update payment_order set expires_at = clock_timestamp() + make_interval(secs => $2) where id = $1`,
    [id, seconds],
  );

const shown = (page: Page, pattern: RegExp) =>
  eventually(() => page.locator('main').textContent(), pattern);

async function assertUsable(page: Page, label: string): Promise<void> {
  await assertAccessible(page, label);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, `${label} dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(NARROW.viewport);
  assert.equal(await sidewaysScroll(page), 0, `${label} at 320`);
  await page.setViewportSize(WIDE.viewport);
}

test('an accountant tops up by QR; the page shows the payment and the bonus without a reload', async () => {
  const { bank } = openBanks();
  const { page, expectStatus } = await openAs('accountant', '/app/balance/topup', {
    isAxeNeeded: true,
  });
  const { button, field, heading } = named(page);
  await heading('Пополнить баланс').waitFor();
  await shown(page, /\+1\s000\s₸ в подарок. На баланс поступит 6\s000\s₸/);

  // Amounts by keyboard: a common one, then another one by hand.
  await button('50 000 ₸').focus();
  await page.keyboard.press('Enter');
  assert.equal(await field('Сумма, ₸').inputValue(), '50000');
  await field('Сумма, ₸').fill('999');
  await page.keyboard.press('Enter');
  await shown(page, /Не меньше 1\s000\s₸/);
  assert.equal(bank.asked.length, 0);
  await field('Сумма, ₸').fill('7 000 ₸');
  await shown(page, /примерно на 2\s666 сообщений в мессенджеры или 1\s000 SMS/);

  // A bank that is away loses nothing that was typed.
  const { answer } = bank;
  expectStatus(502);
  bank.answer = async () => ({ result: 'unavailable', reason: 'maintenance' });
  await field('Название компании или ФИО').fill('ИП Иванов');
  await button(/^Перейти к оплате: 7\s000\s₸$/).click();
  await shown(page, /Банк сейчас не принимает платежи/);
  bank.answer = answer;
  await button(/^Перейти к оплате: 7\s000\s₸$/).click();

  await heading(/^Пополнение на 7\s000\s₸$/).waitFor();
  const { reference } = bank.asked.at(-1) as { reference: string };
  await page
    .getByRole('img', { name: new RegExp(`7\\s000\\s₸, код платежа ${reference}`) })
    .waitFor();
  assert.match((await page.getByRole('timer').textContent()) ?? '', /^1[45]:\d\d$/);
  await button('Скопировать код платежа').click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), reference);
  assert.equal(await button('Я оплатил').count(), 0, 'this bank reports by itself');
  await assertUsable(page, 'the QR');

  await page.evaluate('window.isSamePage = true');
  await bank.pay(reference);
  await shown(page, /Оплачено\+8\s000\s₸Баланс: 8\s050\s₸/);
  await shown(page, /Зачислено7\s000\s₸Бонус за первое пополнение1\s000\s₸/);
  await eventually(() => page.locator('header').first().textContent(), /8\s050\s₸/);
  assert.equal(await page.evaluate('window.isSamePage'), true);
  await assertUsable(page, 'the paid top-up');

  // Paid once more from another phone.
  await bank.pay(reference);
  await shown(page, /Платежей: 2.*Оплачено ещё раз — зачислены оба платежа/);
});

test('an expired order offers a new QR for the same amount; a late payment is shown all the same', async () => {
  const { bank } = openBanks();
  const { page, id, reference } = await openOrder();
  const { link, field, heading } = named(page);
  await page.getByRole('timer').waitFor();
  // The last minute is told to those who do not see the countdown.
  await endIn(id, 59);
  const spoken = page.locator('[role=status][aria-live=polite]');
  await eventually(() => spoken.textContent(), /На оплату осталась 1 минута/);
  await endIn(id, 0);
  await shown(page, /Если вы уже оплатили, деньги зачислятся/);
  await assertUsable(page, 'the expired order');
  await link('Создать новый QR-код').click();
  await heading('Пополнить баланс').waitFor();
  assert.equal(await field('Сумма, ₸').inputValue(), '5000');

  await page.goBack();
  await bank.pay(reference);
  await shown(page, /Оплачено после срока — деньги зачислены/);
});

test('a transfer is found again after the tab was closed, claimed, and credited by hand', async () => {
  const { transfer } = openBanks();
  const { page, reference } = await openOrder({ provider: 'transfer' });
  const { button, link, heading } = named(page);
  await page.goto(`${site()}/app/balance/topup`);
  await page
    .getByRole('link', { name: new RegExp(`^Продолжить: 5\\s000\\s₸, ${reference}`) })
    .click();
  await heading(/^Пополнение на 5\s000/).waitFor();
  await shown(page, /ПолучательТОО «Жибер».*KZ000000000000000000/);
  await shown(page, /код платежа укажите в назначении.*К оплате5\s000\s₸Код платежаZB-/);
  await assertUsable(page, 'the transfer');
  await button('Счёт на оплату').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'PDF на русском' }).click(),
  ]);
  const invoice = await readPdf(readFileSync(await file.path()));
  assert.match(invoice, new RegExp(`KZ000000000000000000.*Счёт на оплату № ${reference}`, 's'));
  await button('Счёт на оплату').click();
  await page.getByRole('button', { name: 'Отправить бухгалтеру' }).click();
  const dialog = page.getByRole('dialog', { name: `Отправить: счёт на оплату ${reference}` });
  await dialog.getByLabel('Почта').fill('books@example.kz');
  await dialog.getByRole('button', { name: 'Отправить бухгалтеру' }).click();
  await page.getByText('Отправлено на books@example.kz').first().waitFor();
  await button('Я оплатил').click();
  await shown(page, /На ручной проверке.*Мы ищем платёж в выписке банка/);
  await assertUsable(page, 'the manual check');
  await transfer.pay(reference, { amount: 4_000 });
  await shown(page, /Пришла другая сумма: 4\s000\s₸ вместо 5\s000\s₸/);
  assert.equal(await link('Пополнить ещё раз').count(), 1);
});

test('the countdown is that of the server, and a lost connection is said and survived', async () => {
  const { bank } = openBanks();
  const { page, reference, expectStatus } = await openOrder();
  await page.getByRole('timer').waitFor();
  // A browser whose clock is an hour fast.
  await page.addInitScript('const now = Date.now; Date.now = () => now() + 3_600_000;');
  await page.reload();
  await eventually(() => page.getByRole('timer').textContent(), /^1[45]:\d\d$/);

  // The server is there, but does not answer for a while.
  expectStatus(503);
  await page.route('**/cabinet/topups/*', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.getByText('Нет связи. Страница обновится, когда она вернётся.').waitFor();
  await page.getByRole('img', { name: new RegExp(reference) }).waitFor();
  await bank.pay(reference);
  await page.unroute('**/cabinet/topups/*');
  await shown(page, /Оплачено\+6\s000\s₸/);
  assert.equal(await page.getByText('Нет связи').count(), 0);
});

test('a top-up that pays a debt says so', async () => {
  const { bank } = openBanks();
  const { page, reference, companyId } = await openOrder();
  await running().ctx.db.query('update account set debt = 1950 where company_id = $1', [companyId]);
  await bank.pay(reference);
  await shown(page, /Из них на погашение долга1\s950\s₸/);
  await shown(page, /Баланс: 4\s100\s₸/);
});

test('on a phone the button that opens the bank comes before the QR; cancelling asks first', async () => {
  openBanks();
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page, reference } = await openOrder({ look: phone });
  const { button } = named(page);
  const openBank = page.getByRole('link', { name: 'Открыть приложение банка' });
  await openBank.waitFor();
  assert.equal(await openBank.getAttribute('href'), `https://bank.example/pay/${reference}`);
  const [buttonBox, qrBox] = [
    await openBank.boundingBox(),
    await page.getByRole('img', { name: /код платежа/ }).boundingBox(),
  ];
  assert(buttonBox !== null && qrBox !== null && buttonBox.y < qrBox.y);
  await button('Отменить').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('деньги всё равно зачислятся').waitFor();
  await dialog.getByRole('button', { name: 'Отменить пополнение' }).click();
  await shown(page, /Отменено.*Если вы успели оплатить/);
  await untilLoaded(page);
});
