/** The operator's desk as operators meet it: from the link of the terminal to the audit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createOperator, removeOperator } from '../../../src/operators/manage-operators.ts';
import { createAuthenticator } from '../../cabinet/authenticator.ts';
import { IS_FULL } from '../../is-full.ts';
import { untilLoaded } from '../cabinet/demo-pages.ts';
import { plugIn } from '../cabinet/virtual-authenticator.ts';
import {
  assertAccessible,
  type Look,
  NARROW,
  type Opened,
  sidewaysScroll,
  WIDE,
  ZOOMED,
} from '../open-pages.ts';
import { useDesk } from './desk-pages.ts';

const { open, running, openDesk } = useDesk();
const PASSWORD = 'верный конь у юрты 5';

const site = () => running().ctx.urls.publicUrl;

/** The address that `zhiber operator create` prints, without the site. */
async function welcomeAddress(email: string, name = 'Айгуль'): Promise<string> {
  const created = await createOperator(running().ctx, {}, { email, name });
  assert(created.outcome === 'welcomed');
  return `/admin/welcome#${created.token}`;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const overviewTitle = (page: Page) => page.getByRole('heading', { name: 'Обзор', level: 1 });

async function setPassword({ page, expectStatus }: Opened): Promise<void> {
  // The page asks which second factor there is, and there is none yet.
  expectStatus(401, 403);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.locator('form button[type=submit]').click();
  await page.locator('.lucide-smartphone').waitFor();
}

/** The secret of an app with codes, as the page gets it. */
async function startApp(page: Page) {
  const answer = page.waitForResponse((response) =>
    response.url().endsWith('/admin/api/second-factor'),
  );
  await page.locator('button:has(.lucide-smartphone)').click();
  const { uri } = (await (await answer).json()) as { uri: string };
  await page.getByRole('main').getByRole('textbox').waitFor();
  return createAuthenticator(uri);
}

async function keepRecoveryCodes(page: Page): Promise<void> {
  const codes = page.getByRole('main').getByRole('listitem');
  await codes.first().waitFor();
  assert.equal(await codes.count(), 10);
  await button(page, 'Коды сохранены').click();
  await overviewTitle(page).waitFor();
}

/** From the link of the terminal to the recovery codes, with a look at each step. */
async function becomeOperator(opened: Opened, look: (step: string) => Promise<void>) {
  const { page } = opened;
  await untilLoaded(page);
  await look('welcome');
  await setPassword(opened);
  await look('second factor');
  const app = await startApp(page);
  await look('app');
  await page.getByRole('main').getByRole('textbox').fill(app.code());
  await page.locator('form button[type=submit]').click();
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  await look('recovery codes');
  return app;
}

/** Colours in between are not those of the page. */
const CALM: Look = { ...WIDE, reducedMotion: 'reduce' };

async function assertFits(page: Page, label: string): Promise<void> {
  for (const { viewport } of [NARROW, ZOOMED]) {
    await page.setViewportSize(viewport);
    assert.equal(await sidewaysScroll(page), 0, `${label} at ${viewport.width}`);
  }
  await page.setViewportSize(WIDE.viewport);
}

/** Of what axe looks at, only colours depend on the theme. */
async function assertUsable(page: Page, label: string): Promise<void> {
  await assertAccessible(page, `${label} light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, `${label} dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await assertFits(page, label);
}

test('an operator comes by the link, sets a password and an app, and signs in again', async () => {
  const email = 'aigul@zhiber.kz';
  const address = await welcomeAddress(email);
  const opened = await open(address, { ...CALM, isAxeNeeded: true });
  const { page } = opened;
  await page.getByRole('heading', { name: 'Здравствуйте, Айгуль' }).waitFor();
  const app = await becomeOperator(opened, (step) => assertUsable(page, step));
  await keepRecoveryCodes(page);
  assert.equal(new URL(page.url()).pathname, '/admin');

  await page.getByRole('link', { name: 'Журнал' }).click();
  await page.getByRole('cell', { name: 'Добавлен второй фактор' }).waitFor();
  await page.getByRole('cell', { name: 'Командная строка' }).first().waitFor();

  await button(page, 'Ваша учётная запись').click();
  await button(page, 'Выйти').click();
  await page.getByRole('heading', { name: 'Вход для операторов' }).waitFor();
  // A page that needs a session leads to the sign-in and back.
  await page.goto(`${site()}/admin/audit`);
  await page.getByLabel('Почта').fill(email);
  await assertUsable(page, 'sign-in');
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await button(page, 'Войти').click();
  await page.getByLabel('Шесть цифр из приложения').fill(app.nextCode());
  await button(page, 'Войти').click();
  await page.getByRole('cell', { name: 'Вход в панель оператора' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/admin/audit');

  // The link was used, so it opens nothing.
  opened.expectStatus(422);
  await page.goto(`${site()}/`);
  await page.goto(site() + address);
  await page.getByRole('heading', { name: 'Ссылка больше не действует' }).waitFor();
});

for (const lang of IS_FULL ? (['kk', 'en'] as const) : (['kk'] as const)) {
  test(`everybody can become an operator, in ${lang}`, async () => {
    const address = await welcomeAddress(`looks-${lang}@zhiber.kz`);
    const opened = await open(address, { ...CALM, locale: `${lang}-KZ` });
    const { page } = opened;
    await becomeOperator(opened, async (step) => {
      assert.equal(await page.locator('html').getAttribute('lang'), lang, step);
      await assertFits(page, `${step} ${lang}`);
    });
    await page.context().clearCookies({ name: 'zhiber-admin' });
    await page.goto(`${site()}/admin/login`);
    await untilLoaded(page);
    await assertFits(page, `sign-in ${lang}`);
  });
}

test('a passkey opens the desk only for an operator, and only with a challenge of the desk', async () => {
  const email = 'marat@zhiber.kz';
  const opened = await open(await welcomeAddress(email, 'Марат'));
  const { page } = opened;
  await plugIn(page);
  await setPassword(opened);
  await button(page, 'Создать ключ доступа').click();
  await keepRecoveryCodes(page);
  await button(page, 'Ваша учётная запись').click();
  await button(page, 'Выйти').click();
  const enter = button(page, 'Войти с ключом доступа');
  await enter.click();
  await overviewTitle(page).waitFor();
  await page.goto(`${site()}/app`);
  await page.getByRole('heading', { name: 'Вход', exact: true }).waitFor();

  const refused = page.getByText('Ключ доступа не принят');
  await page.goto(`${site()}/admin/login`);
  const challenge = `${site()}/admin/api/sign-in/passkey`;
  await page.route(challenge, async (route) => {
    const url = `${site()}/cabinet/sign-in/passkey`;
    const headers = { 'x-zhiber-cabinet': '1' };
    await route.fulfill({ response: await page.request.post(url, { headers }) });
  });
  await enter.click();
  await refused.waitFor();
  await page.unroute(challenge);

  assert.equal(await removeOperator(running().ctx, {}, { email }), true);
  await page.reload();
  await enter.click();
  await refused.waitFor();
});

test('a session that ends elsewhere leads to the sign-in of the desk', async () => {
  const { page, expectStatus } = await openDesk('');
  expectStatus(401);
  await running().ctx.db.query('delete from operator_session');
  await page.getByRole('link', { name: 'Журнал' }).click();
  await page.getByRole('heading', { name: 'Вход для операторов' }).waitFor();
});
