/** Looking for a client's message the way support does: digits, chips, j and k, a summary to send. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, usePages } from '../open-pages.ts';
import { phoneOfDemo, untilLoaded } from './demo-pages.ts';
import { openSignedIn } from './signed-in.ts';

const pages = usePages();
const { openDemo, openAs } = openSignedIn(pages);

const rowLinks = (page: Page) => page.locator('a[data-row-link]');
const openId = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('the messages', () => {
  test('are walked through by j, k and the arrows, and Escape returns to the row', async () => {
    const { page } = await openDemo('/app/messages');
    const ids = await rowLinks(page).evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')?.split(/[/?]/).at(3)),
    );
    assert(ids.length > 3);
    assert.match(ids[0] ?? '', /^msg_[1-9A-Za-z]{22}$/);
    await rowLinks(page).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('heading', { name: 'Что произошло' }).waitFor();
    for (const [key, place] of [
      ['j', 1],
      ['ArrowDown', 2],
      ['k', 1],
      ['ArrowUp', 0],
      ['k', 0],
      ['j', 1],
    ] as const) {
      await page.keyboard.press(key);
      await eventually(async () => openId(page), new RegExp(`^${ids[place]}$`));
      await panel.getByText(ids[place] ?? '').waitFor();
    }
    assert.equal(
      await page.evaluate<boolean>(`document.activeElement.closest('dialog') !== null`),
      true,
      'the focus stays in the panel',
    );
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.match(page.url(), /\/app\/messages$/);
    assert.equal(
      await page.evaluate<string>(`document.activeElement.pathname.split('/').at(-1)`),
      ids[1],
    );
  });

  test('are filtered by chips, together and in the URL', async () => {
    const { page } = await openDemo('/app/messages');
    await chip(page, 'Не доставлено').click();
    await page.waitForURL(/state=failed(,|%2C)unconfirmed(,|%2C)unknown/);
    await chip(page, 'Боевые').click();
    await page.waitForURL(/state=.*mode=live/);
    await chip(page, 'Сегодня').click();
    await page.waitForURL(/range=today/);
    await page.reload();
    await untilLoaded(page);
    for (const name of ['Не доставлено', 'Боевые', 'Сегодня']) {
      assert.equal(await chip(page, name).getAttribute('aria-pressed'), 'true', name);
    }
    await chip(page, 'Сегодня').click();
    await page.waitForURL((url) => !url.search.includes('range'));
    await eventually(() => page.locator('tbody').textContent(), /Не доставлено|Нет подтверждения/);
    assert.doesNotMatch((await page.locator('tbody').textContent()) ?? '', /Прочитано|Тест/);
  });

  test('are found by the last digits, and told to the client in their language', async () => {
    const { page } = await openDemo('/app/messages');
    const phone = await phoneOfDemo(page, 'kind=otp&state=delivered');
    const ending = `${phone.slice(-4, -2)}-${phone.slice(-2)}`;
    const search = page.getByRole('searchbox');
    await search.fill(`…${ending}`);
    await search.press('Enter');
    await page.waitForURL(/search=/);
    const found = new RegExp(`\\+7\\s\\d{3}\\s\\d{3}-${ending}`);
    await eventually(() => page.locator('tbody').textContent(), found);
    await rowLinks(page).first().click();
    const panel = page.getByRole('dialog');
    const summary = panel.locator('[data-summary]');
    const masked = new RegExp(`мы отправ.+\\+7\\s\\d{3}\\s•••-${ending}`);
    await eventually(() => summary.textContent(), masked);
    await panel.getByRole('radio', { name: 'English' }).check();
    await eventually(() => summary.textContent(), /^On \d+ \w+ at \d\d:\d\d we /);
    await panel.getByRole('button', { name: 'Скопировать для клиента' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied, await summary.textContent());
    assert.doesNotMatch(copied, new RegExp(`₸|555-${ending}`));
  });

  test('are the first page of support, who sees neither keys nor money', async () => {
    const { page } = await openAs('support');
    await page.waitForURL(/\/app\/messages$/);
    const navigation = page.getByRole('navigation').first();
    assert.match((await navigation.textContent()) ?? '', /^ZhiberСообщенияРассылкиСсылки$/);
    assert.doesNotMatch((await page.getByRole('banner').textContent()) ?? '', /₸/);
  });
});
