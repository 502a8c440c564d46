/** Companies that are suspended, or closed to people without a second factor, say so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, type Opened, usePages } from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { createCompany, named, signUp } from './newcomer.ts';
import { plugIn } from './virtual-authenticator.ts';

const { open, openTry, running } = usePages();

const site = () => running().ctx.urls.publicUrl;
const sql = (text: string) => running().ctx.db.query(text);
const requireOfEverybody = () => sql('update company set requires_second_factor = true');

async function openCompany(phone: string, name: string): Promise<Opened> {
  const opened = await open('/login');
  opened.expectStatus(401, 403);
  await signUp(opened, await openTry(), phone);
  await createCompany(opened.page, name);
  return opened;
}

test('a company that requires a second factor asks for one, and opens once it is there', async () => {
  const { page } = await openCompany('+7 701 666-00-01', 'Аптека');
  const { button, link, heading } = named(page);
  await plugIn(page);
  await requireOfEverybody();
  await page.goto(`${site()}/app/messages`);
  await heading('Нужен второй фактор').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);

  await link('Настроить в профиле').click();
  await heading('Профиль').waitFor();
  await sql('update session set proven_at = clock_timestamp()');
  await button('Добавить ключ доступа').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Продолжить' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Коды сохранены' }).click();
  await button(/^Удалить:/).waitFor();
  await link('Сообщения').click();
  await heading('Сообщения').waitFor();
});

test('a page that is open when the second factor becomes required asks for it', async () => {
  const { page } = await openCompany('+7 701 666-00-02', 'Пекарня');
  const { link, heading } = named(page);
  await requireOfEverybody();
  await link('Команда').click();
  await heading('Нужен второй фактор').waitFor();
});

test('an owner with a second factor requires it of everybody, and takes it back', async () => {
  const { page } = await openCompany('+7 701 666-00-03', 'Ателье');
  const { button } = named(page);
  await page.goto(`${site()}/app/company`);
  const required = page.getByRole('switch', { name: 'Требовать второй фактор от всех' });
  await required.waitFor();
  assert(await required.isDisabled(), 'nobody requires what they do not have');

  await plugIn(page);
  await sql('update session set proven_at = clock_timestamp()');
  await page.goto(`${site()}/app/profile`);
  await button('Добавить ключ доступа').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Продолжить' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Коды сохранены' }).click();
  await page.goto(`${site()}/app/company`);
  await required.click();
  const dialog = page.getByRole('dialog');
  await eventually(() => dialog.textContent(), /Он есть у каждого в команде/);
  await dialog.getByRole('button', { name: 'Требовать от всех' }).click();
  await eventually(async () => String(await required.isChecked()), /true/);
  await required.click();
  await eventually(async () => String(await required.isChecked()), /false/);
  await page.goto(`${site()}/app/audit`);
  await untilLoaded(page);
  await eventually(() => page.locator('main').textContent(), /второй фактор у всех: .*нет.*да/s);
});

test('a suspended company can be read, and says why nothing is saved', async () => {
  const { page } = await openCompany('+7 701 666-00-04', 'Кофейня');
  const { button } = named(page);
  await sql(
    `update company set suspended_at = clock_timestamp(), suspended_because = 'Жалобы на рассылку'`,
  );
  await page.goto(`${site()}/app/company`);
  await page.getByText(/Причина: Жалобы на рассылку\. Ключи не действуют/).waitFor();
  await button('Сохранить').click();
  await page.getByText('Работа компании приостановлена: кабинет можно только читать.').waitFor();
  await page.goto(`${site()}/app/messages`);
  await named(page).heading('Сообщения').waitFor();
});
