import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { copyPreparedCluster } from '../prepared-cluster.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

/** A guard against waiting for ever, far beyond what any page takes on a busy machine. */
const PAGE_TIMEOUT_MS = 60_000;
const SCREENSHOTS = path.join(import.meta.dirname, '../../../screenshots');

export type Look = BrowserContextOptions & { isAxeNeeded?: boolean };

export const WIDE = { viewport: { width: 1280, height: 900 } };
export const NARROW = { viewport: { width: 320, height: 640 } };
/** A window of 1280 pixels at 200 %. */
export const ZOOMED = { viewport: { width: 640, height: 450 } };
export const LOOKS: Readonly<Record<string, Look>> = {
  'wide and light': { ...WIDE, colorScheme: 'light' },
  'narrow and dark': { ...NARROW, colorScheme: 'dark' },
};

export type Opened = {
  page: Page;
  /**
   * Chromium writes a failed answer to the console itself; a test names the statuses that it
   * provokes.
   */
  expectStatus(...statuses: number[]): void;
  /** For the test that takes the server away. */
  expectBrokenConnection(): void;
};

type FindChromium = {
  findChromium(): Promise<{ executablePath: string; args: string[] }>;
};
type TestEnd = { passed?: boolean; name?: string };
type Watched = { page: Page; complaints: string[]; expected: RegExp[] };

/**
 * The whole service in the sandbox with a database of its own, and one Chromium, for a test file.
 */
export function usePages() {
  const home = createTemporaryFolder('browser');
  let app: App | undefined;
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let watched: Watched[] = [];
  const serverErrors: string[] = [];

  const start = async (port: number) => {
    const env = {
      DATA_DIR: path.join(home, 'data'),
      PORT: String(port),
      DATABASE_TIMEOUT_MS: String(TEST_DATABASE_TIMEOUT_MS),
    };
    copyPreparedCluster(env.DATA_DIR);
    const log = pino({ level: 'error' }, { write: (line: string) => serverErrors.push(line) });
    app = await openApp(readConfig(env), log);
    return app;
  };
  const running = (): App => {
    assert(app !== undefined, 'the service has not been started');
    return app;
  };

  before(async () => {
    [browser] = await Promise.all([launch(), start(0)]);
  });
  afterEach(async (t) => {
    await showFailure(t as TestEnd, watched);
    const complaints = watched.flatMap(unexpected);
    for (const open of contexts) await open.close();
    contexts = [];
    watched = [];
    // The phone belongs to the whole installation: each test begins with an empty one.
    await app?.http.inject({ method: 'DELETE', url: '/try/messages' });
    assert.deepEqual(complaints, [], 'the browser console has to stay silent');
    assert.deepEqual(serverErrors.splice(0), [], 'the server has to log no error');
  });
  after(async () => {
    await browser?.close();
    await app?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Opens an address in a profile of its own. */
  const open = async (address: string, look: Look = {}): Promise<Opened> => {
    assert(browser !== undefined, 'the browser has not been started');
    const context = await openContext(browser, look);
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const { expected } = watch(page, watched);
    await page.goto(running().ctx.urls.publicUrl + address);
    return { page, ...expectations(expected) };
  };

  /** Opens /try and waits until it has its keys. */
  const openTry = async (look: Look & { lang?: string } = {}): Promise<Opened> => {
    const { lang = 'ru', ...rest } = look;
    const opened = await open(`/try?lang=${lang}`, rest);
    await opened.page.locator('form button[type=submit]').first().waitFor();
    return opened;
  };

  /** Takes the server away until the returned function brings it back on the same port. */
  const stopServer = async () => {
    const { facts, stop } = running();
    await stop();
    return () => start(facts.port);
  };

  return { open, openTry, running, stopServer };
}

async function launch(): Promise<Browser> {
  const script = new URL('../../../scripts/find-chromium.mjs', import.meta.url).href;
  const { findChromium } = (await import(script)) as FindChromium;
  const { executablePath, args } = await findChromium();
  const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-sync'];
  return await chromium.launch({ executablePath, args: [...args, ...quiet] });
}

async function openContext(browser: Browser, look: Look): Promise<BrowserContext> {
  const { isAxeNeeded, ...options } = look;
  const context = await browser.newContext({
    ...WIDE,
    locale: 'ru-KZ',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  if (isAxeNeeded) await context.addInitScript({ path: axePath() });
  return context;
}

function expectations(expected: RegExp[]): Omit<Opened, 'page'> {
  return {
    expectStatus: (...statuses) => {
      expected.push(new RegExp(`responded with a status of (${statuses.join('|')}) `));
    },
    expectBrokenConnection: () => {
      expected.push(
        /net::ERR_(CONNECTION_|INTERNET_DISCONNECTED|INCOMPLETE_CHUNKED|EMPTY_RESPONSE|NETWORK_CHANGED)/,
      );
    },
  };
}

function watch(page: Page, all: Watched[]): Watched {
  const entry: Watched = { page, complaints: [], expected: [] };
  all.push(entry);
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    entry.complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => entry.complaints.push(String(error)));
  return entry;
}

function unexpected({ complaints, expected }: Watched): string[] {
  return complaints.filter((text) => !expected.some((pattern) => pattern.test(text)));
}

function axePath(): string {
  return path.join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js');
}

/** Keeps a picture for people to look at; the folder is not part of the repository. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

async function showFailure({ passed, name }: TestEnd, watched: Watched[]): Promise<void> {
  if (passed !== false) return;
  for (const [at, { page }] of watched.entries()) {
    await screenshot(page, `failed-${slug(name)}-${at}`);
  }
}

function slug(name = 'test'): string {
  return name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 60);
}

/** Reads again until the text fits, and says what it read last when it never did. */
export async function eventually(
  read: () => Promise<string | null>,
  pattern: RegExp,
  limitMs = PAGE_TIMEOUT_MS,
): Promise<string> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const text = (await read()) ?? '';
    if (pattern.test(text)) return text;
    assert(performance.now() < deadline, `${pattern} never came; last: ${text}`);
    await pause(50);
  }
}

export type AxeReport = { violations: { id: string; nodes: { html: string }[] }[] };

/** Fails with the rule and the markup of each violation; of all rules, or of the named ones. */
export async function assertAccessible(
  page: Page,
  label: string,
  rules?: readonly string[],
): Promise<void> {
  const options = rules === undefined ? {} : { runOnly: rules };
  const { violations } = await page.evaluate<AxeReport>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`,
  );
  const found = violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
  assert.deepEqual(found, [], label);
}

/** How far the page can be scrolled sideways, in CSS pixels. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}
