/** A short link in the cabinet: made, opened, scanned, changed and tagged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, usePages } from '../open-pages.ts';
import { enterDemo, untilLoaded } from './demo-pages.ts';

const { open, running } = usePages();

const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

test('the page of a link counts while it is open, and changes where the link leads', async () => {
  const { page, expectStatus } = await open('/login');
  expectStatus(401);
  await enterDemo(page);
  const site = running().ctx.urls.publicUrl;
  const visit = async (path: string, agent: string = PHONE) => {
    const opened = await fetch(`${site}/s/${path}`, {
      redirect: 'manual',
      headers: { 'user-agent': agent, referer: 'https://www.instagram.com/' },
    });
    return opened.headers.get('location');
  };

  await page.goto(`${site}/app/links`);
  await page.getByRole('button', { name: 'Сократить ссылку' }).click();
  await page.getByLabel('Куда ведёт').fill('shop.kz/spring');
  await page.getByText(`${new URL(site).host}/s/`, { exact: true }).waitFor();
  await page.getByLabel('Короткий адрес').first().fill('page-of-a-link');
  await page.getByRole('combobox', { name: /^Метки/ }).fill('весна');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Создать ссылку' }).click();
  await page.getByText('Ссылка готова:').waitFor();
  await page.goto(`${site}/app/links?tag=${encodeURIComponent('весна')}`);
  await page.getByRole('link', { name: /page-of-a-link/ }).click();
  await page.getByText('Переходов пока нет.').waitFor();

  assert.equal(await visit('page-of-a-link'), 'https://shop.kz/spring');
  assert.equal(await visit('page-of-a-link?q'), 'https://shop.kz/spring');
  await visit('page-of-a-link', 'WhatsApp/2.24.20 A');
  // Without a reload: the list of the last clicks, the numbers and the devices.
  const kinds = page.getByRole('table', { name: 'Последние переходы' });
  for (const kind of ['Переход', 'QR-код', 'Робот']) {
    await kinds.getByText(kind, { exact: true }).waitFor();
  }
  await page.getByRole('listitem').filter({ hasText: 'instagram.com' }).getByText('2').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Телефон' }).getByText('2').waitFor();
  // Nothing is said of cities, of which the database of countries knows none.
  await page.getByRole('heading', { name: 'Страны' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Города' }).count(), 0);
  const code = page.getByRole('img', { name: /QR-код/ });
  assert.ok(await code.isVisible());

  await page.getByRole('button', { name: 'Изменить', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Изменить ссылку' });
  await dialog.getByLabel('Куда ведёт').fill('https://shop.kz/summer');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Было:').waitFor();
  await eventually(async () => String(await visit('page-of-a-link')), /\/summer$/);

  await page.getByRole('button', { name: 'Изменить метки' }).click();
  await page.getByRole('button', { name: 'Убрать метку «весна»' }).click();
  await page.getByRole('combobox', { name: /^Метки/ }).fill('лето');
  // A tag that was typed is kept without a further button.
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('лето', { exact: true }).waitFor();
  await untilLoaded(page);
});

test('the page of a link has the cities of its clicks, when a database knows them', async () => {
  const { page, expectStatus } = await open('/login');
  expectStatus(401);
  await enterDemo(page);
  await page.goto(`${running().ctx.urls.publicUrl}/app/links/Buket7mP`);
  const cities = page.getByRole('heading', { name: 'Города' }).locator('xpath=../..');
  await cities.getByRole('listitem').first().getByText('Almaty, Казахстан').waitFor();
  await cities.getByRole('listitem').filter({ hasText: 'Astana, Казахстан' }).waitFor();
  assert.equal(await cities.getByText('*').count(), 0);
  await page.getByText('Данные о странах и городах: DB-IP').waitFor();
  const last = page.getByRole('table', { name: 'Последние переходы' });
  await last.getByRole('columnheader', { name: 'Город и страна' }).waitFor();
  await last.getByText('Almaty, Казахстан').first().waitFor();
});
