import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertAccessible,
  eventually,
  type Look,
  screenshot,
  sidewaysScroll,
  usePages,
} from './open-pages.ts';
import { onTry } from './try-page.ts';

const { open, openTry, running } = usePages();

const WIDE = { viewport: { width: 1280, height: 900 } };
const NARROW = { viewport: { width: 320, height: 640 } };
/** What a browser makes of a 1280 px window at 200 %. */
const ZOOMED = { viewport: { width: 640, height: 450 } };

const LOOKS: Record<string, Look> = {
  'wide and light': { ...WIDE, colorScheme: 'light' },
  'narrow and dark': { ...NARROW, colorScheme: 'dark' },
};

const PAGES = ['/', '/docs/errors', '/docs/errors/insufficient_tokens', '/docs/errors/no-such'];
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
    const { page, expectStatus } = await open('/', { ...look, isAxeNeeded: true });
    expectStatus(404);
    for (const address of PAGES) {
      await page.goto(running().ctx.urls.publicUrl + address);
      await assertAccessible(page, address);
      assert.equal(await sidewaysScroll(page), 0, address);
    }
  });

  test(`the phone page breaks none, empty, with messages and after an error, ${name}`, async () => {
    const { page, expectStatus } = await openTry({ ...look, isAxeNeeded: true });
    expectStatus(502);
    const view = onTry(page);
    await assertAccessible(page, 'empty');
    await view.button('Нет WhatsApp').click();
    await view.send();
    await view.storySummary(/прочитано/);
    await assertAccessible(page, 'with a message');
    await screenshot(page, `messages-${name.replaceAll(' ', '-')}`);
    await view.button('Все отказали').click();
    await view.send();
    await view.answered(/^502 /);
    await assertAccessible(page, 'after an error');
    await view.button('Клавиши').click();
    await assertAccessible(page, 'with the keys explained');
    assert.equal(await sidewaysScroll(page), 0);
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

test('nothing has to be scrolled sideways, at 320 px and at 200 % of 1280', async () => {
  for (const lang of LANGUAGES) {
    const { page } = await openTry({ ...NARROW, lang });
    const assertFits = async (label: string) => {
      for (const { viewport } of [NARROW, ZOOMED]) {
        await page.setViewportSize(viewport);
        assert.equal(await sidewaysScroll(page), 0, `${label} ${lang} at ${viewport.width}`);
      }
    };
    for (const kind of ['otp', 'link', 'shorten', 'group']) {
      await page.locator(`input[name="kind"][value="${kind}"]`).check();
      await assertFits(`/try ${kind}`);
    }
    for (const address of PAGES.slice(0, 3)) {
      await page.goto(`${running().ctx.urls.publicUrl}${address}?lang=${lang}`);
      await assertFits(address);
    }
  }
});

test('on a narrow screen the phone shows the last message, and all of them on request', async () => {
  const { page } = await openTry(NARROW);
  const view = onTry(page);
  for (const name of ['Доставлено', 'Нет WhatsApp']) {
    await view.button(name).click();
    await view.send();
    await view.answered(/^200 /);
  }
  await eventually(() => view.lastBubble.textContent(), /Telegram/);
  assert.equal(await view.bubbles.count(), 1, 'the others are folded away');
  await view.button('Показать все сообщения').click();
  assert((await view.bubbles.count()) >= 2);
});

test('every language has its own words, and the switch keeps the page', async () => {
  const words = {
    ru: ['Виртуальный телефон', 'Отправить код'],
    kk: ['Виртуалды телефон', 'Код жіберу'],
    en: ['Virtual phone', 'Send code'],
  } as const;
  const { page } = await openTry();
  for (const lang of LANGUAGES) {
    await page.locator(`nav.languages a[lang="${lang}"]`).click();
    await page.waitForURL(new RegExp(`/try\\?lang=${lang}$`));
    await page.locator(`html[lang="${lang}"]`).waitFor();
    const [title, send] = words[lang];
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), title);
    await page.getByRole('button', { name: send, exact: true }).click();
    await eventually(() => page.locator('#answer-summary').textContent(), /^200 /);
    await page.getByRole('link', { name: 'Zhiber' }).click();
    await page.waitForURL(new RegExp(`/\\?lang=${lang}$`));
    await page.goBack();
  }
});

test('the pages follow the colours of the system', async () => {
  const { page } = await open('/', { colorScheme: 'light' });
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await paper();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await paper(), light);
});

test('the policy allows nothing inline and nothing from elsewhere, and every request stays here', async () => {
  const { page } = await openTry();
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  const answer = await page.reload();
  const policy = answer?.headers()['content-security-policy'] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/);
  await onTry(page).send();
  await onTry(page).answered(/^200 /);
  assert.deepEqual([...origins], [running().ctx.urls.publicUrl]);
});
