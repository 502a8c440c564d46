import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShortHostCheck } from './short-host.ts';

const check = (publicUrl: string | undefined, shortLinkBase: string | undefined) =>
  createShortHostCheck({ host: 'localhost', port: 3000, publicUrl, shortLinkBase });

test('the short host is known in any case, with the dot of a full name, and with a default port', () => {
  const isShort = check('https://zhiber.kz', 'https://zh.kz');
  for (const host of ['zh.kz', 'ZH.kz', 'zh.kz.', 'zh.kz:443', 'zh.kz:80', 'Zh.Kz.:443']) {
    assert(isShort(host), host);
  }
  for (const host of ['zhiber.kz', 'zh.kz:8080', 'zh.kz.evil.kz', 'a.zh.kz', 'zh', '', ' ', '[']) {
    assert(!isShort(host), host);
  }
  assert(!isShort(undefined));
});

test('a short host in Cyrillic is known in both of its spellings', () => {
  const isShort = check('https://zhiber.kz', 'https://жібер.қаз');
  assert(isShort(new URL('https://жібер.қаз').host));
  assert(isShort('жібер.қаз'));
});

test('a port that is no default belongs to the host', () => {
  const isShort = check('http://zh.kz:3000', 'http://zh.kz:8080');
  assert(isShort('zh.kz:8080'));
  assert(!isShort('zh.kz:3000'));
  assert(!isShort('zh.kz'));
});

test('short links under the address of the site have no host of their own', () => {
  assert(!check('https://zhiber.kz', 'https://zhiber.kz/s')('zhiber.kz'));
  assert(!check('https://zhiber.kz', 'https://ZHIBER.kz.:443/go')('zhiber.kz'));
  assert(!check('https://zhiber.kz', undefined)('zhiber.kz'));
  assert(!check(undefined, 'http://localhost:3000/go')('localhost:3000'));
  assert(!check(undefined, 'http://127.0.0.1:3005')('127.0.0.1:3005'));
});
