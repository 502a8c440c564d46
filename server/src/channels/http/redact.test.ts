import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from './redact.ts';

const SECRETS = {
  settings: ['pass-Word-1', 'ru', 'kz0123456789abcdef'],
  texts: ['Жібер: код 482913. Никому его не сообщайте: https://zhiber.kz/s/Kd7mWq3x'],
};
const redacted = (text: string) => redact(text, SECRETS);

const HIDDEN: Readonly<Record<string, string>> = {
  'a code': 'bad code 482913',
  'a code in two halves': 'bad code 482 913',
  'a code with a dash': 'bad code 482-913',
  'a code of four digits': 'bad code 4829',
  'a code in JSON escapes': String.raw`bad code \u0034\u0038\u0032\u0039\u0031\u0033`,
  'a code in HTML entities': 'bad code &#52;&#56;&#50;&#57;&#49;&#51;',
  'a code in hexadecimal entities': 'bad code &#x34;&#x38;&#x32;&#x39;&#x31;&#x33;',
  'a code in percents': 'bad code %34%38%32%39%31%33',
  'a code in percents twice': 'bad code %2534%2538%2532%2539%2531%2533',
  'a code in Arabic digits': 'bad code ٤٨٢٩١٣',
  'a code in wide digits': 'bad code ４８２９１３',
  'a phone': 'bad code 77010000001',
  'a phone with spaces and brackets': 'bad code +7 (701) 000-00-01',
  'a phone by its national number': 'bad code 8 701 000 00 01',
  'a phone with hard spaces': 'bad code +7\u00a0701\u00a0000\u00a000\u00a001',
  'a phone with dots': 'bad code 7.701.000.00.01',
  'a phone with invisible marks': 'bad code 7\u200b701\u2060000\u200b0001',
  'a password': 'bad code pass-Word-1',
  'an escaped key': 'bad code kz0123456789%61bcdef',
  'a token of somebody': 'bad code EAAGm0PX4ZCpsBAKZC',
  'words of the message': 'bad code: НИКОМУ сообщайте его',
  'a word of the message that is cut': 'bad code: сообщ',
  'the message in JSON escapes': String.raw`bad code \u041d\u0438\u043a\u043e\u043c\u0443`,
  'the end of the link': 'bad code /Kd7mWq3x',
};
for (const [name, text] of Object.entries(HIDDEN)) {
  test(`${name} is hidden, and the rest is not`, () => {
    const shown = redacted(text);
    assert.match(shown, /^bad code/);
    assert.doesNotMatch(shown.slice('bad code'.length), /[\p{L}\p{N}]/u, shown);
  });
}

test('what says what is wrong stays', () => {
  const page = '<html>\r\n<h1>502 Bad Gateway</h1>\n\n<hr>nginx/1.27</html>';
  assert.equal(redacted(page), '<html> <h1>502 Bad Gateway</h1> <hr>nginx/1.27</html>');
  const body = '{"code":15,"message":"internal_server_error_of_gateway","data":null}';
  assert.equal(redacted(body), body);
});

test('a setting that is too short to be a secret stays', () => {
  assert.equal(redacted('the truth'), 'the truth');
});

test('a long answer without a digit takes no time', () => {
  const startedAt = performance.now();
  redacted('a'.repeat(200_000));
  redacted('1 '.repeat(100_000));
  redacted('%3'.repeat(100_000));
  assert(performance.now() - startedAt < 2_000);
});
