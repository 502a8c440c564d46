import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disableLinkPermanently } from '../../src/links/link-store.ts';
import { advanceProcessClock, type TestKey, until, useService } from '../harness.ts';

const service = useService();
const TARGET = 'https://example.kz/order/42?a=1#b';
const BROWSER_AGENT =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';

async function shorten(key: TestKey, more: object = {}): Promise<{ path: string; slug: string }> {
  const made = await service.call('/links/shorten', { url: TARGET, ...more }, key);
  const path = new URL(String(made.body.short_url)).pathname;
  return { path, slug: path.slice('/s/'.length) };
}

const open = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.http.inject({ method, url: path, headers: { 'user-agent': BROWSER_AGENT, ...headers } });

/** Opens the link one second later, when the link cache has expired. */
async function openAfterCacheExpiry(path: string): Promise<number> {
  advanceProcessClock();
  return (await open(path)).statusCode;
}

function listClicks(slug: string, isRobot = false) {
  return service.sql<{ message_id: string | null; recipient: number | null }>(
    'select message_id, recipient from click where slug_key = lower($1) and is_robot = $2',
    [slug, isRobot],
  );
}

describe('opening a link', () => {
  test('redirects without caching and without a referrer', async () => {
    const { path } = await shorten(await service.key());
    const opened = await open(path);
    assert.equal(opened.statusCode, 302);
    assert.equal(opened.headers.location, TARGET);
    assert.equal(opened.headers['cache-control'], 'no-store');
    assert.equal(opened.headers['referrer-policy'], 'no-referrer');
  });

  test('ignores the case of the slug', async () => {
    const { path, slug } = await shorten(await service.key(), { alias: 'Spring-Sale' });
    assert.equal(slug, 'Spring-Sale');
    for (const spelling of [path, path.toLowerCase(), `/s/${slug.toUpperCase()}`]) {
      assert.equal((await open(spelling)).headers.location, TARGET, spelling);
    }
  });

  test('is counted with the message and the phone that the link was sent to', async () => {
    const key = await service.key();
    const phone = service.phone();
    const body = { phone, url: TARGET, channel: 'auto' };
    const sent = await service.call('/links/send', body, key);
    const path = new URL(String(sent.body.short_url)).pathname;
    await open(path);
    await until('a click is recorded', async () => (await listClicks(path.slice(3))).length === 1);
    assert.deepEqual(await listClicks(path.slice(3)), [
      { message_id: sent.body.message_id, recipient: Number(phone.slice(1)) },
    ]);
  });

  test('is counted every time', async () => {
    const { path, slug } = await shorten(await service.key());
    await Promise.all(Array.from({ length: 100 }, () => open(path)));
    await until('all clicks are recorded', async () => (await listClicks(slug)).length >= 100);
    assert.equal((await listClicks(slug)).length, 100);
  });

  const robots: Record<string, string> = {
    WhatsApp: 'WhatsApp/2.24.20 A',
    Telegram: 'TelegramBot (like TwitterBot)',
    Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    Slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    Yandex: 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    Google: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  };
  const automated: Record<string, { headers?: Record<string, string>; method?: 'HEAD' }> = {
    HEAD: { method: 'HEAD' },
    'a prefetching browser': { headers: { 'sec-purpose': 'prefetch;prerender' } },
  };
  for (const [name, agent] of Object.entries(robots)) {
    automated[`the robot of ${name}`] = { headers: { 'user-agent': agent } };
  }
  for (const [name, { headers, method }] of Object.entries(automated)) {
    test(`by ${name} redirects and is not counted as a person`, async () => {
      const { path, slug } = await shorten(await service.key());
      const opened = await open(path, headers, method);
      assert.deepEqual([opened.statusCode, opened.headers.location], [302, TARGET]);
      await until('a robot is recorded', async () => (await listClicks(slug, true)).length === 1);
      await open(path);
      await until('a click is recorded', async () => (await listClicks(slug)).length > 0);
      assert.deepEqual(
        [(await listClicks(slug)).length, (await listClicks(slug, true)).length],
        [1, 1],
      );
    });
  }

  test('by many robots loses no click of a person', async () => {
    const { path, slug } = await shorten(await service.key());
    const robot = { 'user-agent': 'TelegramBot (like TwitterBot)' };
    const all = Array.from({ length: 300 }, (_, i) => open(path, i % 100 === 0 ? {} : robot));
    await Promise.all(all);
    await until('all clicks are recorded', async () => (await listClicks(slug)).length >= 3);
    await until(
      'all robots are recorded',
      async () => (await listClicks(slug, true)).length >= 297,
    );
    assert.deepEqual(
      [(await listClicks(slug)).length, (await listClicks(slug, true)).length],
      [3, 297],
    );
  });
});

describe('a closed link', () => {
  test('answers 410 within a second of its expiry', async () => {
    const { path } = await shorten(await service.key(), { expires_in: 60 });
    assert.equal((await open(path)).statusCode, 302);
    await service.passTime(61);
    assert.equal(await openAfterCacheExpiry(path), 410);
  });

  test('closes at its expiry even while it is opened continuously', async () => {
    const { path } = await shorten(await service.key(), { expires_in: 4 });
    assert.equal((await open(path)).statusCode, 302);
    await service.passTime(3);
    await until('the link is closed', async () => (await open(path)).statusCode === 410);
  });

  test('answers 410 within a second of being disabled', async () => {
    const key = await service.key();
    const { path, slug } = await shorten(key);
    assert.equal((await open(path)).statusCode, 302);
    await disableLinkPermanently(service.ctx.db, key.companyId, slug);
    assert.equal(await openAfterCacheExpiry(path), 410);
  });

  test('closes 30 days after it was sent in a message', async () => {
    const key = await service.key();
    const body = { phone: service.phone(), url: TARGET, channel: 'auto' };
    const sent = await service.call('/links/send', body, key);
    const path = new URL(String(sent.body.short_url)).pathname;
    await service.passTime(30 * 24 * 3600 - 60);
    assert.equal((await open(path)).statusCode, 302);
    await service.passTime(61);
    assert.equal(await openAfterCacheExpiry(path), 410);
  });
});

describe('the error page', () => {
  const languages: Record<string, { gone: string; unknown: string }> = {
    ru: { gone: 'Ссылка больше не работает', unknown: 'Такой ссылки нет' },
    kk: { gone: 'Сілтеме енді жұмыс істемейді', unknown: 'Мұндай сілтеме жоқ' },
    en: { gone: 'This link no longer works', unknown: 'There is no such link' },
  };
  for (const [language, texts] of Object.entries(languages)) {
    test(`is shown in ${language}`, async () => {
      const { path } = await shorten(await service.key(), { expires_in: 60 });
      await service.passTime(61);
      const headers = { 'accept-language': `${language},de;q=0.5` };
      const gone = await open(path, headers);
      assert.equal(gone.statusCode, 410);
      const unknown = await open('/s/nosuchname', headers);
      assert.equal(unknown.statusCode, 404);
      for (const page of [gone, unknown]) {
        assert.match(String(page.headers['content-type']), /^text\/html/);
        assert.match(page.payload, new RegExp(`<html[^>]* lang="${language}"`));
      }
      assert(gone.payload.includes(texts.gone));
      assert(unknown.payload.includes(texts.unknown));
    });
  }

  test('is Russian by default', async () => {
    assert((await open('/s/nosuchname')).payload.includes('Такой ссылки нет'));
  });

  for (const name of ['x', '-ab', 'a.b', 'x'.repeat(65), '%D0%B8%D0%BC%D1%8F', "a'b", 'a%00b']) {
    test(`is shown for the invalid slug ${name.slice(0, 20)}`, async () => {
      const page = await open(`/s/${name}`);
      assert.equal(page.statusCode, 404);
      assert.match(String(page.headers['content-type']), /^text\/html/);
    });
  }
});

test('an address may open thirty unknown links a minute, and valid ones without limit', async () => {
  const { path } = await shorten(await service.key());
  const from = (remoteAddress: string, url: string) =>
    service.http.inject({ url, remoteAddress, headers: { 'user-agent': BROWSER_AGENT } });
  // One more every two seconds: a slow machine may need several for the thirty.
  const beganAt = performance.now();
  let unknown = 0;
  let refused = await from('192.0.2.7', '/s/unknown');
  while (refused.statusCode === 404 && unknown < 1_000) {
    unknown++;
    refused = await from('192.0.2.7', `/s/unknown${unknown}`);
  }
  const refilled = Math.ceil((performance.now() - beganAt) / 2_000);
  assert.equal(refused.statusCode, 429);
  assert(unknown >= 30 && unknown <= 30 + refilled, `${unknown} in ${refilled} x 2 s`);
  assert(Number(refused.headers['retry-after']) >= 1);
  assert.equal((await from('192.0.2.7', path)).statusCode, 302);
  assert.equal((await from('192.0.2.8', '/s/unknown31')).statusCode, 404);
});

describe('a separate domain for short links', () => {
  const onDomain = useService({ env: { SHORT_LINK_BASE: 'https://zh.example' } });

  test('serves slugs at its root and does not affect the main host', async () => {
    const key = await onDomain.key();
    const body = { url: TARGET, alias: 'root-name' };
    await onDomain.call('/links/shorten', body, key);
    const host = 'zh.example';
    const opened = await onDomain.http.inject({ url: '/root-name', headers: { host } });
    assert.equal(opened.statusCode, 302);
    assert.equal(opened.headers.location, TARGET);
    const unknown = await onDomain.http.inject({ url: '/other-name', headers: { host } });
    assert.equal(unknown.statusCode, 404);
    assert.match(String(unknown.headers['content-type']), /^text\/html/);
    const elsewhere = await onDomain.http.inject({
      url: '/root-name',
      headers: { host: 'localhost' },
    });
    assert.equal(elsewhere.statusCode, 404);
  });
});
