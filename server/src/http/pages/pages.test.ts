import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ERROR_CODES, ERRORS } from '@zhiber/contract/api/errors.ts';
import { readAssets } from './assets.ts';
import { errorPage, errorsPage } from './error-pages.ts';
import { homePage } from './home-page.ts';
import { LANGS } from './language.ts';
import { linkGonePage, linkUnknownPage, tooManyPage } from './link-pages.ts';
import { tryPage } from './try-page.ts';

const siteUrl = 'https://zhiber.example';

function allPages(): string[] {
  return LANGS.flatMap((lang) => [
    homePage({ lang, baseUrl: `${siteUrl}/api`, isSandbox: true }),
    errorsPage({ lang, isSandbox: false }),
    ...ERROR_CODES.map((code) => errorPage({ lang, code, siteUrl, isSandbox: false })),
    linkGonePage(lang),
    linkUnknownPage(lang),
    tooManyPage(lang),
    tryPage({ lang }),
  ]);
}

test('no page has an inline script, an inline style or an inline handler', () => {
  for (const page of allPages()) {
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/);
  }
});

test('every asset that a page names is served', () => {
  const served = readAssets();
  for (const page of allPages()) {
    for (const [path] of page.matchAll(/\/assets\/[^"]+/g)) assert.ok(served.has(path), path);
  }
});

test('every import of a client module leads to a served module', () => {
  const served = readAssets();
  for (const [path, { body, type }] of served) {
    if (!type.startsWith('text/javascript')) continue;
    for (const [, specifier] of body.toString().matchAll(/\bfrom '([^']+)'/g)) {
      const target = new URL(specifier ?? '', new URL(path, siteUrl)).pathname;
      assert.ok(served.has(target), `${path} imports ${specifier}`);
    }
  }
});

test('an error page shows the Russian message in every language', () => {
  for (const lang of LANGS) {
    const page = errorPage({ lang, code: 'insufficient_tokens', siteUrl, isSandbox: false });
    assert.ok(page.includes(ERRORS.insufficient_tokens.message));
    assert.ok(page.includes('HTTP 402'));
  }
});

test('the virtual phone is offered in the sandbox alone', () => {
  for (const isSandbox of [true, false]) {
    const page = homePage({ lang: 'en', baseUrl: `${siteUrl}/api`, isSandbox });
    assert.equal(page.includes('href="/try'), isSandbox);
  }
});

test('styles and scripts stay small', () => {
  const sizes = { css: 0, javascript: 0 };
  for (const { body, type } of readAssets().values()) {
    if (type.startsWith('text/css')) sizes.css += gzipSync(body).length;
    if (type.startsWith('text/javascript')) sizes.javascript += gzipSync(body).length;
  }
  assert.ok(sizes.css <= 20_000, `css ${sizes.css}`);
  assert.ok(sizes.javascript <= 25_000, `javascript ${sizes.javascript}`);
});
