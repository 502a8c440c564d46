import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { useService } from '../harness.ts';

const service = useService();
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.http.inject({ method, url, headers });

const PAGES = [
  '/app',
  '/app/messages/0199a1b2',
  '/login?back=%2Fapp',
  '/signup',
  '/invite',
  '/confirm-email?token=a',
  '/forgot-password',
  '/reset-password?token=a',
];

async function findMainScript(): Promise<string> {
  const { body } = await get('/app');
  const found = /<script type="module"[^>]* src="([^"]+)"/.exec(body)?.[1];
  assert(found !== undefined, 'the cabinet is not built: npm run build');
  return found;
}

test('every cabinet URL serves the same application with strict security headers', async () => {
  const { body } = await get('/app');
  for (const url of PAGES) {
    const page = await get(url);
    assert.equal(page.statusCode, 200, url);
    assert.equal(page.body, body, url);
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'$/);
    assert.equal(page.headers['cache-control'], 'no-cache');
    assert.equal(page.headers['referrer-policy'], 'no-referrer');
    assert.equal(page.headers['x-frame-options'], 'DENY');
    assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal((await get(url, {}, 'HEAD')).statusCode, 200);
  }
});

test('scripts are cached forever and decompress to the same bytes in every encoding', async () => {
  const url = await findMainScript();
  const plain = await get(url);
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(plain.headers.vary, 'accept-encoding');
  const decompress = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const encoding of ['br', 'gzip'] as const) {
    const compressed = await get(url, { 'accept-encoding': encoding });
    assert.equal(compressed.headers['content-encoding'], encoding);
    assert.deepEqual(decompress[encoding](compressed.rawPayload), plain.rawPayload);
  }
});

test('a browser that has the newest form of a file is not sent it again', async () => {
  for (const url of ['/app', await findMainScript()]) {
    const { headers } = await get(url);
    const again = await get(url, { 'if-none-match': String(headers.etag) });
    assert.equal(again.statusCode, 304, url);
    assert.equal(again.body, '');
    assert.equal((await get(url, { 'if-none-match': 'W/"other"' })).statusCode, 200);
  }
});

test('no file outside the build is served', async () => {
  for (const name of [
    'none.js',
    '../index.html',
    '../texts.json',
    '%2e%2e/%2e%2e/package.json',
    '.vite',
  ]) {
    const refused = await get(`/assets/${name}`);
    const isPage = refused.headers['content-type'] === 'text/html; charset=utf-8';
    assert.ok(refused.statusCode === 404 || isPage, name);
    assert.doesNotMatch(refused.body, /"dependencies"/, name);
  }
  assert.equal((await get('/assets/none.js')).json().error_code, 'not_found');
});

test('the home page links to the cabinet in each language', async () => {
  const words = { ru: 'Кабинет', kk: 'Кабинет', en: 'Dashboard' };
  for (const [lang, word] of Object.entries(words)) {
    const { body } = await get(`/?lang=${lang}`);
    assert.ok(body.includes(`<a href="/app">${word}</a>`), lang);
  }
});

test('the examples of the public pages name the address of this server', async () => {
  const { publicUrl } = service.ctx.urls;
  assert.match(publicUrl, /^https?:/);
  assert.ok((await get('/')).body.includes(`curl ${publicUrl}/api/otp/send`));
  const { body } = await get('/docs/errors/not_found');
  assert.ok(body.includes(`${publicUrl}/docs/errors/not_found&quot;`));
});
