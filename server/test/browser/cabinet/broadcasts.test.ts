/** A broadcast from an uploaded file to the button of its last step, and the lists beside it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createBroadcastRig } from '../../broadcasts/broadcast-rig.ts';
import {
  assertAccessible,
  eventually,
  NARROW,
  sidewaysScroll,
  usePages,
  WIDE,
} from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { named } from './newcomer.ts';
import { openSignedIn } from './signed-in.ts';

const pages = usePages();
const { openAs } = openSignedIn(pages);

/** Seven rows under their headings, each with a fate of its own. */
const FILE = [
  'Телефон;Имя;Согласие',
  '+7 701 111-22-01;Айгуль;да',
  '8 (702) 111-22-02;Ерлан;да',
  '77011112201;Айгуль ещё раз;да',
  '87O1 111 22 05;Мария;да',
  '8 727 311 22 06;Приёмная;да',
  '+7 916 111 22 07;Пётр;да',
  '8 701 111 22 08;Иван;нет',
].join('\r\n');

async function createDraft(page: Page, name: string): Promise<void> {
  const { button, heading } = named(page);
  await button('Новая рассылка').click();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await heading(name).waitFor();
}

async function uploadRecipients(page: Page): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({
    name: 'клиенты.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(FILE),
  });
  await page.getByText('Первые строки').first().waitFor();
}

const stepLink = (page: Page, step: string) =>
  page.getByRole('navigation', { name: 'Шаги рассылки' }).getByRole('link', { name: step });

/** Without a mouse; the heading of the next step has the focus then. */
async function goOn(page: Page, step: string): Promise<void> {
  await page.getByRole('link', { name: `Далее: ${step}` }).focus();
  await page.keyboard.press('Enter');
  await eventually(() => focusedText(page), new RegExp(`^${step}$`));
}

const focusedText = (page: Page) =>
  page.evaluate<string>('document.activeElement?.textContent.trim() ?? ""');

/** The step as everybody can use it: by axe, and on a narrow screen. */
async function assertUsable(page: Page, step: string): Promise<void> {
  await untilLoaded(page);
  await assertAccessible(page, step);
  await page.setViewportSize(NARROW.viewport);
  assert.equal(await sidewaysScroll(page), 0, `${step} is too wide`);
  await page.setViewportSize(WIDE.viewport);
}

/** The numbers of the reconciliation, by their words. */
async function reconciliation(page: Page): Promise<string> {
  const lines = await page
    .getByRole('table', { name: 'Что будет с каждой строкой' })
    .getByRole('row')
    .evaluateAll((rows) =>
      (rows as { cells: ArrayLike<{ textContent: string }> }[]).map(
        ({ cells }) => `${cells[0]?.textContent} ${cells[1]?.textContent}`,
      ),
    );
  return lines.slice(1).join('; ');
}

test('a file becomes recipients, a text, a time and a button with a number', async () => {
  const { page, companyId } = await openAs('owner', '/app/broadcasts', { isAxeNeeded: true });
  const { button, field, link, heading } = named(page);
  await page.getByText('Здесь будут ваши рассылки').waitFor();
  await createDraft(page, 'Осенние скидки');

  await uploadRecipients(page);
  await page.getByLabel('Столбец с телефоном').selectOption({ label: 'Телефон' });
  await page.getByLabel(/Столбец с согласием/).selectOption({ label: 'Согласие' });
  await assertUsable(page, 'columns');
  await button('Проверить номера').click();

  await eventually(
    () => reconciliation(page),
    /^Строк в файле 7; Будет отправлено 2; Дубликаты \(оставлен первый\) 1; Неверный номер 1; Не мобильный 1; Другая страна 1; Отписались 0; Нет согласия 1; Сумма строк 7$/,
  );
  await button('Показать строки: Неверный номер').click();
  await page.getByText('В номере буква: возможно, О вместо нуля').waitFor();
  await assertUsable(page, 'check');
  // The view of the rows is an address of its own.
  await page.reload();
  const phone = field('Телефон в строке 5');
  await phone.fill('8701 111 22 05');
  await page.keyboard.press('Enter');
  await eventually(
    () => reconciliation(page),
    /Строк в файле 7; Будет отправлено 3;.*Неверный номер 0;.*Сумма строк 7$/,
  );

  await button('Сохранить в список').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Метки/).fill('осень, осень, VIP');
  await dialog.getByRole('button', { name: 'Сохранить', exact: true }).click();
  await dialog.getByText('Не вошли').waitFor();
  await page.keyboard.press('Escape');

  await goOn(page, 'Текст');
  await page.getByRole('textbox', { name: 'Текст' }).fill('Здравствуйте, ');
  await button('Вставить данные').click();
  await button('Имя').click();
  await button('Вставить ссылку').click();
  assert.equal(
    await page.getByRole('textbox', { name: 'Текст' }).inputValue(),
    'Здравствуйте, {{Имя}} :link',
  );
  await field('Куда ведёт ссылка').fill('example.com/sale');
  const draftUrl = page.url().replace('/app/', '/cabinet/').replace(/\?.*/, '');
  const stored = async () => (await page.request.get(draftUrl)).text();
  await eventually(stored, /"url":"https:\/\/example\.com\/sale"/);
  // The step is left while the text is still typed: it is saved all the same.
  await stepLink(page, 'Проверка').click();
  await stepLink(page, 'Текст').click();
  await page.getByRole('textbox', { name: 'Текст' }).press('Control+End');
  await page.keyboard.type('!');
  await page.goBack();
  await page.getByRole('heading', { name: 'Проверка', level: 2 }).waitFor();
  await page.goForward();
  const preview = page.getByRole('region', { name: 'Как увидят получатели' });
  await eventually(() => preview.textContent(), /Здравствуйте, Айгуль https?:.*!/);
  await button('Следующий получатель').click();
  await eventually(() => preview.textContent(), /Здравствуйте, Ерлан https?:/);
  assert.equal(await field('Куда ведёт ссылка').inputValue(), 'https://example.com/sale');
  await page.getByText(/^SMS: /).waitFor();
  await assertUsable(page, 'text');

  await goOn(page, 'Канал и время');
  await assertUsable(page, 'sending');
  await goOn(page, 'Итог');
  // What is missing leads to its step.
  await page.getByText('Не выбран канал.').waitFor();
  await link('Перейти: Канал и время').first().click();
  await page.getByRole('checkbox', { name: 'SMS' }).check();
  await page.getByRole('radio', { name: 'Договор с клиентом' }).check();
  await page.getByText('Первое сообщение уйдёт').waitFor();
  // At any hour of any day.
  await page.getByLabel('До', { exact: true }).selectOption('21');
  await page.getByText('Тихих часов нет').waitFor();
  await page.getByRole('switch', { name: 'Не отправлять в выходные и праздники' }).uncheck();
  await goOn(page, 'Итог');
  const send = button('Отправить 3 получателям');
  await eventually(async () => String(await send.isEnabled()), /true/);
  await eventually(() => page.locator('main').textContent(), /Максимум24\s₸/);
  await assertUsable(page, 'summary');
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, 'summary, dark', ['color-contrast']);

  await send.click();
  await page.getByRole('navigation', { name: 'Шаги рассылки' }).waitFor({ state: 'detached' });
  await eventually(() => page.locator('main').textContent(), /Завершена/);
  await eventually(() => outcomes(page), /Прочитано 3; .*Всего 3$/);
  await assertUsable(page, 'results');

  // One of the three opens the link, another unsubscribes.
  const { ctx } = pages.running();
  const addressIn = async (phone: string, form: RegExp): Promise<string> => {
    const [message] = await ctx.db.query<{ body: string }>(
      'select body from message where company_id = $1 and recipient = $2',
      [companyId, phone],
    );
    assert(message !== undefined, `${phone} got nothing`);
    return form.exec(message.body)?.[0] ?? '';
  };
  const linkUrl = await addressIn('77011112201', /https?:[^\s!]+/);
  // As a phone: a headless browser would count as a robot.
  const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' };
  const click = await page.request.get(linkUrl, { maxRedirects: 0, headers });
  assert.equal(click.status(), 302);
  const stopUrl = await addressIn('77021112202', /https?:\S+\/u\/\S+/);
  await page.goto(stopUrl);
  await page
    .getByRole('button', { name: /Отписаться/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Вы отписались' }).waitFor();
  await ctx.db.query(`update broadcast set counted_at = null where company_id = $1`, [companyId]);
  await page.goto(new URL('/app/broadcasts', stopUrl).href);
  await page.getByRole('link', { name: 'Осенние скидки' }).click();
  await eventually(
    () => page.locator('main').textContent(),
    /Перешли по ссылке1\s*33,3\s%Отписались1\s*33,3\s%/,
  );

  // The list has the rows with a right number, once.
  await page.goto(new URL('/app/broadcasts', stopUrl).href);
  await link('Списки').click();
  await page.getByRole('link', { name: 'Осенние скидки' }).click();
  await heading('Осенние скидки').waitFor();
  await eventually(() => page.locator('main').textContent(), /осень, VIP/);
  await assertUsable(page, 'list');
  await button('Убрать +7 701 111-22-01').click();
  await button('Убрать из списка').click();
  await page.getByRole('cell', { name: '+7 701 111-22-01' }).first().waitFor({ state: 'detached' });
});

/** What became of the recipients, by the table that adds up. */
async function outcomes(page: Page): Promise<string> {
  const rows = await page
    .getByRole('table', { name: 'Ход рассылки' })
    .getByRole('row')
    .evaluateAll((all) =>
      (all as { cells: ArrayLike<{ textContent: string }> }[]).map(
        ({ cells }) => `${cells[0]?.textContent} ${cells[1]?.textContent}`,
      ),
    );
  return rows.join('; ');
}

test('a running broadcast is paused, goes on, and is stopped for good', async () => {
  const { page, companyId } = await openAs('owner', '/app/broadcasts');
  const { button } = named(page);
  const { ctx } = pages.running();
  const rig = createBroadcastRig(
    () => ctx,
    (text, values) => ctx.db.query(text, values),
  );
  // One now and the others over hours, so that it runs for as long as the test does.
  const phones = ['+77013330001', '+77013330002', '+77013330003'];
  const id = await rig.draft(companyId, phones, { spreadMinutes: 600 });
  await rig.start(id);
  await page.goto(new URL(`/app/broadcasts/${id}`, page.url()).href);
  await eventually(() => page.locator('main').textContent(), /Идёт/);
  await eventually(() => outcomes(page), /Всего 3$/);
  await button('Поставить на паузу').click();
  await page
    .getByText(/Рассылка на паузе/)
    .first()
    .waitFor();
  await page.getByText(/повторных отправок не будет/).waitFor();
  assert.equal((await rig.read(id)).state, 'paused');
  await button('Продолжить').click();
  await eventually(async () => (await rig.read(id)).state, /^running$/);
  await button('Остановить навсегда').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Скидк');
  assert.equal(
    await dialog.getByRole('button', { name: 'Остановить навсегда' }).isEnabled(),
    false,
  );
  await dialog.getByRole('textbox').fill('Скидки');
  await dialog.getByRole('button', { name: 'Остановить навсегда' }).click();
  await eventually(() => page.locator('main').textContent(), /Остановлена/);
  assert.deepEqual(await rig.outcomes(id), { cancelled: 2, sent: 1 });
});

test('a draft that another page has saved is not overwritten', async () => {
  const { page, expectStatus } = await openAs('marketer', '/app/broadcasts');
  expectStatus(422);
  const { button } = named(page);
  await createDraft(page, 'Две страницы');
  await stepLink(page, 'Текст').click();
  const text = page.getByRole('textbox', { name: 'Текст' });
  await text.fill('Первый');
  await page.getByText('Черновик сохранён').waitFor();
  const url = page.url().replace('/app/', '/cabinet/').replace(/\?.*/, '');
  await eventually(async () => (await page.request.get(url)).text(), /"text":"Первый"/);
  const { version } = (await (await page.request.get(url)).json()) as { version: number };
  const saved = await page.request.put(url, {
    headers: { 'x-zhiber-cabinet': '1' },
    data: { version, text: 'С другой страницы' },
  });
  assert.equal(saved.status(), 200);

  await text.fill('Второй');
  await page.getByText('Черновик изменили на другой странице.').waitFor();
  assert.equal(await text.inputValue(), 'Второй');
  await button('Загрузить сохранённое').click();
  await eventually(() => text.inputValue(), /^С другой страницы$/);
  // Leaving the step does not save what was dropped.
  await stepLink(page, 'Итог').click();
  await page.getByText('Осталось сделать до отправки').waitFor();
  assert.match(await (await page.request.get(url)).text(), /"text":"С другой страницы"/);
});

test('a wrong file says so, and pasted numbers take its place', async () => {
  const { page, expectStatus } = await openAs('owner', '/app/broadcasts');
  expectStatus(422);
  const { button } = named(page);
  await createDraft(page, 'Вставка');
  await page.locator('input[type=file]').setInputFiles({
    name: 'снимок.xlsx',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('PK\u0003\u0004 это не таблица'),
  });
  await page.getByRole('alert').waitFor();
  await page.getByRole('radio', { name: 'Вставить' }).check();
  await page.getByRole('textbox', { name: 'Номера или строки таблицы' }).fill('87011112233');
  await button('Прочитать').click();
  await button('Проверить номера').click();
  await eventually(() => reconciliation(page), /Строк в файле 1; Будет отправлено 1;/);
});

test('a phone is added to those who get nothing, found and taken off again', async () => {
  const { page } = await openAs('owner', '/app/broadcasts/unsubscribed', { isAxeNeeded: true });
  const { button } = named(page);
  await page.getByText('Никто не отписался').waitFor();
  await button('Добавить номера').click();
  await page.getByRole('textbox', { name: 'Номера' }).fill('8 701 111 22 33\nне номер');
  await button('Добавить').click();
  await eventually(() => page.locator('main').textContent(), /\+7\s701\s111-22-33/);
  await page.getByText('Добавлено номеров: 1, неверных: 1').first().waitFor();
  await assertUsable(page, 'unsubscribed');
  await page.keyboard.press('/');
  await page.keyboard.type('87011112244');
  await page.keyboard.press('Enter');
  await page.getByText('Под эти фильтры ничего не подходит').waitFor();
  await button('Сбросить фильтры').first().click();
  await button('Убрать +7 701 111-22-33').click();
  await button('Убрать из отписавшихся').click();
  await page.getByText('Никто не отписался').waitFor();
});

test('whoever may only look sees the summary and no button', async () => {
  const { page } = await openAs('viewer', '/app/broadcasts');
  await page.getByText('Здесь будут ваши рассылки').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Новая рассылка' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Скачать пример файла' }).count(), 0);
});
