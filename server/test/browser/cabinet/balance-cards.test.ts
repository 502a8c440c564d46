/** The papers and the alerts on the balance page. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { monthOf } from '../../../src/papers/month.ts';
import { creditPayment } from '../../../src/topups/credit-payment.ts';
import type { Payment } from '../../../src/topups/payment-store.ts';
import { readPdf } from '../../read-pdf.ts';
import { readZip } from '../../read-zip.ts';
import { eventually, usePages } from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { openSignedIn } from './signed-in.ts';

const { open, running } = usePages();
const { createMember, openWith } = openSignedIn({ open, running });

/** The balance page of a company with two payments. */
async function openBalance() {
  const { companyId, cookie } = await createMember('owner');
  await running().ctx.db.query(
    `update company set created_at = created_at - interval '70 days' where id = $1`,
    [companyId],
  );
  const payments: Payment[] = [];
  for (const amount of [5_000, 12_500]) {
    const outcome = await creditPayment(
      running().ctx,
      {},
      {
        companyId,
        provider: 'kaspi',
        providerPaymentId: `card-${companyId}-${amount}`,
        amount,
        paidAt: new Date(),
      },
    );
    assert(outcome.result === 'credited');
    payments.push(outcome.payment);
  }
  return { ...(await openWith(cookie, '/app/balance', {})), payments, companyId };
}

const receiptsOf = (page: Page) =>
  page.getByRole('table', { name: 'Документы' }).locator('tbody tr');

const padded = ({ receipt_number: number }: Payment) => String(number).padStart(6, '0');

async function download(page: Page, click: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test('receipts are downloaded in both languages, and the month as one file', async () => {
  const { page, payments } = await openBalance();
  const [first] = payments as [Payment, Payment];
  const row = receiptsOf(page).filter({ hasText: padded(first) });
  await eventually(() => row.textContent(), /5\s000\s₸бонус 1\s000\s₸Kaspi QR/);
  const take = row.getByRole('button', {
    name: `Квитанция ${padded(first)}: скачать или отправить`,
  });
  for (const [item, title] of [
    ['PDF на русском', 'Квитанция'],
    ['PDF на казахском', 'Түбіртек'],
  ] as const) {
    await take.click();
    const { bytes } = await download(page, () => page.getByRole('link', { name: item }).click());
    assert.match(await readPdf(bytes), new RegExp(`${title} № ${padded(first)}`));
  }
  const archive = page.getByRole('link', { name: 'Всё за месяц, ZIP' });
  const { name, bytes } = await download(page, () => archive.click());
  assert.equal(name, `papers-${monthOf(new Date())}.zip`);
  // Two receipts and the statement.
  assert.equal((await readZip(bytes)).size, 3);
});

test('a receipt goes to the accountant by letter', async () => {
  const { page, payments } = await openBalance();
  const [first] = payments as [Payment, Payment];
  const row = receiptsOf(page).filter({ hasText: padded(first) });
  await row.getByRole('button').click();
  await page.getByRole('button', { name: 'Отправить бухгалтеру' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Почта').fill('books@example.kz');
  await dialog.getByRole('button', { name: 'Отправить бухгалтеру' }).click();
  await page.getByText('Отправлено на books@example.kz').first().waitFor();
});

test('the act of a month that is over is there, and that of the current one later', async () => {
  const { page } = await openBalance();
  await page.getByText('Акт появится в первый день следующего месяца.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Акт за месяц' }).count(), 0);
  const past = monthOf(new Date(Date.now() - 35 * 24 * 3_600_000));
  await page.getByLabel('Месяц', { exact: true }).selectOption(past);
  await page.waitForURL(new RegExp(`month=${past}`));
  await page.getByRole('button', { name: 'Акт за месяц' }).click();
  const { bytes } = await download(page, () =>
    page.getByRole('link', { name: 'PDF на русском' }).click(),
  );
  assert.match(await readPdf(bytes), /Акт выполненных работ \(оказанных услуг\) № \d{6}/);
});

test('who is told of a low balance, and when, is saved and shown again', async () => {
  const { page, companyId } = await openBalance();
  const card = page.locator('section').filter({
    has: page.getByRole('heading', { name: 'Уведомление о балансе', level: 2 }),
  });
  await card.getByLabel(/^Порог, ₸/).fill('20000');
  await card.getByLabel(/^Кому писать на почту/).fill('books@example.kz, boss@example.kz');
  await card.getByRole('button', { name: 'Сохранить' }).click();
  await page.getByText('Сохранено').first().waitFor();
  const [stored] = await running().ctx.db.query(
    'select threshold, emails from balance_alert where company_id = $1',
    [companyId],
  );
  assert.deepEqual(stored, { threshold: 20_000, emails: ['books@example.kz', 'boss@example.kz'] });
  // 18 550 ₸ are below it: the bar on every page says so at once.
  await page
    .getByRole('status')
    .filter({ hasText: /^На балансе осталось 18\s550\s₸/ })
    .waitFor();

  await page.reload();
  await untilLoaded(page);
  assert.equal(await card.getByLabel(/^Порог, ₸/).inputValue(), '20000');
  assert.equal(
    await card.getByLabel(/^Кому писать на почту/).inputValue(),
    'books@example.kz, boss@example.kz',
  );
  await card.getByLabel(/^Порог, ₸/).fill('');
  await card.getByRole('button', { name: 'Сохранить' }).click();
  await eventually(async () => String(await page.getByText(/На балансе осталось/).count()), /^0$/);
});
