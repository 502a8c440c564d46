/** The main ways through the cabinet without a mouse; and what guards the pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, usePages } from '../open-pages.ts';
import { phoneOfDemo, untilLoaded } from './demo-pages.ts';

const focused = (page: Page) =>
  page.evaluate<string>(
    `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`,
  );

/** Goes on with Tab until what has the focus is called that. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${name} cannot be reached by Tab`);
}

describe('the cabinet', () => {
  const { open } = usePages();

  test('is entered, walked through and searched without a mouse', async () => {
    const { page, expectStatus } = await open('/login');
    expectStatus(401);
    await untilLoaded(page);
    await tabTo(page, /^Открыть демонстрационную компанию$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Обзор', level: 1 }).waitFor();
    await untilLoaded(page);

    // The first stop of every page leads past its navigation.
    await page.reload();
    await untilLoaded(page);
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /К содержанию/);
    await tabTo(page, /^Сообщения$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Сообщения', level: 1 }).waitFor();
    await untilLoaded(page);

    const phone = await phoneOfDemo(page, 'channel=sms');
    await page.keyboard.press('/');
    await page.keyboard.type(phone.replace('+7', '8 '));
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=/);
    const ending = `${phone.slice(-4, -2)}-${phone.slice(-2)}`;
    const others = page.locator('tbody tr').filter({ hasNotText: ending });
    await page.locator('tbody tr').filter({ hasText: ending }).first().waitFor();
    // The rows of before stay until the answer comes, and the one that is found may be among them.
    await eventually(async () => String(await others.count()), /^0$/);
    await tabTo(page, /02:|\d\d:\d\d/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await eventually(() => dialog.textContent(), /SMS/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('keeps to a policy that allows nothing inline and nothing from elsewhere', async () => {
    const { page, expectStatus } = await open('/login');
    expectStatus(401);
    const answer = await page.goto(new URL('/app', page.url()).href);
    const headers = answer?.headers() ?? {};
    const policy = headers['content-security-policy'] ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(headers['x-frame-options'], 'DENY');
    const markup = (await answer?.text()) ?? '';
    assert.doesNotMatch(markup, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  });
});
