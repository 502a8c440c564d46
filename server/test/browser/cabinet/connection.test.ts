/** What the frame of the cabinet does while the server cannot be reached, and after a release. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, usePages } from '../open-pages.ts';
import { goWithin, untilLoaded } from './demo-pages.ts';
import { openSignedIn } from './signed-in.ts';

const pages = usePages();
const { openDemo, openAs } = openSignedIn(pages);

const lostNote = (page: Page) => page.getByText('Нет связи.', { exact: true });
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Разделы кабинета' }).getByRole('link', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Waits until the code of every page has been fetched. */
async function untilPreloaded(page: Page): Promise<void> {
  const names = () =>
    page.evaluate<string>(
      "performance.getEntriesByType('resource').map(({ name }) => name).join(' ')",
    );
  // The last section and the page that everybody has.
  await eventually(names, /company-page.*profile-page|profile-page.*company-page/);
}

/** Pages and texts are not got ahead for somebody who saves data. */
async function saveData(page: Page): Promise<void> {
  await page.addInitScript(
    "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
  );
  await page.reload();
}

test('pages are got ahead, so that they open without a connection, and all goes on after it', async () => {
  const { page, expectBrokenConnection } = await openDemo('/app/messages');
  expectBrokenConnection();
  await untilPreloaded(page);
  const rows = await page.locator('tbody tr').count();
  assert.ok(rows > 0);

  await page.context().setOffline(true);
  await lostNote(page).waitFor();
  assert.equal(await page.locator('tbody tr').count(), rows, 'what is shown stays');

  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') asked.push(new URL(request.url()).pathname);
  });
  await section(page, 'Команда').click();
  await heading(page, 'Команда').waitFor();
  const questions = asked.filter((path) => path !== '/api/health');
  assert.deepEqual(questions, [], 'what a page needs is asked for when the connection is back');
  assert.ok(await page.getByRole('link', { name: 'Баланс' }).isVisible(), 'the frame stays');
  await page.context().setOffline(false);
  await lostNote(page).waitFor({ state: 'detached' });
  await untilLoaded(page);
  assert.ok((await page.locator('tbody tr').count()) > 0, 'the page went on by itself');
});

test('a link out of the cabinet does not leave it while the connection is lost', async () => {
  const { page, expectBrokenConnection } = await openDemo('/app/keys');
  expectBrokenConnection();
  await page.context().setOffline(true);
  await lostNote(page).waitFor();
  await page.getByRole('button', { name: 'Помощь' }).click();
  await page.getByRole('link', { name: 'Статус сервиса' }).click();
  assert.ok(await heading(page, 'Ключи').isVisible());
  assert.match(page.url(), /\/app\/keys$/);
});

test('a page whose code is not there yet is opened when the connection is back', async () => {
  const { page, expectBrokenConnection } = await openDemo('/app/keys');
  expectBrokenConnection();
  await saveData(page);
  await heading(page, 'Ключи').waitFor();
  await page.route('**/assets/audit-page-*', (route) => route.abort('connectionfailed'));
  await page.route('**/api/health', (route) => route.abort('connectionfailed'));
  await section(page, 'Журнал').click();
  await heading(page, 'Нет связи с сервером').waitFor();
  assert.ok(await section(page, 'Ключи').isVisible(), 'the frame stays');
  await page.unroute('**/assets/audit-page-*');
  await page.unroute('**/api/health');
  await page.locator('main').getByRole('button', { name: 'Повторить' }).last().click();
  await heading(page, 'Журнал').waitFor();
});

test('texts that come later than their page are waited for', async () => {
  const { page } = await openDemo('/app/messages');
  await saveData(page);
  await untilLoaded(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/ru-*', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/assets/ru-*');
  await section(page, 'Ключи').click();
  await asked;
  release();
  await heading(page, 'Ключи').waitFor();
});

test('texts that cannot be got are asked for again with the page', async () => {
  const { page, expectBrokenConnection } = await openDemo('/app/messages');
  expectBrokenConnection();
  await saveData(page);
  await untilLoaded(page);
  for (const address of ['**/assets/ru-*', '**/api/health']) {
    await page.route(address, (route) => route.abort('connectionfailed'));
  }
  await section(page, 'Ключи').click();
  await heading(page, 'Нет связи с сервером').waitFor();
  for (const address of ['**/assets/ru-*', '**/api/health']) await page.unroute(address);
  await page.locator('main').getByRole('button', { name: 'Повторить' }).last().click();
  await heading(page, 'Ключи').waitFor();
});

test('a server that was stopped and is back is noticed, and a form keeps what was typed', async () => {
  const { page, expectBrokenConnection } = await openAs('owner', '/app/keys');
  expectBrokenConnection();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Название').fill('Магазин');

  const startServer = await pages.stopServer();
  const send = dialog.locator('button[type=submit]');
  await send.click();
  await eventually(() => dialog.textContent(), /Форма не отправлена/);
  assert.equal(await dialog.getByLabel('Название').inputValue(), 'Магазин');
  assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'BODY');

  await startServer();
  await lostNote(page).waitFor({ state: 'detached' });
  await send.click();
  await eventually(() => page.locator('body').textContent(), /zhb_|Скопировать/);
});

test('a release is offered, and what was typed is not thrown away without asking', async () => {
  const { page } = await openDemo('/app/keys');
  await page.route('**/cabinet/**', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'x-zhiber-pages': 'index-newer.js' };
    await route.fulfill({ response, headers });
  });
  await goWithin(page, '/app/links');
  const update = page.getByRole('button', { name: 'Обновить', exact: true });
  await update.waitFor();
  await page.keyboard.press('n');
  await page.locator('main form input[name=url]').fill('https://example.kz/sale');
  await update.click();
  const question = page.getByRole('dialog', { name: 'Введённое не сохранится' });
  await question.getByRole('button', { name: 'Отмена' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(
    await page.locator('main form input[name=url]').inputValue(),
    'https://example.kz/sale',
  );
  await page.unroute('**/cabinet/**');
  await update.click();
  await Promise.all([
    page.waitForEvent('load'),
    question.getByRole('button', { name: 'Всё равно обновить' }).click(),
  ]);
  await heading(page, 'Ссылки').waitFor();
  assert.equal(await update.count(), 0);
});

test('a page whose file is gone after a release says so, and is never blank', async () => {
  const { page, expectStatus } = await openDemo('/app/keys');
  expectStatus(404);
  await page.route('**/assets/audit-page-*', (route) =>
    route.fulfill({ status: 404, json: { success: false } }),
  );
  await section(page, 'Журнал').click();
  await heading(page, 'Вышла новая версия').waitFor();
  assert.ok(await section(page, 'Ключи').isVisible(), 'the frame stays');
  await page.unroute('**/assets/audit-page-*');
  await Promise.all([
    page.waitForEvent('load'),
    page.locator('main').getByRole('button', { name: 'Обновить', exact: true }).last().click(),
  ]);
  await heading(page, 'Журнал').waitFor();
});

test('charts are tables when the code that draws them cannot be loaded', async () => {
  const { page, expectStatus } = await openDemo('/app/keys');
  expectStatus(404);
  await saveData(page);
  await page.route('**/assets/plot-*', (route) =>
    route.fulfill({ status: 404, json: { success: false } }),
  );
  await section(page, 'Обзор').click();
  await page.locator('figure table').first().waitFor();
  assert.equal(await page.locator('figure canvas').count(), 0);
});

test('an outage is said once on a page with many parts, and one press asks for all of them', async () => {
  const { page, expectStatus } = await openDemo('/app/keys');
  expectStatus(503);
  const outage = { success: false, error_code: 'service_unavailable', message: 'Недоступно' };
  await page.route('**/cabinet/balance**', (route) => route.fulfill({ status: 503, json: outage }));
  await page.route('**/cabinet/ledger**', (route) => route.fulfill({ status: 503, json: outage }));
  await section(page, 'Баланс').click();
  const said = page.locator('main').getByRole('alert');
  await page.locator('main').getByText('Не загружено').nth(1).waitFor();
  assert.equal(await said.count(), 1);
  const status = said.getByRole('link', { name: 'Статус сервиса' });
  assert.equal(await status.getAttribute('href'), '/status?lang=ru');
  await page.unroute('**/cabinet/balance**');
  await page.unroute('**/cabinet/ledger**');
  await said.getByRole('button', { name: 'Повторить' }).click();
  await said.waitFor({ state: 'detached' });
  assert.equal(await page.locator('main').getByText('Не загружено').count(), 0);
});

test('a slow network shows at once what was pressed, and then that something is coming', async () => {
  const { page } = await openDemo('/app/keys');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/audit-page-*', async (route) => {
    await held;
    await route.continue();
  });
  await section(page, 'Журнал').click();
  await page.locator('a[aria-current=page]', { hasText: 'Журнал' }).waitFor();
  await page.locator('[data-progress]').waitFor({ state: 'attached' });
  await page.locator('main [aria-busy=true]').first().waitFor();
  release();
  await heading(page, 'Журнал').waitFor();
  await page.locator('[data-progress]').waitFor({ state: 'detached' });
});
