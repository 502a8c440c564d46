/** The blocks of the documentation that are commands: on a database of their own, as printed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { startAll } from '../../../simulators/all.ts';
import { freePort } from '../free-port.ts';
import { useService } from '../harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createTerminal } from '../terminal.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { DOCS, readPages } from './markdown-pages.ts';

const PREFIX = 'npm run -s zhiber -- ';
const service = useService();
const { run, start } = createTerminal(service);
const simulators = await startAll({ serviceUrl: 'http://127.0.0.1:9' });
after(() => simulators.close());

const pages = readPages(DOCS);
const blocksOf = (lang: string, slug: string, mark: string) =>
  pages
    .filter((page) => page.lang === lang && page.slug === slug)
    .flatMap(({ marked }) => marked.filter((block) => block.mark === mark))
    .map(({ text }) => text);

test('what no test runs has something to be filled in', () => {
  const notRun = pages.flatMap(({ marked }) => marked.filter(({ mark }) => mark === 'no-run'));
  const first = new Set(notRun.map(({ text }) => text.split('\n')[0]));
  assert.deepEqual([...first].sort(), ['export ZHIBER_KEY=zk_test_…', 'git clone … zhiber']);
});

test('every translation of a page has the same commands', () => {
  const commandsOf = (lang: string) =>
    pages
      .filter((page) => page.lang === lang)
      .flatMap(({ marked }) => marked.filter(({ mark }) => mark === 'terminal'))
      .map(({ text }) => text);
  assert.equal(commandsOf('ru').length, 5);
  assert.deepEqual(commandsOf('kk'), commandsOf('ru'));
  assert.deepEqual(commandsOf('en'), commandsOf('ru'));
});

test('self-hosting: the first company is made, paid, and its channel tried; the rest is checked', async (t) => {
  const urls = { PUBLIC_URL: 'https://zhiber.example' };
  const settings: Record<string, string> = Object.assign(urls, simulators.settings.smpp);
  const home = createTemporaryFolder('docs-terminal');
  const commands = blocksOf('ru', 'self-hosting', 'terminal').join('').trim().split('\n');
  for (const command of commands) {
    assert(command.startsWith(PREFIX), command);
    const args = command.slice(PREFIX.length);
    // What `doctor` finds on the machine of a test is not what is to be shown here.
    const { code, out, err } = await run(t, args, { ...settings, DATA_DIR: home });
    if (args !== 'doctor') assert.equal(code, 0, `${command}\n${out}\n${err}`);
    assert.doesNotMatch(err, /usage|unknown/i, command);
  }
  assert.equal(readdirSync(path.join(home, 'backups')).length, 1);
  const [company] = await service.sql<{ name: string }>('select name from company where id = 1');
  assert.equal(company?.name, 'Magnum');
  const taken = simulators.smpp.journal.taken();
  assert.deepEqual(
    taken.map(({ to }) => to),
    ['77011234567'],
  );
});

test('webhooks: listen passes on what trigger makes', async (t) => {
  const port = await freePort();
  await service.http.listen({ port, host: '127.0.0.1' });
  const { key } = await service.key({ isTest: true });
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const [block = ''] = blocksOf('ru', 'webhooks', 'terminal');
  const [listening = '', triggering = ''] = block
    .replaceAll('"$ZHIBER_KEY"', key)
    .replace('http://localhost:4000', `http://localhost:${receiver.port}`)
    .trim()
    .split('\n')
    .map((command) => `${command.slice(PREFIX.length)} --url http://127.0.0.1:${port}`);
  const arrived = once(receiver.arrivals, 'arrived');
  const listener = start(t, listening);
  await listener.next();
  assert.equal((await run(t, triggering)).code, 0);
  await arrived;
  assert.equal(receiver.received[0]?.event.type, 'message.delivered');
});
