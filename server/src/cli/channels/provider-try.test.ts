import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readArguments } from '../grammar/arguments.ts';
import { Refusal, type Report, UsageError } from '../grammar/command.ts';
import type { Lang } from '../grammar/language.ts';
import { TEXTS } from '../grammar/texts.ts';
import { providerTry } from './provider-try.ts';

const EXAMPLES = path.join(import.meta.dirname, '../../../../docs/provider-files');
const FORM = path.join(EXAMPLES, 'form-json.json');
const PLAIN = path.join(EXAMPLES, 'plain-text.json');
const XML = path.join(EXAMPLES, 'xml.json');
const folder = mkdtempSync(path.join(tmpdir(), 'provider-try-'));
after(() => rmSync(folder, { recursive: true }));

function fileOf(content: string): string {
  const file = path.join(folder, `${createHmac('md5', '').update(content).digest('hex')}.txt`);
  writeFileSync(file, content);
  return file;
}

type Options = { env?: Record<string, string>; lang?: Lang };

async function run(args: string[], { env = {}, lang = 'en' }: Options = {}): Promise<Report> {
  const given = readArguments(providerTry, args);
  const report = await providerTry.run({ given, env, lang, texts: TEXTS[lang], isJson: false });
  assert.ok(typeof report === 'object');
  return report;
}

const factsOf = async (args: string[], options?: Options) =>
  (await run(args, options)).facts as Record<string, Record<string, unknown>>;

test('the request is shown as it would be sent, with stars for secrets', async () => {
  const env = { PROVIDER_SECRET_FORM_TOKEN: 'hush', PUBLIC_URL: 'https://zhiber.kz' };
  const { facts, lines, exitCode } = await run(
    [FORM, '--to', '8 701 123 45 67', '--text', 'А & б'],
    { env },
  );
  assert.equal(exitCode, 0);
  assert.deepEqual(lines.slice(0, 12), [
    'form-sms: sms',
    '  PROVIDER_SECRET_FORM_TOKEN is set',
    '  PROVIDER_SECRET_FORM_CALLBACK_KEY is not set',
    '',
    'A message is sent by:',
    '  POST https://gate.example.kz/v2/messages',
    '  accept: */*',
    '  content-type: application/x-www-form-urlencoded',
    '  authorization: Bearer ***',
    '',
    '  recipient=%2B77011234567&body=%D0%90+%26+%D0%B1&sender=Magnum' +
      '&external_id=1.1.03eiavu4lbb43lm79vblcyi2o&ttl=300' +
      '&report_to=https%3A%2F%2Fzhiber.kz%2Fcallbacks%2Fform-sms',
    '',
  ]);
  assert.doesNotMatch(JSON.stringify([facts, lines]), /hush/);
});

test('the documentation shows what is really printed', async () => {
  const document = readFileSync(path.join(EXAMPLES, '../provider-files.md'), 'utf8');
  const [, shown = ''] = /```console\n\$ .* provider try [^\n]*\n(.*?)```/s.exec(document) ?? [];
  const { lines } = await run([PLAIN, '--to', '+77011234567', '--text', 'Код 482913']);
  assert.equal(`${lines.join('\n')}\n`, shown);
});

test('a login and the secret of an address are stars as well', async () => {
  const env = {
    PROVIDER_SECRET_XML_USER: 'hush-user',
    PROVIDER_SECRET_XML_PASSWORD: 'hush-password',
    PROVIDER_SECRET_XML_CALLBACK: 'hush-callback',
  };
  const { facts, lines } = await run([XML], { env });
  assert.ok(lines.includes('  authorization: Basic ***'));
  const shown = JSON.stringify([facts, lines]);
  assert.doesNotMatch(shown, /hush/);
  assert.ok(!shown.includes(btoa('hush-user:hush-password')));
});

test('an answer is read as it would be, from its body or with its head', async () => {
  const answerTo = async (content: string, file = PLAIN) =>
    (await factsOf([file, '--answer', fileOf(content)])).answer;
  assert.deepEqual(await answerTo('OK;77\n'), { result: 'accepted', provider_id: '77' });
  const refused = { result: 'refused', reason: 'Неверный номер телефона' };
  assert.deepEqual(await answerTo('HTTP/1.1 200 OK\r\nServer: x\r\n\r\nERR;2'), refused);
  const unclear = { result: 'unknown', reason: 'Провайдер ответил непонятно' };
  assert.deepEqual(await answerTo('HTTP/1.1 500 Oops\n\nERR;2'), unclear);
  const paid = await answerTo('HTTP/2 402 \n\n', FORM);
  assert.deepEqual(paid, { result: 'unavailable', reason: 'На счёте у оператора SMS нет денег' });
});

const REPORTS = JSON.stringify({
  reports: [
    { external_id: '1.1.03eiavu4lbb43lm79vblcyi2o', state: 'delivered' },
    { external_id: 'of-another', state: 'delivered' },
  ],
});
const RECEIPT = {
  message_id: '0198c0de-0000-7000-8000-000000000000',
  receipt: 'delivered',
  reason: null,
};
const KEY = { PROVIDER_SECRET_FORM_CALLBACK_KEY: 'key-1' };

const callbackTo = async (content: string, options?: Options, file = FORM) =>
  (await factsOf([file, '--callback', fileOf(content)], options)).callback;

test('a callback is read, and its signature is checked', async () => {
  const sign = createHmac('sha256', 'key-1').update(REPORTS).digest('hex');
  const signed = (signature: string) =>
    `POST /callbacks/form-sms HTTP/1.1\r\nX-Signature: sha256=${signature}\r\n\r\n${REPORTS}\n`;
  const reports = [RECEIPT];
  const options = { env: KEY };
  assert.deepEqual(await callbackTo(signed(sign), options), { is_proven: true, reports });
  assert.deepEqual(await callbackTo(signed('ab'), options), { is_proven: false, reports });
  assert.deepEqual(await callbackTo(signed(sign)), { is_proven: null, reports });
  assert.deepEqual(await callbackTo(REPORTS, options), { is_proven: null, reports });
});

test('the secret in the path of a callback is checked', async () => {
  const options = { env: { PROVIDER_SECRET_XML_CALLBACK: 'a/b' } };
  const body = '<reports><sms id="x1"><status>DELIVRD</status></sms></reports>';
  const call = (secret: string) =>
    callbackTo(`POST /callbacks/xml-sms/${secret} HTTP/1.1\n\n${body}`, options, XML);
  const reports = [{ provider_id: 'x1', receipt: 'delivered', reason: null }];
  assert.deepEqual(await call('a%2Fb'), { is_proven: true, reports });
  assert.deepEqual(await call('other'), { is_proven: false, reports });
});

test('a callback without receipts is said to have none', async () => {
  const { lines } = await run([FORM, '--callback', fileOf('{}')], { env: KEY });
  assert.deepEqual(lines.slice(-2), [
    'The callback means: whether it is from the provider was not checked: the file has no head like POST /callbacks/…',
    '  no receipt',
  ]);
  assert.equal(await callbackTo('x', {}, PLAIN), null);
});

test('the output is in Russian, too', async () => {
  const args = [FORM, '--callback', fileOf(REPORTS), '--answer', fileOf('{}')];
  const { lines } = await run(args, { lang: 'ru', env: KEY });
  assert.ok(lines.includes('  PROVIDER_SECRET_FORM_TOKEN не задан'));
  assert.ok(lines.includes('Ответ означает: неизвестно: Провайдер ответил непонятно'));
  assert.ok(lines.includes('  сообщение 0198c0de-0000-7000-8000-000000000000: доставлено'));
});

test('a wrong file fails with every mistake', async () => {
  const file = fileOf('{"name": "A", "channel": "sms", "send": {}}');
  const { facts, lines, exitCode } = await run([file]);
  assert.equal(exitCode, 1);
  assert.equal(lines[0], `${file} has 3 mistakes:`);
  assert.deepEqual(facts, {
    mistakes: [
      'name: should be 1 to 40 of a-z, 0-9 and -, beginning with a letter, not "A"',
      'send.url: should be given',
      'send.answer: should be given',
    ],
  });
});

test('a text that the request cannot hold fails', async () => {
  const { exitCode, facts } = await run([XML, '--text', 'a\u0001b']);
  assert.deepEqual([exitCode, (facts as { send: unknown }).send], [1, null]);
});

test('a file that is not there and a phone that is none are refused', async () => {
  await assert.rejects(run(['none.json']), Refusal);
  await assert.rejects(run([FORM, '--to', '123']), UsageError);
});
