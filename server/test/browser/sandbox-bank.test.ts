import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCompany } from '../../src/company/create-company.ts';
import { newId } from '../../src/ids.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import {
  assertAccessible,
  eventually,
  LOOKS,
  NARROW,
  screenshot,
  sidewaysScroll,
  usePages,
} from './open-pages.ts';

const { open, running } = usePages();

let orders = 0;
/** An order of the sandbox bank; returns its address there. */
async function order(amount = 5_000): Promise<{ reference: string; address: string }> {
  const { ctx } = running();
  const bank = ctx.payments.find(({ name }) => name === 'sandbox-bank');
  assert(bank !== undefined, 'the sandbox has no bank');
  orders += 1;
  const reference = `ZB-PAGE${String(orders).padStart(4, '0')}`;
  const created = await bank.create(
    { reference, amount, description: 'Пополнение баланса Zhiber', language: 'ru' },
    AbortSignal.timeout(5_000),
  );
  assert(created.result === 'created');
  const { companyId } = await createCompany(ctx, 'Тест');
  await insertOrder(ctx.db, {
    id: newId(Date.now()),
    company_id: companyId,
    reference,
    provider: bank.name,
    amount,
    payer_name: 'ТОО «Плательщик»',
    payer_business_id: null,
    provider_id: created.providerId,
    qr: created.qr ?? null,
    pay_url: created.payUrl ?? null,
    created_by: null,
    expires_at: created.expiresAt as Date,
    next_check_at: new Date(Date.now() + 1_000),
  });
  return { reference, address: new URL(created.payUrl ?? '').pathname };
}

const stateOf = async (reference: string) => {
  const rows = await running().ctx.db.query<{ state: string }>(
    'select state::text from payment_order where reference = $1',
    [reference],
  );
  return rows[0]?.state ?? '';
};

for (const [name, look] of Object.entries(LOOKS)) {
  test(`the bank breaks no rule of accessibility in any state and language, ${name}`, async () => {
    const { address } = await order(1_250_000);
    const { page, expectStatus } = await open(address, { ...look, isAxeNeeded: true });
    expectStatus(422);
    const check = async (label: string) => {
      await assertAccessible(page, label);
      assert.equal(await sidewaysScroll(page), 0, label);
      await screenshot(page, `bank-${name.replaceAll(' ', '-')}-${label}`);
    };
    for (const lang of ['en', 'kk', 'ru']) {
      await page.goto(`${running().ctx.urls.publicUrl}${address}?lang=${lang}`);
      await check(`waiting-${lang}`);
    }
    await page.getByLabel('Другая сумма').fill('сто');
    await page.getByRole('button', { name: 'Оплатить эту сумму' }).click();
    await page.locator('#wrong-amount').waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'amount');
    await check('wrong');
    await page.getByRole('button', { name: 'Оплатить дважды' }).click();
    await page.getByText('Оплачено').waitFor();
    await page.getByRole('button', { name: 'Вернуть деньги' }).first().click();
    await page.getByText('Возвращено').waitFor();
    await check('paid');
  });
}

test('a payment in the app of the bank reaches the order by a notice, in the language of the page', async () => {
  const { reference, address } = await order();
  const { page } = await open(`${address}?lang=en`, NARROW);
  assert.match((await page.textContent('dl')) ?? '', new RegExp(reference));
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('The service has been notified').waitFor();
  assert.equal(await stateOf(reference), 'paid');
});

test('an order cancelled in the app of the bank ends here', async () => {
  const { reference, address } = await order();
  const { page } = await open(address);
  await page.getByRole('button', { name: 'Отменить платёж' }).click();
  await page.getByText('Отменено').waitFor();
  await screenshot(page, 'bank-cancelled');
  await eventually(() => stateOf(reference), /^cancelled$/);
});
