/** A broadcast from an uploaded file to the button of its last step, and the lists beside it. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import pino from 'pino';
import type { Page } from 'playwright-core';
import { CLOUD, SMPP } from '../../../../simulators/credentials.ts';
import { startSmpp } from '../../../../simulators/smpp/smpp.ts';
import {
  marketingTemplate,
  startWhatsappCloud,
  USUAL_TEMPLATES,
} from '../../../../simulators/whatsapp-cloud.ts';
import { type App, openApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { xlsx } from '../../../src/messages/xlsx.ts';
import { createBroadcastRig } from '../../broadcasts/broadcast-rig.ts';
import { openCabinetOf } from '../../cabinet/cabinet-client.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../../database-timeout.ts';
import { freePort } from '../../free-port.ts';
import { copyPreparedCluster } from '../../prepared-cluster.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
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
const { openAs, openWith, createMember } = openSignedIn(pages);

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

/** As a person who drags a file from a folder; the browser makes the transfer itself. */
async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.fromBase64('${bytes.toString('base64')}');
      transfer.items.add(new File([bytes], ${JSON.stringify(name)}));
      return transfer;
    })()`,
  );
  const zone = page.locator('label', { has: page.locator('input[type=file]') });
  for (const event of ['dragenter', 'dragover', 'drop']) {
    await zone.dispatchEvent(event, { dataTransfer: transfer });
  }
}

async function pasteRecipients(page: Page, text: string): Promise<void> {
  const { button } = named(page);
  await page.getByRole('radio', { name: 'Вставить' }).check();
  await page.getByRole('textbox', { name: 'Номера или строки таблицы' }).fill(text);
  await button('Прочитать').click();
  await button('Проверить номера').click();
  await page.getByRole('table', { name: 'Результат по строкам' }).waitFor();
}

/** The one browser becomes another person, of the same or of another server on this machine. */
async function signInAs(page: Page, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name, value, domain: 'localhost', path: '/' }]);
}

const mainText = (page: Page) => page.locator('main').textContent();

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
    .getByRole('table', { name: 'Результат по строкам' })
    .getByRole('row')
    .evaluateAll((rows) =>
      (rows as { cells: ArrayLike<{ textContent: string }> }[]).map(
        ({ cells }) => `${cells[0]?.textContent} ${cells[1]?.textContent}`,
      ),
    );
  return lines.slice(1).join('; ');
}

test('a file becomes recipients, a text, a time and a button with a number', async () => {
  const { page, companyId, expectStatus } = await openAs('owner', '/app/broadcasts', {
    isAxeNeeded: true,
  });
  expectStatus(429);
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
  await dialog.getByText('Не добавлено').waitFor();
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

  // To oneself first, before any channel is chosen. It costs a message, and is no recipient.
  await button('Прислать мне').click();
  await eventually(
    () => mainText(page),
    /Telegram: отправлено на \+7\s\d{3}\s\d{3}-\d\d-\d\d, 3\s₸/,
  );
  await eventually(() => page.locator('header').first().textContent(), /47\s₸/);
  await link('Открыть сообщение').click();
  await eventually(() => page.locator('body').textContent(), /Здравствуйте, Айгуль https?:/);
  await page.goBack();
  await button('Прислать мне').click();
  await eventually(() => mainText(page), /Достигнут лимит отправок этому получателю/);

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
  await eventually(() => outcomes(page), /Прочитано 0; Доставлено 3; .*Всего 3$/);
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

  // The rest of it are the recipients of the next broadcast, without the one who unsubscribed.
  await page.goto(new URL('/app/broadcasts', stopUrl).href);
  await createDraft(page, 'По списку');
  await page.getByRole('radio', { name: 'Сохранённый список' }).check();
  await page.getByRole('checkbox', { name: 'VIP' }).check();
  await button('Использовать список').click();
  await page.getByText('Осенние скидки · VIP').waitFor();
  await button('Проверить номера').click();
  await eventually(
    () => reconciliation(page),
    /^Строк в файле 2; Будет отправлено 1;.* Отписались 1; Нет согласия 0; Сумма строк 2$/,
  );

  // Into the same list again: one is new, one has another name, one is as before.
  await stepLink(page, 'Получатели').click();
  await button('Заменить').click();
  await pasteRecipients(
    page,
    'Телефон;Имя;Согласие\n87021112202;Ерлан;да\n87011112205;Мариям;да\n87031112209;Новый;да',
  );
  await button('Сохранить в список').click();
  await dialog.getByLabel('Список').selectOption({ label: 'Осенние скидки' });
  await dialog.getByRole('button', { name: 'Сохранить', exact: true }).click();
  await eventually(
    () => dialog.getByRole('status').textContent(),
    /^Добавлено1Обновлено1Без изменений1Не добавлено0$/,
  );
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

test('a file is dropped: a wrong one says so, a table and a workbook are read', async () => {
  const { page, expectStatus } = await openAs('owner', '/app/broadcasts');
  expectStatus(422);
  const { button } = named(page);
  await createDraft(page, 'Перетащили');
  const WRONG = {
    'снимок.xlsx': 'PK\u0003\u0004 это не таблица',
    'клиенты.pdf': '%PDF-1.7\n1 0 obj',
  };
  for (const [name, content] of Object.entries(WRONG)) {
    await dropFile(page, name, Buffer.from(content));
    await page.getByRole('alert').filter({ hasText: 'Файл не удалось прочитать' }).waitFor();
    await page.getByRole('radio', { name: 'Вставить' }).check();
    await page.getByRole('radio', { name: 'Файл' }).check();
  }
  await dropFile(page, 'клиенты.csv', Buffer.from(FILE));
  await eventually(() => mainText(page), /клиенты\.csvФайл · 7 строк/);
  await button('Заменить').click();
  const sheet = async function* () {
    yield ['Имя', 'Телефон'];
    yield ['Айгуль', '87011112233'];
  };
  await dropFile(page, 'книга.xlsx', Buffer.concat(await Array.fromAsync(xlsx('Лист', sheet()))));
  await eventually(() => mainText(page), /книга\.xlsxФайл · 1 строка/);
  await button('Заменить').click();
  await pasteRecipients(page, '87011112233');
  await eventually(() => reconciliation(page), /Строк в файле 1; Будет отправлено 1;/);
});

test('a second person approves what they were shown, and the author never', async () => {
  const author = await createMember('owner');
  const { companyId } = author;
  const approver = await openCabinetOf(pages.running()).person({
    companyId,
    role: 'manager',
    phone: '+77779990001',
  });
  const { page, expectStatus } = await openWith(author.cookie, '/app/company', {});
  expectStatus(422);
  const { button } = named(page);
  await page.getByLabel(/Согласовывать рассылки/).fill('1');
  await button('Сохранить').click();
  const { ctx } = pages.running();
  await eventually(
    async () =>
      JSON.stringify(
        await ctx.db.query('select approval_above from company where id = $1', [companyId]),
      ),
    /"approval_above":1\b/,
  );
  const rig = createBroadcastRig(
    () => ctx,
    (text, values) => ctx.db.query(text, values),
  );
  const id = await rig.draft(companyId, ['+77013330001', '+77013330002'], {
    text: 'Скидка: :link',
    url: 'https://example.com/sale',
  });
  await ctx.db.query('update broadcast set created_by = $2 where id = $1', [id, author.personId]);
  const address = new URL(`/app/broadcasts/${id}`, page.url()).href;
  await page.goto(`${address}?step=5`);
  const ask = button('Отправить на согласование: 2 получателя');
  await ask.click();
  await page.getByText('её согласует руководитель или управляющий, но не автор').waitFor();
  assert.equal(await page.getByRole('button', { name: /Согласовать/ }).count(), 0);

  await signInAs(page, approver.cookie);
  await page.goto(address);
  await page.getByText('Рассылка ждёт вашего согласования').waitFor();
  await eventually(
    () => mainText(page),
    /Получатели2Каналы.*ТекстСкидка: :linkКуда ведёт ссылкаhttps:\/\/example\.com\/sale/,
  );
  // Meanwhile, with this page in the background, where it does not refresh itself, the author takes the
  // broadcast back, writes something else and asks again.
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`,
  );
  const changing = await page.context().newPage();
  await signInAs(changing, author.cookie);
  await changing.goto(address);
  const atAuthor = named(changing);
  await atAuthor.button('Вернуть в черновики').click();
  await stepLink(changing, 'Текст').click();
  await changing.getByRole('textbox', { name: 'Текст' }).fill('Другое: :link');
  await stepLink(changing, 'Итог').click();
  await atAuthor.button('Отправить на согласование: 2 получателя').click();
  await changing.getByText('её согласует руководитель').waitFor();
  await changing.close();
  await signInAs(page, approver.cookie);
  const approve = button('Согласовать отправку 2 получателям');
  await approve.click();
  await page.getByRole('alert').waitFor();
  assert.equal((await rig.read(id)).state, 'draft');
  await page.evaluate('delete document.visibilityState');
  await button('Загрузить сохранённое').click();
  await eventually(() => mainText(page), /ТекстДругое: :link/);
  await approve.click();
  await eventually(() => mainText(page), /Завершена/);
  assert.deepEqual(await rig.outcomes(id), { sent: 2 });

  await page.goto(new URL('/app/audit', address).href);
  await eventually(
    () => mainText(page),
    new RegExp(
      [
        /Рассылка согласованаСкидки.*получателей: .*2.*/,
        /Рассылка отправлена на согласованиеСкидки.*/,
        /Рассылка отозванаСкидки.*/,
        /Рассылка отправлена на согласованиеСкидки.*/,
        /согласование рассылок свыше: .*пусто.*1/,
      ]
        .map(({ source }) => source)
        .join(''),
    ),
  );
});

/** A live installation with WhatsApp and SMS, on a port of its own. */
async function openLive(status: 'APPROVED' | 'PENDING') {
  const home = createTemporaryFolder('broadcasts');
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const cloud = await startWhatsappCloud({
    ...CLOUD,
    callbackUrl: `${url}/callbacks/whatsapp-cloud`,
    templates: [...USUAL_TEMPLATES, marketingTemplate(`${url}/s`, { status })],
  });
  const centre = await startSmpp(SMPP);
  const env = {
    DATA_DIR: path.join(home, 'data'),
    DATABASE_TIMEOUT_MS: String(TEST_DATABASE_TIMEOUT_MS),
    PORT: String(port),
    WHATSAPP_CLOUD_URL: cloud.url,
    WHATSAPP_CLOUD_TOKEN: CLOUD.token,
    WHATSAPP_CLOUD_PHONE_ID: CLOUD.phoneNumberId,
    WHATSAPP_CLOUD_APP_SECRET: CLOUD.appSecret,
    WHATSAPP_CLOUD_VERIFY_TOKEN: CLOUD.verifyToken,
    WHATSAPP_CLOUD_CODE_TEMPLATE: 'otp_code',
    WHATSAPP_CLOUD_WABA_ID: CLOUD.wabaId,
    SMPP_HOST: '127.0.0.1',
    SMPP_PORT: String(centre.port),
    SMPP_SYSTEM_ID: SMPP.systemId,
    SMPP_PASSWORD: SMPP.password,
    SMPP_SENDER: SMPP.sender,
  };
  copyPreparedCluster(env.DATA_DIR);
  const log = pino({ level: 'error' }, pino.destination(2));
  let app: App = await openApp(readConfig(env), log);
  return {
    url,
    cloud,
    app: () => app,
    /** The templates are read at the start, and every few minutes. */
    async restart() {
      await app.stop();
      app = await openApp(readConfig(env), log);
    },
    async close() {
      await app.stop();
      await Promise.all([cloud.close(), centre.close()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

test('WhatsApp is offered with an approved template, carries it, and hears СТОП', async (t) => {
  const live = await openLive('PENDING');
  t.after(() => live.close());
  const owner = await openCabinetOf(live.app()).person({ role: 'owner' });
  const { page, expectBrokenConnection } = await openWith(owner.cookie, '/', {});
  expectBrokenConnection();
  const { button } = named(page);
  await page.goto(`${live.url}/app/broadcasts`);
  await createDraft(page, 'По шаблону');
  await pasteRecipients(page, 'Телефон;Имя\n87011112201;Айгуль');
  await stepLink(page, 'Канал и время').click();
  await page
    .getByText('WhatsApp появится здесь, когда будет одобрен маркетинговый шаблон')
    .waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'WhatsApp' }).count(), 0);

  for (const template of live.cloud.templates) template.status = 'APPROVED';
  await live.restart();
  await page.reload();
  await page.getByRole('checkbox', { name: 'WhatsApp' }).check();
  await page.getByRole('radio', { name: 'Договор с клиентом' }).check();
  await page.getByLabel('До', { exact: true }).selectOption('21');
  await page.getByRole('switch', { name: 'Не отправлять в выходные и праздники' }).uncheck();
  await stepLink(page, 'Текст').click();
  await page.getByLabel('Шаблон', { exact: true }).selectOption({ label: 'autumn_sale · ru' });
  await page.getByLabel('{{1}}').fill('{{Имя|клиент}}');
  await page.getByLabel('{{2}}').fill('20 %');
  // The button of the template is a link, although no text has one.
  await page.getByLabel('Куда ведёт ссылка').fill('example.com/sale');
  await page.keyboard.press('Tab');
  await eventually(
    () => page.getByRole('region', { name: 'Как увидят получатели' }).textContent(),
    /Здравствуйте, Айгуль! Скидка 20 % до конца недели\./,
  );
  await stepLink(page, 'Итог').click();
  await button('Отправить 1 получателю').click();
  await eventually(() => mainText(page), /Завершена/);
  const [taken] = live.cloud.journal.taken();
  assert.equal(taken?.to, '77011112201');
  assert.match(
    taken.text,
    /^Здравствуйте, Айгуль! Скидка 20 % до конца недели\.\nhttp:\/\/localhost:\d+\/s\/\w+$/,
  );

  assert.equal(await live.cloud.writeToBusiness('77011112201', 'СТОП'), 200);
  await page.goto(`${live.url}/app/broadcasts`);
  await createDraft(page, 'Следующая');
  await pasteRecipients(page, '87011112201\n87021112202');
  await eventually(() => reconciliation(page), /Будет отправлено 1;.* Отписались 1;/);
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
