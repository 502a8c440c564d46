/** A domain of its own for short links serves them and nothing else. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeToken } from '../../src/broadcasts/unsubscribe/unsubscribe-token.ts';
import { newId } from '../../src/ids.ts';
import { useService } from '../harness.ts';

const TARGET = 'https://example.kz/order/42';
const SITE = 'zhiber.example';
const SHORT = 'zh.example';
const env = {
  PUBLIC_URL: `https://${SITE}`,
  SHORT_LINK_BASE: `https://${SHORT}`,
  SANDBOX: 'public',
  SECURITY_CONTACT: 'mailto:security@zhiber.example',
};
const service = useService({ env });

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
const ask = (host: string, url: string, more: { method?: Method; accept?: string } = {}) =>
  service.http.inject({
    method: more.method ?? 'GET',
    url,
    headers: { host, ...(more.accept !== undefined && { accept: more.accept }) },
  });

async function shorten(alias: string): Promise<void> {
  const { status } = await service.call(
    '/links/shorten',
    { url: TARGET, alias },
    { ...(await service.key()), headers: { host: SITE } },
  );
  assert.equal(status, 200);
}

describe('the short host', () => {
  test('opens links at its root, however the host is spelled', async () => {
    await shorten('spelled');
    for (const host of [SHORT, 'ZH.Example', `${SHORT}.`, `${SHORT}:443`, `${SHORT}:80`]) {
      const opened = await ask(host, '/spelled');
      assert.deepEqual([opened.statusCode, opened.headers.location], [302, TARGET], host);
      assert.equal((await ask(host, '/api/health')).statusCode, 404, host);
    }
  });

  test('has the unsubscribe links of broadcasts, which the site does not', async () => {
    const { companyId } = await service.key();
    const phone = service.phone().slice(1);
    await service.sql(`insert into broadcast (id, company_id, name) values ($1, $2, 'Осень')`, [
      newId(Date.now()),
      companyId,
    ]);
    const [row] = await service.sql<{ id: number }>(
      `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
       select id, 1, company_id, '{}', $2, 'send' from broadcast where company_id = $1 returning id`,
      [companyId, phone],
    );
    const url = `/u/${makeToken(service.ctx.secrets, row?.id ?? 0)}`;
    assert.equal((await ask(SHORT, url)).statusCode, 200);
    assert.equal((await ask(SITE, url)).statusCode, 404);
    assert.equal((await ask(SHORT, url, { method: 'POST' })).statusCode, 200);
    const stored = await service.sql('select source from unsubscribed where phone = $1', [phone]);
    assert.deepEqual(stored, [{ source: 'link' }]);
  });

  test('opens a link to which a route of the site would answer', async () => {
    await shorten('first');
    // An alias from before a route of this name existed.
    await service.sql(
      `update link set slug = 'login', slug_key = 'login' where slug_key = 'first'`,
    );
    assert.equal((await ask(SHORT, '/login')).headers.location, TARGET);
  });

  const OTHERS = [
    '/',
    '/app',
    '/app/messages',
    '/signup',
    '/try',
    '/try/session',
    '/try/events',
    '/docs/errors',
    '/api',
    '/api/health',
    '/api/openapi.json',
    '/cabinet/session',
    '/callbacks/smsc',
    '/sandbox/messages',
    '/s/spelled',
    '/robots.txt',
    '/favicon.ico',
    '/.well-known/security.txt',
    '/assets/none.js',
    '/%zz',
    '/a/b',
  ];
  for (const url of OTHERS) {
    test(`has a 404 page for ${url}`, async () => {
      for (const accept of ['text/html', '*/*']) {
        const page = await ask(SHORT, url, { accept });
        assert.equal(page.statusCode, 404);
        assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
        assert(page.payload.includes('Такой ссылки нет'));
        // Its visitors know nothing of the site.
        assert.doesNotMatch(page.payload, /href="\/(?:app|docs|try|\?|api)/);
      }
    });
  }

  test('takes no change, and names no method of the site', async () => {
    for (const [method, url] of [
      ['POST', '/api/otp/send'],
      ['POST', '/cabinet/demo'],
      ['PUT', '/try/switches'],
      ['DELETE', '/try/messages'],
      ['POST', '/callbacks/smsc'],
    ] as const) {
      const answer = await ask(SHORT, url, { method });
      assert.deepEqual([answer.statusCode, answer.json().error_code], [404, 'not_found'], url);
      assert.equal(answer.headers.allow, undefined);
    }
  });

  test('serves the files that its 404 page loads, and no script', async () => {
    const page = await ask(SHORT, '/nosuchname');
    const loaded = [...page.payload.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
    assert(loaded.length >= 2, 'the pages are not built: npm run build');
    for (const [, url = ''] of loaded) {
      const file = await ask(SHORT, url);
      assert.equal(file.statusCode, 200, url);
      if (!url.endsWith('.css')) continue;
      for (const [, font = ''] of file.payload.matchAll(/url\((\/assets\/[^)]+\.woff2)\)/g)) {
        assert.equal((await ask(SHORT, font)).statusCode, 200, font);
      }
    }
    const home = await ask(SITE, '/');
    const script = /<script type="module" src="([^"]+)"/.exec(home.payload)?.[1] ?? '';
    assert.equal((await ask(SITE, script)).statusCode, 200, script);
    assert.equal((await ask(SHORT, script)).statusCode, 404, script);
  });
});

describe('the host of the site, when links have another', () => {
  test('opens no links', async () => {
    await shorten('elsewhere');
    for (const url of ['/s/elsewhere', '/elsewhere']) {
      const page = await ask(SITE, url, { accept: 'text/html' });
      assert.equal(page.statusCode, 404, url);
      assert(page.payload.includes('Такой страницы нет'), url);
    }
    assert.equal((await ask(SITE, '/api/health')).statusCode, 200);
  });

  test('is any host but the short one', async () => {
    for (const host of [SITE, `a.${SHORT}`, `${SHORT}:8080`, `${SHORT}.evil.example`]) {
      assert.equal((await ask(host, '/api/health')).statusCode, 200, host);
    }
  });
});

describe('short links under a path of the site', () => {
  const under = useService({
    env: { ...env, SHORT_LINK_BASE: `https://${SITE.toUpperCase()}.:443/go` },
  });

  test('open there and nowhere else, beside the pages', async () => {
    const headers = { host: SITE };
    const body = { url: TARGET, alias: 'there' };
    await under.call('/links/shorten', body, { ...(await under.key()), headers });
    const opened = await under.http.inject({ url: '/go/there', headers });
    assert.equal(opened.headers.location, TARGET);
    for (const url of ['/s/there', '/there']) {
      assert.equal((await under.http.inject({ url, headers })).statusCode, 404, url);
    }
    assert.equal((await under.http.inject({ url: '/', headers })).statusCode, 200);
    const robots = (await under.http.inject({ url: '/robots.txt', headers })).payload;
    assert.match(robots, /^Disallow: \/go\/$/m);
  });
});
