import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  eventually,
  LOOKS,
  NARROW,
  screenshot,
  sidewaysScroll,
  usePages,
  ZOOMED,
} from './open-pages.ts';
import { plantStatus } from './plant-status.ts';

const { open, running } = usePages();

let planted: Promise<void> | undefined;
/** Of the status page, every kind of part and of state. */
const fillStatus = () => {
  planted ??= plantStatus(running().ctx);
  return planted;
};

const PAGES = [
  '/',
  '/pricing',
  '/changelog',
  '/status',
  '/docs/errors',
  '/docs/errors/insufficient_tokens',
];
const MISSING = ['/docs/errors/no-such', '/princing', '/terms'];
const LANGUAGES = ['ru', 'kk', 'en'] as const;

async function shorten(body: object): Promise<string> {
  const { demoKeys, ctx } = running();
  const answer = await fetch(`${ctx.urls.publicUrl}/api/links/shorten`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoKeys?.test}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { short_url } = (await answer.json()) as { short_url: string };
  return new URL(short_url).pathname;
}

for (const [name, look] of Object.entries(LOOKS)) {
  test(`the documents break no rule of accessibility, ${name}`, async () => {
    const { page, expectStatus } = await open('/', {
      ...look,
      reducedMotion: 'reduce',
      isAxeNeeded: true,
    });
    expectStatus(404);
    await fillStatus();
    for (const address of [...PAGES, ...MISSING]) {
      await page.goto(running().ctx.urls.publicUrl + address);
      await assertAccessible(page, address);
      assert.equal(await sidewaysScroll(page), 0, address);
    }
  });
}

test('whoever follows a dead link gets a kind page in their language', async () => {
  const gone = await shorten({ url: 'https://example.kz/short-lived', expires_in: 1 });
  const isGone = async () => {
    const { ctx } = running();
    const answer = await fetch(ctx.urls.publicUrl + gone, { redirect: 'manual' });
    return String(answer.status);
  };
  await eventually(isGone, /^410$/);
  for (const [address, status] of Object.entries({ [gone]: 410, '/s/nothing2': 404 })) {
    const { page, expectStatus } = await open(address, { ...NARROW, isAxeNeeded: true });
    expectStatus(status);
    await assertAccessible(page, address);
    assert.equal(await sidewaysScroll(page), 0);
    await screenshot(page, `link-${status}`);
    for (const lang of LANGUAGES) {
      const headers = { 'accept-language': `${lang}-KZ,fr;q=0.5` };
      const answer = await page.request.get(page.url(), { headers });
      assert.equal(answer.status(), status);
      assert.match(await answer.text(), new RegExp(`<html lang="${lang}">`));
    }
  }
});

test('no document has to be scrolled sideways, at 320 px and at 200 % of 1280', async () => {
  for (const lang of LANGUAGES) {
    const { page } = await open('/', NARROW);
    const assertFits = async (label: string) => {
      for (const { viewport } of [NARROW, ZOOMED]) {
        await page.setViewportSize(viewport);
        assert.equal(await sidewaysScroll(page), 0, `${label} ${lang} at ${viewport.width}`);
      }
    };
    for (const address of PAGES) {
      await page.goto(`${running().ctx.urls.publicUrl}${address}?lang=${lang}`);
      await assertFits(address);
    }
  }
});

test('the pages follow the colours of the system', async () => {
  const { page } = await open('/', { colorScheme: 'light' });
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await paper();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await paper(), light);
});

test('the status page needs no script, and shows thirty days on a narrow screen', async () => {
  await fillStatus();
  const { page } = await open('/status?lang=ru', { ...NARROW, javaScriptEnabled: false });
  const bars = page.locator('#api .bars tbody tr');
  const shown = async () =>
    (await bars.all()).length - (await bars.filter({ visible: false }).count());
  assert.equal(await shown(), 30);
  await page.setViewportSize({ width: 1280, height: 900 });
  assert.equal(await shown(), 90);
  assert.equal(await page.getByRole('table', { name: /^API/ }).getByRole('row').count(), 91);
  const fault = page.getByRole('row', { name: /14 мин, частичный сбой/ });
  assert.ok((await fault.count()) > 0);
  await screenshot(page, 'status');
});

test('without a script the menu opens, the code follows its language, and prices are calculated', async () => {
  const { page } = await open('/?lang=ru', { ...NARROW, javaScriptEnabled: false });
  const docs = page.getByRole('link', { name: 'Документация' }).first();
  assert.equal(await page.locator('#menu').isVisible(), false);
  await page.getByRole('button', { name: 'Меню' }).press('Enter');
  await docs.waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#menu').waitFor({ state: 'hidden' });

  await page.getByRole('radio', { name: 'Python' }).check();
  assert.equal(await page.locator('#otpSend-curl').isVisible(), false);
  assert.match((await page.locator('#otpSend-python').innerText()) ?? '', /urllib\.request/);

  await page.goto(`${running().ctx.urls.publicUrl}/pricing?lang=ru`);
  await page.getByLabel('Сообщений в месяц').fill('1000');
  await page.getByLabel('WhatsApp').fill('100');
  await page.getByLabel('Telegram').fill('');
  await page.getByLabel('SMS').fill('0');
  await page.getByRole('button', { name: 'Посчитать' }).click();
  assert.match(await page.locator('output').innerText(), /^3\s000\s₸$/);
});

test('a script calculates while one types, and remembers the language, the theme and the language of code', async () => {
  const { page } = await open('/pricing?lang=en', { colorScheme: 'light' });
  const result = () => page.locator('output').innerText();
  await page.getByLabel('Messages a month').fill('100');
  assert.match(await result(), /^375\s₸$/);
  await page.getByLabel('SMS').fill('20');
  assert.equal(await result(), '');
  assert.match(await page.getByRole('alert').innerText(), /Now: 105/);
  await page.getByLabel('WhatsApp').fill('65');
  assert.match(await result(), /^400\s₸$/);
  assert.equal(await page.getByRole('alert').isVisible(), false);

  await page.getByLabel('Theme').selectOption('dark');
  await page.getByRole('link', { name: 'Қазақша' }).click();
  await page.goto(`${running().ctx.urls.publicUrl}/pricing`);
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Бағалар');
  await page.goto(`${running().ctx.urls.publicUrl}/?lang=en`);
  assert.equal(await page.evaluate('document.documentElement.className'), 'dark');
  await page.getByRole('radio', { name: 'Go' }).check();
  await page.reload();
  await page.locator('#otpVerify-go').waitFor();
  assert.equal(await page.locator('#otpVerify-curl').isVisible(), false);
});
