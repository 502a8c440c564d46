/** Whoever looks, from wherever, sees their own company, in Almaty time and in their own language. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, usePages } from '../open-pages.ts';
import { addressOf, enterDemo, untilLoaded } from './demo-pages.ts';
import { createCompany, named, signUp } from './newcomer.ts';

// A server on the other side of the world.
process.env.TZ = 'Pacific/Auckland';

describe('the cabinet', () => {
  const { open, openTry, running } = usePages();
  const site = () => running().ctx.urls.publicUrl;

  const enter = async (look: object): Promise<Page> => {
    const { page, expectStatus } = await open('/login', look);
    expectStatus(401, 404);
    await untilLoaded(page);
    await enterDemo(page);
    return page;
  };

  test('shows Almaty time, whatever zone the server and the browser are in', async () => {
    assert.equal(new Date('2026-11-15T12:00:00Z').getHours(), 1, 'the zone of the server');
    const page = await enter({ timezoneId: 'America/New_York' });
    await page.goto(`${site()}/app/messages`);
    await untilLoaded(page);
    const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
    assert.equal(zone, 'America/New_York');
    const shown = page.locator('tbody time').first();
    const at = new Date((await shown.getAttribute('datetime')) ?? '');
    const almaty = new Intl.DateTimeFormat('ru', {
      timeZone: 'Asia/Almaty',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    assert.match((await shown.textContent()) ?? '', new RegExp(almaty.format(at)));
  });

  test('of one company shows nothing of another', async () => {
    const demo = await enter({});
    const theirs = [];
    for (const name of ['message', 'key', 'link'] as const)
      theirs.push(await addressOf(demo, name));

    const opened = await open('/login');
    const { page } = opened;
    await signUp(opened, await openTry(), '+7 701 222-33-44');
    await createCompany(page, 'Другая компания');
    opened.expectStatus(404);
    for (const address of theirs) {
      await page.goto(site() + address);
      await page
        .getByText(/^(?:Такого сообщения нет|Такого ключа нет|Не найдено)/)
        .first()
        .waitFor();
      const seen = (await page.locator('body').textContent()) ?? '';
      assert.doesNotMatch(seen, /romashka|Ромашка|Демо-компания/);
    }
    await named(page).link('Сообщения').click();
    await untilLoaded(page);
    assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /555-00/);
  });

  test('speaks three languages, and keeps the one that was chosen', async () => {
    const page = await enter({ locale: 'ru-KZ' });
    await page.goto(`${site()}/app/profile`);
    await untilLoaded(page);
    const words = { Қазақша: ['kk', 'Бейін|Профиль'], English: ['en', 'Profile'] } as const;
    for (const [choice, [lang, title]] of Object.entries(words)) {
      await page.getByRole('radio', { name: choice }).click();
      await eventually(() => page.locator('html').getAttribute('lang'), new RegExp(`^${lang}$`));
      await page.reload();
      await untilLoaded(page);
      assert.equal(await page.locator('html').getAttribute('lang'), lang);
      assert.match((await page.locator('h1').textContent()) ?? '', new RegExp(title));
    }
  });
});
