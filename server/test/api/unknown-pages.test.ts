import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../harness.ts';

const service = useService();

/** As browsers send it for an address that somebody opens. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const UNKNOWN = ['/nothing', '/docs2', '/app2', '/cabinet/nothing', '/%zz', '/s'];

const open = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.http.inject({ method, url, headers: { accept: BROWSER, ...headers } });

describe('a person who opens an unknown address gets a page', () => {
  const titles = {
    ru: 'Такой страницы нет',
    kk: 'Мұндай бет жоқ',
    en: 'There is no such page',
  };
  for (const [lang, title] of Object.entries(titles)) {
    test(`in ${lang}`, async () => {
      for (const url of UNKNOWN) {
        const page = await open(url, { 'accept-language': `${lang},de;q=0.5` });
        assert.equal(page.statusCode, 404, url);
        assert.equal(page.headers['content-type'], 'text/html; charset=utf-8', url);
        assert.match(page.payload, new RegExp(`<html lang="${lang}"`), url);
        assert(page.payload.includes(`<h1>${title}</h1>`), url);
        assert(page.payload.includes(`<a class="button main" href="/?lang=${lang}">`), url);
      }
    });
  }

  test('in Russian without a known language', async () => {
    assert((await open('/nothing')).payload.includes(titles.ru));
  });

  test('in the language of the switch on the page', async () => {
    const page = await open('/nothing?lang=kk', { 'accept-language': 'en' });
    assert(page.payload.includes(titles.kk));
  });

  test('with the rules of every page, and not for search engines or caches', async () => {
    const { headers, payload } = await open('/nothing');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers.vary, 'accept, accept-language, cookie');
    assert.match(String(headers['x-request-id']), /^req_/);
    assert.match(payload, /<meta name="robots" content="noindex">/);
  });

  test('that shows nothing of the address', async () => {
    const page = await open('/%3Cscript%3Ealert(1)%3C/script%3E?a=%3Cb%3E');
    assert.doesNotMatch(page.payload, /alert|<b>/);
  });

  test('for a file of the site that is gone', async () => {
    const page = await open('/assets/old.js');
    assert.equal(page.statusCode, 404);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  });

  test('also when only its head is asked for', async () => {
    const page = await open('/nothing', {}, 'HEAD');
    assert.equal(page.statusCode, 404);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  });
});

describe('a program gets JSON', () => {
  type Ask = { url: string; method?: 'GET' | 'POST' | 'DELETE'; accept?: string };
  const asked: Record<string, Ask & { code?: string }> = {
    'that accepts anything': { url: '/nothing', accept: '*/*' },
    'that names no type': { url: '/nothing' },
    'that asks for JSON': { url: '/nothing', accept: 'application/json' },
    'that refuses pages': { url: '/nothing', accept: 'text/html;q=0, */*' },
    'that changes something': { url: '/nothing', method: 'POST', accept: BROWSER },
    'under /api, whatever it accepts': { url: '/api/nothing', accept: BROWSER },
    'at /api itself': { url: '/api?a', accept: BROWSER },
    'with a broken path under /api': { url: '/api/%zz', accept: BROWSER },
    'that uses a wrong method': {
      url: '/api/otp/send',
      accept: BROWSER,
      code: 'method_not_allowed',
    },
  };
  for (const [who, { url, method = 'GET', accept, code = 'not_found' }] of Object.entries(asked)) {
    test(who, async () => {
      const headers = accept === undefined ? {} : { accept };
      const answer = await service.http.inject({ method, url, headers });
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(answer.json().error_code, code);
      assert.equal(answer.json().success, false);
    });
  }

  test('that misses a record of the cabinet, not a page', async () => {
    const url = '/try/messages/0199a1b2-0000-7000-8000-000000000000';
    const answer = await open(url);
    assert.deepEqual([answer.statusCode, answer.json().error_code], [404, 'not_found']);
  });

  test('which no cache gives to a person', async () => {
    const answer = await service.http.inject({ url: '/nothing' });
    assert.equal(answer.headers.vary, 'accept');
  });
});
