import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ERROR_CODES, ERRORS } from '@zhiber/contract/api/errors.ts';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import fastify from 'fastify';
import type { Phone } from '../../phone.ts';
import { addDocuments } from './built-pages.ts';
import { changelogPage } from './changelog-page.ts';
import { errorPage, errorsPage, unknownErrorPage } from './error-pages.ts';
import { homePage } from './home-page.ts';
import { createView } from './layout.ts';
import { legalPage } from './legal-pages.ts';
import { linkNoticePage } from './link-notice.ts';
import { plainNotice, plainUnsubscribe } from './plain-pages.ts';
import { pricingPage } from './pricing-page.ts';
import { unsubscribePage } from './unsubscribe-page.ts';
import { readWebBuild } from './web-build.ts';

const siteUrl = 'https://zhiber.example';
const apiUrl = `${siteUrl}/api`;
const NOTHING = new URLSearchParams();
const NOTICES = ['gone', 'unknown', 'tooMany'] as const;

const build = readWebBuild();
assert(build !== undefined, 'the pages are not built: npm run build');
const docs = build.readDocs();
const viewIn = (lang: Lang, isSandbox = false) => createView(build, lang, isSandbox);

const UNSUBSCRIBED = [null, 'company', 'everyone'] as const;
const unsubscribeIn = (lang: Lang, unsubscribedFrom: (typeof UNSUBSCRIBED)[number]) => {
  const phone = '77011234567' as Phone;
  return unsubscribePage(viewIn(lang), { company: 'ТОО <Ромашка>', phone, unsubscribedFrom });
};

const homeIn = (lang: Lang, isSandbox = false) =>
  homePage(viewIn(lang, isSandbox), {
    apiUrl,
    prices: DEFAULT_PRICES,
    isSmsPerPart: isSandbox,
    snippets: build.snippets,
    seller: undefined,
  });

const pricingIn = (lang: Lang, isSmsPerPart: boolean) =>
  pricingPage(viewIn(lang), {
    prices: DEFAULT_PRICES,
    isSmsPerPart,
    topupMin: 1_000,
    asked: NOTHING,
  });

const renderedPages = LANGS.flatMap((lang) => [
  homeIn(lang, true),
  pricingIn(lang, false),
  pricingIn(lang, true),
  changelogPage(viewIn(lang), build.changes),
  legalPage(viewIn(lang), 'terms', {}).markup,
  errorsPage(viewIn(lang), docs),
  unknownErrorPage(viewIn(lang), docs),
  ...ERROR_CODES.map((code) => errorPage(viewIn(lang), docs, { code, siteUrl })),
  ...NOTICES.map((notice) => linkNoticePage(viewIn(lang), notice)),
  ...UNSUBSCRIBED.map((from) => unsubscribeIn(lang, from)),
]);

test('no page has an inline script, an inline style or an inline handler', () => {
  const plainPages = [
    ...NOTICES.map(plainNotice),
    ...UNSUBSCRIBED.map((from) => plainUnsubscribe('ТОО', from)),
  ];
  for (const page of [...renderedPages, ...plainPages]) {
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/);
  }
});

test('every asset that a page names is served', () => {
  for (const page of renderedPages) {
    const named = [...page.matchAll(/\/assets\/[^"]+/g)].map(([path]) => path);
    assert.ok(named.some((path) => path.endsWith('.css')));
    for (const path of named) assert.ok(build.assets.has(path), path);
  }
});

test('no text is missing from a page', () => {
  for (const page of renderedPages) assert.doesNotMatch(page, /undefined|\[object/);
});

test('an error page shows the Russian message in every language', () => {
  for (const lang of LANGS) {
    const page = errorPage(viewIn(lang), docs, { code: 'insufficient_tokens', siteUrl });
    assert.ok(page.includes(ERRORS.insufficient_tokens.message));
    assert.ok(page.includes('HTTP 402'));
  }
});

test('the home page is whole while the prices cannot be read', () => {
  for (const lang of LANGS) {
    const { snippets } = build;
    const page = homePage(viewIn(lang), {
      apiUrl,
      prices: undefined,
      isSmsPerPart: false,
      snippets,
      seller: undefined,
    });
    assert.doesNotMatch(page, /undefined|NaN|class="price"|&quot;cost&quot;/);
    assert.match(page, /href="\/pricing\?lang=/);
  }
});

test('the price list says that parts are charged where they are, and only of SMS', () => {
  assert.equal(pricingIn('ru', true).match(/за часть/g)?.length, 1);
  assert.match(pricingIn('ru', true), /часть — 70 букв кириллицей или 160 латиницей/);
  assert.doesNotMatch(pricingIn('ru', false), /за часть/);
});

test('the virtual phone is offered in the sandbox alone', () => {
  for (const isSandbox of [true, false]) {
    const page = homeIn('en', isSandbox);
    assert.equal(page.includes('href="/try'), isSandbox);
  }
});

test('a notice behind a short link loads no script, and needs no build to be said', () => {
  for (const notice of NOTICES) {
    assert.doesNotMatch(linkNoticePage(viewIn('ru'), notice), /<script|modulepreload/);
    assert.doesNotMatch(plainNotice(notice), /\/assets\//);
  }
  assert.ok(plainNotice('gone').includes('Ссылка больше не работает'));
});

test('a folder without a build is no build', () => {
  assert.equal(readWebBuild(pathToFileURL(`${import.meta.dirname}/`)), undefined);
});

test('without a build the addresses of the cabinet say so, and what to do', async () => {
  const app = fastify();
  addDocuments(app, { isSandbox: false }, undefined);
  const { statusCode, body } = await app.inject('/app/messages');
  assert.equal(statusCode, 503);
  for (const word of ['не собраны', 'құрастырылмаған', 'not been built', 'npm run build']) {
    assert.ok(body.includes(word), word);
  }
});

test('the unsubscribe page shows the sender, a masked phone, and only the choices that are left', () => {
  for (const lang of LANGS) {
    const choices = UNSUBSCRIBED.map((from) => {
      const page = unsubscribeIn(lang, from);
      assert.equal(page.includes('ТОО &lt;Ромашка&gt;'), from !== 'everyone');
      assert.match(page, /\+7701\*\*\*4567/);
      assert.doesNotMatch(page, /7011234567/);
      return [...page.matchAll(/name="scope" value="(\w+)"/g)].map(([, scope]) => scope);
    });
    assert.deepEqual(choices, [['company', 'everyone'], ['everyone'], []]);
  }
});
