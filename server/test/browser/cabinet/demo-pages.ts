import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../open-pages.ts';

/** Every page of the cabinet; of what has an id, the first one that the demo company has. */
export const CABINET_PAGES = [
  'overview',
  'messages',
  'message',
  'broadcasts',
  'broadcast',
  'recipient-lists',
  'unsubscribed',
  'webhooks',
  'webhook',
  'requests',
  'links',
  'link',
  'groups',
  'keys',
  'key',
  'playground',
  'balance',
  'topup',
  'team',
  'audit',
  'company',
  'profile',
  'new-company',
  'start',
] as const;
export type CabinetPage = (typeof CABINET_PAGES)[number];

export const OPEN_PAGES = {
  login: '/login',
  signup: '/signup',
  'signup-email': '/signup?way=email',
} as const;

/** The list that the page of one thing is found through, and where its id stands. */
const FOUND_IN: Partial<
  Record<CabinetPage, { list: string; query?: string; rows: string; id: string }>
> = {
  message: { list: '/messages', rows: 'rows', id: 'id' },
  broadcast: { list: '/broadcasts', rows: 'rows', id: 'id' },
  // One that many people have opened, so that the page has its charts.
  link: { list: '/links', query: '?source=shorten', rows: 'rows', id: 'slug' },
  key: { list: '/keys', rows: 'keys', id: 'id' },
  webhook: { list: '/webhooks', rows: 'webhooks', id: 'id' },
};

/** The pages whose address is not their name. */
const ADDRESSES: Partial<Record<CabinetPage, string>> = {
  overview: '/app',
  'recipient-lists': '/app/broadcasts/lists',
  unsubscribed: '/app/broadcasts/unsubscribed',
  topup: '/app/balance/topup',
};

/** Signs this page's browser in as the owner of the demo company. */
export async function enterDemo(page: Page): Promise<void> {
  const answer = await page.request.post(new URL('/cabinet/demo', page.url()).href, {
    headers: { 'x-zhiber-cabinet': '1' },
  });
  if (!answer.ok()) throw new Error(`the demo company cannot be entered: ${await answer.text()}`);
}

/** The address of a page of the cabinet. */
export async function addressOf(page: Page, name: CabinetPage): Promise<string> {
  const found = FOUND_IN[name];
  if (found === undefined) return ADDRESSES[name] ?? `/app/${name}`;
  const answer = await page.request.get(
    new URL(`/cabinet${found.list}${found.query ?? ''}`, page.url()).href,
  );
  const body = (await answer.json()) as Record<string, Record<string, unknown>[]>;
  const id = body[found.rows]?.[0]?.[found.id];
  assert(id !== undefined, `no ${name} was found: ${answer.status()} ${JSON.stringify(body)}`);
  return `/app${found.list}/${id}`;
}

/** The phone of the newest message of the demo company that the query finds. */
export async function phoneOfDemo(page: Page, query: string): Promise<string> {
  const answer = await page.request.get(new URL(`/cabinet/messages?${query}`, page.url()).href);
  const { rows } = (await answer.json()) as { rows?: { phone: string }[] };
  const phone = rows?.[0]?.phone.replaceAll(/[^+\d]/g, '');
  assert(phone !== undefined, `no message was found by ${query}: ${answer.status()}`);
  return phone;
}

/** Waits until a page has everything it shows. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const waiting = page.locator('[aria-busy="true"], .appear-late');
  await eventually(async () => String(await waiting.count()), /^0$/);
}

/** The client's router as far as tests use it. It puts itself onto the window. */
interface RouterWindow {
  __TSR_ROUTER__: {
    history: { push(address: string): void };
    subscribe(
      event: 'onRendered',
      listener: (event: { toLocation: { pathname: string } }) => void,
    ): () => void;
  };
}

/**
 * Goes to another page of the same application, as its links do: nothing is loaded again. The page
 * that is left stays while the code of the new one is loading, so the router says when it is drawn.
 */
export async function goWithin(page: Page, address: string): Promise<void> {
  if (new URL(page.url()).pathname === address) return;
  await page.evaluate(
    (next) =>
      new Promise<void>((resolve) => {
        const { __TSR_ROUTER__: router } = globalThis as unknown as RouterWindow;
        const unsubscribe = router.subscribe('onRendered', ({ toLocation }) => {
          if (toLocation.pathname !== next) return;
          unsubscribe();
          resolve();
        });
        router.history.push(next);
      }),
    address,
  );
  await untilLoaded(page);
}
