/** The operator's desk as operators meet it: from the link of the terminal to the audit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createOperator, removeOperator } from '../../../src/operators/manage-operators.ts';
import { createAuthenticator } from '../../cabinet/authenticator.ts';
import { untilLoaded } from '../cabinet/demo-pages.ts';
import { plugIn } from '../cabinet/virtual-authenticator.ts';
import {
  assertAccessible,
  NARROW,
  type Opened,
  screenshot,
  sidewaysScroll,
  usePages,
  WIDE,
  ZOOMED,
} from '../open-pages.ts';

const { open, running } = usePages();
const PASSWORD = 'верный конь у юрты 5';
const PHONE_WIDTH = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

const site = () => running().ctx.urls.publicUrl;

/** The address that `zhiber operator create` prints, without the site. */
async function welcomeAddress(email: string, name = 'Айгуль'): Promise<string> {
  const created = await createOperator(running().ctx, {}, { email, name });
  assert(created.outcome === 'welcomed');
  return `/admin/welcome#${created.token}`;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function setPassword({ page, expectStatus }: Opened): Promise<void> {
  // The page asks which second factor there is, and there is none yet.
  expectStatus(401, 403);
  await page.getByLabel('Новый пароль').fill(PASSWORD);
  await button(page, 'Дальше').click();
}

async function keepRecoveryCodes(page: Page): Promise<string[]> {
  const codes = page.getByRole('main').getByRole('listitem');
  await codes.first().waitFor();
  const texts = await codes.allTextContents();
  await button(page, 'Коды сохранены').click();
  return texts;
}

/** Connects an app with codes, by the secret that the page shows. */
async function connectApp(page: Page) {
  const answer = page.waitForResponse((response) =>
    response.url().endsWith('/admin/api/second-factor'),
  );
  await button(page, 'Подключить приложение с кодами').click();
  const { uri } = (await (await answer).json()) as { uri: string };
  const app = createAuthenticator(uri);
  await page.getByRole('textbox').fill(app.code());
  await button(page, 'Подключить').click();
  return app;
}

const overviewTitle = (page: Page) => page.getByRole('heading', { name: 'Обзор', level: 1 });

test('an operator comes by the link, sets a password and an app, and signs in again', async () => {
  const email = 'aigul@zhiber.kz';
  const address = await welcomeAddress(email);
  const opened = await open(address, { viewport: DESKTOP });
  const { page } = opened;
  await page.getByRole('heading', { name: 'Здравствуйте, Айгуль' }).waitFor();
  await screenshot(page, 'admin-welcome-light');
  await setPassword(opened);
  await page.getByRole('heading', { name: 'Второй фактор' }).waitFor();
  await screenshot(page, 'admin-set-up-light');
  const app = await connectApp(page);
  assert.equal((await keepRecoveryCodes(page)).length, 10);
  await overviewTitle(page).waitFor();
  await untilLoaded(page);
  assert.equal(new URL(page.url()).pathname, '/admin');
  await screenshot(page, 'admin-overview-light');

  await page.getByRole('link', { name: 'Журнал' }).click();
  await page.getByRole('cell', { name: 'Добавлен второй фактор' }).waitFor();
  await page.getByRole('cell', { name: 'Командная строка' }).first().waitFor();
  await screenshot(page, 'admin-audit-light');

  await button(page, 'Ваша учётная запись').click();
  await button(page, 'Выйти').click();
  await page.getByRole('heading', { name: 'Вход для операторов' }).waitFor();
  await screenshot(page, 'admin-login-light');
  // A page that needs a session leads to the sign-in and back.
  await page.goto(`${site()}/admin/audit`);
  await page.getByLabel('Почта').fill(email);
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await button(page, 'Войти').click();
  await page.getByLabel('Шесть цифр из приложения').fill(app.nextCode());
  await button(page, 'Войти').click();
  await page.getByRole('cell', { name: 'Вход за стол оператора' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/admin/audit');

  // The link was used, so it opens nothing.
  opened.expectStatus(422);
  await page.goto(`${site()}/`);
  await page.goto(site() + address);
  await page.getByRole('heading', { name: 'Ссылка больше не действует' }).waitFor();
});

test('an operator works with a passkey alone, and the cabinet stays closed', async () => {
  const opened = await open(await welcomeAddress('erlan@zhiber.kz', 'Ерлан'));
  const { page } = opened;
  await plugIn(page);
  await setPassword(opened);
  await button(page, 'Создать ключ доступа').click();
  await keepRecoveryCodes(page);
  await overviewTitle(page).waitFor();
  await button(page, 'Ваша учётная запись').click();
  await button(page, 'Выйти').click();
  await button(page, 'Войти с ключом доступа').click();
  await overviewTitle(page).waitFor();
  await page.goto(`${site()}/app`);
  await page.getByRole('heading', { name: 'Вход', exact: true }).waitFor();
});

test('a passkey opens the desk only for an operator, and only with a challenge of the desk', async () => {
  const email = 'marat@zhiber.kz';
  const opened = await open(await welcomeAddress(email, 'Марат'));
  const { page } = opened;
  await plugIn(page);
  await setPassword(opened);
  await button(page, 'Создать ключ доступа').click();
  await keepRecoveryCodes(page);
  await overviewTitle(page).waitFor();
  const refused = page.getByText('Ключ доступа не подошёл');

  await page.goto(`${site()}/admin/login`);
  const challenge = `${site()}/admin/api/sign-in/passkey`;
  await page.route(challenge, async (route) => {
    const url = `${site()}/cabinet/sign-in/passkey`;
    const headers = { 'x-zhiber-cabinet': '1' };
    await route.fulfill({ response: await page.request.post(url, { headers }) });
  });
  await button(page, 'Войти с ключом доступа').click();
  await refused.waitFor();
  await page.unroute(challenge);

  assert.equal(await removeOperator(running().ctx, {}, { email }), true);
  await page.reload();
  await button(page, 'Войти с ключом доступа').click();
  await refused.waitFor();
});

test('a session that ends elsewhere leads to the sign-in of the desk', async () => {
  const opened = await open(await welcomeAddress('dana@zhiber.kz', 'Дана'));
  const { page } = opened;
  await setPassword(opened);
  await connectApp(page);
  await keepRecoveryCodes(page);
  await overviewTitle(page).waitFor();
  await running().ctx.db.query('delete from operator_session');
  await page.getByRole('link', { name: 'Журнал' }).click();
  await page.getByRole('heading', { name: 'Вход для операторов' }).waitFor();
});

for (const lang of ['ru', 'kk', 'en'] as const) {
  test(`everybody can use the desk, in ${lang}`, async () => {
    const look = {
      locale: `${lang}-KZ`,
      ...WIDE,
      isAxeNeeded: true,
      reducedMotion: 'reduce' as const,
    };
    const address = await welcomeAddress(`looks-${lang}@zhiber.kz`);
    const { page, expectStatus } = await open(address, look);
    expectStatus(401, 403);
    await page.locator('input[type=password]').fill(PASSWORD);
    const check = async (name: string) => {
      await untilLoaded(page);
      const label = `${name} ${lang}`;
      assert.equal(await page.locator('html').getAttribute('lang'), lang, label);
      await page.emulateMedia({ colorScheme: 'light' });
      await assertAccessible(page, `${label} light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await assertAccessible(page, `${label} dark`, ['color-contrast']);
      if (lang === 'ru') await screenshot(page, `admin-${name}-dark`);
      for (const { viewport } of [NARROW, { viewport: PHONE_WIDTH }, ZOOMED]) {
        await page.setViewportSize(viewport);
        assert.equal(await sidewaysScroll(page), 0, `${label} at ${viewport.width}`);
        if (lang === 'ru' && viewport.width === PHONE_WIDTH.width)
          await screenshot(page, `admin-${name}-narrow`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(WIDE.viewport);
    };
    await check('welcome');
    await page.locator('form button[type=submit]').click();
    await page.locator('.lucide-smartphone').waitFor();
    await check('set-up');
    const answer = page.waitForResponse((response) =>
      response.url().endsWith('/admin/api/second-factor'),
    );
    await page.locator('button:has(.lucide-smartphone)').click();
    const { uri } = (await (await answer).json()) as { uri: string };
    await page.getByRole('main').getByRole('textbox').waitFor();
    await check('app');
    await page.getByRole('main').getByRole('textbox').fill(createAuthenticator(uri).code());
    await page.locator('form button[type=submit]').click();
    await page.getByRole('main').getByRole('listitem').first().waitFor();
    await check('recovery');
    for (const section of ['', 'audit', 'nothing']) {
      await page.goto(`${site()}/admin/${section}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await check(section || 'overview');
    }
    await page.context().clearCookies({ name: 'zhiber-admin' });
    await page.goto(`${site()}/admin/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await check('login');
  });
}
