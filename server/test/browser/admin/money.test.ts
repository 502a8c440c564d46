/** Payments, prices and the search for a client, as an operator works with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOverdue } from '../../../src/topups/watch-payments.ts';
import { createFixtures } from '../../harness.ts';
import { eventually } from '../open-pages.ts';
import { named, useDesk } from './desk-pages.ts';
import { makeCompany, makeOrder, openBanks } from './desk-world.ts';

const { running, openDesk, goTo } = useDesk();

test('an operator confirms an order, imports a statement, matches a line and sends money back', async () => {
  const { ctx } = running();
  openBanks(ctx);
  const companyId = await makeCompany(running(), 'ТОО «Ромашка»');
  const { reference } = await makeOrder(ctx, companyId, 'manual');
  const byStatement = await makeOrder(ctx, companyId, 'pending');
  const { page } = await openDesk('payments');
  const { button, link, field, row, dialog, act, shown } = named(page);

  // Another amount than asked is pointed out before it is credited.
  await row(reference).getByRole('button', { name: 'Подтвердить' }).click();
  await field('Сколько пришло, ₸').fill('49900');
  await page.getByText(/Счёт на 50\s000\s₸\. Зачислится столько, сколько пришло/).waitFor();
  await field('Номер документа банка').fill('п/п 15');
  await button(/^Зачислить 49\s900\s₸$/).click();
  await eventually(
    () => page.locator('body').textContent(),
    /Зачислено 49\s900\s₸, квитанция № \d+/,
  );
  await row('Другая сумма').waitFor();

  await link('Выписка банка').click();
  const csv = `Дата;№ документа;Кредит;Плательщик;Назначение платежа\n01.11.2026;16;50000;ТОО Ромашка;Оплата ${byStatement.reference}\n01.11.2026;17;1200;ИП Лист;без кода\n01.11.2026;18;1,5;;А\n`;
  await field('Файл выписки').setInputFiles({
    name: 'выписка.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  });
  await button('Загрузить выписку').click();
  await shown(/Зачислено 50\s000\s₸/);
  await row('В назначении нет кода платежа.').waitFor();
  await row('1,5 — не целое число тенге.').waitFor();
  await field('Файл выписки').setInputFiles({
    name: 'выписка.xlsx',
    mimeType: 'application/zip',
    buffer: Buffer.from('PK\x03\x04'),
  });
  await button('Загрузить выписку').click();
  await shown(/Это файл Excel/);

  await link(/^Ждут решения/).click();
  await row('без кода').getByRole('button', { name: 'Сопоставить' }).click();
  await field('Код платежа').fill('ZB-NOTHING');
  await button('Зачислить').click();
  await page.getByText('Такого счёта или компании нет').waitFor();
  await page.getByText('Компании, без счёта').click();
  await field('Номер компании').fill(String(companyId));
  await button('Зачислить').click();
  await row('без кода').waitFor({ state: 'detached' });

  // The totals are those of the rows.
  await link('Платежи').last().click();
  await page.getByRole('link', { name: 'ТОО «Ромашка»' }).first().click();
  await shown(/Поступило101\s100\s₸Платежей: 3/);
  await page.getByRole('link', { name: /^№ / }).last().click();
  await button('Вернуть деньги').click();
  await shown(/Бонус/);
  await eventually(
    () => dialog.textContent(),
    /Вернётся плательщику49\s900\s₸Спишется с баланса50\s900\s₸В том числе бонус1\s000\s₸Деньги отправите вы/,
  );
  await field('Причина').fill('ошибка плательщика');
  await act(/^Вернуть 49\s900\s₸$/);
  await row('ошибка плательщика').waitFor();
  await endOverdue(ctx);
  await button('Отметить отправку').click();
  await field('Номер документа банка').fill('п/п 99');
  await act('Отметить отправку');
  await row('ошибка плательщика').filter({ hasText: 'Возвращено' }).waitFor();
});

test('an operator sets a price for later, takes it back, and registers a sender name', async () => {
  await makeCompany(running(), 'Magnum');
  const { page } = await openDesk('prices');
  const { button, link, field, row, act, shown } = named(page);
  await field('Новая цена, ₸').fill('11');
  await page.getByText('С даты').click();
  await field('Дата и время (Алматы)').fill('2030-01-01T00:00');
  await shown(/Сейчас 8\s₸, станет 11\s₸\.Изменится у \d+ компани/);
  await button('Установить цену').click();
  await row('11 ₸').filter({ hasText: 'Запланирована' }).waitFor();
  await button('Отменить цену').click();
  await page.getByText(/SMS: 11\s₸ с 1\sянв\s2030/).waitFor();
  await act('Отменить цену');
  await row('11 ₸').filter({ hasText: 'Отменена' }).waitFor();
  await link('Имена отправителя SMS').click();
  await field('Имя отправителя').fill('Magnum');
  await button('Добавить имя').click();
  await row('Magnum').getByRole('button', { name: 'Удалить' }).click();
  await act('Удалить');
  await shown(/Имён пока нет/);
});

test('an operator finds out why a client got no code, and the phone stays out of the address', async () => {
  const companyId = await makeCompany(running(), 'Chocofood');
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
  const { page } = await openDesk('search');
  const { button, field, shown } = named(page);
  // The request log is written in the background.
  await eventually(
    async () =>
      String((await ctx.db.query('select from request_log where phone is not null')).length),
    /^[1-9]/,
  );
  await field('Телефон, номер сообщения или запроса').fill('+7 701 123-45-67');
  await button('Найти').click();
  await shown(/Вывод.*Chocofood: запрос в [\d:]+ отклонён — ограничение на номер/);
  await shown(/Что происходило.*Запрос принят.*Отправка отклонена/);
  assert.equal(new URL(page.url()).search, '');
  await field('С (время)').fill('15:00');
  await field('До (время)').fill('14:00');
  await button('Найти').click();
  await page.getByText('Время «до» должно быть позже времени «с».').waitFor();
  await goTo(page, 'audit');
  await shown(/Поиск по клиенту\+7701\*\*\*4567/);
});
