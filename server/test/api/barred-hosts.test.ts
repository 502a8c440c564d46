import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { barHost, readHost } from '../../src/links/bar-host.ts';
import { followShortLink } from '../../src/links/follow-short-link.ts';
import { advanceProcessClock, type TestKey, useService } from '../harness.ts';
import { openContext } from '../money/two-nodes.ts';

const service = useService();
let hosts = 0;
/** A host of its own for each test, with letters that a URL spells in several ways. */
const freshHost = () => `злой${++hosts}.example.kz`;
const bar = async (host: string, reason: string | undefined = 'обман') => {
  const isChanged = await barHost(service.ctx, { host: readHost(host) as string, reason });
  advanceProcessClock();
  return isChanged;
};
const unbar = async (host: string) => {
  await barHost(service.ctx, { host: readHost(host) as string, reason: undefined });
  advanceProcessClock();
};

const open = async (url: unknown) => {
  const { pathname } = new URL(String(url));
  return (await service.http.inject({ url: pathname })).statusCode;
};

/** The same host in every spelling that a browser would accept, and two subdomains. */
function spellingsOf(host: string): string[] {
  const punycode = new URL(`http://${host}`).hostname;
  return [
    `https://${host}/`,
    `https://${host.toUpperCase()}/path`,
    `https://${host}./`,
    `http://${punycode}:8443/?q`,
    `https://${punycode.toUpperCase()}`,
    `https://${encodeURIComponent(host)}/`,
    `https://${host.replaceAll('.', '。')}/`,
    `https://www.${host}/`,
    `https://a.b.${punycode}./x`,
  ];
}

async function shorten(key: TestKey, url: string) {
  return await service.call('/links/shorten', { url }, key);
}

describe('a barred host', () => {
  test('is refused in every spelling when a link is made, and its subdomains with it', async () => {
    const [key, host] = [await service.key(), freshHost()];
    for (const url of spellingsOf(host)) assert.equal((await shorten(key, url)).status, 200, url);
    assert.equal(await bar(host), true);
    for (const url of spellingsOf(host)) {
      const { body } = await shorten(key, url);
      assert.equal(body.error_code, 'invalid_url', url);
      assert.deepEqual(body.errors, { url: ['Ссылки на этот сайт запретил оператор сервиса'] });
    }
    for (const url of [`https://not${host}`, 'https://example.kz', `https://x.kz/?u=${host}`]) {
      assert.equal((await shorten(key, url)).status, 200, url);
    }
    await unbar(host);
    for (const url of spellingsOf(host)) assert.equal((await shorten(key, url)).status, 200, url);
  });

  test('is refused in a code, a link message and a post', async () => {
    const [key, host] = [await service.key({ isTest: true }), freshHost()];
    await bar(host);
    const url = `https://${host}`;
    const calls: [string, object, string][] = [
      ['/otp/send', { phone: service.phone(), link: url }, 'link'],
      ['/links/send', { phone: service.phone(), url, channel: 'auto' }, 'url'],
      ['/group/send', { group: 'Дежурные', text: ':link', link: url }, 'link'],
    ];
    for (const [path, body, field] of calls) {
      const refused = await service.call(path, body, key);
      assert.equal(refused.body.error_code, 'invalid_url', path);
      assert.deepEqual(Object.keys(refused.body.errors as object), [field]);
    }
  });

  test('closes the links that lead there, on every node after a second, until it is allowed', async () => {
    const [key, host] = [await service.key(), freshHost()];
    const made = [];
    for (const url of spellingsOf(host)) made.push((await shorten(key, url)).body.short_url);
    const other = openContext(service);
    const openElsewhere = async (url: unknown) => {
      const slug = String(url).split('/').at(-1) as string;
      return (await followShortLink(other.ctx, slug, { method: 'GET', headers: {} } as never))
        .result;
    };
    try {
      for (const url of made)
        assert.deepEqual([await open(url), await openElsewhere(url)], [302, 'open']);
      await bar(host.toUpperCase());
      for (const url of made) {
        assert.deepEqual([await open(url), await openElsewhere(url)], [410, 'closed']);
      }
      await unbar(`${host}.`);
      for (const url of made)
        assert.deepEqual([await open(url), await openElsewhere(url)], [302, 'open']);
    } finally {
      await other.close();
    }
  });

  test('is barred once, in whatever spelling, and the audit log says why', async () => {
    const host = freshHost();
    const punycode = new URL(`http://${host}`).hostname;
    const changes = [await bar(host), await bar(`${punycode.toUpperCase()}.`)];
    assert.deepEqual(changes, [true, false]);
    await unbar(host);
    assert.deepEqual(
      await service.sql(
        `select action, after, person_id, company_id = (select value::bigint from installation
           where name = 'system_company') as is_own from audit_record where object = $1 order by id`,
        [punycode],
      ),
      [
        { action: 'host.barred', after: { reason: 'обман' }, person_id: null, is_own: true },
        { action: 'host.unbarred', after: null, person_id: null, is_own: true },
      ],
    );
  });
});

test('only a host name can be barred', () => {
  const hosts: [string, string | undefined][] = [
    ['evil.kz', 'evil.kz'],
    [' EVIL.kz.. ', 'evil.kz'],
    ['evil.kz:80', 'evil.kz'],
    ['2130706433', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['https://evil.kz/', undefined],
    ['evil.kz/path', undefined],
    ['evil.kz:8080', undefined],
    ['user@evil.kz', undefined],
    ['evil.kz?q', undefined],
    ['evil.kz#a', undefined],
    ['*.evil.kz', undefined],
    ['evil..kz', undefined],
    ['evil kz', undefined],
    ['.', undefined],
    ['', undefined],
  ];
  for (const [text, host] of hosts) assert.equal(readHost(text), host, text);
});
