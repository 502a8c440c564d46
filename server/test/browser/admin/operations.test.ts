/** The desk of those who run the service: incidents, abuse, jobs, figures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId } from '../../../src/ids.ts';
import { createLazy } from '../../../src/runtime/cache.ts';
import { eventually } from '../open-pages.ts';
import { named, useDesk } from './desk-pages.ts';
import { fillAbuse, fillFigures } from './desk-world.ts';

const { running, openDesk, goTo } = useDesk();
const prepare = createLazy(async () => {
  const { ctx } = running();
  await fillAbuse(ctx, ctx.demo?.companyId as CompanyId);
  await fillFigures(ctx);
  await ctx.db.query(
    `insert into payment_notice (id, provider, received_at, body, reference, content, tries)
     values (new_id(), 'freedom-pay', clock_timestamp(), '', 'ZHB-1', '{}', 20)`,
  );
});

async function openPrepared(path: string) {
  await prepare();
  return await openDesk(path);
}

test('an incident is drafted, published, updated and resolved', async () => {
  const { page } = await openPrepared('incidents');
  const { button, field, act } = named(page);
  await button('Новый инцидент').click();
  await field('Заголовок по-русски').fill('SMS доходят с задержкой');
  await field(/^Заголовок по-английски/).fill('SMS are late');
  await field('SMS').check();
  await field('Текст по-русски').fill('Оператор связи сообщил о сбое.');
  await button('Сохранить черновик').click();
  await page.getByRole('heading', { name: 'SMS доходят с задержкой', level: 1 }).waitFor();
  await page.getByText('Черновик', { exact: true }).waitFor();
  await button('Опубликовать').click();
  await act('Опубликовать');
  await page.getByText('Опубликован', { exact: true }).waitFor();
  assert.equal(await button('Удалить черновик').count(), 0);
  await field('Состояние').selectOption('resolved');
  await field('Текст по-русски').fill('Сообщения снова доходят сразу.');
  await button('Добавить сообщение').click();
  const said = page.getByRole('main').locator('ol > li');
  await eventually(async () => String(await said.count()), /^2$/);
  assert.match((await said.first().textContent()) ?? '', /Решено.*Сообщения снова доходят сразу/);
  await field('Текст по-русски').waitFor();
  assert.equal(await field('Текст по-русски').inputValue(), '', 'the form is empty again');
});

test('a stream is allowed, a person unblocked, a site barred and allowed', async () => {
  const { page, expectStatus } = await openPrepared('abuse');
  expectStatus(422);
  const { button, field, table, act, dialog } = named(page);
  await page.getByRole('button', { name: /^Пропускать коды: .*\+7701$/ }).click();
  await field('Причина').fill('Клиент показал свою рассылку');
  await act('Пропускать коды');
  const pardons = table('Пропускаем сейчас');
  await pardons.getByText('Клиент показал свою рассылку').waitFor();
  await button('Больше не пропускать').click();
  await pardons.waitFor({ state: 'detached' });

  await button('Запретить сайт').click();
  await field('Сайт').fill('не сайт/вовсе');
  await field('Причина').fill('Поддельный банк');
  const bar = dialog.getByRole('button', { name: 'Запретить сайт' });
  await bar.click();
  await dialog.getByText('Это не имя сайта').first().waitFor();
  await field('Сайт').fill('evil.kz');
  await bar.click();
  await button('Разрешить evil.kz').click();
  await field('Причина').fill('Ошиблись');
  await act('Разрешить');
  await page.getByText('Запрещённых сайтов нет').waitFor();

  await button('Разблокировать: Серик Ахметов').click();
  await field('Причина').fill('Другой человек');
  await act('Разблокировать');
  await page.getByText('Никто не заблокирован').waitFor();
  await goTo(page, 'audit');
  await page.getByRole('cell', { name: /Человек разблокирован/ }).waitFor();
});

test('a job is run now, given-up work is tried again, and a cost shows the margin', async () => {
  const { page } = await openPrepared('jobs');
  const { button, field, table, act, dialog } = named(page);
  await button('Запустить сейчас: Подсчёт показателей').click();
  const runs = table('Последние запуски: Подсчёт показателей');
  await runs.getByText('Готово').first().waitFor();
  await button('Попробовать снова: Уведомления банков').click();
  await act('Попробовать снова');
  await dialog.waitFor({ state: 'detached' });

  await goTo(page, 'figures');
  const margins = table('По провайдерам');
  const ofSmsc = margins.getByRole('row', { name: /^smsc/ });
  assert.match((await ofSmsc.textContent()) ?? '', /неизвестно/);
  await button('Указать себестоимость').click();
  await field('Провайдер').selectOption('smsc');
  await field('Действует с').fill('2026-01-01');
  await field('Себестоимость, ₸').fill('пять');
  const set = dialog.getByRole('button', { name: 'Указать себестоимость' });
  await set.click();
  await page.getByText('Напишите сумму в тенге').waitFor();
  await field('Себестоимость, ₸').fill('5,5');
  await set.click();
  const costs = table('Себестоимость сообщений');
  await costs.getByRole('cell', { name: '5,50 ₸' }).waitFor();
  // 310 days' worth of 65 SMS at 8 ₸, less 5.50 ₸ for each.
  await eventually(async () => await ofSmsc.textContent(), /110\s825,00\s₸.*50\s375,00\s₸/);
});
