/** What the pages about money show, as the tests of whole payments read it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { eventually } from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { named } from './newcomer.ts';

export const BUSINESS_ID = '971240001315';

export const shown = (page: Page, pattern: RegExp) =>
  eventually(() => page.locator('main').textContent(), pattern);
/** Within less than the minute after which the header would learn of it in any case. */
export const inHeader = (page: Page, pattern: RegExp) =>
  eventually(() => page.locator('header').first().textContent(), pattern, 20_000);
export const bar = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Отправки остановлены' });
export const stopped = (page: Page, pattern: RegExp) =>
  eventually(() => bar(page).first().textContent(), pattern);
export const notStopped = (page: Page) =>
  eventually(async () => String(await bar(page).count()), /^0$/);

/** From the form to the page with the QR. Returns the address that the QR holds. */
export async function askForQr(page: Page, amount: string): Promise<string> {
  const { button, field, heading, link } = named(page);
  const money = amount.replaceAll(' ', '\\s');
  await heading('Пополнить баланс').waitFor();
  await button(new RegExp(`^${money}\\s₸$`)).click();
  await field('Название компании или ФИО').fill('ТОО «Цветы»');
  await field(/^БИН или ИИН/).fill(BUSINESS_ID);
  await button(new RegExp(`^Перейти к оплате: ${money}\\s₸$`)).click();
  await heading(new RegExp(`^Пополнение на ${money}\\s₸$`)).waitFor();
  const address = (await link('Открыть страницу оплаты').getAttribute('href')) ?? '';
  assert.deepEqual(await readSquares(page), squaresOf(address));
  return address;
}

/** Where the QR on the screen is dark. */
async function readSquares(page: Page): Promise<string[]> {
  const path = await page.locator('svg[role=img] path').getAttribute('d');
  return [...(path ?? '').matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`);
}

/** Where the QR of a text is dark, with a quiet zone of four squares. */
function squaresOf(text: string): string[] {
  const { data } = encode(text, { border: 4, ecc: 'M' });
  return data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
}

export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();

export const assertSamePage = async (page: Page) =>
  assert.equal(await page.evaluate('window.isSamePage'), true);

/** The ledger on the balance page, oldest first: what for, by how much, and what is left. */
export async function readLedger(page: Page): Promise<string[]> {
  await page.goto(new URL('/app/balance', page.url()).href);
  await untilLoaded(page);
  const rows = page.getByRole('table', { name: 'Проводки' }).locator('tbody tr');
  const lines: string[] = [];
  for (const row of (await rows.all()).toReversed()) {
    const cells = await row.locator('td, th').allTextContents();
    const [kind, , , amount, after] = cells.map((text) => text.replaceAll(/[\s₸]/g, ' ').trim());
    lines.push(`${kind} ${amount?.replaceAll(' ', '')} = ${after?.replaceAll(' ', '')}`);
  }
  return lines;
}

/** The records of an action in the journal of the company: who, what, and the new values. */
export async function readJournal(page: Page, action: string): Promise<string[]> {
  await page.goto(new URL(`/app/audit?action=${action}`, page.url()).href);
  await untilLoaded(page);
  const lines: string[] = [];
  for (const row of await page.getByRole('table').locator('tbody tr').all()) {
    const [, who] = await row.locator('td, th').allTextContents();
    const what = await row.locator('span.font-medium').first().textContent();
    const values = (await row.getByRole('listitem').allTextContents()).map((text) =>
      text.replaceAll(/\s+/g, ' ').replace(': стало', ''),
    );
    lines.push([`${who}: ${what}`, ...values].join(', '));
  }
  return lines;
}

export const receiptsOf = (page: Page) =>
  page.getByRole('table', { name: 'Документы' }).locator('tbody tr');
