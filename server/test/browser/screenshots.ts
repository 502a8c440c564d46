/**
 * `npm run screenshots`: every page of the cabinet in light, dark and on a phone, as the demo company
 * sees it, into the folder `screenshots`, which is not part of the repository.
 */
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addressOf,
  CABINET_PAGES,
  enterDemo,
  OPEN_PAGES,
  untilLoaded,
} from './cabinet/demo-pages.ts';
import { type Look, screenshot, usePages } from './open-pages.ts';

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  mobile: { colorScheme: 'light', viewport: { width: 360, height: 780 }, hasTouch: true },
} as const satisfies Record<string, Look>;

const LANGUAGE = process.argv.find((argument) => /^--lang=/.test(argument))?.slice(7) ?? 'ru';

describe('screenshots', () => {
  const { open, running } = usePages();

  for (const [look, settings] of Object.entries(LOOKS)) {
    test(look, async () => {
      const locale = `${LANGUAGE}-KZ`;
      const { page, expectStatus } = await open('/login', { ...settings, locale });
      expectStatus(401);
      await takeAll(page, look);
    });
  }

  async function takeAll(page: Page, look: string): Promise<void> {
    const site = running().ctx.urls.publicUrl;
    for (const [name, address] of Object.entries(OPEN_PAGES)) {
      await page.goto(site + address);
      await untilLoaded(page);
      await screenshot(page, `${name}-${look}`);
    }
    await enterDemo(page);
    for (const name of CABINET_PAGES) {
      await page.goto(site + (await addressOf(page, name)));
      await untilLoaded(page);
      await screenshot(page, `${name}-${look}`);
    }
  }
});
