import type { Locator, Page } from 'playwright-core';
import { eventually } from './open-pages.ts';

/** The playground, at `/try` or in the cabinet, by the names that people hear and see (in Russian). */
export function onTry(page: Page) {
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const radio = (name: string): Locator => page.getByRole('radio', { name, exact: true });
  const log = page.getByRole('log', { name: 'Сообщения на телефоне' });
  const card = (title: string): Locator =>
    page
      .locator('section, details')
      .filter({ has: page.getByRole('heading', { name: title, level: 2, exact: true }) });
  const [answer, story] = [card('Ответ'), card('Что произошло')];

  return {
    button,
    radio,
    phone: page.getByRole('textbox', { name: 'Телефон', exact: true }),
    scenario: page.getByRole('combobox', { name: 'Сценарий' }),
    codeField: page.getByRole('textbox', { name: 'Код из сообщения' }),
    sendButton: page.locator('form button[type=submit]').first(),
    log,
    bubbles: log.getByRole('listitem'),
    lastBubble: log.getByRole('listitem').last(),
    snippet: card('Тот же запрос кодом').locator('pre'),
    price: page.locator('form output'),
    switchOf: (name: string): Locator => page.getByRole('switch', { name }),
    send: () => page.locator('form button[type=submit]').first().click(),
    answered: (pattern: RegExp, limitMs?: number) =>
      eventually(() => answer.getByRole('status').textContent(), pattern, limitMs),
    answer: async (): Promise<Record<string, unknown>> =>
      JSON.parse((await answer.locator('pre').textContent()) ?? ''),
    story: (pattern: RegExp, limitMs?: number) =>
      eventually(() => story.locator('ol').textContent(), pattern, limitMs),
    storySummary: (pattern: RegExp, limitMs?: number) =>
      eventually(() => story.locator('p').first().textContent(), pattern, limitMs),
    verified: (pattern: RegExp) =>
      eventually(() => card('Проверка').getByRole('status').textContent(), pattern),
    toast: (text: string) => page.getByText(text, { exact: true }).first().waitFor(),
    balance: async (): Promise<number> => {
      const text = await page
        .locator('main p')
        .filter({ hasText: /Баланс/ })
        .textContent();
      return Number(text?.replaceAll(/\D/g, '') ?? Number.NaN);
    },
    /** The code in the newest bubble. */
    lastCode: async (): Promise<string> => {
      const copy = log.getByRole('button', { name: /^Скопировать код \d{6}$/ }).last();
      await copy.waitFor();
      return ((await copy.textContent()) ?? '').replaceAll(/\D/g, '');
    },
  };
}
