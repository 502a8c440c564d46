import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disableLinkPermanently } from '../../src/links/link-store.ts';
import { type ApiAnswer, runConcurrently, type TestKey, useService } from '../harness.ts';

const service = useService();
const URL_42 = 'https://example.kz/order/42';
let names = 0;

/** Returns an alias that this test file has not used yet. */
function freshAlias(): string {
  names += 1;
  return `name-${names}`;
}

const shorten = (key: TestKey, body: object): Promise<ApiAnswer> =>
  service.call('/links/shorten', body, key);

async function openShortUrl(shortUrl: unknown): Promise<unknown> {
  const opened = await service.http.inject(new URL(String(shortUrl)).pathname);
  return opened.headers.location ?? opened.statusCode;
}

test('a link gets a random slug of eight unambiguous characters and redirects to its target', async () => {
  const key = await service.key();
  const made = await shorten(key, { url: URL_42 });
  assert.equal(made.status, 200);
  assert.deepEqual(Object.keys(made.body).sort(), ['message', 'short_url', 'success']);
  assert.match(
    String(made.body.short_url),
    /^http:\/\/localhost:3000\/s\/[2-9A-HJ-NP-Za-km-z]{8}$/,
  );
  assert.equal(await openShortUrl(made.body.short_url), URL_42);
});

test('the same address gets a new slug each time', async () => {
  const key = await service.key();
  const made = await runConcurrently(50, () => shorten(key, { url: URL_42 }));
  assert.equal(new Set(made.map((answer) => answer.body.short_url)).size, 50);
});

test('shortening charges nothing and sends nothing', async () => {
  const key = await service.key({ balance: 0 });
  assert.equal((await shorten(key, { url: URL_42 })).status, 200);
  assert.deepEqual(await service.balance(key.companyId), { balance: 0, held: 0 });
  assert.deepEqual(service.sandbox.phone.messages({ keyId: key.keyId }), []);
  const rows = await service.sql('select 1 from message where key_id = $1', [key.keyId]);
  assert.deepEqual(rows, []);
});

describe('an address is accepted', () => {
  const good: Record<string, string> = {
    'plain http': 'http://example.kz/',
    'https with a port, a query and a fragment': 'https://example.kz:8443/a?b=c&d=%20#e',
    'an international host': 'https://xn--80a1acny.xn--80ao21a/',
    'localhost, in the sandbox': 'http://localhost:5173/done',
    'a private address, in the sandbox': 'http://192.168.1.20/',
    'a page of this service other than a short link': 'http://localhost:3000/docs',
    'exactly 2,048 characters': `https://example.kz/${'x'.repeat(2_048 - 19)}`,
  };
  for (const [name, url] of Object.entries(good)) {
    test(name, async () => {
      const made = await shorten(await service.key(), { url });
      assert.equal(made.status, 200);
      assert.equal(await openShortUrl(made.body.short_url), url);
    });
  }

  test('a Cyrillic host, stored as punycode', async () => {
    const made = await shorten(await service.key(), { url: 'https://сайт.қаз/а' });
    assert.match(String(await openShortUrl(made.body.short_url)), /^https:\/\/xn--[!-~]+$/);
  });
});

describe('an invalid address is refused with 422 invalid_url', () => {
  const bad: Record<string, string> = {
    'no scheme': 'example.kz/order',
    'not a URL': 'not a url',
    'an empty string': '',
    'a relative path': '/order/42',
    javascript: 'javascript:alert(1)',
    data: 'data:text/html,hi',
    ftp: 'ftp://example.kz/file',
    file: 'file:///etc/passwd',
    mailto: 'mailto:a@example.kz',
    'a user name': 'https://user@example.kz/',
    'a user name and a password': 'https://user:secret@example.kz/',
    'no host': 'https://',
    'our own short link': 'http://localhost:3000/s/abcdefgh',
    'our own short link in capitals': 'HTTP://LOCALHOST:3000/S/abcdefgh',
    'more than 2,048 characters': `https://example.kz/${'x'.repeat(2_048 - 18)}`,
    'more than 2,048 characters after escaping': `https://example.kz/${'ы'.repeat(400)}`,
  };
  for (const [name, url] of Object.entries(bad)) {
    test(name, async () => {
      const refused = await shorten(await service.key(), { url });
      assert.equal(refused.status, 422);
      assert.equal(refused.body.error_code, 'invalid_url');
    });
  }
});

describe('an alias', () => {
  for (const alias of ['ab', 'a1', 'Spring-Sale', 'a_b-c', '42', 'x'.repeat(64)]) {
    test(`may be ${alias.slice(0, 20)}`, async () => {
      const made = await shorten(await service.key(), { url: URL_42, alias });
      assert.equal(made.body.short_url, `http://localhost:3000/s/${alias}`);
      assert.equal(await openShortUrl(made.body.short_url), URL_42);
    });
  }

  const bad = ['', 'a', 'x'.repeat(65), '-ab', 'ab-', '_ab', 'ab_', 'a b', 'a.b', 'a/b', 'имя', 42];
  for (const alias of bad) {
    test(`may not be ${JSON.stringify(alias).slice(0, 20)}`, async () => {
      const refused = await shorten(await service.key(), { url: URL_42, alias });
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object), ['alias']);
    });
  }

  for (const alias of ['api', 'docs', 'Admin', 'LOGIN', 'health', 'zhiber']) {
    test(`may not be the reserved word ${alias}`, async () => {
      const refused = await shorten(await service.key(), { url: URL_42, alias });
      assert.equal(refused.body.error_code, 'alias_taken');
    });
  }

  test('requested again with the same address returns the same link', async () => {
    const key = await service.key();
    const other = await service.key({ companyId: key.companyId });
    const alias = freshAlias();
    const first = await shorten(key, { url: URL_42, alias });
    const second = await shorten(other, { url: URL_42, alias });
    assert.equal(second.status, 200);
    assert.equal(second.body.short_url, first.body.short_url);
  });

  test('is taken for another address, in any case', async () => {
    const key = await service.key();
    const alias = freshAlias();
    await shorten(key, { url: URL_42, alias });
    for (const again of [alias, alias.toUpperCase()]) {
      const refused = await shorten(key, { url: `${URL_42}3`, alias: again });
      assert.equal(refused.body.error_code, 'alias_taken');
    }
    assert.equal(await openShortUrl(`http://localhost:3000/s/${alias}`), URL_42);
  });

  test('is taken for another company, even with the same address', async () => {
    const alias = freshAlias();
    await shorten(await service.key(), { url: URL_42, alias });
    const refused = await shorten(await service.key(), { url: URL_42, alias });
    assert.equal(refused.body.error_code, 'alias_taken');
  });

  test('that has expired can be reused by its company and by no other', async () => {
    const key = await service.key();
    const alias = freshAlias();
    await shorten(key, { url: URL_42, alias, expires_in: 60 });
    await service.passTime(61);
    const foreign = await shorten(await service.key(), { url: URL_42, alias });
    assert.equal(foreign.body.error_code, 'alias_taken');
    const own = await shorten(key, { url: `${URL_42}/new`, alias });
    assert.equal(own.status, 200);
  });

  test('that was disabled is never given to another company', async () => {
    const key = await service.key();
    const alias = freshAlias();
    await shorten(key, { url: URL_42, alias });
    assert.equal(await disableLinkPermanently(service.ctx.db, key.companyId, alias), true);
    const foreign = await shorten(await service.key(), { url: URL_42, alias });
    assert.equal(foreign.body.error_code, 'alias_taken');
  });
});

describe('a lifetime', () => {
  for (const expires_in of [1, 86_400, 31_536_000]) {
    test(`may be ${expires_in} s and is returned in the answer`, async () => {
      const made = await shorten(await service.key(), { url: URL_42, expires_in });
      assert.equal(made.body.expires_in, expires_in);
    });
  }

  for (const expires_in of [0, -1, 31_536_001, 1.5, '60', true, []]) {
    test(`may not be ${JSON.stringify(expires_in)}`, async () => {
      const refused = await shorten(await service.key(), { url: URL_42, expires_in });
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object), ['expires_in']);
    });
  }

  test('of null means that the link never expires, as when omitted', async () => {
    const body = { url: URL_42, alias: null, expires_in: null };
    const made = await shorten(await service.key(), body);
    assert.equal(made.status, 200);
    await service.passTime(10 * 31_536_000);
    assert.equal(await openShortUrl(made.body.short_url), URL_42);
  });
});

describe('a body without a valid address', () => {
  for (const body of [{}, { url: null }, { url: 42 }, { url: ['https://example.kz'] }]) {
    test(`${JSON.stringify(body)} is refused with the field name`, async () => {
      const refused = await shorten(await service.key(), body);
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object), ['url']);
    });
  }
});
