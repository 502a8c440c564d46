/** The card of papers on a page of its own, as it will stand on the page of the balance. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { build, type Plugin } from 'vite';
import type { CompanyId } from '../../../src/ids.ts';
import { monthOf } from '../../../src/papers/month.ts';
import { creditPayment } from '../../../src/topups/credit-payment.ts';
import type { Payment } from '../../../src/topups/payment-store.ts';
import { openCabinetOf } from '../../cabinet/cabinet-client.ts';
import { readPdf } from '../../read-pdf.ts';
import { readZip } from '../../read-zip.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import {
  assertAccessible,
  eventually,
  LOOKS,
  type Look,
  screenshot,
  sidewaysScroll,
  usePages,
} from '../open-pages.ts';

const { open, running } = usePages();
const WEB = path.join(import.meta.dirname, '../../../../web');
const out = createTemporaryFolder('receipts-card');

const ENTRY = `
import '/src/design/fonts.css';
import '/src/design/tokens.css';
import '/src/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { ReceiptsCard } from '/src/balance/papers/receipts-card.tsx';
import { queryClient } from '/src/queries.ts';
import { loadTexts } from '/src/texts/load-texts.ts';
import { TextsProvider } from '/src/texts/use-texts.tsx';
import { ShortcutsProvider } from '/src/ui/overlays/shortcuts.tsx';
import { ToastsProvider } from '/src/ui/overlays/toasts.tsx';
const lang = new URLSearchParams(location.search).get('lang');
const texts = await loadTexts(lang);
const card = h('main', { className: 'p-4' }, h('h1', null, 'Баланс'), h(ReceiptsCard));
const inside = h(ToastsProvider, null, h(ShortcutsProvider, null, card));
const provided = h(TextsProvider, { lang, texts, load: loadTexts }, inside);
createRoot(document.getElementById('app')).render(h(QueryClientProvider, { client: queryClient }, provided));
`;

const entry: Plugin = {
  name: 'the entry of the test',
  resolveId: (id) => (id === 'virtual:card' ? `${WEB}/src/receipts-card-test.js` : undefined),
  load: (id) => (id.endsWith('/src/receipts-card-test.js') ? ENTRY : undefined),
};

before(async () => {
  await build({
    root: WEB,
    configFile: path.join(WEB, 'vite.config.ts'),
    base: '/card-test/',
    logLevel: 'error',
    plugins: [entry],
    build: {
      outDir: out,
      emptyOutDir: true,
      // Added to the entries of the product.
      rolldownOptions: { input: ['virtual:card'] },
    },
  });
});

type Manifest = Record<string, { file: string; css?: string[] }>;

function pageHtml(): string {
  const manifest = JSON.parse(
    readFileSync(path.join(out, '.vite/manifest.json'), 'utf8'),
  ) as Manifest;
  const found = Object.entries(manifest).find(([name]) =>
    name.endsWith('receipts-card-test.js'),
  )?.[1];
  assert(found !== undefined, Object.keys(manifest).join());
  const styles = Object.values(manifest).flatMap(({ css = [] }) => css);
  const links = [...new Set(styles)].map(
    (file) => `<link rel="stylesheet" href="/card-test/${file}">`,
  );
  return `<!doctype html><html lang="ru"><head><meta charset="utf-8"><title>Карточка</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${links.join('')}</head>
<body><div id="app"></div><script type="module" src="/card-test/${found.file}"></script></body></html>`;
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

let cabinet: ReturnType<typeof openCabinetOf> | undefined;

async function openCard(look: Look & { lang?: string } = {}) {
  const { lang = 'ru', ...rest } = look;
  // One for the file: each has the same phones, and a phone is one person.
  cabinet ??= openCabinetOf(running());
  const owner = await cabinet.person({ role: 'owner' });
  const companyId = owner.companyId as CompanyId;
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
  const opened = await open('/docs/errors', rest);
  const { page } = opened;
  const { publicUrl } = running().ctx.urls;
  const [name = '', value = ''] = owner.cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name, value, url: publicUrl }]);
  await page.route('**/card-test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/card-test/')
      return route.fulfill({ contentType: 'text/html', body: pageHtml() });
    const body = readFileSync(path.join(out, pathname.replace('/card-test/', '')));
    return route.fulfill({ contentType: TYPES[path.extname(pathname)] ?? '', body });
  });
  await page.goto(`${publicUrl}/card-test/?lang=${lang}`);
  await page.locator('table tbody tr').nth(1).waitFor();
  return { ...opened, payments, companyId };
}

const padded = ({ receipt_number: number }: Payment) => String(number).padStart(6, '0');

async function download(
  page: Awaited<ReturnType<typeof openCard>>['page'],
  click: () => Promise<void>,
) {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test('receipts are downloaded in both languages, and the month as one file', async () => {
  const { page, payments } = await openCard();
  const [first] = payments as [Payment, Payment];
  const row = page.locator('tbody tr', { hasText: padded(first) });
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
  assert.equal((await readZip(bytes)).size, 2);
});

test('a receipt goes to the accountant by letter', async () => {
  const { page, payments } = await openCard();
  const [first] = payments as [Payment, Payment];
  const row = page.locator('tbody tr', { hasText: padded(first) });
  await row.getByRole('button').click();
  await page.getByRole('button', { name: 'Отправить бухгалтеру' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Почта').fill('books@example.kz');
  await dialog.getByRole('button', { name: 'Отправить бухгалтеру' }).click();
  await page.getByText('Отправлено на books@example.kz').first().waitFor();
});

test('the act of a month that is over is there, and that of the current one later', async () => {
  const { page } = await openCard();
  await page.getByText('Акт появится в первый день следующего месяца.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Акт за месяц' }).count(), 0);
  const past = monthOf(new Date(Date.now() - 35 * 24 * 3_600_000));
  await page.getByLabel('Месяц').selectOption(past);
  await page.getByRole('button', { name: 'Акт за месяц' }).click();
  const { bytes } = await download(page, () =>
    page.getByRole('link', { name: 'PDF на русском' }).click(),
  );
  assert.match(await readPdf(bytes), /Акт выполненных работ \(оказанных услуг\) № \d{6}/);
});

for (const lang of ['ru', 'kk', 'en']) {
  for (const [look, options] of Object.entries(LOOKS)) {
    test(`the card is accessible and fits, ${look}, in ${lang}`, async () => {
      const { page } = await openCard({ ...options, lang, isAxeNeeded: true });
      await screenshot(page, `receipts-card-${lang}-${look.replaceAll(' ', '-')}`);
      assert.equal(await sidewaysScroll(page), 0);
      await assertAccessible(page, look);
    });
  }
}
