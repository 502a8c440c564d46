import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../context.ts';
import { parseTarget } from './target.ts';

const ctxWith = (isSandbox: boolean, shortLinkBase = 'https://go.kz') =>
  ({
    channels: { isSandbox, adapter: () => undefined, waiting: () => 0, takeUrgentCount: () => 0 },
    urls: { publicUrl: 'https://zhiber.kz', shortLinkBase },
  }) satisfies Pick<Context, 'channels' | 'urls'>;
const live = ctxWith(false);
const sandbox = ctxWith(true, 'http://localhost:3000/s');

const kept: [string, string][] = [
  ['https://shop.kz', 'https://shop.kz/'],
  ['HTTP://Shop.KZ/Path?q=1#top', 'http://shop.kz/Path?q=1#top'],
  ['https://дүкен.қаз/', `https://${new URL('https://дүкен.қаз/').hostname}/`],
  ['https://shop.kz/a b', 'https://shop.kz/a%20b'],
  ['https://shop.kz/\r\nX: y', 'https://shop.kz/X:%20y'],
  ['  https://shop.kz/  ', 'https://shop.kz/'],
];
for (const [raw, href] of kept) {
  test(`${JSON.stringify(raw)} is kept as ${href}`, () =>
    assert.equal(parseTarget(live, raw), href));
}

const refused = [
  '',
  'shop.kz',
  '//shop.kz',
  '/path',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,hi',
  'file:///etc/passwd',
  'ftp://shop.kz/',
  'https://',
  'https://user@shop.kz/',
  'https://user:pass@shop.kz/',
  'https://:pass@shop.kz/',
  `https://shop.kz/${'a'.repeat(2_048)}`,
  `https://shop.kz/${'я'.repeat(400)}`,
];
for (const raw of refused) {
  test(`${JSON.stringify(raw.slice(0, 40))} is refused everywhere`, () => {
    for (const ctx of [live, sandbox]) assert.equal(parseTarget(ctx, raw), undefined);
  });
}

const inside = [
  'http://localhost/',
  'http://localhost:8080/cb',
  'http://shop.localhost/',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://①②⑦.0.0.1/',
  'http://10.0.0.5/',
  'http://8.8.8.8/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://printer/',
  'http://printer./',
  'http://db.internal/',
  'http://LOCALHOST./',
];
for (const raw of inside) {
  test(`${raw} is for the sandbox alone`, () => {
    assert.equal(parseTarget(live, raw), undefined);
    assert.equal(typeof parseTarget(sandbox, raw), 'string');
  });
}

test('a short link does not lead to a short link, however our hosts are written', () => {
  const ownLinks = [
    'https://go.kz/abc',
    'http://GO.kz/',
    'https://go.kz./abc',
    'https://go.kz:8443/abc',
    'https://ｇｏ.kz/abc',
    'https://zhiber.kz/s/abc',
    'https://ZHIBER.kz/S/abc',
    'http://zhiber.kz./%73/abc',
    'https://zhiber.kz//s//abc',
    'https://zhiber.kz/x/../s/abc',
  ];
  for (const raw of ownLinks) assert.equal(parseTarget(live, raw), undefined, raw);
  const ownSandboxLinks = [
    'http://localhost:3000/s/abc',
    'http://localhost:3000/S/abc',
    'http://127.0.0.1:3000/s/abc',
    'http://[::1]:3000/s/abc',
  ];
  for (const raw of ownSandboxLinks) assert.equal(parseTarget(sandbox, raw), undefined, raw);
  assert.equal(parseTarget(sandbox, 'http://localhost:3000/shop'), 'http://localhost:3000/shop');
  assert.equal(parseTarget(live, 'https://zhiber.kz/shop'), 'https://zhiber.kz/shop');
  assert.equal(parseTarget(live, 'https://not-go.kz/'), 'https://not-go.kz/');
});

test('exactly 2,048 characters are still an address', () => {
  const start = 'https://shop.kz/';
  const raw = start + 'a'.repeat(2_048 - start.length);
  assert.equal(parseTarget(live, raw), raw);
});
