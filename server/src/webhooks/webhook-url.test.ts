import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWebhookUrl } from './webhook-url.ts';

const LIVE = { isSandbox: false, allowsLoopback: false };
const LOCAL = { isSandbox: true, allowsLoopback: true };
const PUBLIC_SANDBOX = { isSandbox: true, allowsLoopback: false };

const read = (raw: string, reach = LIVE) => {
  const url = readWebhookUrl(raw, reach);
  return typeof url === 'string' ? url : url.href;
};

test('live, an endpoint is https on port 443 or 8443 of a public host', () => {
  const cases: [string, string][] = [
    ['https://shop.kz/hook', 'https://shop.kz/hook'],
    [' https://shop.kz:443/hook?a=1#part ', 'https://shop.kz/hook?a=1'],
    ['https://shop.kz:8443/', 'https://shop.kz:8443/'],
    ['https://дүкен.қаз/hook', 'https://xn--d1aid9j6k.xn--80ao21a/hook'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['http://shop.kz/', 'not_https'],
    ['https://shop.kz:5432/', 'port'],
    ['https://user:word@shop.kz/', 'user_info'],
    ['https://user@shop.kz/', 'user_info'],
    ['ftp://shop.kz/', 'not_a_url'],
    ['javascript:alert(1)', 'not_a_url'],
    ['shop.kz', 'not_a_url'],
    ['https://', 'not_a_url'],
  ];
  for (const [raw, expected] of cases) {
    const got = read(raw);
    if (raw.includes('дүкен')) assert.match(got, /^https:\/\/xn--/);
    else assert.equal(got, expected, raw);
  }
});

test('no spelling of a private address or of a local name is accepted', () => {
  for (const host of [
    'localhost',
    'localhost.',
    'a.localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
    'metadata.google.internal',
    'printer.local',
    'database',
    '①②⑦.0.0.1',
  ]) {
    assert.equal(read(`https://${host}/`), 'not_public', host);
    assert.equal(read(`http://${host}/`, PUBLIC_SANDBOX), 'not_public', host);
  }
});

test('a sandbox on this machine calls http, any port and localhost, but no other private host', () => {
  assert.equal(read('http://localhost:4000/hook', LOCAL), 'http://localhost:4000/hook');
  assert.equal(read('http://127.0.0.1:4000/', LOCAL), 'http://127.0.0.1:4000/');
  assert.equal(read('http://[::1]:4000/', LOCAL), 'http://[::1]:4000/');
  assert.equal(read('http://10.0.0.1/', LOCAL), 'not_public');
  assert.equal(read('http://169.254.169.254/', LOCAL), 'not_public');
  assert.equal(read('http://shop.kz:4000/', PUBLIC_SANDBOX), 'http://shop.kz:4000/');
});
