/** The desk of those who run the service: channels, incidents, abuse, jobs, figures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { suspendCompany } from '../../../src/company/suspend-company.ts';
import type { CompanyId } from '../../../src/ids.ts';
import { countFigures } from '../../../src/operators/count-figures.ts';
import { createOperator } from '../../../src/operators/manage-operators.ts';
import { createLazy } from '../../../src/runtime/cache.ts';
import { createAuthenticator } from '../../cabinet/authenticator.ts';
import { IS_FULL } from '../../is-full.ts';
import { untilLoaded } from '../cabinet/demo-pages.ts';
import {
  assertAccessible,
  eventually,
  NARROW,
  type Opened,
  screenshot,
  sidewaysScroll,
  usePages,
  WIDE,
} from '../open-pages.ts';

const { open, running } = usePages();
const PASSWORD = 'верный конь у юрты 5';
const SECTIONS = ['channels', 'incidents', 'abuse', 'jobs', 'figures'] as const;

const site = () => running().ctx.urls.publicUrl;
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });

/** A signed-in operator, who has just proved who they are. */
async function enter(look: object = {}): Promise<Opened> {
  await prepare();
  const email = `op${Math.random().toString(36).slice(2)}@zhiber.kz`;
  const created = await createOperator(running().ctx, {}, { email, name: 'Айгуль' });
  assert(created.outcome === 'welcomed');
  const opened = await open(`/admin/welcome#${created.token}`, {
    viewport: WIDE.viewport,
    ...look,
  });
  const { page, expectStatus } = opened;
  expectStatus(401, 403);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.locator('form button[type=submit]').click();
  const answer = page.waitForResponse((response) =>
    response.url().endsWith('/admin/api/second-factor'),
  );
  await page.locator('button:has(.lucide-smartphone)').click();
  const { uri } = (await (await answer).json()) as { uri: string };
  await page.getByRole('main').getByRole('textbox').fill(createAuthenticator(uri).code());
  await page.locator('form button[type=submit]').click();
  await page.getByRole('main').getByRole('listitem').first().waitFor();
  return opened;
}

async function go(page: Page, section: string): Promise<void> {
  await page.goto(`${site()}/admin/${section}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await untilLoaded(page);
}

/** A suspected stream, closed things, an incident with a long name, and counted figures. */
const prepare = createLazy(async () => {
  const { ctx } = running();
  const companyId = ctx.demo?.companyId as CompanyId;
  await ctx.db.query(
    `insert into guard_decision (minute, company_id, prefix, sent, verified, bound, action, sends, probes)
     values (date_trunc('minute', clock_timestamp()), $1, '7701', 64, 1, 0.083, 'blocked', 12, 2)`,
    [companyId],
  );
  await ctx.db.query(
    `insert into person (id, name, email, blocked_at, blocked_because)
     values ('blocked-1', 'Серик Ахметов', 'serik@example.kz', clock_timestamp(), 'Массовая регистрация компаний')`,
  );
  const [company] = await ctx.db.query<{ id: CompanyId }>(
    `insert into company (name) values ('ТОО «Очень длинное название компании, которую приостановили»')
     returning id`,
  );
  await suspendCompany(ctx, { companyId: company?.id as CompanyId, reason: 'Жалобы на спам' });
  await ctx.db.query(
    `insert into payment_notice (id, provider, received_at, body, reference, content, tries)
     values (new_id(), 'freedom-pay', clock_timestamp(), '', 'ZHB-1', '{}', 20)`,
  );
  await countFigures(ctx, new AbortController().signal);
  // Days that are final, so that no count replaces them.
  await ctx.db.query(
    `insert into figure_day (day, item, provider, prefix, sends, delivered, failed, charged, carried)
     select current_date - n, item, provider, prefix, sends * n, sends * n * 9 / 10, n, sends * n * price, sends * n
     from generate_series(6, 25) n, (values ('sms', 'smsc', '7701', 40, 8), ('sms', 'smsc', '7777', 25, 8),
       ('whatsapp', 'green-api', '7701', 30, 3), ('telegram', 'telegram-gateway', '99890', 2, 3))
       as f(item, provider, prefix, sends, price)`,
  );
  await ctx.db.query(
    `insert into code_day (day, prefix, sent, verified) select current_date - n, '7701', 60 * n, 51 * n
     from generate_series(6, 25) n`,
  );
  // Another node, which stays in sight of the tests.
  const smsc = { name: 'smsc', circuit: 'open', inFlight: 3, isLinked: null, answerMsP99: 812 };
  const smpp = { name: 'smpp', circuit: 'closed', inFlight: 0, isLinked: true, answerMsP99: 96 };
  await ctx.db.query(
    `insert into node_state (node, version, started_at, seen_at, providers)
     values ('zhiber-web-2 17', '0.9.0', clock_timestamp(), clock_timestamp() + interval '1 hour', $1)`,
    [JSON.stringify([smsc, smpp])],
  );
  await ctx.db.query(
    `insert into provider_minute (minute, provider, accepted, refused, unavailable, unknown, skipped)
     values (date_trunc('minute', clock_timestamp()), 'smsc', 1204, 12, 31, 2, 44),
       (date_trunc('minute', clock_timestamp()), 'smpp', 8310, 4, 0, 1, 0)`,
  );
});

test('an incident is drafted, published, updated and resolved', async () => {
  const { page } = await enter();
  await go(page, 'incidents');
  await button(page, 'Новый инцидент').click();
  await page.getByLabel('Заголовок по-русски').fill('SMS доходят с задержкой');
  await page.getByLabel(/^Заголовок по-английски/).fill('SMS are late');
  await page.getByLabel('SMS', { exact: true }).check();
  await page.getByLabel('Текст по-русски').fill('Оператор связи сообщил о сбое.');
  await button(page, 'Сохранить черновик').click();
  await page.getByRole('heading', { name: 'SMS доходят с задержкой', level: 1 }).waitFor();
  await page.getByText('Черновик', { exact: true }).waitFor();
  await button(page, 'Опубликовать').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Опубликовать' }).click();
  await page.getByText('Опубликован', { exact: true }).waitFor();
  assert.equal(await button(page, 'Удалить черновик').count(), 0);
  await page.getByLabel('Состояние').selectOption('resolved');
  await page.getByLabel('Текст по-русски').fill('Сообщения снова доходят сразу.');
  await button(page, 'Добавить сообщение').click();
  const said = page.getByRole('main').locator('ol > li');
  await eventually(async () => String(await said.count()), /^2$/);
  assert.match((await said.first().textContent()) ?? '', /Решено.*Сообщения снова доходят сразу/);
  await page.getByLabel('Текст по-русски').waitFor();
  assert.equal(
    await page.getByLabel('Текст по-русски').inputValue(),
    '',
    'the form is empty again',
  );
  await screenshot(page, 'admin-incident-light');
});

test('a stream is allowed, a person unblocked, a site barred and allowed', async () => {
  const { page, expectStatus } = await enter();
  expectStatus(422);
  await go(page, 'abuse');
  await page.getByRole('button', { name: /^Пропускать .*\+7701$/ }).click();
  await page.getByLabel('Причина').fill('Клиент показал свою рассылку');
  await page.getByRole('dialog').getByRole('button', { name: 'Пропускать' }).click();
  const pardons = page.getByRole('table', { name: 'Пропускаем сейчас' });
  await pardons.getByText('Клиент показал свою рассылку').waitFor();
  await button(page, 'Больше не пропускать').click();
  await pardons.waitFor({ state: 'detached' });

  await button(page, 'Запретить сайт').click();
  await page.getByLabel('Сайт', { exact: true }).fill('не сайт/вовсе');
  await page.getByLabel('Причина').fill('Поддельный банк');
  const bar = page.getByRole('dialog').getByRole('button', { name: 'Запретить сайт' });
  await bar.click();
  await page.getByRole('dialog').getByText('Это не имя сайта').first().waitFor();
  await page.getByLabel('Сайт', { exact: true }).fill('evil.kz');
  await bar.click();
  await button(page, 'Разрешить evil.kz').click();
  await page.getByLabel('Причина').fill('Ошиблись');
  await page.getByRole('dialog').getByRole('button', { name: 'Разрешить' }).click();
  await page.getByText('Запрещённых сайтов нет').waitFor();

  await button(page, 'Разблокировать: Серик Ахметов').click();
  await page.getByLabel('Причина').fill('Другой человек');
  await page.getByRole('dialog').getByRole('button', { name: 'Разблокировать' }).click();
  await page.getByText('Никто не заблокирован').waitFor();
  await go(page, 'audit');
  await page.getByRole('cell', { name: /Человек разблокирован/ }).waitFor();
});

test('a job is run now, given-up work is tried again, and a cost shows the margin', async () => {
  const { page } = await enter();
  await go(page, 'jobs');
  await button(page, 'Запустить сейчас: Подсчёт цифр').click();
  const runs = page.getByRole('table', { name: 'Последние запуски: Подсчёт цифр' });
  await runs.getByText('Готово').first().waitFor();
  await button(page, 'Попробовать снова: Уведомления банков').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Попробовать снова' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await go(page, 'figures');
  const margins = page.getByRole('table', { name: 'По провайдерам' });
  const ofSmsc = margins.getByRole('row', { name: /^smsc/ });
  assert.match((await ofSmsc.textContent()) ?? '', /неизвестно/);
  await button(page, 'Указать стоимость').click();
  await page.getByLabel('Провайдер').selectOption('smsc');
  await page.getByLabel('С какого дня').fill('2026-01-01');
  await page.getByLabel('Стоимость, ₸').fill('пять');
  const set = page.getByRole('dialog').getByRole('button', { name: 'Указать стоимость' });
  await set.click();
  await page.getByText('Напишите сумму в тенге').waitFor();
  await page.getByLabel('Стоимость, ₸').fill('5,5');
  await set.click();
  const costs = page.getByRole('table', { name: 'Стоимость у провайдеров' });
  await costs.getByRole('cell', { name: '5,50 ₸' }).waitFor();
  // 310 days' worth of 65 SMS at 8 ₸, less 5.50 ₸ for each.
  await eventually(async () => await ofSmsc.textContent(), /110\s825,00\s₸.*50\s375,00\s₸/);
});

// Markup and colours are the same in every language, and English words are the shortest.
for (const lang of IS_FULL ? (['ru', 'kk', 'en'] as const) : (['ru', 'kk'] as const)) {
  test(`everybody can use these sections, in ${lang}`, async () => {
    const isAxeNeeded = lang === 'ru';
    const look = { locale: `${lang}-KZ`, isAxeNeeded, reducedMotion: 'reduce' as const };
    const { page } = await enter(look);
    for (const section of SECTIONS) {
      await go(page, section);
      const label = `${section} ${lang}`;
      assert.equal(await page.locator('html').getAttribute('lang'), lang, label);
      if (isAxeNeeded) {
        await assertAccessible(page, `${label} light`);
        await page.setViewportSize({ width: 1440, height: 900 });
        await screenshot(page, `admin-${section}-light`);
        await page.emulateMedia({ colorScheme: 'dark' });
        await assertAccessible(page, `${label} dark`, ['color-contrast']);
        await page.setViewportSize({ width: 390, height: 844 });
        await screenshot(page, `admin-${section}-narrow`);
        await page.emulateMedia({ colorScheme: 'light' });
      }
      await page.setViewportSize(NARROW.viewport);
      assert.equal(await sidewaysScroll(page), 0, `${label} at 320`);
      await page.setViewportSize(WIDE.viewport);
    }
  });
}
