/** The documentation as the server sends it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS, errorsOf } from '@zhiber/contract/api/endpoints.ts';
import { ERROR_CODES } from '@zhiber/contract/api/errors.ts';
import { LANGS } from '@zhiber/contract/languages.ts';
import { KNOWN_PLACEHOLDERS } from '@zhiber/contract/pages/docs-placeholders.ts';
import { readWebBuild } from '../../src/http/pages/web-build.ts';
import { useService } from '../harness.ts';

const service = useService();
const build = readWebBuild();
assert(build !== undefined, 'the pages are not built: npm run build');
const docs = build.readDocs();

const get = (url: string, headers: Record<string, string> = {}) =>
  service.http.inject({ url, headers });
/** Code without the marks of its colours. */
const withoutSpans = (markup: string) => markup.replaceAll(/<\/?span[^>]*>/g, '');
const SERVER_PAGES = ['/docs/api', '/docs/api/console', '/docs/errors', '/docs/search?q=код'];
const slugs = Object.keys(docs.pages.ru);
const pathOf = (slug: string) => (slug === 'index' ? '/docs' : `/docs/${slug}`);
const within = (url: string, lang: string) => `${url}${url.includes('?') ? '&' : '?'}lang=${lang}`;

describe('every page of the documentation', () => {
  for (const lang of LANGS) {
    test(`is complete in ${lang}`, async () => {
      for (const url of [...slugs.map(pathOf), ...SERVER_PAGES, '/docs/errors/invalid_phone']) {
        const { statusCode, body, headers } = await get(within(encodeURI(url), lang));
        assert.equal(statusCode, 200, url);
        assert.match(body, new RegExp(`<html lang="${lang}"`), url);
        assert.equal(body.split('<h1>').length, 2, url);
        assert.doesNotMatch(body, /\{\{[\w.]+\}\}|\[object|<!--(?:key|demo)/, url);
        assert.doesNotMatch(body, /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=/, url);
        assert.match(
          String(headers['content-security-policy']),
          /script-src 'self'; style-src 'self'/,
        );
        for (const [path] of body.matchAll(/\/assets\/[\w./-]+/g)) {
          assert.equal((await get(path)).statusCode, 200, `${url}: ${path}`);
        }
      }
    });

    test(`has no id twice, and no link to itself that leads nowhere, in ${lang}`, async () => {
      for (const url of [...slugs.map(pathOf), '/docs/api', '/docs/errors']) {
        const { body } = await get(within(url, lang));
        const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
        assert.equal(new Set(ids).size, ids.length, url);
        for (const [, id] of body.matchAll(/href="#([^"]+)"/g))
          assert.ok(ids.includes(id), `${url}#${id}`);
      }
    });

    test(`has links to pages that exist, in ${lang}`, async () => {
      const seen = new Set<string>();
      for (const url of ['/docs', '/docs/quick-start', '/docs/api', '/docs/errors']) {
        const { body } = await get(within(url, lang));
        for (const [, href = ''] of body.matchAll(/href="(\/(?:docs|llms|api\/openapi)[^"#]*)/g)) {
          seen.add(href.replaceAll('&amp;', '&'));
        }
      }
      assert.ok(seen.size > ERROR_CODES.length);
      for (const href of seen) assert.equal((await get(href)).statusCode, 200, href);
    });
  }
});

test('a page names this installation: its addresses, limits and prices', async () => {
  const { publicUrl } = service.ctx.urls;
  const page = (await get('/docs?lang=ru')).body;
  assert.ok(page.includes(`${publicUrl}/api`));
  const twin = (await get('/docs/quick-start.md?lang=ru')).body;
  assert.ok(twin.includes(`curl ${publicUrl}/api/otp/send`), twin);
  assert.equal(KNOWN_PLACEHOLDERS['limit.codeTtlSecondsDefault'], '300');
  assert.equal(KNOWN_PLACEHOLDERS['limit.overlapHours'], '0, 1, 24, 168');
  assert.equal(KNOWN_PLACEHOLDERS['bonus.signUp'], '50');
  assert.equal(KNOWN_PLACEHOLDERS['topup.min'], '1000');
});

test('in the sandbox the examples have the test key of the demo company, and never the live one', async () => {
  const { demo } = service.ctx;
  const known = { test: `zk_test_${'a'.repeat(38)}`, live: `zk_live_${'b'.repeat(38)}` };
  Object.assign(service.ctx, { demo: { companyId: 1, name: 'Demo', keys: known } });
  try {
    for (const url of ['/docs/quick-start', '/docs/api', '/docs/api/console', '/llms-full.txt']) {
      const { body } = await get(url);
      assert.equal(body.includes(known.live), false, url);
      assert.equal(body.includes(known.test), true, url);
    }
    const page = (await get('/docs/quick-start')).body;
    assert.ok(page.includes(`<span data-key>${known.test}</span>`));
    assert.ok(withoutSpans(page).includes(`-H &quot;Authorization: Bearer ${known.test}&quot;`));
    assert.doesNotMatch(page, /data-without-key|data-with-key/);
  } finally {
    Object.assign(service.ctx, { demo });
  }
});

test('without a known key the examples read it from the environment', async () => {
  const { demo } = service.ctx;
  Object.assign(service.ctx, { demo: undefined });
  try {
    const page = (await get('/docs/quick-start')).body;
    assert.ok(withoutSpans(page).includes('-H &quot;Authorization: Bearer $ZHIBER_KEY&quot;'));
    assert.match(page, /<span data-without-key>[^\n]*process[^\n]*env/);
    assert.match(page, /<template data-with-key>[^\n]*<span data-key>/);
    assert.doesNotMatch(page, /zk_test_\w{38}/);
  } finally {
    Object.assign(service.ctx, { demo });
  }
});

describe('Markdown', () => {
  test('is there for every page, in the language that was asked for', async () => {
    for (const slug of [...slugs, 'api', 'errors']) {
      const { statusCode, headers, body } = await get(`/docs/${slug}.md?lang=kk`);
      assert.equal(statusCode, 200, slug);
      assert.equal(headers['content-type'], 'text/markdown; charset=utf-8', slug);
      assert.match(body, /^# .+\n\n> .*[әіңғүұқөһ]/, slug);
      assert.doesNotMatch(body, /\{\{[\w.]+\}\}|<[a-z]+ class=/, slug);
    }
    const error = await get('/docs/errors/insufficient_tokens.md', { 'accept-language': 'en' });
    assert.match(error.body, /^# insufficient_tokens\n\n> HTTP 402\. /);
    assert.match(error.body, /"error_code": "insufficient_tokens"/);
  });

  test('is linked from the page', async () => {
    const { body } = await get('/docs/quick-start?lang=en');
    assert.ok(body.includes('<a href="/docs/quick-start.md?lang=en">'));
    assert.match(
      body,
      /<link rel="alternate" type="text\/markdown"[^>]*href="\/docs\/quick-start\.md\?lang=en">/,
    );
  });

  test('llms.txt lists every page, and llms-full.txt has them all', async () => {
    const { publicUrl } = service.ctx.urls;
    for (const lang of LANGS) {
      const list = await get(`/llms.txt?lang=${lang}`);
      assert.equal(list.headers['content-type'], 'text/plain; charset=utf-8');
      assert.match(list.body, /^# Zhiber\n\n> .+\n\n## /);
      const whole = (await get(`/llms-full.txt?lang=${lang}`)).body;
      for (const slug of [...slugs, 'api', 'errors']) {
        const address = `${publicUrl}/docs/${slug}.md?lang=${lang}`;
        assert.ok(list.body.includes(`](${address})`), address);
        const [title = ''] = (await get(address.slice(publicUrl.length))).body.split('\n');
        assert.ok(whole.includes(`${title}\n`), title);
      }
    }
  });
});

describe('a page that does not exist', () => {
  const nearest: Record<string, string | undefined> = {
    '/docs/quickstart': '/docs/quick-start',
    '/docs/quickstart.md': '/docs/quick-start',
    '/docs/error': '/docs/errors',
    '/docs/errors/insufficient_token': '/docs/errors/insufficient_tokens',
    '/docs/errors/invalid_fone.md': '/docs/errors/invalid_phone',
    '/docs/__proto__': undefined,
    '/docs/constructor': undefined,
    '/docs/errors/toString': undefined,
  };
  for (const [url, target] of Object.entries(nearest)) {
    test(`${url} is 404${target === undefined ? '' : ` and leads to ${target}`}`, async () => {
      const { statusCode, body } = await get(`${url}?lang=en`);
      assert.equal(statusCode, 404);
      const text = /<article[\s\S]*<\/article>/.exec(body)?.[0] ?? '';
      assert.equal(text.includes('Did you mean:'), target !== undefined);
      if (target !== undefined) assert.ok(text.includes(`<a href="${target}?lang=en"`), text);
    });
  }
});

describe('the search page', () => {
  const search = async (query: string, lang = 'ru') =>
    (await get(`/docs/search?q=${encodeURIComponent(query)}&lang=${lang}`)).body;

  test('finds pages, operations and errors', async () => {
    assert.match(await search('проверить коды'), /href="\/docs\/quick-start\?lang=ru#verify"/);
    assert.match(await search('otp/verify'), /href="\/docs\/api\?lang=ru#otp-verify"/);
    assert.match(await search('alias_tak', 'en'), /href="\/docs\/errors\/alias_taken\?lang=en"/);
    assert.match(
      await search('кодтарды тексер', 'kk'),
      /href="\/docs\/quick-start\?lang=kk#verify"/,
    );
  });

  test('says that there is nothing, and shows the query as text', async () => {
    const page = await search('<img src=x onerror=alert(1)>');
    assert.ok(page.includes('Ничего не найдено'));
    assert.ok(page.includes('value="&lt;img src=x onerror=alert(1)&gt;"'));
    assert.doesNotMatch(page, /<img/);
    assert.ok((await search('')).includes('Введите слово'));
  });

  test('keeps the query in another language', async () => {
    const page = await search('a&b=c');
    assert.ok(page.includes('href="?q=a%26b%3Dc&amp;lang=kk"'), page);
  });
});

test('the table of errors can be searched without a script', async () => {
  const rows = async (query: string) => {
    const { body } = await get(`/docs/errors?lang=ru&q=${encodeURIComponent(query)}`);
    return [...body.matchAll(/<tr role="row">\s*<td[\s\S]*?href="\/docs\/errors\/(\w+)/g)].map(
      (match) => match[1],
    );
  };
  assert.deepEqual(await rows('402'), ['insufficient_tokens']);
  assert.deepEqual(await rows('alias'), ['alias_taken']);
  assert.deepEqual(await rows('ТОКЕНОВ недостаточно'), ['insufficient_tokens']);
  assert.deepEqual(await rows('zzz'), []);
  assert.equal((await rows('')).length, ERROR_CODES.length);
});

test('the reference has every operation with every field, header, limit and error', async () => {
  const { body } = await get('/docs/api?lang=en');
  const markdown = (await get('/docs/api.md?lang=en')).body;
  for (const endpoint of Object.values(ENDPOINTS)) {
    const id = endpoint.path.slice(1).replaceAll('/', '-');
    const start = body.indexOf(`<h2 id="${id}">`);
    assert.ok(start > 0, endpoint.path);
    const end = body.indexOf('<h2 id=', start + 1);
    const section = body.slice(start, end);
    const fields = 'body' in endpoint ? Object.keys(endpoint.body.properties) : [];
    for (const name of [...fields, ...Object.keys(endpoint.answer.properties), 'X-Request-Id']) {
      assert.ok(section.includes(`<code>${name}</code>`), `${endpoint.path} ${name}`);
    }
    for (const code of endpoint.errors) {
      assert.ok(
        section.includes(`href="/docs/errors/${code}?lang=en"`),
        `${endpoint.path} ${code}`,
      );
    }
    for (const code of errorsOf(endpoint)) assert.ok(markdown.includes(`[${code}](`), code);
  }
  const inbox = /<h2 id="get-sandbox-messages">[\s\S]*?<\/section>/.exec(body)?.[0] ?? '';
  for (const name of ['phone', 'since', 'wait', 'messages']) {
    assert.match(inbox, new RegExp(`<code>${name}`), name);
  }
  assert.match(body, /<h2 id="delete-sandbox-messages">/);
  const purpose = /<code>purpose<\/code>[\s\S]*?<\/div>/.exec(body)?.[0] ?? '';
  assert.match(purpose, /optional[\s\S]*characters up to 64/);
  assert.match(/<code>phone<\/code>[\s\S]*?<\/div>/.exec(body)?.[0] ?? '', /required/);
});

test('the console offers each operation that takes a key, and opens with the chosen one', async () => {
  const { body } = await get('/docs/api/console?operation=links-send');
  const options = [...body.matchAll(/<option value="([^"]+)" data-body="([^"]*)"( selected)?/g)];
  assert.deepEqual(
    options.map((option) => option[1]),
    ['/otp/send', '/otp/verify', '/links/shorten', '/links/send', '/group/send'],
  );
  assert.deepEqual(
    options.filter((option) => option[3]).map((option) => option[1]),
    ['/links/send'],
  );
  for (const [, path, example = ''] of options) {
    assert.ok(JSON.parse(example.replaceAll('&quot;', '"')), path);
  }
});

test('a search index is a packed file that is kept for ever', async () => {
  for (const lang of LANGS) {
    const { statusCode, headers } = await get(docs.searchIndex[lang], { 'accept-encoding': 'br' });
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['content-encoding'], 'br');
    assert.match(String(headers['cache-control']), /immutable/);
  }
  assert.notEqual((await get('/docs.json')).statusCode, 200);
  assert.notEqual((await get('/assets/../docs.json')).statusCode, 200);
});
