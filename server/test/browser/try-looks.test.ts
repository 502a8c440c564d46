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
import { onTry } from './try-page.ts';

const { open, openTry, running } = usePages();

const LANGUAGES = ['ru', 'kk', 'en'] as const;

for (const [name, look] of Object.entries(LOOKS)) {
  test(`/try breaks no rule of accessibility, empty, with messages and after an error, ${name}`, async () => {
    // A bubble that fades in has not its own colours yet.
    const calm = { reducedMotion: 'reduce', isAxeNeeded: true } as const;
    const { page, expectStatus } = await openTry({ ...look, ...calm });
    expectStatus(502);
    const view = onTry(page);
    await assertAccessible(page, 'empty');
    await view.button('Нет WhatsApp').click();
    await view.send();
    await view.storySummary(/Прочитано/);
    await assertAccessible(page, 'with a message');
    await screenshot(page, `messages-${name.replaceAll(' ', '-')}`);
    await view.button('Все отказали').click();
    await view.send();
    await view.answered(/^502 /);
    await assertAccessible(page, 'after an error');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await assertAccessible(page, 'with the keys explained');
    assert.equal(await sidewaysScroll(page), 0);
  });
}

test('nothing has to be scrolled sideways, at 320 px and at 200 % of 1280', async () => {
  for (const lang of LANGUAGES) {
    const { page } = await openTry({ ...NARROW, lang });
    for (const operation of ['otpSend', 'linkSend', 'linkShorten', 'groupSend']) {
      await page.locator(`input[value="${operation}"]`).check();
      for (const { viewport } of [NARROW, ZOOMED]) {
        await page.setViewportSize(viewport);
        assert.equal(await sidewaysScroll(page), 0, `${operation} ${lang} at ${viewport.width}`);
      }
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

test('every language has its own words, and the switch keeps what was typed', async () => {
  const words = {
    ru: ['Виртуальный телефон', 'Отправить код'],
    en: ['Virtual phone', 'Send code'],
    kk: ['Виртуалды телефон', 'Код жіберу'],
  } as const;
  const { page } = await openTry();
  const phone = page.locator('input[name="phone"]');
  await phone.fill('+77000000001');
  for (const [lang, [title, send]] of Object.entries(words)) {
    await page.locator(`nav a[lang="${lang}"]`).click();
    await page.locator(`html[lang="${lang}"]`).waitFor();
    await page.waitForURL(new RegExp(`/try\\?lang=${lang}$`));
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), title);
    assert.equal(await phone.inputValue(), '+77000000001');
    await page.getByRole('button', { name: send, exact: true }).click();
    await eventually(() => page.locator('details [role=status]').textContent(), /^200 /);
  }
  await page.reload();
  await page.getByRole('button', { name: 'Код жіберу', exact: true }).waitFor();
});

test('the theme is chosen on the page, and stays', async () => {
  const { page } = await openTry({ colorScheme: 'light' });
  const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await paper();
  await page.getByRole('button', { name: 'Тема' }).click();
  await page.getByRole('button', { name: 'Тёмная' }).click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await onTry(page).sendButton.waitFor();
  assert.equal(await paper(), dark);
});

test('the policy allows nothing inline and nothing from elsewhere, and every request stays here', async () => {
  const { page } = await openTry();
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  const answer = await page.reload();
  const policy = answer?.headers()['content-security-policy'] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  await onTry(page).send();
  await onTry(page).answered(/^200 /);
  assert.deepEqual([...origins], [running().ctx.urls.publicUrl]);
});

test('without JavaScript the page says what it needs', async () => {
  const { page } = await open('/try', { javaScriptEnabled: false });
  for (const lang of LANGUAGES) await page.locator(`noscript p[lang=${lang}]`).waitFor();
});
