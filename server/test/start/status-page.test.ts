/** The status page while the database hangs, and while the server is dead. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findProcesses, signalAll } from '../outages/postgres-processes.ts';
import {
  createHome,
  createSql,
  DEFAULT_TIMEOUTS,
  type Running,
  stopPostgres,
  waitUntil,
} from './serve-harness.ts';

/** A guard against waiting for ever, far beyond what any of it takes. */
const LIMIT_MS = 120_000;
/** From memory: however busy this machine is, nobody waits for a database that hangs. */
const ANSWER_MS = 5_000;

const home = createHome();
let server: Running & { facts: { port: number } };
let page: Running;
let pageUrl: string;

before(async () => {
  server = await home.serve(DEFAULT_TIMEOUTS);
  const api = `http://localhost:${server.facts.port}`;
  page = home.start(['status-page', '--port', '0', '--api', api, '--json']);
  await waitUntil(() => page.out().endsWith('\n'), page);
  pageUrl = (JSON.parse(page.out()) as { url: string }).url;
});
after(async () => {
  signalAll(home.dataDir, 'SIGCONT');
  await home.remove();
});

async function read(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
  assert.equal(answer.status, 200);
  return await answer.text();
}

async function readUntil(url: string, pattern: RegExp): Promise<string> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const text = await read(url);
    if (pattern.test(text)) return text;
    assert.ok(Date.now() < deadline, `${url} never said ${pattern}`);
    await pause(200);
  }
}

test('the process of its own shows what the server has left, and that its API answers', async () => {
  const text = await readUntil(`${pageUrl}?lang=en`, /is-operational/);
  assert.doesNotMatch(text, /The API is not responding/);
  assert.doesNotMatch(text, /<script/);
  const [style = ''] = /\/assets\/[^"]+\.css/.exec(text) ?? [];
  assert.match(await read(new URL(style, pageUrl).href), /\.overall/);
});

test('while the database hangs, the server still shows the page, with its API as down', async () => {
  const url = `http://localhost:${server.facts.port}/status?lang=en`;
  await readUntil(url, /is-operational/);
  assert.notEqual(findProcesses(home.dataDir).postmaster, 0);
  signalAll(home.dataDir, 'SIGSTOP');
  const text = await readUntil(url, /Major outage: API/);
  assert.match(text, /Data as of/);
  signalAll(home.dataDir, 'SIGCONT');
  await readUntil(url, /Operational<\/span>/);
});

test('while the server is dead, the page says that the API does not answer', async () => {
  await server.stop('SIGKILL');
  const text = await readUntil(`${pageUrl}?lang=en`, /The API is not responding/);
  assert.match(text, /Major outage: API, Dashboard, Short links/);
  const summary = JSON.parse(await read(pageUrl.replace(/$/, '/summary.json')));
  assert.equal(summary.status.indicator, 'critical');
  assert.match(await read(`${pageUrl}/badge.svg?lang=en`), /Major outage/);
  assert.match(await read(`${pageUrl}/history.atom`), /<feed/);
});

test('the next start takes over what was measured meanwhile', async () => {
  await stopPostgres(home.dataDir);
  server = await home.serve(DEFAULT_TIMEOUTS);
  const sql = createSql(home.dataDir);
  const deadline = Date.now() + LIMIT_MS;
  const measured = () =>
    sql<{ bad: number }>(
      `select sum(bad)::integer as bad from status_minute where source = 'outside' and component = 'api'`,
    );
  while (!((await measured())[0]?.bad ?? 0)) {
    assert.ok(Date.now() < deadline, 'the measurements were not taken over');
    await pause(200);
  }
  assert.equal((await page.stop('SIGTERM')).code, 0);
  assert.equal((await server.stop('SIGTERM')).code, 0);
});
