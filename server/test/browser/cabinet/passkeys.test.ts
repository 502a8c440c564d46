/**
 * Passkeys as people meet them on the pages: Chromium has a device of its own, and its own opinion
 * of what the server asks it for.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, type Opened, usePages } from '../open-pages.ts';
import { onTry } from '../try-page.ts';
import { untilLoaded } from './demo-pages.ts';
import { createCompany, named, signUp } from './newcomer.ts';
import { plugIn } from './virtual-authenticator.ts';

const { open, openTry, running } = usePages();

const site = () => running().ctx.urls.publicUrl;
const PASSKEY = 'Рабочий ноутбук';

/** A phone gets one code a minute; the next one is not waited for. */
const letAMinutePass = () => running().ctx.db.query('delete from recent_sends');

/** A person with a company, on the page of their profile. */
async function openProfile(phone: string): Promise<{ opened: Opened; tryPage: Page }> {
  const [opened, { page: tryPage }] = [await open('/login'), await openTry()];
  await plugIn(opened.page);
  // Refusals are answers here, and the browser notes each of them.
  opened.expectStatus(401, 403);
  await signUp(opened, { page: tryPage }, phone);
  await createCompany(opened.page, 'Клиника «Айболит»');
  await opened.page.goto(`${site()}/app/profile`);
  await untilLoaded(opened.page);
  return { opened, tryPage };
}

/** Adds a passkey. The dialog that opens on the way wants a code to the phone. */
async function addPasskey(page: Page, tryPage: Page): Promise<string[]> {
  await letAMinutePass();
  const { button } = named(page);
  await button('Добавить ключ доступа').click();
  const dialog = page.getByRole('dialog', { name: 'Добавить ключ доступа' });
  await dialog.getByRole('textbox', { name: 'Название' }).fill(PASSKEY);
  await dialog.getByRole('button', { name: 'Продолжить' }).click();
  const identity = page.getByRole('dialog', { name: 'Подтвердите, что это вы' });
  const before = await onTry(tryPage).bubbles.count();
  await identity.getByRole('button', { name: 'Отправить код на мой телефон' }).click();
  await eventually(async () => String((await onTry(tryPage).bubbles.count()) - before), /^1$/);
  await identity.getByRole('textbox').fill(await onTry(tryPage).lastCode());
  await identity.getByRole('button', { name: 'Подтвердить', exact: true }).click();
  const recovery = page.getByRole('dialog', { name: 'Коды восстановления' });
  await recovery.getByRole('listitem').first().waitFor();
  const codes = await recovery.getByRole('listitem').allTextContents();
  await recovery.getByRole('button', { name: 'Коды сохранены' }).click();
  await page.getByText(PASSKEY).first().waitFor();
  return codes;
}

async function signOut(page: Page): Promise<void> {
  const answer = await page.request.post(`${site()}/cabinet/sign-out`, {
    headers: { 'x-zhiber-cabinet': '1' },
  });
  assert.equal(answer.status(), 200);
  await page.goto(`${site()}/login`);
}

const isSignedIn = async (page: Page) =>
  (await page.request.get(`${site()}/cabinet/session`)).status() === 200;

/** The card under a heading of the profile. */
const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) });

test('a person adds a passkey, and signs in with nothing else', async () => {
  const { opened, tryPage } = await openProfile('+7 701 555-00-01');
  const { page } = opened;
  const codes = await addPasskey(page, tryPage);
  assert.equal(codes.length, 10);
  await eventually(() => card(page, 'Ключи доступа').textContent(), /ещё не использован/);

  await signOut(page);
  assert.equal(await isSignedIn(page), false);
  const { button, heading } = named(page);
  await button('Войти с ключом доступа').click();
  await heading('Обзор').waitFor();

  await page.goto(`${site()}/app/profile`);
  await eventually(
    () => card(page, 'События безопасности').textContent(),
    /Вход в кабинет · Рабочий ноутбук.*Chrome, Linux.*Добавлен ключ доступа · Рабочий ноутбук/s,
  );
  assert.doesNotMatch(
    (await card(page, 'Ключи доступа').textContent()) ?? '',
    /ещё не использован/,
  );

  await button(`Переименовать: ${PASSKEY}`).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Название' }).fill('Домашний');
  await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click();
  await button('Удалить: Домашний').waitFor();
});

test('after a code to the phone, the passkey is the second step, and a recovery code stands in for it', async () => {
  const phone = '+7 701 555-00-02';
  const { opened, tryPage } = await openProfile(phone);
  const { page } = opened;
  const [code = ''] = await addPasskey(page, tryPage);
  const { button, heading, field } = named(page);

  const doFirstStep = async () => {
    await signOut(page);
    await letAMinutePass();
    const before = await onTry(tryPage).bubbles.count();
    await field('Телефон').fill(phone);
    await button('Получить код').click();
    await field('Код из сообщения').waitFor();
    await eventually(async () => String((await onTry(tryPage).bubbles.count()) - before), /^1$/);
    await field('Код из сообщения').fill(await onTry(tryPage).lastCode());
    await button('Войти').click();
    await heading('Второй шаг входа').waitFor();
    assert.equal(await isSignedIn(page), false);
  };

  await doFirstStep();
  await button('Подтвердить ключом доступа').click();
  await heading('Обзор').waitFor();

  await doFirstStep();
  await button('Нет доступа к устройству? Ввести код восстановления').click();
  await field('Код восстановления').fill(code);
  await button('Войти').click();
  await heading('Обзор').waitFor();
});

test('the passkey proves who removes it, and signs nobody in afterwards', async () => {
  const { opened, tryPage } = await openProfile('+7 701 555-00-03');
  const { page } = opened;
  await addPasskey(page, tryPage);
  // The code to the phone was a proof while there was nothing stronger, and is forgotten.
  await running().ctx.db.query('update session set proven_at = null');
  const { button, heading } = named(page);
  await button(`Удалить: ${PASSKEY}`).click();
  const dialog = page.getByRole('dialog', { name: `Удалить ключ «${PASSKEY}»?` });
  await eventually(() => dialog.textContent(), /последний второй фактор/);
  await dialog.getByRole('button', { name: 'Удалить', exact: true }).click();
  const identity = page.getByRole('dialog', { name: 'Подтвердите, что это вы' });
  // With a second factor, neither the phone nor a password is offered.
  await identity.getByRole('button', { name: 'Подтвердить ключом доступа' }).waitFor();
  assert.deepEqual(await identity.getByRole('button').allTextContents(), [
    '',
    'Подтвердить ключом доступа',
    'Ввести код восстановления',
  ]);
  await identity.getByRole('button', { name: 'Подтвердить ключом доступа' }).click();
  await button(`Удалить: ${PASSKEY}`).waitFor({ state: 'detached' });
  await eventually(() => card(page, 'События безопасности').textContent(), /Удалён ключ доступа/);

  await signOut(page);
  await button('Войти с ключом доступа').click();
  await page
    .getByText('Ключ доступа не принят. Попробуйте ещё раз или выберите другой способ.')
    .waitFor();
  assert.equal(await isSignedIn(page), false);
  await heading('Вход').waitFor();
});
