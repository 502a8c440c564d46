/** The limits of a key as people set and see them, and the signature that a company gives its keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { CompanyId } from '../../../src/ids.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { assertAccessible, eventually, NARROW, sidewaysScroll, usePages } from '../open-pages.ts';
import { untilLoaded } from './demo-pages.ts';
import { named } from './newcomer.ts';
import { openSignedIn } from './signed-in.ts';

const { open, running } = usePages();
const { openAs } = openSignedIn({ open, running });

const site = () => running().ctx.urls.publicUrl;
const sql = <Row>(text: string, values: unknown[] = []) =>
  running().ctx.db.query<Row>(text, values);
const mainText = (page: Page) => () => page.locator('main').textContent();

async function openKey(settings: Partial<Parameters<typeof createKey>[1]>) {
  const opened = await openAs('owner', '/app', { isAxeNeeded: true });
  const { companyId } = opened;
  const { keyId } = await createKey(running().ctx.db, {
    ...{ companyId, name: 'Сайт', isTest: false },
    ...settings,
  });
  await opened.page.goto(`${site()}/app/keys/${keyId}`);
  await opened.page.getByRole('heading', { name: 'Сайт' }).waitFor();
  return { ...opened, keyId };
}

async function assertUsable(page: Page, label: string): Promise<void> {
  await untilLoaded(page);
  await assertAccessible(page, `${label} light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, `${label} dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  const size = page.viewportSize();
  await page.setViewportSize(NARROW.viewport);
  assert.equal(await sidewaysScroll(page), 0, label);
  if (size !== null) await page.setViewportSize(size);
}

test('a key is made with a name and a type; an end, caps and a domain are folded', async () => {
  const { page, companyId } = await openAs('owner', '/app/keys', { isAxeNeeded: true });
  const { button, field } = named(page);
  await button('Создать ключ').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /Боевой/ }).click();
  const visible = await dialog.getByRole('textbox').count();
  assert.equal(visible, 1, 'only the name is asked for');
  assert.equal(await dialog.getByRole('combobox').count(), 0);
  await field('Название').fill('Касса');
  await dialog.getByText('Дополнительно').click();
  await dialog.getByLabel('Срок действия').selectOption('30');
  await dialog.getByText(/Ключ работает до \d+\s\S+(?: \d{4})?, 00:00 по времени Алматы/).waitFor();
  await dialog.getByLabel(/Лимит в день/).fill('500');
  await dialog.getByLabel(/Лимит в месяц/).fill('9000');
  await dialog.getByLabel(/Домен сайта/).fill('shop.kz');
  await dialog.getByText(/origin_required.*«Origin: https:\/\/shop\.kz»/).waitFor();
  await assertAccessible(page, 'new key');
  await dialog.getByRole('button', { name: 'Создать ключ' }).click();
  await dialog.getByText('Ключ создан').waitFor();
  const [row] = await sql<object>(
    `select daily_cap, monthly_cap, domain,
       expires_at = (almaty_day(clock_timestamp()) + 31)::timestamp at time zone interval '5 hours' as ends_then
     from api_key where company_id = $1 and name = 'Касса'`,
    [companyId],
  );
  const made = { daily_cap: 500, monthly_cap: 9_000, domain: 'shop.kz', ends_then: true };
  assert.deepEqual(row, made);
});

test('a key that ends soon says so and is extended by one press; one without an end says nothing', async () => {
  const end = new Date(Date.now() + 3 * 86_400_000);
  const { page, keyId } = await openKey({ expiresAt: end });
  await eventually(mainText(page), /Срок действия ключа истекает/);
  await assertUsable(page, 'key that ends');
  await named(page).button('Продлить на 90 дней').click();
  await page.getByText('Срок продлён').first().waitFor();
  await eventually(
    async () => String(await page.getByText('Срок действия ключа истекает').count()),
    /^0$/,
  );
  const [row] = await sql<{ days: number }>(
    'select almaty_day(expires_at) - almaty_day(clock_timestamp()) as days from api_key where id = $1',
    [keyId],
  );
  assert.equal(row?.days, 91, 'the ninetieth day is the last whole one');

  await sql(`update api_key set expires_at = clock_timestamp() - interval '1 hour' where id = $1`, [
    keyId,
  ]);
  await page.goto(`${site()}/app/keys`);
  await page.getByRole('row', { name: /Сайт/ }).getByText('Истёк').waitFor();
  await page.goto(`${site()}/app/keys/${keyId}`);
  await eventually(mainText(page), /Срок действия ключа истёк .*401 key_revoked/);
  await page.getByLabel('Срок действия').selectOption('never');
  await named(page).button('Сохранить').click();
  await eventually(
    async () => String(await page.getByText('Срок действия ключа истёк').count()),
    /^0$/,
  );
});

test('SMS in the first place: what that usually costs is said before it is saved', async () => {
  const { page } = await openKey({});
  const { button } = named(page);
  await eventually(mainText(page), /auto: WhatsApp.*Максимум 8\s₸/);
  assert.doesNotMatch((await mainText(page)()) ?? '', /Обычно/);
  await button('SMS: выше').click();
  await button('SMS: выше').click();
  await eventually(mainText(page), /Обычно 8\s₸ вместо 3\s₸: первым стоит SMS/);
  const changes = page.getByRole('region', { name: 'Изменения не сохранены' });
  await eventually(
    () => changes.textContent(),
    /WhatsApp → Telegram → SMS \(обычно 3\s₸\).*SMS → WhatsApp → Telegram \(обычно 8\s₸\)/,
  );
  await assertUsable(page, 'key with SMS first');
});

test('a key without a signature shows what recipients see', async () => {
  const { page } = await openKey({});
  await eventually(mainText(page), /Код 482913\. Никому его не сообщайте\..*Подписи нет/);
  await page.getByLabel(/Подпись/).fill('Лавка');
  await eventually(mainText(page), /Лавка: код 482913/);
  assert.equal(await page.getByText('Подписи нет').count(), 0);
  await named(page).button('Вернуть как было').click();
});

test('a new signature of the company is offered to its keys, and set by one press', async () => {
  const { page, companyId } = await openAs('owner', '/app', { isAxeNeeded: true });
  const make = (name: string, brand?: string) =>
    createKey(running().ctx.db, { companyId: companyId as CompanyId, name, isTest: true, brand });
  await make('Без подписи');
  await make('Своя', 'Доставка');
  await page.goto(`${site()}/app/company`);
  const { button } = named(page);
  await page.getByLabel(/Подпись в сообщениях/).fill('Лавка');
  await button('Сохранить').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Обновить подпись у 1 ключа?').waitFor();
  await eventually(() => dialog.textContent(), /Без подписи:.*без подписи.*Лавка/);
  assert.doesNotMatch((await dialog.textContent()) ?? '', /Доставка/);
  await assertAccessible(page, 'brand offer');
  await dialog.getByRole('button', { name: 'Обновить' }).click();
  await page.getByText('Подпись обновлена у 1 ключа').first().waitFor();
  const rows = await sql(
    `select name, brand from api_key where company_id = $1 and name in ('Без подписи', 'Своя') order by id`,
    [companyId],
  );
  assert.deepEqual(rows, [
    { name: 'Без подписи', brand: 'Лавка' },
    { name: 'Своя', brand: 'Доставка' },
  ]);
  await page.goto(`${site()}/app/audit`);
  await eventually(mainText(page), /Без подписи.*Лавка/s);
});
