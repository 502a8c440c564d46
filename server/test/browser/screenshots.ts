/**
 * `npm run screenshots`: pictures of every page in light, dark and on a phone, into the folder
 * `screenshots`, which is not part of the repository. Pages of the cabinet and of the desk are taken
 * in three states: `full` of data, `empty` as a new company has them, and with an `error` of the
 * server. `--lang=kk` chooses the language, `--only=key` the pages whose name holds the word.
 */
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import type { CompanyId } from '../../src/ids.ts';
import { createLazy } from '../../src/runtime/cache.ts';
import { useDesk } from './admin/desk-pages.ts';
import { type DeskWorld, deskPages, fillDesk } from './admin/desk-world.ts';
import {
  addressOf,
  CABINET_PAGES,
  type CabinetPage,
  enterDemo,
  OPEN_PAGES,
  untilLoaded,
} from './cabinet/demo-pages.ts';
import { openSignedIn } from './cabinet/signed-in.ts';
import { type Look, screenshot } from './open-pages.ts';

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  mobile: { colorScheme: 'light', viewport: { width: 360, height: 780 }, hasTouch: true },
} as const satisfies Record<string, Look>;

const PUBLIC_PAGES = {
  home: '/',
  try: '/try',
  docs: '/docs',
  'docs-guide': '/docs/codes',
  'docs-reference': '/docs/api',
  'docs-errors': '/docs/errors',
  'docs-error': '/docs/errors/insufficient_tokens',
  pricing: '/pricing',
  status: '/status',
  changelog: '/changelog',
  'not-found': '/nothing-here',
  'desk-login': '/admin/login',
  ...OPEN_PAGES,
} as const;

/** What a desk without any data has. */
const NOTHING: DeskWorld = {
  companyId: 999_999 as CompanyId,
  paymentId: '00000000-0000-7000-8000-000000000000',
  incidentId: 999_999,
};

/** What a company without any data sees of a thing that it does not have. */
const MISSING: Partial<Record<CabinetPage, string>> = {
  message: '/app/messages/00000000-0000-7000-8000-000000000000',
  broadcast: '/app/broadcasts/00000000-0000-7000-8000-000000000000',
  link: '/app/links/nothing',
  key: '/app/keys/999999',
  webhook: '/app/webhooks/999999',
};

const OUTAGE = {
  status: 503,
  contentType: 'application/json',
  headers: { 'retry-after': '5' },
  body: JSON.stringify({
    success: false,
    error_code: 'service_unavailable',
    message: 'Сервис временно недоступен',
    request_id: 'req_00000000000000000000000000',
    retry_after: 5,
  }),
};

const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1];
const language = option('lang') ?? 'ru';

const { open, running, desk, operator, openDesk } = useDesk();
const { openAs } = openSignedIn({ open, running });

const filledDesk = createLazy(async () =>
  fillDesk(running(), desk(), [await operator(0), await operator(1)]),
);

for (const [look, settings] of Object.entries(LOOKS)) {
  const profile = profileOf(settings);
  const picture = (page: Page, { address, name }: { address: string; name: string }) =>
    takePicture(page, { address, name: `${name}-${look}` });

  test(`public pages, ${look}`, async () => {
    const { page, expectStatus } = await open('/login', profile);
    expectStatus(401, 404);
    for (const [name, address] of Object.entries(PUBLIC_PAGES)) {
      await picture(page, { address, name });
    }
  });

  test(`the cabinet of the demo company, ${look}`, async () => {
    const { page, expectStatus } = await open('/login', profile);
    expectStatus(401, 503);
    await enterDemo(page);
    const addresses: [string, string][] = [];
    for (const name of CABINET_PAGES) addresses.push([name, await addressOf(page, name)]);
    for (const [name, address] of addresses) await picture(page, { address, name: `${name}-full` });
    await page.route('**/cabinet/**', breakAllButSession);
    for (const [name, address] of addresses) {
      await picture(page, { address, name: `${name}-error` });
    }
  });

  test(`the cabinet of a new company, ${look}`, async () => {
    const { page, expectStatus } = await openAs('owner', '/app', profile);
    expectStatus(404);
    for (const name of CABINET_PAGES) {
      const address = MISSING[name] ?? (await addressOf(page, name));
      await picture(page, { address, name: `${name}-empty` });
    }
  });
}

// The desk of a new installation comes first: all pictures are of one database.
for (const state of ['empty', 'full'] as const) {
  for (const [look, settings] of Object.entries(LOOKS)) {
    test(`the desk, ${state}, ${look}`, async () => {
      const world = state === 'empty' ? NOTHING : await filledDesk();
      const { page, expectStatus } = await openDesk('', profileOf(settings));
      expectStatus(404, 503);
      const takeAll = async (name: string) => {
        for (const [section, path] of Object.entries(deskPages(world))) {
          const address = `/admin/${path}`;
          await takePicture(page, { address, name: `desk-${section}-${name}-${look}` });
        }
      };
      await takeAll(state);
      if (state === 'empty') return;
      await page.route('**/admin/api/**', breakAllButSession);
      await takeAll('error');
    });
  }
}

function profileOf(settings: Look): Look {
  return { ...settings, locale: `${language}-KZ`, reducedMotion: 'reduce' };
}

async function takePicture(
  page: Page,
  { address, name }: { address: string; name: string },
): Promise<void> {
  if (!name.includes(option('only') ?? '')) return;
  await page.goto(running().ctx.urls.publicUrl + address);
  await untilLoaded(page);
  await screenshot(page, name);
}

async function breakAllButSession(route: Route): Promise<void> {
  const isSession = new URL(route.request().url()).pathname.endsWith('/session');
  await (isSession ? route.continue() : route.fulfill(OUTAGE));
}
