import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { eventually, screenshot, usePages } from './open-pages.ts';
import { onTry } from './try-page.ts';

const { openTry, running, stopServer } = usePages();

afterEach(async () => {
  const switches = { no_whatsapp: false, no_telegram: false, offline: false, not_mobile: false };
  const { http } = running();
  await http.inject({ method: 'PUT', url: '/try/switches', payload: switches });
});

test('without WhatsApp the next channel carries the code, and the story shows why', async () => {
  const { page } = await openTry({ colorScheme: 'dark' });
  const view = onTry(page);
  await view.button('Нет WhatsApp').click();
  assert.equal(await view.phone.inputValue(), '+77000000001');
  await view.send();
  await view.lastCode();
  await eventually(() => view.lastBubble.textContent(), /Telegram/);
  await view.story(/Отказ\s+WhatsApp.*Номера нет в WhatsApp.*Telegram.*Прочитано\s+Telegram/s);
  await screenshot(page, 'fallback-dark');
});

test('a failure receipt moves the message from channel to channel before the eyes', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.scenario.selectOption('+77000000003');
  assert.equal(await view.phone.inputValue(), '+77000000003');
  await view.send();
  await view.answered(/^200 /);
  await view.story(/Не доставлено\s+WhatsApp.*Следующий канал\s+Telegram/s);
  await view.story(/Не доставлено\s+Telegram.*Следующий канал\s+SMS.*Не доставлено\s+SMS/s);
  await view.storySummary(/Не доставлено/);
});

test('when every channel refuses, the answer is 502 and the story names each refusal', async () => {
  const { page, expectStatus } = await openTry();
  expectStatus(502);
  const view = onTry(page);
  await view.button('Все отказали').click();
  await view.send();
  await view.answered(/^502 /);
  assert.equal((await view.answer()).error_code, 'delivery_failed');
  await view.story(/Отказ\s+WhatsApp.*Отказ\s+Telegram.*Отказ\s+SMS/s);
  await screenshot(page, 'error-light');
});

test('a channel that hangs shows the wait, then the next channel carries the code', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.scenario.selectOption('+77000000007');
  await view.send();
  await view.answered(/^Ждём ответа… \d+,\d\sс$/);
  assert.equal(await view.sendButton.getAttribute('aria-disabled'), 'true');
  await view.answered(/^200 /);
  assert.equal((await view.answer()).channel, 'telegram');
  assert.equal(await view.sendButton.getAttribute('aria-disabled'), 'false');
});

test('tokens and limits run out on the numbers made for it', async () => {
  const { page, expectStatus } = await openTry();
  expectStatus(402, 429);
  const view = onTry(page);
  await view.phone.fill('+7 700 000 00 05');
  assert.equal(await view.scenario.inputValue(), '+77000000005');
  await view.send();
  await view.answered(/^402 /);
  await view.phone.fill('+77000000006');
  await view.send();
  await view.answered(/^429 /);
});

test('the switches take channels away one by one, and outlive a reload', async () => {
  const { page, expectStatus } = await openTry();
  expectStatus(502);
  const view = onTry(page);
  const sendsBy = async (channel: RegExp) => {
    await view.phone.fill('+77000000000');
    const count = await view.bubbles.count();
    await view.send();
    await view.bubbles.nth(count).waitFor();
    await eventually(() => view.lastBubble.textContent(), channel);
  };
  await view.switchOf('Нет WhatsApp').check();
  await sendsBy(/Telegram/);
  await view.switchOf('Нет Telegram').check();
  await sendsBy(/SMS/);
  await view.switchOf('Номер не мобильный').check();
  await view.send();
  await view.answered(/^502 /);
  await page.reload();
  await eventually(async () => String(await view.switchOf('Нет Telegram').isChecked()), /^true$/);
  await view.switchOf('Номер не мобильный').uncheck();
  await sendsBy(/SMS/);
});

test('a phone out of reach gets no confirmation while others do', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.switchOf('Вне сети').check();
  await view.send();
  await view.bubbles.first().waitFor();
  const first = await view.bubbles.count();
  await view.switchOf('Вне сети').uncheck();
  await view.send();
  await view.bubbles.nth(first).waitFor();
  await view.storySummary(/Прочитано/);
  // The later message is confirmed; the earlier one had more time and still is not.
  await view.bubbles
    .nth(first - 1)
    .getByRole('button', { name: 'Что произошло' })
    .click();
  await view.storySummary(/Принято каналом/);
});

test('a message sent from a terminal with another key appears without a reload', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  // What was there before is in; from now on everything is news.
  await page.locator('[role=log]:not([aria-busy])').waitFor();
  const { demoKeys, ctx } = running();
  const answer = await fetch(`${ctx.urls.publicUrl}/api/otp/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demoKeys?.test}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ phone: '+77015550103', link: 'https://example.kz/a' }),
  });
  assert.equal(answer.status, 200);
  await eventually(() => view.lastBubble.textContent(), /на \+7\s701\s555-01-03/);
  await view.lastBubble.getByRole('link').waitFor();
  await view.storySummary(/701/);

  await view.button('Очистить телефон').click();
  await page.getByText('Сообщений пока нет').waitFor();
  assert.equal(await view.bubbles.count(), 0);
});

test('a second window shows the messages that came before it was opened', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.button('Нет WhatsApp').click();
  await view.send();
  const code = await view.lastCode();
  const second = await openTry();
  assert.equal(await onTry(second.page).lastCode(), code);
});

test('when the server goes away the page says so, and works on when it is back', async () => {
  const { page, expectStatus, expectBrokenConnection } = await openTry();
  expectBrokenConnection();
  // The first request after the restart still carries the key of the earlier start.
  expectStatus(401, 503);
  const view = onTry(page);
  await view.switchOf('Нет Telegram').check();
  const startAgain = await stopServer();
  const connection = page.getByText(/^Связь потеряна/);
  await connection.waitFor();
  await view.send();
  await view.answered(/^Сервер не отвечает/);

  await startAgain();
  await view.button('Нет WhatsApp').click();
  await view.send();
  await view.answered(/^200 /);
  await connection.waitFor({ state: 'detached' });
  await view.lastCode();
  await eventually(async () => String(await view.switchOf('Нет Telegram').isChecked()), /^false$/);
  await view.lastBubble.getByRole('button', { name: /^Скопировать код/ }).click();
  await view.button('Проверить код').click();
  await view.verified(/^Код подтверждён$/);
});
