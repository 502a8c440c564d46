import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { ENDPOINTS, type Endpoint } from '@zhiber/contract/api/endpoints.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import type { RotationOverlapHours } from '../../src/keys/api-key.ts';
import { markKeyRevoked } from '../../src/keys/key-store.ts';
import { newKeyText } from '../../src/keys/key-text.ts';
import { type KeySettings, rotateKey } from '../../src/keys/manage-keys.ts';
import { readDomain } from '../../src/keys/origin.ts';
import {
  type ApiAnswer,
  advanceProcessClock,
  type TestKey,
  until,
  useService,
} from '../harness.ts';

const service = useService();
const BODY = { url: 'https://example.kz' };

const shorten = (key: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  service.call('/links/shorten', BODY, { key, headers });

/** Prepares what an endpoint needs and returns a body that it accepts. */
const VALID_BODIES: Record<string, (key: TestKey) => Promise<object>> = {
  '/otp/send': async () => ({ phone: service.phone() }),
  '/otp/verify': async (key) => {
    const phone = service.phone();
    // A code can be verified only with the key that sent it.
    const headers = { origin: 'https://shop.kz' };
    await service.call('/otp/send', { phone }, { ...key, headers });
    return { phone, code: service.readSentCode(key, phone) };
  },
  '/links/shorten': async () => BODY,
  '/links/send': async () => ({ ...BODY, phone: service.phone(), channel: 'auto' }),
  '/group/send': async ({ companyId }) => {
    const group = { companyId, channel: 'telegram', name: 'Группа', chatId: '-1' } as const;
    await insertGroup(service.ctx.db, group);
    await service.markPaid(companyId);
    return { group: 'Группа', text: 'Привет' };
  },
};

async function prepare(path: string, settings: Partial<KeySettings> = {}) {
  const key = await service.key(settings);
  const body = await (VALID_BODIES[path] as (key: TestKey) => Promise<object>)(key);
  return { key, body };
}

/** Ends a key at so long from now, by the clock of the database. */
async function expire({ keyId }: TestKey, after: string): Promise<void> {
  await service.sql(
    'update api_key set expires_at = clock_timestamp() + $2::interval where id = $1',
    [keyId, after],
  );
}

/** Calls one second later, when the key cache has seen a revocation or a rotation. */
async function callAfterCacheExpiry(ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  advanceProcessClock();
  return await ask();
}

const SECOND_MS = 1_000;

/** Calls without a pause until the text is refused, which has to be within a second of its end. */
async function worksUntil(end: number, text: string, code: string): Promise<void> {
  let answered = 0;
  await until('it has ended', async () => {
    const askedAt = Date.now();
    const { status, body } = await shorten(text);
    if (Date.now() < end) assert.equal(status, 200, 'it has not ended yet');
    if (askedAt >= end + SECOND_MS) assert.equal(status, 401, 'it ended a second ago');
    if (status === 200) answered += 1;
    else assert.equal(body.error_code, code);
    return status === 401;
  });
  assert(answered > 0);
  assert(Date.now() >= end, 'not refused before its end');
}

/** The rules that hold for every endpoint that needs a key. */
function checkApiKeyRules({ path }: Endpoint): void {
  describe(`the key of ${path}`, () => {
    const assertRefused = (code: string, answer: ApiAnswer) => {
      assert.equal(answer.body.error_code, code);
      assert.equal(
        answer.headers['www-authenticate'],
        answer.status === 401 ? 'Bearer' : undefined,
      );
    };

    test('is required', async () => {
      assertRefused('missing_api_key', await service.call(path, {}));
      const headers = { authorization: '' };
      assertRefused('missing_api_key', await service.call(path, {}, { headers }));
    });

    test('must exist', async () => {
      assertRefused('invalid_api_key', await service.call(path, {}, { key: newKeyText(false) }));
      assertRefused('invalid_api_key', await service.call(path, {}, { key: 'zk_live_nonsense' }));
    });

    test('is accepted with a valid request', async () => {
      const { key, body } = await prepare(path);
      assert.equal((await service.call(path, body, key)).status, 200);
    });

    test('is refused once revoked', async () => {
      const { key, body } = await prepare(path);
      await markKeyRevoked(service.ctx.db, key);
      assertRefused('key_revoked', await callAfterCacheExpiry(() => service.call(path, body, key)));
    });

    test('is refused once it has expired', async () => {
      const { key, body } = await prepare(path);
      await expire(key, '-1 second');
      assertRefused('key_revoked', await callAfterCacheExpiry(() => service.call(path, body, key)));
    });

    test('that is bound to a domain requires that origin', async () => {
      const { key, body } = await prepare(path, { domain: 'shop.kz' });
      assertRefused('origin_required', await service.call(path, body, key));
      const foreign = { ...key, headers: { origin: 'https://evil-shop.kz' } };
      assertRefused('origin_not_allowed', await service.call(path, body, foreign));
      const own = { ...key, headers: { origin: 'https://shop.kz' } };
      assert.equal((await service.call(path, body, own)).status, 200);
    });

    test('never uses a disabled channel', async () => {
      if (!path.endsWith('/send')) return;
      const channel = path === '/group/send' ? 'telegram' : 'sms';
      const { key, body } = await prepare(path, { channels: ['whatsapp'] });
      assertRefused('channel_disabled', await service.call(path, { ...body, channel }, key));
    });

    test('gets answers without CORS headers', async () => {
      const { key, body } = await prepare(path, { domain: 'shop.kz' });
      const own = { ...key, headers: { origin: 'https://shop.kz' } };
      const { headers } = await service.call(path, body, own);
      const cors = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(cors, []);
    });
  });
}

for (const endpoint of Object.values(ENDPOINTS)) {
  if (endpoint.needsKey) checkApiKeyRules(endpoint);
}

describe('the Authorization header', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    test(`accepts the scheme ${JSON.stringify(scheme)}`, async () => {
      const { key } = await service.key();
      const headers = { authorization: `${scheme} ${key}` };
      assert.equal((await service.call('/links/shorten', BODY, { headers })).status, 200);
    });
  }

  const malformed: Record<string, (key: string) => string> = {
    'no scheme': (key) => key,
    'another scheme': (key) => `Basic ${key}`,
    'no key': () => 'Bearer',
    'two keys': (key) => `Bearer ${key} ${key}`,
    'one character changed': (key) =>
      `Bearer ${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`,
    'one character missing': (key) => `Bearer ${key.slice(0, -1)}`,
    'one character too many': (key) => `Bearer ${key}a`,
    'the prefix of a test key': (key) => `Bearer ${key.replace('zk_live_', 'zk_test_')}`,
    'in capitals': (key) => `Bearer ${key.toUpperCase()}`,
    'in quotes': (key) => `Bearer "${key}"`,
    '4,000 characters': () => `Bearer ${'x'.repeat(4_000)}`,
  };
  for (const [name, spell] of Object.entries(malformed)) {
    test(`is refused when malformed: ${name}`, async () => {
      const { key } = await service.key();
      const headers = { authorization: spell(key) };
      const refused = await service.call('/links/shorten', BODY, { headers });
      assert.equal(refused.body.error_code, 'invalid_api_key');
    });
  }
});

describe('a key', () => {
  test('has a prefix for its mode, 32 random characters and a checksum', async () => {
    const { key: live } = await service.key();
    const { key: forTests } = await service.key({ isTest: true });
    assert.match(live, /^zk_live_[0-9A-Za-z]{38}$/);
    assert.match(forTests, /^zk_test_[0-9A-Za-z]{38}$/);
  });

  test('is stored only as its SHA-256, with the first and last characters for display', async () => {
    const { key, keyId } = await service.key();
    const [row] = await service.sql<Record<string, unknown> & { whole: string }>(
      `select secret_hash, shown_start, shown_end, k::text as whole from api_key k where id = $1`,
      [keyId],
    );
    assert.deepEqual(row?.secret_hash, createHash('sha256').update(key).digest());
    assert.equal(row?.shown_start, key.slice(0, 12));
    assert.equal(row?.shown_end, key.slice(-4));
    assert.equal(row?.whole.includes(key.slice(12, -4)), false);
  });
});

describe('rotation', () => {
  const rotate = async (key: TestKey, hours: RotationOverlapHours): Promise<string> => {
    const rotated = await rotateKey(service.ctx.db, key.keyId, hours);
    assert(rotated);
    return rotated.key;
  };

  test('gives a key a new secret and keeps its settings and its unverified codes', async () => {
    const key = await service.key({ codeLength: 8 });
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    const secret = await rotate(key, 1);
    assert.notEqual(secret, key.key);
    const code = service.readSentCode(key, phone);
    assert.equal(code.length, 8);
    const verified = await service.call('/otp/verify', { phone, code }, { key: secret });
    assert.equal(verified.status, 200);
  });

  for (const hours of [1, 24, 168] as const) {
    test(`keeps the old secret valid for ${hours} h`, async () => {
      const key = await service.key();
      const secret = await rotate(key, hours);
      await service.passTime(hours * 3600 - 10);
      assert.equal((await shorten(key.key)).status, 200);
      await service.passTime(11);
      const expired = await callAfterCacheExpiry(() => shorten(key.key));
      assert.equal(expired.body.error_code, 'invalid_api_key');
      assert.equal((await shorten(secret)).status, 200);
    });
  }

  test('ends the old secret on time, and on no node a second later', async () => {
    const key = await service.key();
    await rotate(key, 1);
    const [row] = await service.sql<{ end: Date }>(
      `update api_key set previous_until = clock_timestamp() + interval '2 seconds'
       where id = $1 returning previous_until as "end"`,
      [key.keyId],
    );
    assert(row !== undefined);
    await worksUntil(row.end.getTime(), key.key, 'invalid_api_key');
  });

  test('without overlap invalidates the old secret within a second', async () => {
    const key = await service.key();
    assert.equal((await shorten(key.key)).status, 200);
    const secret = await rotate(key, 0);
    assert.equal((await shorten(secret)).status, 200);
    const expired = await callAfterCacheExpiry(() => shorten(key.key));
    assert.equal(expired.body.error_code, 'invalid_api_key');
  });

  test('followed by a revocation invalidates both secrets', async () => {
    const key = await service.key();
    const secret = await rotate(key, 24);
    assert.equal((await shorten(key.key)).status, 200);
    assert.equal((await shorten(secret)).status, 200);
    await markKeyRevoked(service.ctx.db, key);
    for (const text of [key.key, secret]) {
      const refused = await callAfterCacheExpiry(() => shorten(text));
      assert.equal(refused.body.error_code, 'key_revoked');
    }
    assert.equal(await rotateKey(service.ctx.db, key.keyId, 1), undefined);
  });
});

describe('a test key', () => {
  test('is never charged and needs no balance', async () => {
    const key = await service.key({ isTest: true, balance: 0 });
    for (const channel of ['whatsapp', 'telegram', 'sms']) {
      const sent = await service.call('/otp/send', { phone: service.phone(), channel }, key);
      assert.equal(sent.body.cost, 0);
      assert.equal(sent.body.balance, 0);
    }
    assert.deepEqual(await service.balance(key.companyId), { balance: 0, held: 0 });
  });
});

describe('the bound domain', () => {
  const punycode = readDomain('дүкен.қаз') as string;
  type Case = [domain: string, headers: Record<string, string>, isAllowed: boolean];
  const origin = (text: string) => ({ origin: text });
  const referer = (text: string) => ({ referer: text });
  const cases: Case[] = [
    ['shop.kz', origin('https://shop.kz'), true],
    ['shop.kz', origin('http://shop.kz'), true],
    ['shop.kz', origin('https://shop.kz:8443'), true],
    ['shop.kz', origin('https://www.shop.kz'), true],
    ['shop.kz', origin('https://a.b.shop.kz:1234'), true],
    ['shop.kz', origin('https://SHOP.KZ'), true],
    ['shop.kz', referer('https://shop.kz/checkout?from=evil.kz#x'), true],
    ['shop.kz', { ...origin('https://shop.kz'), ...referer('https://evil.kz/') }, true],
    ['localhost', origin('http://localhost:5173'), true],
    [punycode, origin(`https://${punycode}`), true],
    [punycode, origin(`https://www.${punycode}`), true],
    ['shop.kz', origin('https://evil-shop.kz'), false],
    ['shop.kz', origin('https://evilshop.kz'), false],
    ['shop.kz', origin('https://shop.kz.evil.com'), false],
    ['shop.kz', origin('https://shop.kz@evil.com'), false],
    ['shop.kz', origin('https://evil.com/shop.kz'), false],
    ['shop.kz', origin('https://shop.com'), false],
    ['shop.kz', origin('https://kz'), false],
    ['www.shop.kz', origin('https://shop.kz'), false],
    ['shop.kz', origin('null'), false],
    ['shop.kz', origin('shop.kz'), false],
    ['shop.kz', origin('file://shop.kz'), false],
    ['shop.kz', referer('https://evil.kz/?https://shop.kz'), false],
    ['shop.kz', { ...origin('https://evil.kz'), ...referer('https://shop.kz/') }, false],
    [punycode, origin('https://xn--evil-shop.kz'), false],
  ];
  for (const [domain, headers, isAllowed] of cases) {
    const shown = Object.values(headers).join(' with the referrer ');
    test(`${domain} ${isAllowed ? 'accepts' : 'refuses'} ${shown}`, async () => {
      const { key } = await service.key({ domain });
      const answer = await shorten(key, headers);
      assert.equal(answer.body.error_code, isAllowed ? undefined : 'origin_not_allowed');
    });
  }
});

describe('a key with an end', () => {
  const endOf = async ({ keyId }: TestKey) => {
    const [row] = await service.sql<{ end: Date }>(
      'select expires_at as "end" from api_key where id = $1',
      [keyId],
    );
    assert(row !== undefined);
    return row.end.getTime();
  };

  test('works until its end, and on no node a second longer', async () => {
    const key = await service.key({ isTest: true });
    await expire(key, '2 seconds');
    await worksUntil(await endOf(key), key.key, 'key_revoked');
  });

  test('keeps it when it gets another secret, and both end together', async () => {
    const key = await service.key({ isTest: true });
    await expire(key, '1 hour');
    const end = await endOf(key);
    const secret = (await rotateKey(service.ctx.db, key.keyId, 24))?.key ?? '';
    assert.equal(await endOf(key), end);
    for (const text of [key.key, secret]) assert.equal((await shorten(text)).status, 200);
    await expire(key, '-1 second');
    for (const text of [key.key, secret]) {
      const refused = await callAfterCacheExpiry(() => shorten(text));
      assert.equal(refused.body.error_code, 'key_revoked');
    }
  });

  test('works again when it is extended', async () => {
    const key = await service.key({ isTest: true });
    await expire(key, '-1 second');
    assert.equal((await callAfterCacheExpiry(() => shorten(key.key))).status, 401);
    await expire(key, '1 day');
    await until('it works', async () => (await shorten(key.key)).status === 200);
  });
});
