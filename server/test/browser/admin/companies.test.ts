/** The section of companies at the desk, as two operators use it. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createCompany } from '../../../src/company/create-company.ts';
import { insertSenderName } from '../../../src/company/sender-name-store.ts';
import type { CompanyId } from '../../../src/ids.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { createAdminClient, type OperatorWithApp } from '../../admin/admin-client.ts';
import { untilLoaded } from '../cabinet/demo-pages.ts';
import {
  assertAccessible,
  type Look,
  NARROW,
  screenshot,
  sidewaysScroll,
  usePages,
} from '../open-pages.ts';

describe('companies at the desk', () => {
  const { open, running } = usePages();
  let operators: [OperatorWithApp, OperatorWithApp];
  let companyId: CompanyId;
  let keyStart: string;
  before(async () => {
    const { ctx, http } = running();
    const client = createAdminClient({
      ctx,
      http,
      sql: (text: string, values?: unknown[]) => ctx.db.query(text, values),
    } as never);
    operators = [await client.operator(), await client.operator()];
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

  const enter = async (who: OperatorWithApp, address: string, look: Look = {}) => {
    const opened = await open('/admin/login', look);
    const url = running().ctx.urls.publicUrl;
    const [name, value] = who.cookie.split('=') as [string, string];
    await opened.page.context().addCookies([{ name, value, url }]);
    await opened.page.goto(url + address);
    await untilLoaded(opened.page);
    return opened;
  };
  const inDialog = (page: Page) => page.getByRole('dialog');

  test('a large correction is asked for by one operator and approved by another', async () => {
    const [asker, approver] = operators;
    const { page, expectStatus } = await enter(asker, '/admin/companies', { isAxeNeeded: true });
    expectStatus(422);
    await page.getByRole('searchbox').fill(keyStart);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Сымбат Медикал/ }).click();
    await page.getByRole('heading', { name: 'ТОО «Сымбат Медикал»' }).waitFor();
    await assertAccessible(page, 'the page of a company');

    await page.getByRole('button', { name: 'Корректировка' }).click();
    await inDialog(page).getByLabel('Списать').check();
    await inDialog(page).getByLabel('Сумма, ₸').fill('51');
    await inDialog(page).getByLabel('Причина').fill('Ошибка в счёте');
    await inDialog(page).getByRole('button', { name: 'Внести' }).click();
    await inDialog(page).getByText('Доступно 50 ₸').first().waitFor();
    await assertAccessible(page, 'a refused correction');
    await inDialog(page).getByLabel('Зачислить').check();
    await inDialog(page).getByLabel('Сумма, ₸').fill('15000');
    await inDialog(page).getByRole('button', { name: 'Внести' }).click();
    await page.getByText('Ваш запрос: решит другой оператор').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Подтвердить' }).count(), 0);

    const other = (await enter(approver, '/admin/companies', { isAxeNeeded: true })).page;
    await other.getByRole('heading', { name: 'Ждут второго оператора' }).waitFor();
    await assertAccessible(other, 'the list of companies');
    await other.getByRole('button', { name: 'Подтвердить' }).click();
    await inDialog(other).getByRole('button', { name: 'Подтвердить' }).click();
    await other.getByText('Корректировка проведена').first().waitFor();
    const row = other.getByRole('row', { name: /Сымбат Медикал/ });
    await row.getByText(/15\s050\s₸/).waitFor();
  });

  test('a price, a sender name and a limit are set, and the company is suspended', async () => {
    const { page } = await enter(operators[0], `/admin/companies/${companyId}`);
    await page.getByRole('button', { name: 'Своя цена' }).click();
    await inDialog(page).getByLabel('Цена, ₸').fill('6');
    await inDialog(page).getByLabel('Действует с').fill('2030-01-01T00:00');
    await inDialog(page).getByRole('button', { name: 'Сохранить' }).click();
    await page.getByRole('table', { name: 'История своих цен' }).getByText('Будет').waitFor();
    await page.getByRole('button', { name: 'Отменить', exact: true }).click();
    await page.getByRole('table', { name: 'История своих цен' }).getByText('Отменена').waitFor();

    await page.getByRole('button', { name: 'Изменить имя' }).click();
    await inDialog(page).getByLabel('Имя отправителя SMS').selectOption('Symbat');
    await inDialog(page).getByRole('button', { name: 'Сохранить' }).click();
    await page.locator('main').getByText('Symbat', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Пределы Сайт клиники' }).click();
    await inDialog(page).getByLabel('Предел в месяц').fill('5000');
    await inDialog(page).getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText(/^0\s₸ из 5\s000\s₸$/).waitFor();

    await page.getByRole('button', { name: 'Приостановить' }).click();
    await inDialog(page).getByLabel('Причина').fill('Жалобы абонентов');
    await inDialog(page).getByRole('button', { name: 'Приостановить' }).click();
    await page.getByText(/Причина: Жалобы абонентов/).waitFor();
    await page.getByRole('button', { name: 'Вернуть к работе' }).click();
    await inDialog(page).getByRole('button', { name: 'Вернуть к работе' }).click();
    await page.getByRole('button', { name: 'Приостановить' }).waitFor();
  });

  test('the cabinet is looked at under a bar, and left for the desk', async () => {
    const address = `/admin/companies/${companyId}`;
    const opened = await enter(operators[0], address, { isAxeNeeded: true });
    const { page } = opened;
    await page.getByRole('button', { name: 'Открыть кабинет' }).click();
    await inDialog(page).getByRole('button', { name: 'Открыть кабинет' }).click();
    await page.waitForURL(/\/app$/);
    await untilLoaded(page);
    const bar = page.getByRole('complementary', { name: 'Просмотр кабинета' });
    await bar.getByText('Изменить ничего нельзя').waitFor();
    await assertAccessible(page, 'a viewed cabinet');
    await screenshot(page, 'desk-view-wide');
    const site = running().ctx.urls.publicUrl;
    await page.goto(`${site}/app/keys`);
    await page.getByText('Сайт клиники').first().waitFor();
    assert.equal(await page.getByRole('button', { name: /Создать ключ|Новый ключ/ }).count(), 0);
    await page.goto(`${site}/app/audit`);
    const log = page.getByRole('table', { name: 'Журнал' });
    await log.getByText('Оператор сервиса открыл кабинет для просмотра').first().waitFor();
    await bar.getByRole('button', { name: 'Закончить просмотр' }).click();
    await page.waitForURL(new RegExp(`${address}$`));
    await page.getByRole('heading', { name: 'ТОО «Сымбат Медикал»' }).waitFor();
    opened.expectStatus(401);
    await page.goto(`${site}/app`);
    await page.waitForURL(/\/login/);
  });

  const looks: Record<string, Look & { lang: string }> = {
    'narrow and dark in Kazakh': { ...NARROW, colorScheme: 'dark', locale: 'kk-KZ', lang: 'kk' },
    'wide and dark in English': { colorScheme: 'dark', locale: 'en-US', lang: 'en' },
  };
  for (const [name, { lang, ...look }] of Object.entries(looks)) {
    test(`fits and is readable ${name}`, async () => {
      for (const [place, address] of [
        ['list', '/admin/companies'],
        ['company', `/admin/companies/${companyId}`],
      ] as const) {
        const { page } = await enter(operators[0], address, { ...look, isAxeNeeded: true });
        assert.equal(await page.locator('html').getAttribute('lang'), lang);
        await assertAccessible(page, `${place} ${name}`);
        assert.equal(await sidewaysScroll(page), 0, place);
        await screenshot(page, `desk-${place}-${lang}`);
      }
    });
  }
});
