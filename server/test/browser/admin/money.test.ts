/** Payments, prices and the search for a client, as an operator works with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type CompanyId, newId } from '../../../src/ids.ts';
import { creditPayment } from '../../../src/topups/credit-payment.ts';
import { insertOrder } from '../../../src/topups/order-store.ts';
import { endOverdue } from '../../../src/topups/watch-payments.ts';
import { createAdminClient } from '../../admin/admin-client.ts';
import { openCabinetOf } from '../../cabinet/cabinet-client.ts';
import { openTestBank } from '../../cabinet/test-bank.ts';
import { createFixtures } from '../../harness.ts';
import { untilLoaded } from '../cabinet/demo-pages.ts';
import {
  assertAccessible,
  eventually,
  type Look,
  NARROW,
  type Opened,
  screenshot,
  sidewaysScroll,
  usePages,
  WIDE,
} from '../open-pages.ts';

const { open, running } = usePages();
const site = () => running().ctx.urls.publicUrl;
const PHONE_WIDTH = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

let admin: ReturnType<typeof createAdminClient> | undefined;
let cabinet: ReturnType<typeof openCabinetOf> | undefined;

/** The browser of an operator who has just signed in. */
async function openDesk(look: Look = {}): Promise<Opened> {
  const { ctx, http } = running();
  const service = {
    ctx,
    http,
    sql: (text: string, values: unknown[]) => ctx.db.query(text, values),
  };
  admin ??= createAdminClient(service as never);
  const { cookie } = await admin.operator();
  const opened = await open('/admin/login', {
    isAxeNeeded: true,
    reducedMotion: 'reduce',
    ...look,
  });
  // Nobody is signed in yet.
  opened.expectStatus(401);
  const [name, value] = cookie.split('=') as [string, string];
  await opened.page.context().addCookies([{ name, value, url: site() }]);
  return opened;
}

async function makeCompany(name: string): Promise<CompanyId> {
  const { ctx } = running();
  ctx.payments = [
    openTestBank(() => ctx),
    openTestBank(() => ctx, { name: 'transfer', confirmation: 'operator' }),
  ];
  cabinet ??= openCabinetOf(running());
  const { companyId } = await cabinet.person({ role: 'owner' });
  await ctx.db.query('update company set name = $2 where id = $1', [companyId, name]);
  return companyId as CompanyId;
}

let orders = 0;
async function makeOrder(companyId: CompanyId, state: string, provider = 'transfer') {
  const { ctx } = running();
  orders += 1;
  const id = newId(Date.now());
  const reference = `ZB-PAGE${String(orders).padStart(4, '0')}`;
  await insertOrder(ctx.db, {
    id,
    company_id: companyId,
    reference,
    provider,
    amount: 5_000,
    payer_name: 'ТОО «Плательщик»',
    payer_business_id: '123456789012',
    provider_id: reference,
    qr: null,
    pay_url: null,
    created_by: null,
    expires_at: new Date(Date.now() + 3_600_000),
    next_check_at: null,
  });
  await ctx.db.query('update payment_order set state = $2::payment_order_state where id = $1', [
    id,
    state,
  ]);
  return { id, reference };
}

/** One of everything that can wait. */
async function fillQueue(companyId: CompanyId): Promise<void> {
  const { ctx } = running();
  await makeOrder(companyId, 'manual', 'freedom-pay');
  await makeOrder(companyId, 'pending');
  const { id: orderId } = await makeOrder(companyId, 'expired');
  await creditPayment(
    ctx,
    {},
    {
      companyId,
      orderId,
      provider: 'transfer',
      providerPaymentId: `${orderId}/15`,
      amount: 4_900,
      paidAt: new Date(),
    },
  );
  const notice = newId(Date.now());
  await ctx.db.query(
    `insert into payment_notice (id, provider, received_at, body, reference, content, outcome, handled_at)
     values ($1, 'freedom-pay', clock_timestamp(), '', 'ZB-UNKNOWN', $2, 'unknown_order', clock_timestamp())`,
    [notice, JSON.stringify({ payment: { amount: 12.5, currency: 'USD' } })],
  );
}

const named = (page: Page) => ({
  button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
  link: (name: string | RegExp) => page.getByRole('link', { name, exact: true }),
  field: (name: string) => page.getByLabel(name, { exact: true }),
  row: (text: string) => page.getByRole('row').filter({ hasText: text }),
});
const shown = (page: Page, pattern: RegExp) =>
  eventually(() => page.locator('main').textContent(), pattern);

test('an operator confirms an order, imports a statement, matches a line and sends money back', async () => {
  const companyId = await makeCompany('ТОО «Ромашка»');
  const { reference } = await makeOrder(companyId, 'manual');
  const byStatement = await makeOrder(companyId, 'pending');
  const { page } = await openDesk({ viewport: DESKTOP });
  const { button, link, field, row } = named(page);
  await page.goto(`${site()}/admin/payments`);

  // Another amount than asked is pointed out before it is credited.
  await row(reference).getByRole('button', { name: 'Подтвердить' }).click();
  await field('Сколько пришло, ₸').fill('4900');
  await page.getByText(/Счёт на 5\s000\s₸\. Зачислится столько, сколько пришло/).waitFor();
  await field('Номер документа банка').fill('п/п 15');
  await screenshot(page, 'admin-confirm-order');
  await assertAccessible(page, 'the confirmation of an order');
  await button(/^Зачислить 4\s900\s₸$/).click();
  await eventually(() => page.locator('body').textContent(), /Зачислено 4\s900\s₸, чек № \d+/);
  await row('Другая сумма').waitFor();

  await link('Выписка банка').click();
  const csv = `Дата;№ документа;Кредит;Плательщик;Назначение платежа\n01.11.2026;16;5000;ТОО Ромашка;Оплата ${byStatement.reference}\n01.11.2026;17;1200;ИП Лист;без кода\n01.11.2026;18;1,5;;А\n`;
  await field('Файл выписки').setInputFiles({
    name: 'выписка.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  });
  await button('Загрузить выписку').click();
  await shown(page, /Зачислено 5\s000\s₸/);
  await row('В назначении нет кода платежа.').waitFor();
  await row('1,5 — не целое число тенге.').waitFor();
  await screenshot(page, 'admin-statement');
  await field('Файл выписки').setInputFiles({
    name: 'выписка.xlsx',
    mimeType: 'application/zip',
    buffer: Buffer.from('PK\x03\x04'),
  });
  await button('Загрузить выписку').click();
  await shown(page, /Это файл Excel/);

  await link(/^Ждут решения/).click();
  await row('без кода').getByRole('button', { name: 'Сопоставить' }).click();
  await field('Код платежа').fill('ZB-NOTHING');
  await button('Зачислить').click();
  await page.getByText('Такого счёта или компании нет').waitFor();
  await page.getByText('Компании без счёта').click();
  await field('Номер компании').fill(String(companyId));
  await button('Зачислить').click();
  await row('без кода').waitFor({ state: 'detached' });

  // The totals are those of the rows.
  await link('Платежи').last().click();
  await page.getByRole('link', { name: 'ТОО «Ромашка»' }).first().click();
  await shown(page, /Поступило11\s100\s₸Платежей: 3/);
  await screenshot(page, 'admin-payments');
  await page.getByRole('link', { name: /^№ / }).last().click();
  await button('Вернуть').click();
  await shown(page, /Бонус/);
  await eventually(
    () => page.locator('dialog').textContent(),
    /Вернётся плательщику4\s900\s₸Спишется с баланса5\s900\s₸В том числе бонус1\s000\s₸Деньги отправите вы/,
  );
  await field('Причина').fill('ошибка плательщика');
  await screenshot(page, 'admin-refund');
  await assertAccessible(page, 'a refund');
  await button(/^Вернуть 4\s900\s₸$/).click();
  await row('ошибка плательщика').waitFor();
  await endOverdue(running().ctx);
  await button('Деньги отправлены').click();
  await field('Номер документа банка').fill('п/п 99');
  await page.locator('dialog').getByRole('button', { name: 'Деньги отправлены' }).click();
  await row('ошибка плательщика').filter({ hasText: 'Возвращено' }).waitFor();
  await screenshot(page, 'admin-payment');
});

test('an operator sets a price for later, takes it back, and registers a sender name', async () => {
  await makeCompany('Magnum');
  const { page } = await openDesk({ viewport: DESKTOP });
  const { button, link, field, row } = named(page);
  await page.goto(`${site()}/admin/prices`);
  await field('Новая цена, ₸').fill('11');
  await page.getByText('С даты').click();
  await field('Дата и время (Алматы)').fill('2030-01-01T00:00');
  await shown(page, /Сейчас 8\s₸, станет 11\s₸\.Коснётся \d+ компани/);
  await screenshot(page, 'admin-prices');
  await button('Установить цену').click();
  await row('11 ₸').filter({ hasText: 'Будет действовать' }).waitFor();
  await button('Отозвать').click();
  await page.getByText(/SMS: 11\s₸ с 1\sянв\s2030/).waitFor();
  await page.locator('dialog').getByRole('button', { name: 'Отозвать' }).click();
  await row('11 ₸').filter({ hasText: 'Отозвана' }).waitFor();
  await link('Имена отправителя').click();
  await field('Имя').fill('Magnum');
  await button('Добавить имя').click();
  await row('Magnum').getByRole('button', { name: 'Убрать' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Убрать' }).click();
  await shown(page, /Имён пока нет/);
});

test('an operator finds out why a client got no code, and the phone stays out of the address', async () => {
  const companyId = await makeCompany('Chocofood');
  const { http, ctx } = running();
  const { key } = await createFixtures(() => ctx).key({ companyId });
  const phone = '+77011234567';
  // The second code within a minute is refused.
  for (let sends = 0; sends < 2; sends++) {
    await http.inject({
      method: 'POST',
      url: '/api/otp/send',
      headers: { authorization: `Bearer ${key}` },
      payload: { phone },
    });
  }
  const { page } = await openDesk({ viewport: DESKTOP });
  const { button, field } = named(page);
  // The request log is written in the background.
  await eventually(
    async () =>
      String((await ctx.db.query('select from request_log where phone is not null')).length),
    /^[1-9]/,
  );
  await page.goto(`${site()}/admin/search`);
  await field('Телефон, номер сообщения или запроса').fill('+7 701 123-45-67');
  await button('Найти').click();
  await shown(page, /Вывод.*Chocofood: запрос в [\d:]+ отклонён — ограничение на номер/);
  await shown(page, /Что происходило.*Запрос принят.*Отправка отклонена/);
  await screenshot(page, 'admin-search-found');
  await assertAccessible(page, 'a found story');
  assert.equal(new URL(page.url()).search, '');
  await field('С').fill('15:00');
  await field('До').fill('14:00');
  await button('Найти').click();
  await page.getByText('Время «до» должно быть позже времени «с».').waitFor();
  await page.goto(`${site()}/admin/audit`);
  await page
    .getByRole('cell', { name: /Поиск по клиенту/ })
    .first()
    .waitFor();
  assert.match((await page.locator('main').textContent()) ?? '', /\+7701\*\*\*4567/);
});

for (const lang of ['ru', 'kk', 'en'] as const) {
  test(`everybody can use the pages of money, in ${lang}`, async () => {
    await fillQueue(await makeCompany('ТОО «Длинное название компании для узкого экрана»'));
    const { page } = await openDesk({ locale: `${lang}-KZ` });
    for (const path of [
      'payments',
      'payments/list',
      'payments/orders',
      'payments/statement',
      'prices',
      'prices/senders',
      'search',
    ]) {
      await page.goto(`${site()}/admin/${path}`);
      await untilLoaded(page);
      const label = `${path} ${lang}`;
      const name = path.replaceAll('/', '-');
      await assertAccessible(page, `${label} light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await assertAccessible(page, `${label} dark`, ['color-contrast']);
      if (lang === 'ru') await screenshot(page, `admin-${name}-dark`);
      await page.setViewportSize(NARROW.viewport);
      assert.equal(await sidewaysScroll(page), 0, `${label} at 320`);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(PHONE_WIDTH);
      if (lang !== 'en') await screenshot(page, `admin-${name}-narrow-${lang}`);
      await page.setViewportSize(WIDE.viewport);
    }
  });
}
