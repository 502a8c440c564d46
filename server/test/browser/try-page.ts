import type { Locator, Page } from 'playwright-core';
import { eventually } from './open-pages.ts';

/** The page with the virtual phone by the names that people hear and see (in Russian). */
export function onTry(page: Page) {
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const radio = (name: string): Locator => page.getByRole('radio', { name, exact: true });
  const text = (id: string) => () => page.locator(`#${id}`).textContent();
  const log = page.getByRole('log', { name: 'Сообщения на телефоне' });

  return {
    button,
    radio,
    phone: page.getByRole('textbox', { name: 'Телефон', exact: true }),
    scenario: page.getByRole('combobox', { name: 'Сценарий' }),
    codeField: page.getByRole('textbox', { name: 'Код из сообщения' }),
    bubbles: log.getByRole('listitem'),
    lastBubble: log.getByRole('listitem').last(),
    switchOf: (name: string): Locator => page.getByRole('switch', { name }),
    send: () => page.locator('#send').click(),
    answered: (pattern: RegExp, limitMs?: number) =>
      eventually(text('answer-summary'), pattern, limitMs),
    answer: async (): Promise<Record<string, unknown>> =>
      JSON.parse((await page.locator('#answer-body').textContent()) ?? ''),
    story: (pattern: RegExp, limitMs?: number) => eventually(text('story'), pattern, limitMs),
    storySummary: (pattern: RegExp, limitMs?: number) =>
      eventually(text('story-summary'), pattern, limitMs),
    verified: (pattern: RegExp) => eventually(text('verify-outcome'), pattern),
    balance: async (): Promise<number> =>
      Number((await text('balance')())?.replaceAll(/\D/g, '') ?? Number.NaN),
    /** The code in the newest bubble. */
    lastCode: async (): Promise<string> => {
      const copy = log.getByRole('button', { name: /^Скопировать код \d{6}$/ }).last();
      await copy.waitFor();
      return ((await copy.textContent()) ?? '').replaceAll(/\D/g, '');
    },
  };
}
