/** Pages of the desk for operators whose session began through the API, not through the sign-in page. */
import type { Page } from 'playwright-core';
import { type OperatorWithApp, openDeskOf } from '../../admin/admin-client.ts';
import { goWithin, untilLoaded } from '../cabinet/demo-pages.ts';
import { eventually, type Look, type Opened, usePages } from '../open-pages.ts';

export function useDesk() {
  const { open, running } = usePages();
  let client: ReturnType<typeof openDeskOf> | undefined;
  const operators: Promise<OperatorWithApp>[] = [];

  /** Calls of the desk, in the way of its pages. */
  const desk = () => {
    client ??= openDeskOf(running());
    return client;
  };
  /** The first operator of the file, or another one. Each has just proved who they are. */
  const operator = (place = 0): Promise<OperatorWithApp> => {
    operators[place] ??= desk().operator();
    return operators[place];
  };

  /** Opens `/admin/…` in the browser of an operator who has signed in. */
  const openDesk = async (
    path: string,
    { as: who = 0, ...look }: Look & { as?: number } = {},
  ): Promise<Opened> => {
    const { cookie } = await operator(who);
    const opened = await open(`/admin/${path}`, { ...look, storageState: sessionOf(cookie) });
    await untilLoaded(opened.page);
    return opened;
  };
  const sessionOf = (cookie: string) => {
    const [name, value] = cookie.split('=') as [string, string];
    const { hostname, protocol } = new URL(running().ctx.urls.publicUrl);
    const secure = protocol === 'https:';
    const scope = { domain: hostname, path: '/', expires: -1, httpOnly: true, secure };
    return { cookies: [{ name, value, ...scope, sameSite: 'Lax' as const }], origins: [] };
  };

  const goTo = (page: Page, path: string): Promise<void> => goWithin(page, `/admin/${path}`);

  return { open, running, desk, operator, openDesk, goTo };
}

/** What an operator finds on a page. Names are exact. */
export const named = (page: Page) => ({
  button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
  link: (name: string | RegExp) => page.getByRole('link', { name, exact: true }),
  field: (name: string | RegExp) => page.getByLabel(name, { exact: true }),
  row: (text: string) => page.getByRole('row').filter({ hasText: text }),
  table: (name: string) => page.getByRole('table', { name, exact: true }),
  dialog: page.getByRole('dialog'),
  /** Presses the button of the open dialog. */
  act: (name: string | RegExp) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
  shown: (pattern: RegExp) => eventually(() => page.locator('main').textContent(), pattern),
});
