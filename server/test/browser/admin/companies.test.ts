/** The section of companies at the desk, as two operators use it. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createCompany } from '../../../src/company/create-company.ts';
import { insertSenderName } from '../../../src/company/sender-name-store.ts';
import type { CompanyId } from '../../../src/ids.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { untilLoaded } from '../cabinet/demo-pages.ts';
import { named, useDesk } from './desk-pages.ts';

describe('companies at the desk', () => {
  const { running, openDesk } = useDesk();
  let companyId: CompanyId;
  let keyStart: string;
  before(async () => {
    const { ctx } = running();
    companyId = (await createCompany(ctx, 'ТОО «Сымбат Медикал»')).companyId;
    await ctx.db.query('update company set business_id = $2 where id = $1', [
      companyId,
      '080840003214',
    ]);
    const { key } = await createKey(ctx.db, { companyId, name: 'Сайт клиники', isTest: false });
    keyStart = key.slice(0, 12);
    await createKey(ctx.db, { companyId, name: 'Проба', isTest: true });
    await insertSenderName(ctx.db, { name: 'Symbat', note: null });
    await ctx.db.query(
      `insert into guard_decision (minute, company_id, prefix, sent, verified, bound, action, sends, probes)
       values (date_trunc('minute', clock_timestamp()), $1, '7701', 40, 1, 0.1, 'blocked', 12, 0)`,
      [companyId],
    );
  });

  test('a large correction is asked for by one operator and approved by another', async () => {
    const { page, expectStatus } = await openDesk('companies');
    const { dialog, field, act } = named(page);
    expectStatus(422);
    await page.getByRole('searchbox').fill(keyStart);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Сымбат Медикал/ }).click();
    await page.getByRole('heading', { name: 'ТОО «Сымбат Медикал»' }).waitFor();

    await page.getByRole('button', { name: 'Изменить баланс' }).click();
    await field('Списать').check();
    await field('Сумма, ₸').fill('51');
    await field('Причина').fill('Ошибка в счёте');
    await act('Провести');
    await dialog.getByText('Доступно 50 ₸').first().waitFor();
    await field('Зачислить').check();
    await field('Сумма, ₸').fill('15000');
    await act('Провести');
    await page.getByText('Ваш запрос: решение примет другой оператор').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Подтвердить' }).count(), 0);

    const { page: other } = await openDesk('companies', { as: 1 });
    await other.getByRole('heading', { name: 'Ждут второго оператора' }).waitFor();
    await other.getByRole('button', { name: 'Подтвердить' }).click();
    await named(other).act('Подтвердить');
    await other.getByText('Корректировка проведена').first().waitFor();
    const row = other.getByRole('row', { name: /Сымбат Медикал/ });
    await row.getByText(/15\s050\s₸/).waitFor();
  });

  test('a price, a sender name and a limit are set, and the company is suspended', async () => {
    const { page } = await openDesk(`companies/${companyId}`);
    const { field, act } = named(page);
    await page.getByRole('button', { name: 'Задать цену' }).click();
    await field('Цена, ₸').fill('6');
    await field('Действует с').fill('2030-01-01T00:00');
    await act('Сохранить');
    await page
      .getByRole('table', { name: 'История своих цен' })
      .getByText('Запланирована')
      .waitFor();
    await page.getByRole('button', { name: 'Отменить цену', exact: true }).click();
    await page.getByRole('table', { name: 'История своих цен' }).getByText('Отменена').waitFor();

    await page.getByRole('button', { name: 'Изменить имя' }).click();
    await field('Имя отправителя SMS').selectOption('Symbat');
    await act('Сохранить');
    await page.locator('main').getByText('Symbat', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Изменить лимиты Сайт клиники' }).click();
    await field('Лимит в месяц').fill('5000');
    await act('Сохранить');
    await page.getByText(/^0\s₸ из 5\s000\s₸$/).waitFor();

    await page.getByRole('button', { name: 'Приостановить' }).click();
    await field('Причина').fill('Жалобы абонентов');
    await act('Приостановить');
    await page.getByText(/Причина: Жалобы абонентов/).waitFor();
    await page.getByRole('button', { name: 'Вернуть к работе' }).click();
    await act('Вернуть к работе');
    await page.getByRole('button', { name: 'Приостановить' }).waitFor();
  });

  test('the cabinet is looked at under a bar, and left for the desk', async () => {
    const address = `/admin/companies/${companyId}`;
    const opened = await openDesk(`companies/${companyId}`);
    const { page } = opened;
    const { act } = named(page);
    await page.getByRole('button', { name: 'Открыть кабинет' }).click();
    await act('Открыть кабинет');
    await page.waitForURL(/\/app$/);
    await untilLoaded(page);
    const bar = page.getByRole('complementary', { name: 'Просмотр кабинета' });
    await bar.getByText('Изменить ничего нельзя').waitFor();
    const site = running().ctx.urls.publicUrl;
    await page.goto(`${site}/app/keys`);
    await page.getByText('Сайт клиники').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /Создать ключ|Новый ключ/ }).count(), 0);
    await page.goto(`${site}/app/audit`);
    const log = page.getByRole('table', { name: 'Журнал' });
    const entry = log.getByText('Оператор сервиса открыл кабинет для просмотра');
    await entry.filter({ visible: true }).first().waitFor();
    await bar.getByRole('button', { name: 'Закончить просмотр' }).click();
    await page.waitForURL(new RegExp(`${address}$`));
    await page.getByRole('heading', { name: 'ТОО «Сымбат Медикал»' }).waitFor();
    opened.expectStatus(401);
    await page.goto(`${site}/app`);
    await page.waitForURL(/\/login/);
  });
});
