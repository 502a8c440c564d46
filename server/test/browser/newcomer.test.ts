import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertGroup } from '../../src/groups/group-store.ts';
import { eventually, screenshot, usePages } from './open-pages.ts';
import { onTry } from './try-page.ts';

const { openTry, running } = usePages();

test('a newcomer sends a code, sees it arrive, presses it and it is right', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.button('Отправить код').click();
  const copy = page.getByRole('button', { name: 'Скопировать код 000000' });
  await copy.waitFor();
  await view.answered(/^200 \d+\sмс POST \/otp\/send req_/);
  assert.equal((await view.answer()).success, true);

  await copy.click();
  assert.equal(await view.codeField.inputValue(), '000000');
  await view.toast('Код 000000 скопирован');
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), '000000');
  await view.button('Проверить код').click();
  assert.equal(await view.verified(/./), 'Код подтверждён');

  await view.story(/Запрос принят.*Принято каналом\s+WhatsApp.*Прочитано.*/s);
  await view.story(/Код введён верно/);
  await view.storySummary(/^Прочитано .*WhatsApp 0\s₸/);
  await screenshot(page, 'desktop-light');
});

test('a delivered message says so in its story before it is read', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  const seen = view.story(/Доставлено/);
  await Promise.all([seen, view.send()]);
});

test('a wrong code is refused with 422 and the attempts that are left', async () => {
  const { page, expectStatus } = await openTry();
  expectStatus(422);
  const view = onTry(page);
  await view.button('Нет WhatsApp').click();
  await view.send();
  const code = await view.lastCode();
  await view.codeField.fill(code === '111111' ? '222222' : '111111');
  await view.button('Проверить код').click();
  assert.equal(await view.verified(/./), 'Неверный код');
  await view.answered(/^422 /);
  assert.equal((await view.answer()).attempts_left, 4);
  const advice = page.getByRole('link', { name: 'Что делать с этой ошибкой' });
  assert.match(
    (await advice.getAttribute('href')) ?? '',
    /^\/docs\/errors\/invalid_code\?lang=ru$/,
  );

  await view.codeField.fill(code);
  await view.button('Проверить код').click();
  await view.verified(/^Код подтверждён$/);
});

test('a code that was typed before the answer came stays typed', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  const [isSent, isTyped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api/otp/send', async (route) => {
    const response = await route.fetch();
    isSent.resolve();
    await isTyped.promise;
    await route.fulfill({ response });
  });
  // The page hears of the message only when it is an old one.
  await page.route('**/try/events', async (route) => {
    await isSent.promise;
    await route.continue();
  });
  await page.reload();
  await view.sendButton.waitFor();
  await view.send();
  await view.codeField.fill(await view.lastCode());
  isTyped.resolve();
  await view.answered(/^200 /);
  await view.button('Проверить код').click();
  await view.verified(/^Код подтверждён$/);
});

test('nothing can be verified before a code was sent', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.button('Проверить код').click();
  await view.verified(/^Сначала отправьте код$/);
});

test('a live key costs what the page says, and the balance moves without a reload', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.radio('Боевой ключ').check();
  await view.radio('SMS').check();
  await eventually(() => view.price.textContent(), /^Стоимость 8\s₸$/);
  assert(await view.button('Нет WhatsApp').isHidden(), 'a live key has no scenarios');
  await view.phone.fill('8 (701) 555-01-01');
  const before = await view.balance();
  await view.send();
  await view.answered(/^200 /);
  assert.deepEqual([(await view.answer()).cost, (await view.answer()).channel], [8, 'sms']);
  await eventually(async () => String(await view.balance()), new RegExp(`^${before - 8}$`));
  await view.storySummary(/SMS 8\s₸/);
});

test('a second live code within the minute is refused, and the page shows how long to wait', async () => {
  const { page, expectStatus } = await openTry();
  expectStatus(429);
  const view = onTry(page);
  await view.radio('Боевой ключ').check();
  await view.phone.fill('+77015550102');
  await view.send();
  await view.answered(/^200 /);
  await view.send();
  await view.answered(/^429 /);
  const { error_code, retry_after } = await view.answer();
  assert.equal(error_code, 'send_rate_limited');
  assert(Number(retry_after) > 0 && Number(retry_after) <= 60);
});

test('a link is sent to the phone and opens where it leads', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.radio('Ссылка').check();
  await page.getByRole('textbox', { name: /^Текст/ }).fill('Заказ готов: :link');
  await view.button('Отправить ссылку').click();
  const link = view.lastBubble.getByRole('link');
  await link.waitFor();
  const href = (await link.getAttribute('href')) ?? '';
  assert.match((await view.lastBubble.textContent()) ?? '', /Заказ готов: http/);
  const opened = await page.request.get(href, { maxRedirects: 0 });
  assert.equal(opened.status(), 302);
  assert.equal(opened.headers().location, 'https://example.kz/order/42');
});

test('a link is shortened under a name of its own, and a taken name is refused', async () => {
  const { page, expectStatus } = await openTry();
  expectStatus(422);
  const view = onTry(page);
  await view.radio('Сократить').check();
  await page.getByRole('textbox', { name: /^Короткий адрес/ }).fill('spring-sale');
  await page.getByRole('textbox', { name: /^Срок/ }).fill('60');
  await view.button('Сократить ссылку').click();
  await view.answered(/^200 /);
  assert.equal((await view.answer()).expires_in, 60);
  const link = page.getByRole('link', { name: 'Открыть короткую ссылку' });
  assert.match((await link.getAttribute('href')) ?? '', /\/s\/spring-sale$/);

  await page.getByRole('textbox', { name: 'Ссылка', exact: true }).fill('https://example.kz/other');
  await view.button('Сократить ссылку').click();
  await view.answered(/^422 /);
  assert.equal((await view.answer()).error_code, 'alias_taken');
});

test('a group is offered by its name and gets the message', async () => {
  const demo = running().ctx.demo;
  assert(demo !== undefined);
  const { companyId } = demo;
  const group = { companyId, channel: 'telegram', name: 'Курьеры', chatId: '-100500' } as const;
  await insertGroup(running().ctx.db, group);
  const { page } = await openTry();
  const view = onTry(page);
  await view.radio('Группа').check();
  const field = page.getByRole('combobox', { name: 'Группа', exact: true });
  assert.notEqual(await field.inputValue(), '', 'the first group is there to begin with');
  await field.selectOption('Курьеры');
  assert(!(await view.radio('SMS').isVisible()), 'a group has no SMS');
  await page.getByRole('textbox', { name: /^Текст/ }).fill('Новая заявка');
  await view.button('Отправить в группу').click();
  await view.answered(/^200 /);
  await eventually(() => view.lastBubble.textContent(), /Telegram.*Новая заявка/s);
});

test('the request is shown as code that can be copied, with the key only when asked for', async () => {
  const { page } = await openTry();
  const { snippet: code } = onTry(page);
  assert.match((await code.textContent()) ?? '', /^curl .*\$ZHIBER_KEY.*"\+77000000000"/s);
  await page.getByRole('checkbox', { name: 'Показать ключ' }).check();
  assert.match((await code.textContent()) ?? '', /zk_test_\w{38}/);
  await page.getByRole('radio', { name: 'Python' }).check();
  await page.getByRole('button', { name: 'Скопировать', exact: true }).first().click();
  assert.match(
    await page.evaluate<string>('navigator.clipboard.readText()'),
    /^import .*zk_test_/s,
  );
  await page.reload();
  await page.getByRole('radio', { name: 'Python', checked: true }).waitFor();
});
