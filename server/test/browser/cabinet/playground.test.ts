/** What the playground of the cabinet has beyond `/try`: keys of the company, consent, history. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePages } from '../open-pages.ts';
import { onTry } from '../try-page.ts';
import { enterDemo } from './demo-pages.ts';

const { open, running } = usePages();

test('a live key is chosen by its address, asks once, and what was sent can be sent again', async () => {
  const { page, expectStatus } = await open('/login');
  expectStatus(401);
  await enterDemo(page);
  const site = running().ctx.urls.publicUrl;
  const list = await page.request.get(`${site}/cabinet/keys`);
  const { keys } = (await list.json()) as { keys: { id: number; mode: string; state: string }[] };
  const live = keys.find(({ mode, state }) => mode === 'live' && state === 'active');

  await page.goto(`${site}/app/playground?key_id=${live?.id}`);
  const view = onTry(page);
  await view.phone.fill('+77015550911');
  await view.radio('SMS').check();
  assert.match((await view.price.textContent()) ?? '', /^Стоимость 8\s₸$/);
  await view.send();
  const consent = page.getByRole('dialog', { name: 'Отправить настоящее сообщение?' });
  await consent.getByRole('button', { name: 'Отправить', exact: true }).click();
  await view.answered(/^200 /);
  assert.equal((await view.answer()).cost, 8);
  await view.storySummary(/SMS 8\s₸/);

  // The second live send is not asked about, and the first can be put back into the form.
  await view.phone.fill('+77015550912');
  await view.send();
  await page.getByRole('button', { name: 'Заполнить форму' }).nth(1).click();
  assert.equal(await view.phone.inputValue(), '+77015550911');
});
