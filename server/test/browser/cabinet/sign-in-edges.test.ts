/** Signing in and its settings, where something is refused, missing or changed a moment ago. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, usePages } from '../open-pages.ts';
import { onTry } from '../try-page.ts';
import { untilLoaded } from './demo-pages.ts';
import { createCompany, named, signUp } from './newcomer.ts';
import { plugIn } from './virtual-authenticator.ts';

const PHONE = '+7 701 777-00-01';
const OTHER_PHONE = '+7 701 777-00-02';
const PASSWORD = 'correct horse battery staple';

const { open, openTry, running } = usePages();
const site = () => running().ctx.urls.publicUrl;
const sql = (text: string) => running().ctx.db.query(text);

const events = (page: Page) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'События безопасности', level: 2 }) })
    .textContent();

test('a person with only a passkey enters a recovery code where the browser has no WebAuthn', async () => {
  const opened = await open('/login');
  const { page } = opened;
  opened.expectStatus(401, 403);
  const phonePage = (await openTry()).page;
  await plugIn(page);
  await signUp(opened, { page: phonePage }, PHONE);
  await createCompany(page, 'Фирма');
  await page.goto(`${site()}/app/profile`);
  await untilLoaded(page);
  const { button, field, heading } = named(page);
  const dialog = page.getByRole('dialog');

  // Each change is listed on the page at once.
  await eventually(() => events(page), /Вход в кабинет/);
  await sql('update session set proven_at = clock_timestamp()');
  await button('Задать пароль').click();
  await dialog.locator('input').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Задать пароль' }).click();
  await eventually(() => events(page), /Изменён пароль/);

  await sql('update session set proven_at = null');
  await button('Добавить ключ доступа').click();
  await dialog.getByRole('button', { name: 'Продолжить' }).click();
  const identity = page.getByRole('dialog', { name: 'Подтвердите, что это вы' });
  await identity.getByRole('button', { name: 'Подтвердить кодом на телефон' }).click();
  await identity.getByRole('button', { name: 'Подтвердить паролем' }).click();
  // The keyboard goes on in the field of the chosen way.
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const recovery = page.getByRole('dialog', { name: 'Коды восстановления' });
  await recovery.getByRole('listitem').first().waitFor();
  const [code = ''] = await recovery.getByRole('listitem').allTextContents();
  await recovery.getByRole('button', { name: 'Коды сохранены' }).click();
  await eventually(() => events(page), /Добавлен ключ доступа/);

  await page.request.post(`${site()}/cabinet/sign-out`, { headers: { 'x-zhiber-cabinet': '1' } });
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
  });
  await page.goto(`${site()}/login`);
  await sql('delete from recent_sends');
  const codesBefore = await onTry(phonePage).bubbles.count();
  await field('Телефон').fill(PHONE);
  await button('Получить код').click();
  await field('Код из сообщения').waitFor();
  const newCodes = async () => (await onTry(phonePage).bubbles.count()) - codesBefore;
  await eventually(async () => String(await newCodes()), /^1$/);
  await field('Код из сообщения').fill(await onTry(phonePage).lastCode());
  await button('Войти').click();
  await heading('Второй шаг входа').waitFor();
  await field('Код восстановления').fill(code);
  await button('Войти').click();
  await heading('Обзор').waitFor();
});

test('a refused resend says why', async () => {
  const opened = await open('/login');
  const { page } = opened;
  opened.expectStatus(401, 429);
  await page.clock.install();
  await page.reload();
  const { button, field } = named(page);
  await field('Телефон').fill(OTHER_PHONE);
  await button('Получить код').click();
  await field('Код из сообщения').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  // The page believes that the minute has passed; the server knows better.
  for (let second = 0; second < 80; second++) await page.clock.runFor(1_000);
  await button('Отправить ещё раз').click();
  await eventually(() => page.getByRole('alert').textContent(), /Код уже отправлен/);
});
