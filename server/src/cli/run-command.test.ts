import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Env } from './grammar/language.ts';
import { runCommand } from './run-command.ts';

/** Runs a command in this process and captures its output. */
async function run(t: TestContext, line: string, env: Env = {}) {
  const out = t.mock.method(console, 'log', () => {});
  const err = t.mock.method(console, 'error', () => {});
  const code = await runCommand(line.split(' '), env);
  const textOf = (calls: readonly { arguments: unknown[] }[]) =>
    calls.map((call) => String(call.arguments[0])).join('\n');
  const printed = { code, out: textOf(out.mock.calls), err: textOf(err.mock.calls) };
  t.mock.restoreAll();
  return printed;
}

const wrongCalls: [string, RegExp][] = [
  ['dance', /There is no command "dance"\. /],
  ['key', /There is no command "key", but: key create, key list, key rotate, key revoke\. /],
  ['key make', /There is no command "key make", but: key create/],
  ['help dance', /There is no command "dance"/],
  ['serve now', /Unexpected argument "now"/],
  ['company create', /--name is missing/],
  ['company create --name', /value of --name is missing/],
  ['key create --company 1 --name A --colour red', /no option --colour/],
  ['key create --company one --name A', /--company should be a whole number/],
  ['key create --company 0 --name A', /--company should be a whole number from 1/],
  ['key create --company 1 --name A --channels whatsapp,pigeon', /should be one of whatsapp/],
  ['key create --company 1 --name A --channels sms,sms', /names sms twice/],
  ['key create --company 1 --name A --channels=', /should be one of whatsapp/],
  ['key create --company 1 --name A --domain http://a.kz/', /should be a domain like/],
  ['key create --company 1 --name A --code-length 9', /from 4 to 8/],
  ['key create --company 1 --name A --code-ttl 59', /from 60 to 900/],
  ['key create --company 1 --name A --fallback 121', /from 15 to 120/],
  ['key create --company 1 --name A --language en', /one of ru, kk, both/],
  ['key create --company 1 --name A --rate 0', /--rate should be a whole number from 1/],
  ['key rotate 1 --overlap 12', /one of 0, 1, 24, 168/],
  ['key revoke x', /ID should be a whole number/],
  ['topup --company 1 --amount 10.5', /whole number/],
  ['topup --company 1 --amount -1000', /whole number/],
  ['topup --company 1 --amount 1e9', /whole number/],
  ['price set pigeon 3', /one of whatsapp, telegram, sms, group/],
  ['price set sms three', /N should be a whole number/],
  ['group add --company 1 --channel sms --name A --chat 1', /one of whatsapp, telegram/],
  ['link disable abc', /--company is missing/],
  ['send +77000000000', /API key is needed/],
  ['send +77000000000 --key k --url ftp://a.kz', /is not an http or https address/],
  ['verify +77000000000 --key k', /CODE is missing/],
  ['shorten https://a.kz --key k --expires-in soon', /--expires-in should be a whole number/],
];

for (const [line, pattern] of wrongCalls) {
  test(`"${line}" is a wrong call, before anything is opened`, async (t) => {
    const { code, out, err } = await run(t, `${line} --json`);
    assert.equal(code, 2);
    assert.match((JSON.parse(out) as { error: string }).error, pattern);
    assert.equal(err, '');
  });
}

test('a wrong call shows how to call it right, in the language of the terminal', async (t) => {
  const { code, out, err } = await run(t, 'key revoke', { LANG: 'kk_KZ.UTF-8' });
  assert.equal(code, 2);
  assert.equal(out, '');
  assert.equal(err, 'Не указано: ID.\nВызов: zhiber key revoke ID');
});

test('help names every command, and one command when asked', async (t) => {
  const all = await run(t, 'help');
  assert.equal(all.code, 0);
  assert.match(all.out, /zhiber serve[\s\S]*zhiber key create --company ID[\s\S]*zhiber shorten/);
  for (const line of ['key rotate --help', 'help key rotate']) {
    const one = await run(t, line);
    assert.match(one.out, /zhiber key rotate ID/);
    assert.doesNotMatch(one.out, /zhiber audit/);
  }
});

test('--json may come first', async (t) => {
  const { out } = await run(t, '--json help topup');
  assert.equal(JSON.parse(out).commands[0].command, 'topup');
});

test('the version is a number', async (t) => {
  assert.match((await run(t, '--version')).out, /^\d+\.\d+\.\d+$/);
});

test('wrong settings are all reported at once', async (t) => {
  const { code, err } = await run(t, 'migrate', { PORT: 'x', LOG_LEVEL: 'loud' });
  assert.equal(code, 1);
  assert.match(err, /PORT[\s\S]*LOG_LEVEL/);
});
