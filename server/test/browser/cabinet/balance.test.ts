/** The balance page, as the person who pays reads it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, type Look, NARROW, sidewaysScroll, usePages } from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { openSignedIn } from './signed-in.ts';

describe('the balance page', () => {
  const { open, running } = usePages();
  const { openDemo } = openSignedIn({ open, running });

  const enter = async (address: string, look: Look = {}): Promise<Page> =>
    (await openDemo(address, look)).page;
  const ledgerOf = (page: Page) => page.getByRole('table', { name: 'Проводки' });
  const readApi = async (page: Page, path: string) =>
    (await (await page.request.get(new URL(`/cabinet${path}`, page.url()).href)).json()) as {
      available: number;
      spent_today: number;
      total: number;
      rows: { number: number; kind: string }[];
    };
  /** Digits of a text: money is written with spaces. */
  const digits = (text: string | null) => Number((text ?? '').replaceAll(/\D/g, ''));

  test('is reached from the overview and by keys, and shows what the ledger says', async () => {
    const page = await enter('/app');
    const main = page.locator('main');
    await main.getByRole('link', { name: /^[\d\s]+₸$/ }).click();
    await page.getByRole('heading', { name: 'Баланс', level: 1 }).waitFor();
    await page.goto(`${running().ctx.urls.publicUrl}/app/team`);
    await untilLoaded(page);
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByRole('heading', { name: 'Баланс', level: 1 }).waitFor();
    await untilLoaded(page);

    const { available, spent_today } = await readApi(page, '/balance');
    const figure = (title: string) =>
      main.getByText(title, { exact: true }).locator('xpath=following-sibling::p[1]').textContent();
    assert.equal(digits(await figure('Доступно')), available);
    assert.equal(digits(await figure('Списано сегодня')), spent_today);
    const newest = await ledgerOf(page).locator('tbody tr').first().locator('td').allTextContents();
    assert.equal(digits(newest[4] ?? ''), available, 'the newest entry ends with the balance');
    assert.match(newest[2] ?? '', /^\d+ сообщени/);
    const topUp = main.getByRole('link', { name: 'Пополнить' });
    assert.equal(await topUp.getAttribute('href'), '/app/balance/topup');
  });

  test('splits spending by key and by purpose, and leads to the messages', async () => {
    const page = await enter('/app/balance');
    const { total } = await readApi(page, '/spend');
    for (const name of ['По ключам', 'По назначениям']) {
      const spent = page.getByRole('table', { name }).locator('tbody tr td:nth-child(2)');
      const sum = (await spent.allTextContents()).reduce((all, text) => all + digits(text), 0);
      assert.equal(sum, total, name);
    }
    await page.getByRole('radio', { name: '90 дней' }).check();
    await page.waitForURL(/spend=90d/);
    await page.getByRole('table', { name: 'По ключам' }).getByRole('link').first().click();
    await page.waitForURL(/\/app\/messages\?.*key_id=\d+.*is_charged=true/);
    await page.getByRole('heading', { name: 'Сообщения', level: 1 }).waitFor();
  });

  test('filters the ledger in its address, and says when nothing matches', async () => {
    const page = await enter('/app/balance?kind=bonus,correction');
    const rows = ledgerOf(page).locator('tbody tr');
    const { rows: expected } = await readApi(page, '/ledger?kind=bonus,correction');
    await eventually(async () => String(await rows.count()), new RegExp(`^${expected.length}$`));
    assert(expected.length > 0);
    await page.getByRole('button', { name: 'Убрать фильтр «Вид»' }).click();
    await eventually(async () => (await rows.first().textContent()) ?? '', /Списание|Пересчёт/);
    await page.goto(`${running().ctx.urls.publicUrl}/app/balance?kind=refund`);
    await page.getByText('Под эти фильтры ничего не подходит').waitFor();
    await page.getByRole('button', { name: 'Сбросить фильтры' }).last().click();
    await rows.first().waitFor();
  });

  test('gives a statement of the chosen period', async () => {
    const page = await enter('/app/balance?range=month');
    await page.getByRole('button', { name: 'Скачать выписку' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'По дням, CSV для 1С и Excel' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^ledger-\d{4}-\d\d-\d\d\.csv$/);
    const text = readFileSync(await download.path(), 'utf8');
    const { available } = await readApi(page, '/balance');
    assert.match(text, new RegExp(`Остаток на конец, ₸;${available}\r\n$`));
    assert.match(text, /^\u{feff}Компания;[^\r]+\r\n/u);
    assert.match(text, /Период \(Алматы\);\d{4}-\d\d-01 00:00:00 – по сейчас/);
  });

  test('says what is owed, on a phone too', async () => {
    const page = await enter('/app/balance', { ...NARROW, colorScheme: 'dark', hasTouch: true });
    assert.equal(await page.getByText('Долг').count(), 0);
    const { db, demo } = running().ctx;
    const owe = 'update account set debt = $2 where company_id = $1';
    await db.query(owe, [demo?.companyId, 1_950]);
    await page.reload();
    await page.getByText(/^Долг 1\s950\s₸\.$/).waitFor();
    await untilLoaded(page);
    assert.equal(await sidewaysScroll(page), 0);
    await db.query(owe, [demo?.companyId, 0]);
  });
});
