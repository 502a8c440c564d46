import type { Page } from 'playwright-core';
import { eventually, type Opened } from '../open-pages.ts';
import { onTry } from '../try-page.ts';

/** What stands on a page, by the names that people hear and see. */
export const named = (page: Page) => ({
  button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
  field: (name: string | RegExp) => page.getByRole('textbox', { name, exact: true }),
  link: (name: string) => page.getByRole('link', { name, exact: true }),
  heading: (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }),
});

/** Signs up with a phone; its code is read where a person would read it. */
export async function signUp(
  { page, expectStatus }: Opened,
  { page: tryPage }: Pick<Opened, 'page'>,
  phone: string,
): Promise<void> {
  expectStatus(401);
  const { button, field } = named(page);
  await field('Телефон').fill(phone);
  await button('Получить код').click();
  await field('Код из сообщения').waitFor();
  await eventually(() => onTry(tryPage).lastBubble.textContent(), new RegExp(lastDigits(phone)));
  await field('Код из сообщения').fill(await onTry(tryPage).lastCode());
  await button('Войти').click();
}

/** As a pattern of how the bubble on the phone shows them. */
function lastDigits(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  return `${digits.slice(-4, -2)}-${digits.slice(-2)}`;
}

export async function createCompany(page: Page, name: string): Promise<void> {
  const { button, field, heading, link } = named(page);
  await heading('Новая компания').waitFor();
  await field('Ваше имя').fill('Айгуль Серик');
  await field('Название').fill(name);
  await button('Создать компанию').click();
  await heading('Первый код').waitFor();
  await link('Пропустить').click();
  await heading('Обзор').waitFor();
}
