/**
 * From nothing to a working key and back to none, as one person goes: by mouse and, where it matters,
 * by keyboard.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, usePages } from '../open-pages.ts';
import { onTry } from '../try-page.ts';
import { createCompany, named, signUp } from './newcomer.ts';

const { open, openTry, running } = usePages();

const site = () => running().ctx.urls.publicUrl;

/** Calls the API from outside, as the company's server would. */
async function send(key: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site()}/api/otp/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

let phones = 0;
/** A phone that nothing was sent to, so that the limits of a phone never answer instead. */
const freshPhone = () => {
  phones += 1;
  return `+7701333${String(phones).padStart(4, '0')}`;
};

/** Sends to one fresh phone after the other until the answer fits. */
const untilSent = (key: string, body: object, pattern: RegExp) =>
  eventually(
    async () => JSON.stringify(await send(key, { phone: freshPhone(), ...body })),
    pattern,
  );

test('a person signs up, makes a key, sends with it, changes it and ends it', async () => {
  const opened = await open('/login');
  const { page } = opened;
  const { button, link, heading } = named(page);

  await signUp(opened, await openTry(), '8 (701) 444-55-66');
  await createCompany(page, 'Клиника «Айболит»');
  await eventually(() => page.locator('main').textContent(), /50\s₸/);

  const key = await makeKey(page);
  assert.match(key, /^zk_test_[0-9A-Za-z]{38}$/);

  // The key is shown by nothing any more: not after going back, not from any cache.
  await page.goBack();
  await page.goForward();
  await link('Ключи').click();
  await page.getByText('Сайт').first().waitFor();
  assert(!(await page.content()).includes(key));
  const stored = await page.evaluate<string>(
    `JSON.stringify([{...localStorage}, {...sessionStorage}, history.state, location.href])`,
  );
  assert(!stored.includes(key));
  const again = await page.request.get(`${site()}/cabinet/keys`);
  assert(!(await again.text()).includes(key));

  // A code from the playground arrives in its phone, and is right.
  await link('Проверка отправки').click();
  await heading('Проверка отправки').waitFor();
  const view = onTry(page);
  await view.phone.fill('+77014445577');
  await view.send();
  const code = await view.lastCode();
  await view.lastBubble.getByRole('button', { name: `Скопировать код ${code}` }).click();
  assert.equal(await view.codeField.inputValue(), code);
  await view.button('Проверить код').click();
  await view.verified(/^Код подтверждён$/);
  await view.story(/Запрос принят.*Код введён верно/s);
  await link('Открыть сообщение').waitFor();
  // What was done here can be done again, and the code is not part of it.
  assert.equal(await view.button('Заполнить форму').count(), 1);

  // Its story is among the messages, down to the confirmed code.
  await link('Сообщения').click();
  await page
    .getByRole('row', { name: /444-55-77/ })
    .first()
    .getByRole('link')
    .first()
    .click();
  await eventually(() => page.getByRole('dialog').textContent(), /Код введён верно/);
  await page.keyboard.press('Escape');

  // By keyboard alone, SMS goes up to the first place.
  await link('Ключи').click();
  await page.getByRole('link', { name: 'Сайт' }).first().click();
  const up = button('SMS: выше');
  await up.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await eventually(() => page.locator('main').textContent(), /auto: SMS → 30\sс → WhatsApp/);
  await button('Сохранить').focus();
  await page.keyboard.press('Enter');
  await untilSent(key, {}, /"channel":"sms"/);

  // A channel that is off is never used.
  await page.getByRole('switch', { name: /SMS/ }).click();
  await button('Сохранить').click();
  await untilSent(key, { channel: 'sms' }, /channel_disabled/);
  assert.equal((await send(key, { phone: freshPhone() })).channel, 'whatsapp');

  const renewed = await rotateKey(page);
  assert.notEqual(renewed, key);
  assert.equal((await send(renewed, { phone: freshPhone() })).status, 200);
  assert.equal((await send(key, { phone: freshPhone() })).status, 200);

  await button('Отозвать').click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const toType = dialog.getByRole('textbox').last();
  if (await toType.count()) await toType.fill('Сайт');
  await dialog.getByRole('button', { name: 'Отозвать', exact: true }).click();
  await untilSent(renewed, {}, /"status":401/);
  await untilSent(key, {}, /key_revoked/);
});

async function makeKey(page: Page): Promise<string> {
  const { button, link } = named(page);
  await link('Ключи').click();
  await button('Создать ключ').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Название' }).fill('Сайт');
  await dialog.getByRole('button', { name: /^Создать/ }).click();
  return await readKeyOnce(page);
}

async function rotateKey(page: Page): Promise<string> {
  const { button } = named(page);
  await button('Заменить').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: '24 часа' }).check();
  await dialog.getByRole('button', { name: 'Заменить ключ' }).click();
  return await readKeyOnce(page);
}

/** Reads the key as it is shown, and says that it is kept. */
async function readKeyOnce(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const shown = dialog.getByRole('textbox', { name: 'Ваш ключ' });
  await shown.waitFor();
  const key = await shown.inputValue();
  const done = dialog.getByRole('button', { name: 'Готово' });
  assert(await done.isDisabled(), 'nobody leaves without having saved the key');
  await dialog.getByRole('checkbox', { name: 'Я сохранил ключ' }).check();
  await done.click();
  await dialog.waitFor({ state: 'detached' });
  return key;
}
