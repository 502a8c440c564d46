/** What tells people on every page that money has stopped their sends, or soon will. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGS } from '@zhiber/contract/languages.ts';
import type { Page } from 'playwright-core';
import type { CompanyId } from '../../../src/ids.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { topUp } from '../../../src/topups/top-up.ts';
import {
  assertAccessible,
  eventually,
  NARROW,
  sidewaysScroll,
  usePages,
  WIDE,
} from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { named } from './newcomer.ts';
import { openSignedIn } from './signed-in.ts';

const { open, running } = usePages();
const { openAs } = openSignedIn({ open, running });

const site = () => running().ctx.urls.publicUrl;
const sql = <Row>(text: string, values: unknown[] = []) =>
  running().ctx.db.query<Row>(text, values);
const bar = (page: Page) => page.getByRole('status').filter({ hasText: /баланс/i });
const barText = (page: Page) => () => bar(page).first().textContent();
const isGone = (page: Page) => async () => String(await bar(page).count());

const openCompany = async () => {
  const opened = await openAs('owner', '/app', { isAxeNeeded: true });
  return { ...opened, id: opened.companyId };
};

const correct = (id: CompanyId, amount: number) =>
  sql(`select post_entry($1, 'correction', $2, new_id())`, [id, amount]);
const setRole = (id: CompanyId, role: string) =>
  sql('update member set role = $2 where company_id = $1', [id, role]);

async function send(key: string, phone: string): Promise<number> {
  const answer = await fetch(`${site()}/api/otp/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone, channel: 'whatsapp' }),
  });
  return answer.status;
}

async function assertUsable(page: Page, label: string): Promise<void> {
  await untilLoaded(page);
  await assertAccessible(page, `${label} light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, `${label} dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await assertFits(page, label);
}

async function assertFits(page: Page, label: string): Promise<void> {
  await page.setViewportSize(NARROW.viewport);
  assert.equal(await sidewaysScroll(page), 0, `${label} at 320`);
  await page.setViewportSize(WIDE.viewport);
}

test('refused sends are on every page until a top-up, and then are gone within seconds', async () => {
  const { page, id } = await openCompany();
  const { link, heading } = named(page);
  assert.equal(await bar(page).count(), 0);
  const { key } = await createKey(running().ctx.db, { companyId: id, name: 'Сайт', isTest: false });
  await correct(id, -48);
  for (const n of [1, 2, 3]) assert.equal(await send(key, `+7701777010${n}`), 402);

  await page.goto(`${site()}/app/keys`);
  await eventually(
    barText(page),
    /Отправки остановлены: на балансе 2\s₸, сообщение стоит от 3\s₸\. С .* отклонены 3 отправки\./,
  );
  await assertUsable(page, 'bar-stopped');
  assert.equal(await link('Пополнить').getAttribute('href'), '/app/balance/topup');
  await link('Команда').click();
  await heading('Команда').waitFor();
  await eventually(barText(page), /Отправки остановлены/);

  await topUp(running().ctx, { companyId: id, amount: 1_000 });
  await eventually(isGone(page), /^0$/, 20_000);
  await eventually(() => page.locator('header').first().textContent(), /2\s002\s₸/);
});

test('who cannot top up learns whom to ask', async () => {
  const { page, id } = await openCompany();
  const { key } = await createKey(running().ctx.db, { companyId: id, name: 'Сайт', isTest: false });
  await correct(id, -49);
  assert.equal(await send(key, '+77017770201'), 402);
  await setRole(id, 'developer');
  await sql(
    `insert into person (id, name, phone) values ('p-asel', 'Асель Омарова', '77017770299')`,
  );
  await sql(
    `insert into member (company_id, person_id, role) values ($1, 'p-asel', 'accountant')`,
    [id],
  );
  await page.goto(`${site()}/app/messages`);
  await eventually(barText(page), /Отправки остановлены.*Пополнить баланс могут: Асель Омарова\./);
  assert.equal(await named(page).link('Пополнить').count(), 0);
  await assertUsable(page, 'bar-ask');
});

test('a debt is said in words, and a low balance quietly, in every language', async () => {
  const { page, id } = await openCompany();
  const words = {
    ru: [/у компании долг 500\s₸/, /На балансе осталось 50\s₸/],
    kk: [/компанияның 500\s₸ қарызы бар/, /Баланста 50\s₸ қалды/],
    en: [/the company owes 500\s₸/, /50\s₸ left on the balance/],
  } as const;
  await sql('insert into balance_alert (company_id, threshold) values ($1, 100)', [id]);
  for (const lang of LANGS) {
    await sql('update person set language = $1', [lang]);
    for (const [debt, pattern] of [
      [500, words[lang][0]],
      [0, words[lang][1]],
    ] as const) {
      await sql('update account set debt = $2 where company_id = $1', [id, debt]);
      await page.goto(`${site()}/app/company`);
      await untilLoaded(page);
      await eventually(() => page.getByRole('status').first().textContent(), pattern);
      const label = `bar ${debt === 0 ? 'low' : 'owed'} ${lang}`;
      // Colours and markup are the same in every language; the words have to fit in each.
      await (lang === 'ru' ? assertUsable(page, label) : assertFits(page, label));
    }
  }
});

test('an accountant gets to the pages about money, and sees no others', async () => {
  const { page, id } = await openCompany();
  // What the page of an owner asks for meanwhile is refused.
  await page.goto('about:blank');
  await setRole(id, 'accountant');
  await page.goto(`${site()}/app`);
  await untilLoaded(page);
  await eventually(async () => new URL(page.url()).pathname, /^\/app\/(balance|company)$/);
  const names = await page.getByRole('navigation').getByRole('listitem').allTextContents();
  assert(names.length > 0);
  for (const name of names) assert.match(name, /^(Баланс|Компания)/);
});

test('a cap is set with a key, and its page says what is spent of it', async () => {
  const { page, id } = await openCompany();
  const { button, field, link, heading } = named(page);
  await page.goto(`${site()}/app/keys`);
  await button('Создать ключ').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Дополнительно').click();
  assert.equal(await dialog.getByLabel(/Лимит в/).count(), 0, 'a test key has no cap');
  await field('Название').fill('Доставка');
  await dialog.getByRole('radio', { name: /Боевой/ }).click();
  await dialog.getByLabel(/Лимит в месяц/).fill('7');
  await dialog.getByRole('button', { name: 'Создать ключ' }).click();
  await dialog.getByText('Ключ создан').waitFor();
  const [row] = await sql<{ monthly_cap: number; id: number }>(
    `select id, monthly_cap from api_key where company_id = $1 and name = 'Доставка'`,
    [id],
  );
  assert.equal(row?.monthly_cap, 7);

  await sql(
    'insert into key_spend (company_id, key_id, month, spent) values ($1, $2, almaty_month(clock_timestamp()), 6)',
    [id, row.id],
  );
  await page.goto(`${site()}/app/keys/${row.id}`);
  await heading('Доставка').waitFor();
  await page.getByText(/В этом месяце потрачено 6\s₸ из 7\s₸\. Лимит исчерпан/).waitFor();
  await assertUsable(page, 'key-cap');
  await page.getByLabel(/Лимит в месяц/).fill('50');
  await button('Сохранить').click();
  await page.getByText(/В этом месяце потрачено 6\s₸ из 50\s₸\.\s*$/).waitFor();
  await page.goto(`${site()}/app/audit`);
  await eventually(() => page.locator('main').textContent(), /месячный лимит, ₸: .*7.*50/s);
  await sql('delete from key_spend where key_id = $1', [row.id]);
  assert.equal(await link('Пополнить').count(), 0);
});
