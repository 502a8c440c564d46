/** A company tops up: from the amount to the credited payment, and what can go otherwise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { CompanyId } from '../../../src/ids.ts';
import { createOrder } from '../../../src/topups/orders.ts';
import { openCabinetOf } from '../../cabinet/cabinet-client.ts';
import { openTestBank, type TestBank } from '../../cabinet/test-bank.ts';
import {
  assertAccessible,
  eventually,
  type Look,
  NARROW,
  type Opened,
  sidewaysScroll,
  usePages,
  WIDE,
} from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { named } from './newcomer.ts';

const { open, running } = usePages();

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

let cabinet: ReturnType<typeof openCabinetOf> | undefined;

/** The browser of an accountant whose company has never paid. */
async function openAsAccountant(look: Look = {}): Promise<Opened & { companyId: CompanyId }> {
  const opened = await open('/login', { isAxeNeeded: true, reducedMotion: 'reduce', ...look });
  opened.expectStatus(401);
  // Once for all tests: it gives everybody another phone.
  cabinet ??= openCabinetOf(running());
  const { cookie, companyId } = await cabinet.person({ role: 'accountant' });
  const [name, value] = cookie.split('=') as [string, string];
  await opened.page.context().addCookies([{ name, value, url: site() }]);
  return { ...opened, companyId: companyId as CompanyId };
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
  const { page, expectStatus } = await openAsAccountant();
  const { button, field, heading } = named(page);
  await page.goto(`${site()}/app/balance/topup`);
  await heading('Пополнить баланс').waitFor();
  await shown(page, /\+1\s000\s₸ в подарок. На баланс придёт 6\s000\s₸/);
  await assertUsable(page, 'the form');

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
  const { page, companyId } = await openAsAccountant();
  const { link, field, heading } = named(page);
  const { id, reference } = await makeOrder(companyId);
  await page.goto(`${site()}/app/balance/topup/${id}`);
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
  const { page, companyId } = await openAsAccountant();
  const { button, link, heading } = named(page);
  const { reference } = await makeOrder(companyId, 'transfer');
  await page.goto(`${site()}/app/balance/topup`);
  await page
    .getByRole('link', { name: new RegExp(`^Продолжить: 5\\s000\\s₸, ${reference}`) })
    .click();
  await heading(/^Пополнение на 5\s000/).waitFor();
  await shown(page, /ПолучательТОО «Жибер».*KZ000000000000000000/);
  await shown(page, /код платежа укажите в назначении.*К оплате5\s000\s₸Код платежаZB-/);
  await assertUsable(page, 'the transfer');
  await button('Я оплатил').click();
  await shown(page, /На ручной проверке.*Мы ищем платёж в выписке банка/);
  await assertUsable(page, 'the manual check');
  await transfer.pay(reference, { amount: 4_000 });
  await shown(page, /Пришла другая сумма: 4\s000\s₸ вместо 5\s000\s₸/);
  assert.equal(await link('Пополнить ещё раз').count(), 1);
});

test('on a phone the button that opens the bank comes before the QR; cancelling asks first', async () => {
  openBanks();
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page, companyId } = await openAsAccountant(phone);
  const { button } = named(page);
  const { id, reference } = await makeOrder(companyId);
  await page.goto(`${site()}/app/balance/topup/${id}`);
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
