/** The focus never falls to the body: whoever works by keyboard would start from the top again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, usePages } from '../open-pages.ts';
import { addressOf, CABINET_PAGES, goWithin, untilLoaded } from './demo-pages.ts';
import { openSignedIn } from './signed-in.ts';

const pages = usePages();
const { openDemo, openAs } = openSignedIn(pages);

const focusTag = (page: Page) =>
  page.evaluate<string>("document.activeElement?.tagName ?? 'nothing'");
const focusText = (page: Page) =>
  page.evaluate<string>(
    "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()",
  );

/** The focus is put back with the next frame. */
async function assertFocused(page: Page, after: string): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  await eventually(async () => `${await focusTag(page)} ${after}`, /^(?!BODY|nothing|HTML)/, 5_000);
}

test('on no page of the cabinet does opening and closing lose the focus', async () => {
  const { page } = await openDemo('/app/keys');
  for (const name of CABINET_PAGES.filter((each) => each !== 'new-company')) {
    await goWithin(page, await addressOf(page, name));
    // What opens something: menus, filters and dialogs by their own declaration.
    const openers = page.locator('main :is([popovertarget], [aria-haspopup=dialog])');
    for (const opener of await openers.all()) {
      if (!(await opener.isVisible()) || !(await opener.isEnabled())) continue;
      await opener.focus();
      await page.keyboard.press('Enter');
      await assertFocused(page, `after opening on ${name}`);
      await page.keyboard.press('Escape');
      await assertFocused(page, `after closing on ${name}`);
    }
    await page.keyboard.press('n');
    if ((await page.locator('dialog[open]').count()) > 0) {
      await assertFocused(page, `in the dialog of ${name}`);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
  }
});

test('a menu gives the focus to its first item and back to its button', async () => {
  const { page } = await openDemo('/app/keys');
  const button = page.getByRole('button', { name: 'Профиль и настройки' });
  await button.focus();
  await page.keyboard.press('Enter');
  await eventually(() => focusText(page), /^Профиль$/);
  await page.keyboard.press('End');
  await eventually(() => focusText(page), /^Выйти$/);
  await page.keyboard.press('Home');
  await page.keyboard.press('e');
  await eventually(() => focusText(page), /^English$/);
  await page.keyboard.press('ArrowUp');
  await eventually(() => focusText(page), /^Қазақша$/);
  await page.keyboard.press('Escape');
  await eventually(() => focusText(page), /^Профиль и настройки$/);
});

test('the row that has the focus is outlined as a whole', async () => {
  const { page } = await openDemo('/app/messages');
  await page.keyboard.press('j');
  const outline = await page.evaluate<string>(
    "getComputedStyle(document.activeElement, '::after').outlineStyle",
  );
  assert.equal(outline, 'solid');
  const [link, row] = await page.evaluate<[number, number]>(
    "[parseFloat(getComputedStyle(document.activeElement, '::after').width), document.activeElement.closest('tr').offsetWidth]",
  );
  assert.ok(Math.abs(link - row) < 3, `${link} of ${row} pixels`);
});

test('required fields speak the language of the site, and the first wrong one gets the focus', async () => {
  const { page } = await openAs('owner', '/app/keys');
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.locator('button[type=submit]').click();
  await eventually(() => dialog.textContent(), /Заполните поле/);
  assert.equal(await page.evaluate('document.activeElement.matches("[aria-invalid=true]")'), true);
  await page.keyboard.type('Магазин');
  await eventually(() => dialog.textContent(), /^(?!.*Заполните поле)/s);
});

test('a button that is busy keeps the focus, and a second press sends nothing', async () => {
  const { page } = await openAs('owner', '/app/keys');
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Название').fill('Магазин');
  let calls = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/cabinet/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    calls += 1;
    await held;
    await route.continue();
  });
  const send = dialog.locator('button[type=submit]');
  await send.focus();
  await page.keyboard.press('Enter');
  await dialog.locator('[aria-busy=true]').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Название').press('Enter');
  assert.notEqual(await focusTag(page), 'BODY');
  release();
  await untilLoaded(page);
  await assertFocused(page, 'after the key was created');
  assert.equal(calls, 1);
});

test('a row that is gone and a closed notice leave the focus beside where they were', async () => {
  const { page } = await openAs('owner', '/app/team');
  for (const note of ['Айгерим', 'Дамир']) {
    await page.getByRole('button', { name: 'Пригласить' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Для кого').fill(note);
    await dialog.getByRole('button', { name: 'Создать ссылку' }).click();
    await dialog.getByRole('button', { name: 'Готово' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  const buttons = page.getByRole('button', { name: /^Отозвать/ });
  await buttons.nth(1).waitFor();
  const first = (await buttons.first().getAttribute('aria-label')) ?? '';
  const second = (await buttons.last().getAttribute('aria-label')) ?? '';
  await page.getByRole('button', { name: first, exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Отозвать' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: first, exact: true }).waitFor({ state: 'detached' });
  await eventually(() => focusText(page), new RegExp(`^${second}$`));

  const notice = page.getByRole('region', { name: 'Уведомления' });
  await notice.getByRole('button', { name: 'Закрыть' }).last().focus();
  await page.keyboard.press('Enter');
  await notice.waitFor({ state: 'detached' });
  await assertFocused(page, 'after a notice was closed');
});
