/**
 * Every page of the desk as everybody sees it: in light and dark, by those who do not see it, on a
 * narrow screen and enlarged; and its dialogs, from the keyboard.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createLazy } from '../../../src/runtime/cache.ts';
import { IS_FULL } from '../../is-full.ts';
import { assertAccessible, NARROW, sidewaysScroll, WIDE, ZOOMED } from '../open-pages.ts';
import { named, useDesk } from './desk-pages.ts';
import { deskPages, fillDesk } from './desk-world.ts';

const { running, desk, operator, openDesk, goTo } = useDesk();
const prepare = createLazy(async () =>
  fillDesk(running(), desk(), [await operator(0), await operator(1)]),
);

/** Colours in between are not those of the page. */
const CALM = { reducedMotion: 'reduce' } as const;

// Markup and colours are the same in every language, and English words are the shortest: axe looks
// at Russian, Kazakh has to fit, and the whole claim is for all three.
for (const lang of IS_FULL ? (['ru', 'kk', 'en'] as const) : (['ru', 'kk'] as const)) {
  const isAxeNeeded = lang === 'ru' || IS_FULL;
  test(`everybody can use every page, in ${lang}`, async () => {
    const world = await prepare();
    const look = { locale: `${lang}-KZ`, ...WIDE, ...CALM, isAxeNeeded };
    const { page } = await openDesk('', look);
    for (const path of Object.values(deskPages(world))) {
      const label = `${path} ${lang}`;
      await goTo(page, path);
      assert.equal(await page.locator('html').getAttribute('lang'), lang, label);
      if (isAxeNeeded) await assertUsable(page, label);
      for (const { viewport } of [NARROW, ZOOMED]) {
        await page.setViewportSize(viewport);
        assert.equal(await sidewaysScroll(page), 0, `${label} at ${viewport.width}`);
      }
      await page.setViewportSize(WIDE.viewport);
    }
  });
}

/** Of what axe looks at, only colours depend on the theme. */
async function assertUsable(page: Page, label: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await assertAccessible(page, `${label} light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, `${label} dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('a dialog opens by Enter, has no obstacles, fits a narrow screen and gives the focus back', async () => {
  const { companyId, paymentId } = await prepare();
  const { page } = await openDesk('', { ...CALM, isAxeNeeded: true });
  for (const [path, name] of [
    ['payments', 'Подтвердить'],
    ['payments', 'Не зачислять'],
    [`payments/list/${paymentId}`, 'Вернуть деньги'],
    [`companies/${companyId}`, 'Изменить баланс'],
    [`companies/${companyId}`, 'Приостановить'],
    ['incidents', 'Новый инцидент'],
    ['incidents', 'Запланировать работы'],
    ['figures', 'Указать себестоимость'],
  ] as const) {
    await goTo(page, path);
    const { button, dialog } = named(page);
    await button(name).first().focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await assertAccessible(page, name);
    await page.setViewportSize(NARROW.viewport);
    assert.equal(await sidewaysScroll(page), 0, name);
    await page.setViewportSize(WIDE.viewport);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.locator(':focus').textContent(), name);
  }
});
