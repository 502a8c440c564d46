/** The documentation in a browser: search, examples, keys, the console and the demo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { enterDemo } from './cabinet/demo-pages.ts';
import {
  assertAccessible,
  eventually,
  LOOKS,
  NARROW,
  sidewaysScroll,
  usePages,
  ZOOMED,
} from './open-pages.ts';

const { open, running } = usePages();

const PAGES = [
  '/docs',
  '/docs/quick-start',
  '/docs/webotp',
  '/docs/api',
  '/docs/api/console',
  '/docs/errors',
  '/docs/errors/insufficient_tokens',
  '/docs/search?q=код',
  '/docs/quickstart',
];
const LANGUAGES = ['ru', 'kk', 'en'] as const;
const OWN_KEY = `zk_test_${'Aa0'.repeat(12)}Zz`;

/** The test key that `/try` shows, too. */
const demoKey = () => String(running().ctx.demo?.keys.test);
const siteUrl = () => running().ctx.urls.publicUrl;
const within = (address: string, lang: string) =>
  `${siteUrl()}${address}${address.includes('?') ? '&' : '?'}lang=${lang}`;
/** The code of the example that is open, as a reader sees it. */
const example = (page: Page, number = 0) =>
  page.locator('.tabs').nth(number).locator('details[open] pre').innerText();
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

for (const [name, look] of Object.entries(LOOKS)) {
  test(`the documentation breaks no rule of accessibility, ${name}`, async () => {
    const { page, expectStatus } = await open('/docs', { ...look, isAxeNeeded: true });
    expectStatus(404);
    for (const address of PAGES) {
      await page.goto(within(address, 'ru'));
      await assertAccessible(page, address);
      assert.equal(await sidewaysScroll(page), 0, address);
    }
    await page.goto(within('/docs/quick-start', 'kk'));
    await page.evaluate(
      'for (const part of document.querySelectorAll("main details")) part.open = true',
    );
    await page.locator('#docs-search').fill('код');
    await page.locator('.docs-search').getByRole('option').first().waitFor();
    await assertAccessible(page, 'all opened, with results of the search');
  });
}

test('no page of the documentation has to be scrolled sideways, in any language', async () => {
  const { page, expectStatus } = await open('/docs', NARROW);
  expectStatus(404);
  for (const lang of LANGUAGES) {
    for (const address of PAGES) {
      await page.goto(within(address, lang));
      for (const { viewport } of [NARROW, ZOOMED]) {
        await page.setViewportSize(viewport);
        assert.equal(await sidewaysScroll(page), 0, `${address} ${lang} at ${viewport.width}`);
      }
    }
  }
});

test('the search is used with the keyboard alone, and says how much it found', async () => {
  const { page } = await open('/docs?lang=ru');
  await page.keyboard.press('/');
  const field = page.locator('#docs-search');
  assert.equal(await page.evaluate('document.activeElement.id'), 'docs-search');
  await page.keyboard.type('alias_tak');
  const options = page.locator('.docs-search').getByRole('option');
  await eventually(() => options.first().textContent(), /alias_taken/);
  assert.match(
    (await page.locator('.docs-search [role=status]').textContent()) ?? '',
    /Найдено: \d/,
  );
  assert.equal(await field.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('Escape');
  assert.equal(await options.count(), 0);
  assert.equal(await field.inputValue(), 'alias_tak');
  await page.keyboard.type('en');
  await options.first().waitFor();
  await page.keyboard.press('ArrowDown');
  assert.equal(await field.getAttribute('aria-activedescendant'), 'docs-search-0');
  assert.equal(await options.first().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('ArrowUp');
  assert.equal(await field.getAttribute('aria-activedescendant'), null);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/errors\/alias_taken\?lang=ru$/);
  await page.locator('#docs-search').fill('щщщщ');
  await page.getByText('Ничего не найдено').first().waitFor();
  await page.locator('#docs-search').fill('alias_taken');
  await options.first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/search\?lang=ru&q=alias_taken$/);
});

test('without a script the search, the examples and the table of errors work', async () => {
  const { page } = await open('/docs/quick-start?lang=ru', { javaScriptEnabled: false });
  const tabs = page.locator('.tabs').first();
  assert.equal(await tabs.locator('pre:visible').count(), 1);
  await tabs.locator('summary', { hasText: 'Python' }).click();
  assert.equal(await tabs.locator('details[open]').count(), 1);
  assert.match(await example(page), /^import/);
  await page.getByLabel('Поиск по документации').fill('alias_taken');
  await page.keyboard.press('Enter');
  await page.locator('.docs-results a').first().click();
  await page.waitForURL(/\/docs\/errors\/alias_taken\?lang=ru$/);
  await page.goto(within('/docs/errors', 'ru'));
  await page.getByLabel('Найти код или слово').fill('402');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=402/);
  assert.equal(await page.locator('.errors tbody tr').count(), 1);
});

test('a language is chosen once for all examples and remembered', async () => {
  const { page } = await open('/docs/quick-start?lang=en');
  assert.match(await example(page), /^curl /);
  await page.locator('.tabs').nth(1).locator('summary', { hasText: /^PHP$/ }).click();
  for (const number of [0, 1]) assert.match(await example(page, number), /^<\?php/);
  // The one that is open stays open.
  await page.locator('.tabs').first().locator('summary', { hasText: /^PHP$/ }).click();
  assert.match(await example(page), /^<\?php/);
  await page.reload();
  assert.match(await example(page), /^<\?php/);
  await page.locator('.tabs').first().getByRole('button').click();
  await eventually(() => copied(page), /^<\?php/);
  assert.equal((await copied(page)).trim(), (await example(page)).trim());
});

test('the printed command works as it stands in the sandbox', async () => {
  const { page } = await open('/docs/quick-start?lang=en');
  const code = await example(page);
  assert.ok(code.includes(`Authorization: Bearer ${demoKey()}`), code);
  assert.ok(code.startsWith(`curl ${siteUrl()}/api/otp/send`), code);
});

test("the reader's own test key is in every example, on every page of this tab, and can be removed", async () => {
  const { page } = await open('/docs/quick-start?lang=en');
  const panel = page.locator('.docs-key');
  await panel.locator('summary').click();
  const field = panel.getByLabel('Test key');
  const status = panel.getByRole('status');
  await field.fill(`zk_live_${'a'.repeat(38)}`);
  await page.keyboard.press('Enter');
  await eventually(() => status.textContent(), /This is a live key/);
  await field.fill('zk_test_short');
  await page.keyboard.press('Enter');
  await eventually(() => status.textContent(), /does not look like a key/);
  assert.ok((await example(page)).includes(demoKey()));
  await field.fill(` ${OWN_KEY} `);
  await page.keyboard.press('Enter');
  await eventually(() => example(page), new RegExp(OWN_KEY));
  await page.locator('summary', { hasText: 'Go' }).first().click();
  assert.ok((await example(page, 1)).includes(`"${OWN_KEY}"`), await example(page, 1));
  await page.goto(within('/docs/api', 'en'));
  await eventually(() => page.locator('#authorization').innerText(), new RegExp(OWN_KEY));
  assert.equal(await panel.getByRole('button', { name: 'Create a test key' }).count(), 0);
  await panel.locator('summary').click();
  await panel.getByRole('button', { name: 'Remove the key' }).click();
  assert.doesNotMatch(await page.locator('main').innerText(), new RegExp(OWN_KEY));
  assert.equal(await page.evaluate('sessionStorage.length + document.cookie.length'), 0);
});

test('outside of the sandbox an own key takes the place of the environment, line by line', async () => {
  const { demo } = running().ctx;
  Object.assign(running().ctx, { demo: undefined });
  try {
    const { page } = await open('/docs/quick-start?lang=en');
    await page.locator('summary', { hasText: 'Go' }).first().click();
    const printed = await example(page);
    assert.match(printed, /os\.Getenv\("ZHIBER_KEY"\)/);
    const panel = page.locator('.docs-key');
    await panel.locator('summary').click();
    await panel.getByLabel('Test key').fill(OWN_KEY);
    await page.keyboard.press('Enter');
    await eventually(() => example(page), new RegExp(`"${OWN_KEY}"`));
    const filled = await example(page);
    assert.doesNotMatch(filled, /"os"|Getenv/);
    await page.locator('.tabs').first().locator('details[open]').getByRole('button').click();
    await eventually(() => copied(page), /^package main/);
    assert.equal((await copied(page)).trim(), filled.trim());
    await panel.getByRole('button', { name: 'Remove the key' }).click();
    assert.equal(await example(page), printed);
  } finally {
    Object.assign(running().ctx, { demo });
  }
});

test('somebody who is signed in creates a test key on the page, and it works', async () => {
  const { page } = await open('/docs/quick-start?lang=en');
  await enterDemo(page);
  await page.reload();
  const panel = page.locator('.docs-key');
  await panel.locator('summary').click();
  await panel.getByRole('button', { name: 'Create a test key' }).click();
  await eventually(() => panel.getByRole('status').textContent(), /was created/);
  const key = /Bearer (zk_test_\w{38})"/.exec(await example(page))?.[1];
  assert.notEqual(key, demoKey());
  const answer = await page.request.post(`${siteUrl()}/api/otp/send`, {
    headers: { authorization: `Bearer ${key}` },
    data: { phone: '+77000000000' },
  });
  assert.equal(answer.status(), 200);
});

test('the console sends a request, shows the answer, and leads to the page of an error', async () => {
  const { page, expectStatus } = await open('/docs/api/console?lang=en&operation=otp-verify');
  expectStatus(422);
  const answer = page.locator('.docs-answer');
  const status = page.locator('.docs-console [role=status]');
  const body = page.getByLabel('Request body, JSON');
  await body.fill('{"phone": "+77000000000", "code": "111111"}');
  await page.getByRole('button', { name: 'Send request' }).click();
  await eventually(() => answer.innerText(), /HTTP 422[\s\S]*\d+ ms[\s\S]*code_not_found/);
  assert.match(await answer.innerText(), /x-request-id: /);
  const link = answer.getByRole('link');
  assert.match(
    (await link.getAttribute('href')) ?? '',
    /^\/docs\/errors\/code_not_found\?lang=en$/,
  );
  await body.fill('{"phone": ');
  await page.getByRole('button', { name: 'Send request' }).click();
  await eventually(() => status.textContent(), /not valid JSON/);
  await page.getByLabel('Request', { exact: true }).selectOption('/otp/send');
  assert.match(await body.inputValue(), /"phone": "\+77011234567"/);
  await page.getByLabel('Test key').fill(`zk_live_${'a'.repeat(38)}`);
  await page.getByRole('button', { name: 'Send request' }).click();
  await eventually(() => status.textContent(), /does not accept live keys/);
  await page.getByLabel('Test key').fill(demoKey());
  await page.getByRole('button', { name: 'Send request' }).click();
  await eventually(() => answer.innerText(), /HTTP 200[\s\S]*"success": true/);
  assert.equal(await link.isVisible(), false);
});

test('the demo sends a code to the virtual phone and checks what is typed', async () => {
  const { page, expectStatus } = await open('/docs/webotp?lang=en');
  expectStatus(422);
  const demo = page.locator('.docs-demo');
  const status = demo.locator('[data-webotp-status]');
  await demo.getByRole('button', { name: 'Send code' }).click();
  await eventually(() => demo.getByRole('log').textContent(), /000000/);
  const field = demo.getByLabel('Code from the message');
  assert.equal(await field.getAttribute('autocomplete'), 'one-time-code');
  await field.fill('123 456');
  await page.keyboard.press('Enter');
  await eventually(() => status.textContent(), /Неверный код/);
  await field.fill('000000');
  await page.keyboard.press('Enter');
  await eventually(() => status.textContent(), /The code is correct/);
});

test('the code of the page about WebOTP fills in what the phone has received, and sends it', async () => {
  const { page } = await open('/docs/webotp?lang=en');
  const markdown = await (await page.request.get(`${siteUrl()}/docs/webotp.md`)).text();
  const blockOf = (language: string) =>
    new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(markdown)?.[1] ??
    '';
  // A desktop gets no SMS: the part of the browser is played here, its one call and its one answer.
  await page.evaluate(`
    document.body.innerHTML = ${JSON.stringify(blockOf('html'))};
    window.OTPCredential = class {};
    navigator.credentials.get = async ({ otp, signal }) => {
      window.asked = { otp, canStop: signal instanceof AbortSignal };
      return { code: '482913' };
    };
    document.querySelector('form').addEventListener('submit', (event) => {
      event.preventDefault();
      window.submitted = new FormData(event.target).get('code');
    });
  `);
  await page.evaluate(blockOf('js'));
  await eventually(() => page.evaluate<string>('String(window.submitted)'), /^482913$/);
  assert.deepEqual(await page.evaluate('window.asked'), {
    otp: { transport: ['sms'] },
    canStop: true,
  });
});

test('a page is copied as Markdown, and errors are filtered while one types', async () => {
  const { page } = await open('/docs/quick-start?lang=en');
  await page.getByRole('button', { name: 'Copy page' }).click();
  await eventually(() => copied(page), /^# Quick start\n\n> /);
  await page.goto(within('/docs/errors', 'en'));
  const filter = page.getByLabel('Find a code or a word');
  await filter.fill('alias');
  assert.deepEqual(await page.locator('.errors tbody tr:visible a').allInnerTexts(), [
    'alias_taken',
  ]);
  await filter.fill('zzz');
  await page.getByText('There are no such errors.').waitFor();
});
