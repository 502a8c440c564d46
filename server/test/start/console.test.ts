/** The terminal of a sandbox, through `npm start`'s launcher and a real pseudo-terminal. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import { copyPreparedCluster } from '../prepared-cluster.ts';
import { createHome, LAUNCHER, waitUntil } from './serve-harness.ts';

const HINT = 'o открыть · l полный журнал · r сброс данных · q выход';
/** `script` of util-linux runs a command in a pseudo-terminal. */
const hasScript = spawnSync('script', ['--version']).status === 0;

describe('in a terminal', { concurrency: false, skip: !hasScript && 'needs script' }, () => {
  const home = createHome(LAUNCHER);
  const children: ChildProcess[] = [];
  const opened = path.join(home.dataDir, '../opened');
  const browser = path.join(home.dataDir, '../browser');
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(() => home.remove());

  /** Starts the service in a pseudo-terminal; `press` types, `shown` is what stands there. */
  function open(settings: Record<string, string> = {}) {
    copyPreparedCluster(home.dataDir);
    const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(LAUNCHER)} start`;
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      cwd: path.dirname(home.dataDir),
      env: {
        PATH: process.env.PATH,
        TERM: 'xterm',
        LANG: 'ru_RU.UTF-8',
        DATA_DIR: home.dataDir,
        PORT: '0',
        BROWSER: browser,
        ...settings,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    const shown = () => stripVTControlCharacters(text).replaceAll('\r', '');
    const sees = (wanted: string | RegExp, from = 0) =>
      waitUntil(() => {
        assert.equal(child.exitCode, null, shown());
        const rest = shown().slice(from);
        return typeof wanted === 'string' ? rest.includes(wanted) : wanted.test(rest);
      });
    return {
      shown,
      sees,
      press: (key: string) => child.stdin?.write(key),
      ended: once(child, 'exit').then(([code]) => code as number),
      raw: () => text,
      port: () => Number(/http:\/\/localhost:(\d+)\/app/.exec(shown())?.[1]),
      key: () => /zk_test_\w{38}/.exec(shown())?.[0] as string,
    };
  }

  async function call(terminal: ReturnType<typeof open>, route: string, body: object) {
    const response = await fetch(`http://localhost:${terminal.port()}/api${route}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${terminal.key()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  test('each send is a line, and the keys open, log, reset and quit', async () => {
    mkdirSync(path.dirname(browser), { recursive: true });
    writeFileSync(browser, `#!/bin/sh\necho "$1" > '${opened}'\n`);
    chmodSync(browser, 0o755);
    const terminal = open();
    await terminal.sees(HINT);
    const port = terminal.port();

    const sent = await call(terminal, '/otp/send', { phone: '+77015550001', channel: 'auto' });
    await terminal.sees(
      new RegExp(
        `^ {2}\\d\\d:\\d\\d:\\d\\d {2}\\+7 701 ••• 00 01 {2}auto → WhatsApp ✓ {2}[\\d,]+ м?с {2}\\d+ ₸ \\(тест\\) {2}http://localhost:${port}/app/messages/${shortMessageId(String(sent.message_id))}$`,
        'm',
      ),
    );
    await call(terminal, '/otp/send', { phone: '+77000000001' });
    await terminal.sees(/auto → WhatsApp ✗ → Telegram ✓/);
    // Every channel in turn refuses this number; the second send to one phone comes too early.
    await call(terminal, '/otp/send', { phone: '+77000000004' });
    await terminal.sees(/auto → WhatsApp ✗ → Telegram ✗ → SMS ✗ → ✗ delivery_failed/);
    await call(terminal, '/otp/send', { phone: '+77015550001', purpose: 'x' });
    await terminal.sees(/\+7 701 ••• 00 01 {2}auto → ✗ send_rate_limited/);
    await call(terminal, '/otp/verify', { phone: '+77015550001', code: '48291376' });

    terminal.press('l');
    await terminal.sees('Полный журнал включён');
    await call(terminal, '/otp/verify', { phone: '+77015550001', code: '48291376' });
    await terminal.sees(/\/api\/otp\/verify ✗ invalid_code/);
    terminal.press('д');
    await terminal.sees('Полный журнал выключен.');
    assert.equal(
      terminal.shown().match(/otp\/verify ✗/g)?.length,
      1,
      'checks show in the log alone',
    );
    assert(!terminal.shown().includes('48291376'));

    terminal.press('o');
    await terminal.sees(`Открываю http://localhost:${port}/try`);
    await waitUntil(() => existsSync(opened) && readFileSync(opened, 'utf8') !== '');
    assert.equal(readFileSync(opened, 'utf8').trim(), `http://localhost:${port}/try`);

    const firstKey = terminal.key();
    terminal.press('r');
    await terminal.sees('Enter — удалить');
    terminal.press('q');
    await terminal.sees('Ничего не удалено.');
    const before = terminal.shown().length;
    terminal.press('r');
    await terminal.sees('Enter — удалить', before);
    terminal.press('\r');
    await terminal.sees(HINT, before);
    const again = terminal.shown().slice(before);
    const secondKey = /zk_test_\w{38}/.exec(again)?.[0];
    assert(secondKey !== undefined && secondKey !== firstKey, again);
    const oldKey = await fetch(
      `http://localhost:${/http:\/\/localhost:(\d+)\/app/.exec(again)?.[1]}/api/otp/send`,
      { method: 'POST', headers: { authorization: `Bearer ${firstKey}` } },
    );
    assert.equal(oldKey.status, 401);

    terminal.press('q');
    assert.equal(await terminal.ended, 0);
    assert.equal(existsSync(path.join(home.dataDir, 'server.pid')), false);
  });

  test('many sends at once are one line', async () => {
    const terminal = open();
    await terminal.sees(HINT);
    const body = (n: number) => ({ phone: `+770155500${10 + n}`, channel: 'sms' });
    const key = await home.run([
      'zhiber',
      'key',
      'create',
      '--company',
      '1',
      '--name',
      'x',
      '--test',
      '--json',
    ]);
    const { key: text } = JSON.parse(key.out) as { key: string };
    const port = terminal.port();
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        await fetch(`http://localhost:${port}/api/otp/send`, {
          method: 'POST',
          headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json' },
          body: JSON.stringify(body(n)),
        });
      }),
    );
    await terminal.sees(/Отправок: \d+ {2}✓ \d+/);
    const lines = terminal
      .shown()
      .split('\n')
      .filter((line) => /^ {2}\d\d:\d\d:\d\d/.test(line));
    assert(lines.length < 12, lines.join('\n'));
    // As before, Ctrl-C stops it in order.
    terminal.press('\u0003');
    assert.equal(await terminal.ended, 0);
  });

  test('without colours where NO_COLOR asks for none, and without keys in CI', async () => {
    const terminal = open({ CI: '1', NO_COLOR: '1' });
    await terminal.sees(/key create --company/);
    const sent = terminal.shown().length;
    terminal.press('\u0003');
    await terminal.ended;
    assert(!terminal.shown().includes('q выход'));
    assert(!terminal.raw().slice(0, sent).includes('\u001b['));
  });
});
