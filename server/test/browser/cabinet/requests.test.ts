/** The calls of a company in a browser: what was asked and answered, and the same call again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePages } from '../open-pages.ts';
import { onTry } from '../try-page.ts';
import { enterDemo } from './demo-pages.ts';

const { open, running } = usePages();

test('a call is found by its phone, shows its bodies, and opens in the playground as it was', async () => {
  const { page, expectStatus } = await open('/login');
  expectStatus(401);
  await enterDemo(page);
  const { ctx } = running();
  const site = ctx.urls.publicUrl;
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${ctx.demo?.keys.test}` };
    const answer = await page.request.post(`${site}/api${path}`, { headers, data: body });
    return (await answer.json()) as Record<string, unknown>;
  };
  const phone = '+77015550977';
  await call('/otp/send', { phone, purpose: 'order', channel: 'sms' });

  await page.goto(`${site}/app/requests`);
  await page.getByRole('searchbox').fill('8 701 555-09-77');
  await page.keyboard.press('Enter');
  await page
    .getByRole('link', { name: /\+7 701 •••-09-77|\d\d:\d\d:\d\d/ })
    .first()
    .click();
  const panel = page.getByRole('dialog', { name: 'Запрос' });
  await panel.getByText('Восстановлено по данным сообщения').waitFor();
  assert.match(
    (await panel.locator('pre').first().textContent()) ?? '',
    /"phone": "\+77015550977"/,
  );
  await panel.getByText('Python', { exact: true }).click();
  assert.match((await panel.locator('pre').last().textContent()) ?? '', /"purpose": "order"/);

  await panel.getByRole('link', { name: 'Повторить в «Проверке отправки»' }).click();
  const view = onTry(page);
  await view.phone.waitFor();
  assert.equal(await view.phone.inputValue(), phone);
  assert.equal(await view.radio('SMS').isChecked(), true);

  // What arrives while the page is open waits for the click; a wrong code is no error.
  await page.goto(`${site}/app/requests?search=${encodeURIComponent(phone)}`);
  await page.locator('tbody tr').nth(0).waitFor();
  await call('/otp/verify', { phone, code: '00', purpose: 'order' });
  await page.getByRole('button', { name: 'Показать 1 новое' }).click();
  const wrongCodes = page.locator('tbody').getByText('invalid_code', { exact: true });
  await wrongCodes.filter({ visible: true }).first().waitFor();
  await page.goto(`${site}/app/requests?search=${encodeURIComponent(phone)}&outcome=refused`);
  await page.getByText('Нет вызовов за период').waitFor();
});
