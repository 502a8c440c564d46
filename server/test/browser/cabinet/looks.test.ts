/**
 * Every page of the cabinet as everybody sees it: in light and dark, in three languages, without
 * sight of colours, on a narrow screen and enlarged.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, type Opened, sidewaysScroll, usePages } from '../open-pages.ts';
import {
  addressOf,
  CABINET_PAGES,
  type CabinetPage,
  enterDemo,
  OPEN_PAGES,
  untilLoaded,
} from './demo-pages.ts';

const LANGUAGES = ['ru', 'kk', 'en'] as const;
const NARROW = { width: 320, height: 640 };
/** What a window of 1280 pixels shows at 200 %. */
const ZOOMED = { width: 640, height: 450 };

describe('the cabinet', () => {
  const { open, running } = usePages();
  const site = () => running().ctx.urls.publicUrl;

  const enter = async (lang: string): Promise<Opened> => {
    const opened = await open('/login', { locale: `${lang}-KZ`, isAxeNeeded: true });
    opened.expectStatus(401);
    await untilLoaded(opened.page);
    return opened;
  };
  const goTo = async (page: Page, name: CabinetPage) => {
    await page.goto(site() + (await addressOf(page, name)));
    await untilLoaded(page);
  };

  for (const lang of LANGUAGES) {
    test(`has no page that somebody cannot use, in ${lang}`, async () => {
      const { page } = await enter(lang);
      for (const address of Object.values(OPEN_PAGES)) {
        await page.goto(site() + address);
        await untilLoaded(page);
        await assertBothThemes(page, `${address} ${lang}`);
      }
      await enterDemo(page);
      for (const name of CABINET_PAGES) {
        await goTo(page, name);
        assert.equal(await page.locator('html').getAttribute('lang'), lang);
        await assertBothThemes(page, `${name} ${lang}`);
      }
    });

    test(`has nothing to scroll sideways, at 320 px and at 200 %, in ${lang}`, async () => {
      const { page } = await enter(lang);
      await enterDemo(page);
      for (const name of CABINET_PAGES) {
        await goTo(page, name);
        for (const viewport of [NARROW, ZOOMED]) {
          await page.setViewportSize(viewport);
          assert.equal(await sidewaysScroll(page), 0, `${name} ${lang} at ${viewport.width}`);
        }
      }
    });
  }

  test('keeps to a policy that allows nothing inline and nothing from elsewhere', async () => {
    const { page } = await enter('ru');
    const answer = await page.goto(`${site()}/app`);
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

/** Only colours depend on the theme, so the other rules are asked once. */
async function assertBothThemes(page: Page, label: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await assertAccessible(page, `${label} light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, `${label} dark`, ['color-contrast']);
}
