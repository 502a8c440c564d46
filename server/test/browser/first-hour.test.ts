/**
 * The road into the product: in how few presses somebody new has a verified code and a live key, and
 * the whole first hour without a mouse.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addToSummary } from '../test-summary.ts';
import { createCompany, named, signUp } from './cabinet/newcomer.ts';
import { eventually, usePages } from './open-pages.ts';
import { onTry } from './try-page.ts';

const { open, openTry, running } = usePages();
const site = () => running().ctx.urls.publicUrl;

const [TRY_PRESSES, LIVE_KEY_PRESSES, FIRST_CODE_PRESSES] = [3, 6, 2];

/** Counts what the page itself hears: a press on Enter in a form is a click on its button, too. */
async function countPresses(page: Page): Promise<() => number> {
  let presses = 0;
  await page.exposeFunction('countPress', () => {
    presses += 1;
  });
  const listen = `addEventListener('click', (event) => event.isTrusted && countPress(), true)`;
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => presses;
}

function report(way: string, presses: number, most: number): void {
  addToSummary(`Presses ${way}: ${presses} (at most ${most}).`);
  assert(presses > 0 && presses <= most, `${presses} presses ${way}`);
}

const phoneCode = (page: Page, word: string): Locator =>
  page.getByRole('log').getByRole('button', { name: new RegExp(`^${word} \\d{6}$`) });

test('from /try to the first verified code in three presses', async () => {
  const { page } = await openTry();
  const count = await countPresses(page);
  const view = onTry(page);
  await view.button('Отправить код').click();
  await page.getByRole('button', { name: 'Скопировать код 000000' }).click();
  await view.button('Проверить код').click();
  await view.verified(/^Код подтверждён$/);
  report('from /try to the first verified code', count(), TRY_PRESSES);
});

test('from the home page to a live key in six presses, with the code of the sandbox beside the form', async () => {
  const { page, expectStatus } = await open('/');
  expectStatus(401);
  const count = await countPresses(page);
  const { button, field, link, heading } = named(page);
  await link('Создать кабинет').first().click();
  await page.getByText('сообщения не отправляются наружу').waitFor();
  await field('Телефон').fill('8 (701) 650-10-01');
  await button('Получить код').click();
  await phoneCode(page, 'Ввести код').click();
  await button('Войти').click();
  await heading('Новая компания').waitFor();
  await field('Ваше имя').fill('Айгуль Серик');
  await field('Название').fill('Клиника «Айболит»');
  await button('Создать компанию').click();
  await button('Создать боевой ключ').click();
  const key = page.getByRole('textbox', { name: 'Ваш ключ' });
  await key.waitFor();
  assert.match(await key.inputValue(), /^zk_live_[0-9A-Za-z]{38}$/);
  report('from the home page to a live key', count(), LIVE_KEY_PRESSES);
});

test('from a new company to its first verified code in two presses', async () => {
  const opened = await open('/signup');
  const { page } = opened;
  const { button, field, heading } = named(page);
  await signUp(opened, await openTry(), '+7 701 650-10-02');
  await heading('Новая компания').waitFor();
  await field('Ваше имя').fill('Дамир');
  await field('Название').fill('Аптека');
  await button('Создать компанию').click();
  await heading('Первый код').waitFor();
  const count = await countPresses(page);
  await page.getByText('Ждём первый запрос').waitFor();
  await button('Отправить код').click();
  await phoneCode(page, 'Проверить код').click();
  await page.getByText('Код подтверждён').waitFor();
  report('from a new company to its first verified code', count(), FIRST_CODE_PRESSES);

  // The list of the overview knows, and no longer leads here for what is done.
  await page.getByRole('link', { name: 'Пропустить' }).click();
  await eventually(() => page.locator('main').textContent(), /Проверьте код — сделано/);
});

test('the page of the first steps ticks by itself when a terminal has sent and verified', async () => {
  const opened = await open('/signup');
  const { page } = opened;
  const { button, field, heading } = named(page);
  await signUp(opened, await openTry(), '+7 701 650-10-03');
  await heading('Новая компания').waitFor();
  await field('Ваше имя').fill('Дамир');
  await field('Название').fill('Доставка');
  await button('Создать компанию').click();
  await heading('Первый код').waitFor();
  const snippet = page.locator('pre').first();
  await eventually(() => snippet.textContent(), /zk_test_/);
  const key = /zk_test_\w{38}/.exec((await snippet.textContent()) ?? '')?.[0] ?? '';
  const api = async (path: string, body: object) => {
    const answer = await fetch(`${site()}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
  };
  // The key was handed over to this page alone: no place keeps it.
  const stored = await page.evaluate<string>(
    'JSON.stringify([{...localStorage}, {...sessionStorage}, history.state, location.href, document.cookie])',
  );
  assert(!stored.includes(key));
  await api('/otp/send', { phone: '+77000000000' });
  await page.getByText(/^Запрос принят в \d\d:\d\d:\d\d$/).waitFor();
  await api('/otp/verify', { phone: '+77000000000', code: '000000' });
  await page.getByText('Код подтверждён').waitFor();

  await page.reload();
  await page.getByText('показан один раз, поэтому').waitFor();
  assert(!(await page.content()).includes(key));
  await button('Создать тестовый ключ').click();
  await eventually(() => snippet.textContent(), /zk_test_\w{38}/);
  assert(!(await page.content()).includes(key), 'the new key is another one');
});

test('a key page without a test key makes one by one press, and the playground goes on', async () => {
  const opened = await open('/login');
  const { page } = opened;
  await signUp(opened, await openTry(), '+7 701 650-10-04');
  await createCompany(page, 'Без ключей');
  await running().ctx.db.query('update api_key set revoked_at = clock_timestamp() where is_test');
  await page.goto(`${site()}/app/playground`);
  await named(page).button('Создать тестовый ключ').click();
  const view = onTry(page);
  await view.sendButton.waitFor();
  await view.send();
  assert.match(await view.lastCode(), /^\d{6}$/);
});

test('the language at the door stays: home, sign-up, cabinet and profile', async () => {
  const { page, expectStatus } = await open('/?lang=kk');
  expectStatus(401);
  await page.getByRole('link', { name: 'Кабинет ашу' }).first().click();
  await page.locator('input[type=tel]').fill('+7 701 650-10-05');
  await page.locator('form button[type=submit]').first().click();
  await phoneCode(page, 'Кодты енгізу').click();
  await eventually(() => page.getByRole('log').textContent(), /Оны ешкімге айтпаңыз/);
  await page.locator('form button[type=submit]').first().click();
  await page.locator('input[name=person_name]').fill('Айгүл');
  await page.locator('input[name=name]').fill('Дәріхана');
  await page.locator('form button[type=submit]').click();
  await named(page).heading('Алғашқы код').waitFor();
  await page.goto(`${site()}/app/profile`);
  await page.locator('h1').waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'kk');
  await page.getByRole('radio', { name: 'Қазақша', checked: true }).waitFor();
});

/** Holds the answer of the acceptance, and counts how often the invitation is read from now on. */
async function holdAcceptance(page: Page) {
  let release = () => {};
  let hold = () => {};
  const untilReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const untilHeld = new Promise<void>((resolve) => {
    hold = resolve;
  });
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/invitations/read')) reads++;
  });
  await page.route('**/cabinet/invitations/accept', async (route) => {
    const response = await route.fetch();
    hold();
    await untilReleased;
    await route.fulfill({ response });
  });
  return { untilHeld, release: () => release(), reads: () => reads };
}

test('an invitation names its company on every page, takes one press, and the team sees it live', async () => {
  const opened = await open('/login');
  const owner = opened.page;
  const tryPage = await openTry();
  await signUp(opened, tryPage, '+7 701 650-10-06');
  await createCompany(owner, 'Клиника «Айболит»');
  await owner.goto(`${site()}/app/team`);
  await named(owner).button('Пригласить').click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Создать ссылку' }).click();
  const link = owner.getByRole('textbox', { name: 'Ссылка' });
  await link.waitFor();
  const invitation = new URL(await link.inputValue());
  await owner.getByRole('dialog').getByRole('button', { name: 'Готово' }).click();

  const guest = await open('/login');
  const { page } = guest;
  await page.goto(invitation.href);
  const named_ = named(page);
  await named_.heading(/«Клиника «Айболит»»/).waitFor();
  await named_.link('Войти и принять').click();
  await page.locator('main').getByText('Вас пригласили в компанию').waitFor();
  await signUp(guest, tryPage, '+7 701 650-10-07');
  await named_.heading(/«Клиника «Айболит»»/).waitFor();
  await named_.field('Ваше имя').fill('Дамир Омаров');
  const count = await countPresses(page);
  const again = await holdAcceptance(page);
  await named_.button('Принять приглашение').click();
  await again.untilHeld;
  // Somebody looks at another window meanwhile.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  again.release();
  await page.getByRole('navigation', { name: 'Разделы' }).first().waitFor();
  assert.equal(again.reads(), 0, 'it works once, and is not read again');
  report('from an invitation to the company of who is signed in', count(), 1);

  // The inviter has not touched the page since.
  await owner.getByText('Дамир Омаров', { exact: true }).waitFor();
});

test('the whole first hour goes without a mouse, and the focus is never lost', async () => {
  const { page, expectStatus } = await open('/');
  expectStatus(401);
  const { heading } = named(page);
  const on = keyboardOf(page);

  await on.tabTo(/^Создать кабинет$/);
  await page.keyboard.press('Enter');
  await heading('Регистрация').waitFor();
  await on.tabTo(/^Телефон$/);
  await page.keyboard.type('8 701 650 10 08');
  await page.keyboard.press('Enter');
  await phoneCode(page, 'Ввести код').waitFor();
  await on.hasFocus(/^Код из сообщения$/);
  await on.tabTo(/^Ввести код \d{6}$/);
  await page.keyboard.press('Enter');
  await on.hasFocus(/^Код из сообщения$/);
  await page.keyboard.press('Enter');

  await heading('Новая компания').waitFor();
  await on.hasFocus(/^Ваше имя$/);
  await page.keyboard.type('Айгуль Серик');
  await on.tabTo(/^Название$/);
  await page.keyboard.type('Клиника');
  await page.keyboard.press('Enter');

  await heading('Первый код').waitFor();
  await on.isKept();
  await on.tabTo(/^Отправить код$/);
  await page.keyboard.press('Enter');
  await phoneCode(page, 'Проверить код').waitFor();
  await on.isKept();
  await on.tabTo(/^Проверить код \d{6}$/);
  await page.keyboard.press('Enter');
  await page.getByText('Код подтверждён').waitFor();
  await on.isKept();

  await on.tabTo(/^Создать боевой ключ$/);
  await page.keyboard.press('Enter');
  await on.hasFocus(/^Ваш ключ$/);
  await on.tabTo(/^Я сохранил ключ$/);
  await page.keyboard.press('Space');
  await on.tabTo(/^Готово$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await on.hasFocus(/^Создать боевой ключ$/);

  await on.tabTo(/^Пригласить коллегу$/);
  await page.keyboard.press('Enter');
  await heading('Команда').waitFor();
  await on.isKept();
  await on.tabTo(/^Пригласить$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await on.isKept();
  await on.tabTo(/^Создать ссылку$/);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Ссылка' }).waitFor();
  await on.isKept();
  await on.tabTo(/^Готово$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await on.hasFocus(/^Пригласить$/);
});

const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'BODY';
  const label = element.labels?.[0]?.textContent;
  return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim().replace(/\\s+/g, ' ');
})()`;
const PAINTED =
  'new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))';
const STOPS_MAX = 80;

function keyboardOf(page: Page) {
  const focused = () => page.evaluate<string>(FOCUSED);
  return {
    /** Something that is called that has the focus, without anybody having moved it. */
    hasFocus: (name: RegExp) => eventually(focused, name),
    isKept: () => eventually(focused, /^(?!BODY$)/, 5_000),
    async tabTo(name: RegExp): Promise<void> {
      // Chromium drops what is typed before a page was painted for the first time.
      await page.evaluate(PAINTED);
      for (let stops = 0; stops < STOPS_MAX; stops++) {
        if (name.test(await focused())) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`${name} cannot be reached by Tab`);
    },
  };
}
