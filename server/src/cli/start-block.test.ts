import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StartFacts, startBlock, startJson } from './start-block.ts';

const LIVE = `zk_live_${'a'.repeat(38)}`;
const TEST = `zk_test_${'b'.repeat(38)}`;

const later: StartFacts = {
  version: '9.9.9',
  isEmbedded: true,
  serverVersion: '18.4',
  dataDir: '/srv/zhiber/data',
  applied: 0,
  migrations: 11,
  processes: 1,
  zone: { name: 'Asia/Almaty', offset: '+05:00', isRight: true, tzdata: '2025b' },
  isSandbox: true,
  isSandboxPublic: false,
  providers: [],
  port: 3000,
  busyPort: undefined,
  publicUrl: 'http://localhost:3000',
  localUrl: 'http://localhost:3000',
  demoKeys: undefined,
  demoCompanyId: 7,
};
const first: StartFacts = { ...later, applied: 11, demoKeys: { live: LIVE, test: TEST } };

const plain = (facts: StartFacts, lang: 'en' | 'ru' = 'en') =>
  startBlock(facts, { lang, hasColour: false });

test('the first line says which mode it is', () => {
  const mode = (facts: Partial<StartFacts>) => plain({ ...later, ...facts })[0];
  assert.match(mode({}) ?? '', /sandbox: nothing leaves this machine/);
  assert.match(mode({ isSandboxPublic: true }) ?? '', /public sandbox: everybody/);
  assert.match(mode({ isSandbox: false }) ?? '', /live: messages go to real phones/);
});

test('connected providers are named by channel, in their order', () => {
  const providers = [
    { channel: 'sms', name: 'smpp' },
    { channel: 'sms', name: 'smsc' },
    { channel: 'whatsapp', name: 'whatsapp-cloud' },
  ] as const;
  const lines = plain({ ...later, isSandbox: false, providers });
  assert.match(lines.join('\n'), /Channels +WhatsApp: whatsapp-cloud · SMS: smpp, smsc$/m);
});

test('the longest block has twenty lines besides the second lines of the commands', () => {
  const lines = plain({ ...first, busyPort: 3000, port: 3001 });
  const isSecond = (_line: string, at: number) => lines[at - 1]?.endsWith('\\') === true;
  assert.ok(lines.filter((line, at) => !isSecond(line, at)).length <= 20, lines.join('\n'));
});

test('the first start shows both keys in full and how to create another', () => {
  const block = plain(first).join('\n');
  assert.ok(block.includes(LIVE));
  assert.ok(block.includes(TEST));
  assert.ok(block.includes('key create --company 7 --name'));
});

test('the commands to copy use the test key and the local address', () => {
  const block = plain({ ...first, publicUrl: 'https://example.kz' }).join('\n');
  const commands = block.slice(block.indexOf('curl'));
  assert.equal(commands.match(/http:\/\/localhost:3000\/api\/otp\//g)?.length, 2);
  assert.equal(commands.includes(LIVE), false);
  assert.ok(commands.includes('"code":"000000"'));
});

test('a later start shows no key and no command with one', () => {
  const block = plain(later).join('\n');
  assert.doesNotMatch(block, /zk_|curl/);
  assert.ok(block.includes('key create --company 7 --name'));
});

test('without a demo company it shows how to create a company, its tokens and its key', () => {
  const lines = plain({ ...later, demoCompanyId: undefined });
  const commands = lines.filter((line) => line.includes('npm run')).map((line) => line.trim());
  assert.deepEqual(commands, [
    'Company         npm run zhiber -- company create --name NAME',
    'Top-up          npm run zhiber -- topup --company ID --amount 5000',
    'API key         npm run zhiber -- key create --company ID --name NAME',
  ]);
});

test('a live start names the desk of the operators; in a sandbox there is no room for it', () => {
  const live = plain({ ...later, isSandbox: false, demoCompanyId: undefined }).join('\n');
  assert.match(
    live,
    /Operator panel +http:\/\/localhost:3000\/admin +\(zhiber operator create\)$/m,
  );
  assert.doesNotMatch(plain(later).join('\n'), /\/admin/);
});

test('a busy port is shown, with the one that is used instead', () => {
  const moved = plain({ ...later, busyPort: 3000, port: 3001 }).join('\n');
  assert.match(moved, /Port 3000 is busy → 3001/);
  assert.doesNotMatch(plain(later).join('\n'), /busy/);
});

test('old time-zone data is pointed out', () => {
  const zone = { name: 'Asia/Almaty', offset: '+06:00', isRight: false, tzdata: '2023c' };
  assert.match(plain({ ...later, zone }).join('\n'), /! Time zone .*\+06:00.*should be \+05:00/);
});

test('outside the sandbox there is no virtual phone', () => {
  assert.doesNotMatch(plain({ ...later, isSandbox: false }).join('\n'), /\/try/);
});

test('it is also available in Russian', () => {
  assert.match(plain(first, 'ru').join('\n'), /База данных.*встроенная/);
});

test('colours are added only when asked for', () => {
  const colourCode = '\u001b[';
  assert.equal(plain(first).join('\n').includes(colourCode), false);
  const coloured = startBlock(first, { lang: 'en', hasColour: true }).join('\n');
  assert.ok(coloured.includes(colourCode));
});

test('the JSON form has the same facts', () => {
  const json = JSON.parse(JSON.stringify(startJson(first)));
  assert.deepEqual(json.keys, { live: LIVE, test: TEST });
  assert.equal(json.company_id, 7);
  assert.equal(json.urls.api, 'http://localhost:3000/api');
  assert.equal(JSON.parse(JSON.stringify(startJson(later))).keys, null);
});
