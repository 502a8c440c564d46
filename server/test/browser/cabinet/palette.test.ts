/** The palette: everything by name, without a mouse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, eventually, usePages, WIDE } from '../open-pages.ts';
import { phoneOfDemo } from './demo-pages.ts';
import { openSignedIn } from './signed-in.ts';

const pages = usePages();
const { openDemo, openAs } = openSignedIn(pages);

const field = (page: Page) => page.getByRole('combobox', { name: 'Раздел, ключ' });
const chosen = (page: Page) =>
  page.getByRole('listbox', { name: 'Поиск и команды' }).getByRole('option', { selected: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

async function find(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await page.keyboard.type(typed);
}

test('Ctrl K opens pages by name, also typed in the wrong layout, and remembers them', async () => {
  const { page } = await openDemo('/app', { ...WIDE, isAxeNeeded: true });
  await find(page, 'жур');
  await eventually(() => chosen(page).textContent(), /Журнал/);
  await assertAccessible(page, 'the palette');
  await page.keyboard.press('Enter');
  await heading(page, 'Журнал').waitFor();
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');

  await find(page, 'rjvfyl');
  await eventually(() => chosen(page).textContent(), /Команда/);
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await eventually(() => chosen(page).textContent(), /Журнал/);
  await page.keyboard.press('ArrowDown');
  await eventually(() => chosen(page).textContent(), /Обзор/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await eventually(() => chosen(page).textContent(), /Выйти/);
});

test('a phone in any spelling leads to its messages, and an id to its message', async () => {
  const { page } = await openDemo('/app/keys');
  const phone = await phoneOfDemo(page, 'kind=otp');
  await find(page, phone.replace(/^\+7(\d{3})/, '8 ($1) '));
  await eventually(() => chosen(page).textContent(), /Сообщения на/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/app\/messages\?search=/);
  // The page before stays until this one has come, and has rows too.
  const row = page.locator('tbody [data-row-link][href*="/messages/msg_"]').first();
  const address = (await row.getAttribute('href')) as string;
  const id = /messages\/(msg_\w{22})/.exec(address)?.[1] as string;
  await find(page, id);
  await eventually(() => chosen(page).textContent(), /Открыть сообщение/);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(id));
});

test('an action is done where it belongs, by a click as well', async () => {
  const { page } = await openAs('owner');
  await page.getByRole('button', { name: 'Поиск и команды' }).click();
  await field(page).fill('создать кл');
  await page.getByRole('option', { name: 'Создать ключ' }).click();
  await page.waitForURL(/\/app\/keys$/);
  await page.getByRole('dialog').getByLabel('Название').waitFor();
});

test('a role finds only what it may open, and the palette stays when shortcuts are off', async () => {
  const { page } = await openAs('accountant');
  await page.keyboard.press('?');
  await page.getByRole('switch').uncheck();
  await page.keyboard.press('Escape');
  await find(page, 'ключ');
  await page.getByText('Ничего не найдено').waitFor();
  await field(page).fill('баланс');
  await eventually(() => chosen(page).textContent(), /аланс/);
});
