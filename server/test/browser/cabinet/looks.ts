/**
 * Every page of the cabinet as everybody sees it in one language: in light and dark, by those who do
 * not see it, on a narrow screen and enlarged. A file for each language, so that they run side by side.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { IS_FULL } from '../../is-full.ts';
import { assertAccessible, NARROW, sidewaysScroll, usePages, WIDE, ZOOMED } from '../open-pages.ts';
import {
  addressOf,
  CABINET_PAGES,
  enterDemo,
  goWithin,
  OPEN_PAGES,
  untilLoaded,
} from './demo-pages.ts';

export function testLooks(lang: 'ru' | 'kk' | 'en'): void {
  // Markup and colours are the same in every language, and English words are the shortest: axe looks
  // at Russian, Kazakh has to fit, and the whole claim is for all three.
  if (lang === 'en' && !IS_FULL) return void test.skip(`every page, in ${lang}: with --full`);
  const isAxeNeeded = lang === 'ru' || IS_FULL;
  const { open, running } = usePages();

  test(`everybody can use every page, in ${lang}`, async () => {
    // A message of the demo may come at any moment; while it fades in, its colours are not its own.
    const calm = { reducedMotion: 'reduce' } as const;
    const profile = { locale: `${lang}-KZ`, ...WIDE, isAxeNeeded, ...calm };
    const { page, expectStatus } = await open('/login', profile);
    expectStatus(401);
    const load = async (address: string) => {
      await page.goto(running().ctx.urls.publicUrl + address);
      await untilLoaded(page);
    };
    const look = async (name: string) => {
      assert.equal(await page.locator('html').getAttribute('lang'), lang, name);
      if (isAxeNeeded) await assertUsable(page, `${name} ${lang}`);
      await assertFits(page, `${name} ${lang}`);
    };
    for (const [name, address] of Object.entries(OPEN_PAGES)) {
      await load(address);
      await look(name);
    }
    await enterDemo(page);
    await load('/app');
    for (const name of CABINET_PAGES) {
      const address = await addressOf(page, name);
      // As by their links, and in English by their addresses: with each page that is loaded, its code
      // and axe are compiled anew, which takes longer than to look at it.
      await (lang === 'en' ? load(address) : goWithin(page, address));
      await look(name);
    }
  });
}

/** Of what axe looks at, only colours depend on the theme. */
async function assertUsable(page: Page, label: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await assertAccessible(page, `${label} light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, `${label} dark`, ['color-contrast']);
}

/** Nothing has to be scrolled sideways. */
async function assertFits(page: Page, label: string): Promise<void> {
  for (const { viewport } of [NARROW, ZOOMED]) {
    await page.setViewportSize(viewport);
    assert.equal(await sidewaysScroll(page), 0, `${label} at ${viewport.width}`);
  }
  await page.setViewportSize(WIDE.viewport);
}
