import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { useService } from '../harness.ts';

const service = useService();

/** Whether a robot may fetch a path: the longest rule that matches wins, by RFC 9309. */
function isAllowed(robots: string, path: string): boolean {
  const rules = [...robots.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, rule]) => ({
    isAllow: kind === 'Allow',
    rule: rule as string,
  }));
  const matching = rules.filter(({ rule }) =>
    rule.endsWith('$') ? path === rule.slice(0, -1) : path.startsWith(rule),
  );
  const longest = matching.toSorted((a, b) => b.rule.length - a.rule.length)[0];
  return longest?.isAllow ?? true;
}

describe('robots.txt', () => {
  test('is a text for every robot', async () => {
    const { statusCode, headers, payload } = await service.http.inject('/robots.txt');
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(payload, /^User-agent: \*\n/);
  });

  test('shows the home page and the documentation, and hides everything else', async () => {
    const robots = (await service.http.inject('/robots.txt')).payload;
    for (const path of ['/', '/docs/errors', '/docs/errors/not_found']) {
      assert(isAllowed(robots, path), path);
    }
    for (const path of [
      '/app',
      '/app/messages',
      '/login',
      '/signup',
      '/invite',
      '/reset-password',
      '/cabinet/session',
      '/s/abc',
      '/api/health',
      '/callbacks/smsc',
      '/try',
      '/try/session',
      '/sandbox/messages',
    ]) {
      assert(!isAllowed(robots, path), path);
    }
  });
});

test('favicon.ico is the real icon, for browsers that read nothing else', async () => {
  const { statusCode, headers, rawPayload } = await service.http.inject('/favicon.ico');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'image/x-icon');
  const file = new URL('../../../web/public/favicon.ico', import.meta.url);
  assert.deepEqual(rawPayload, readFileSync(file));
  // An icon file of three sizes.
  assert.deepEqual([...rawPayload.subarray(0, 6)], [0, 0, 1, 0, 3, 0]);
  assert.deepEqual([rawPayload[6], rawPayload[22], rawPayload[38]], [16, 32, 48]);
  const known = { 'if-none-match': String(headers.etag) };
  const again = await service.http.inject({ url: '/favicon.ico', headers: known });
  assert.equal(again.statusCode, 304);
});

describe('security.txt', () => {
  const URL_PATH = '/.well-known/security.txt';
  const withContact = useService({ env: { SECURITY_CONTACT: 'mailto:security@zhiber.example' } });

  test('does not exist without a contact', async () => {
    const answer = await service.http.inject(URL_PATH);
    assert.deepEqual([answer.statusCode, answer.json().error_code], [404, 'not_found']);
  });

  test('names the contact, the languages and its own address', async () => {
    const { statusCode, headers, payload } = await withContact.http.inject(URL_PATH);
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    const lines = payload.split('\n');
    assert.equal(lines[0], 'Contact: mailto:security@zhiber.example');
    assert(lines.includes('Preferred-Languages: ru, kk, en'));
    assert(lines.includes('Canonical: http://localhost:3000/.well-known/security.txt'));
    assert.equal(lines.at(-1), '');
  });

  test('expires within a year, and not soon', async () => {
    const { payload } = await withContact.http.inject(URL_PATH);
    const [, text = ''] = /^Expires: (\S+)$/m.exec(payload) ?? [];
    assert.match(text, /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
    const daysLeft = (Date.parse(text) - Date.now()) / 86_400_000;
    assert(daysLeft > 100 && daysLeft < 365, `${daysLeft} days`);
  });
});
