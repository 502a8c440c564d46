import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SitePage, suggestPages } from './site-pages.ts';

const PAGES: SitePage[] = [
  '/docs',
  '/docs/errors',
  '/pricing',
  '/status',
  '/changelog',
  '/try',
  '/app',
  '/docs/errors/invalid_code',
  '/docs/errors/invalid_phone',
  '/docs/errors/insufficient_tokens',
].map((path) => ({ path, title: path }));

const CASES: [asked: string, suggested: string[]][] = [
  ['/princing', ['/pricing']],
  ['/Pricing.html', ['/pricing']],
  ['/prices', ['/pricing']],
  ['/change-log', ['/changelog']],
  ['/ru/changelog', ['/changelog']],
  ['/statuss', ['/status']],
  ['/docs/errors/insuficient-tokens', ['/docs/errors/insufficient_tokens']],
  ['/insufficient_tokens', ['/docs/errors/insufficient_tokens']],
  ['/docs/invalid_cod', ['/docs/errors/invalid_code']],
  ['/dashboard', ['/app']],
  ['/', []],
  ['/wp-admin/setup.php', []],
  ['/%zz', []],
  [`/${'pricing'.repeat(20)}`, []],
];

for (const [asked, suggested] of CASES) {
  test(`${asked.slice(0, 40)} suggests ${suggested.join(', ') || 'nothing'}`, () => {
    const found = suggestPages(asked, PAGES).map(({ path }) => path);
    assert.deepEqual(found.slice(0, 1), suggested);
  });
}
