import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import type { InjectOptions } from 'fastify';
import { useService } from '../harness.ts';

const service = useService();
const KEYED = Object.values(ENDPOINTS).filter((endpoint) => endpoint.needsKey);
const BODY = { url: 'https://example.kz' };

async function post(payload: string | Buffer, headers: Record<string, string> = {}) {
  const { key } = await service.key();
  const response = await service.http.inject({
    method: 'POST',
    url: '/api/links/shorten',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    payload,
  });
  return { status: response.statusCode, body: response.json() };
}

describe('the content type', () => {
  const accepted = [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    'application/json; profile=x',
  ];
  for (const type of accepted) {
    test(`may be ${type}`, async () => {
      assert.equal((await post(JSON.stringify(BODY), { 'content-type': type })).status, 200);
    });
  }

  const refusedTypes = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/vnd.api+json',
    'application/json; charset=utf-16',
    'application/json; charset=windows-1251',
    'nonsense',
    '',
  ];
  for (const type of refusedTypes) {
    test(`may not be ${type === '' ? 'empty' : type}`, async () => {
      const refused = await post(JSON.stringify(BODY), { 'content-type': type });
      assert.equal(refused.status, 415, JSON.stringify(refused.body));
      assert.equal(refused.body.error_code, 'unsupported_media_type');
      assert.equal(refused.body.success, false);
    });
  }

  test('may not be missing', async () => {
    const { key } = await service.key();
    const response = await service.http.inject({
      method: 'POST',
      url: '/api/links/shorten',
      headers: { authorization: `Bearer ${key}` },
      payload: Buffer.from(JSON.stringify(BODY)),
    });
    assert.equal(response.json().error_code, 'unsupported_media_type');
  });

  test('a compressed body is refused', async () => {
    const refused = await post(JSON.stringify(BODY), { 'content-encoding': 'gzip' });
    assert.equal(refused.body.error_code, 'unsupported_media_type');
  });
});

describe('invalid JSON is refused with 422 invalid_json', () => {
  const deep = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const broken: Record<string, string | Buffer> = {
    'an empty body': '',
    'half an object': '{"url":',
    'single quotes': "{'url':'https://example.kz'}",
    'a trailing comma': '{"url":"https://example.kz",}',
    'an array': '[]',
    'a string': '"https://example.kz"',
    'a number': '42',
    null: 'null',
    'two objects': '{}{}',
    'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    'a NUL character in a string': '{"url":"https://example.kz/\\u0000"}',
    'an unpaired surrogate': '{"url":"https://example.kz/\\ud83d"}',
    'a thousand nested arrays': deep(1_000),
  };
  for (const [name, payload] of Object.entries(broken)) {
    test(name, async () => {
      const refused = await post(payload);
      assert.equal(refused.status, 422);
      assert.equal(refused.body.error_code, 'invalid_json');
    });
  }
});

describe('the size of a body', () => {
  const padded = (bytes: number) => {
    const empty = JSON.stringify({ ...BODY, pad: '' });
    return JSON.stringify({ ...BODY, pad: 'x'.repeat(bytes - empty.length) });
  };

  test('may be 16 KiB', async () => {
    assert.equal((await post(padded(16 * 1024))).status, 200);
  });

  for (const bytes of [16 * 1024 + 1, 1024 * 1024]) {
    test(`may not be ${bytes} bytes`, async () => {
      const refused = await post(padded(bytes));
      assert.equal(refused.status, 413);
      assert.equal(refused.body.error_code, 'payload_too_large');
    });
  }
});

test('unknown fields are ignored, including __proto__ and constructor', async () => {
  const odd = `{"url":"https://example.kz","x":1,"__proto__":{"alias":"zz"},"constructor":null}`;
  assert.equal((await post(odd)).status, 200);
});

describe('a request id', () => {
  const shorten = (headers: Record<string, string>) =>
    service.call('/links/shorten', BODY, { headers });

  for (const own of ['a', 'order-42_A.b', 'x'.repeat(64)]) {
    test(`of the client is kept when valid: ${own.slice(0, 20)}`, async () => {
      const refused = await shorten({ 'x-request-id': own });
      assert.equal(refused.headers['x-request-id'], own);
      assert.equal(refused.body.request_id, own);
    });
  }

  for (const own of ['', 'x'.repeat(65), 'a b', 'a/b', 'a"b', 'имя'.normalize()]) {
    test(`of the client is replaced when invalid: ${JSON.stringify(own).slice(0, 20)}`, async () => {
      const refused = await shorten({ 'x-request-id': Buffer.from(own).toString('latin1') });
      assert.notEqual(refused.headers['x-request-id'], own);
      assert.match(String(refused.body.request_id), /^[A-Za-z0-9._-]{1,64}$/);
    });
  }

  test('is present on successes too and unique', async () => {
    const key = await service.key();
    const first = await service.call('/links/shorten', BODY, key);
    const second = await service.call('/links/shorten', BODY, key);
    assert.equal(first.status, 200);
    assert.notEqual(first.headers['x-request-id'], second.headers['x-request-id']);
  });
});

describe('an unknown path is answered with 404 in JSON', () => {
  const paths = ['/nothing', '/otp', '/otp/send/', '/otp/send/more', '/v1/otp/send', '/Otp/Send'];
  for (const path of [...paths, '/otp%2fsend', '/%zz', '/otp/send%']) {
    test(path, async () => {
      for (const method of ['GET', 'POST'] as const) {
        const response = await service.http.inject({ method, url: `/api${path}` });
        assert.equal(response.statusCode, 404, response.payload);
        const body = response.json();
        assert.equal(body.success, false);
        assert.equal(body.error_code, 'not_found');
        assert.equal(body.request_id, response.headers['x-request-id']);
      }
    });
  }
});

describe('a wrong method is answered with 405 and the allowed methods', () => {
  const others = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  for (const { path } of KEYED) {
    test(path, async () => {
      for (const method of others) {
        const refused = await service.call(path, undefined, { method });
        assert.equal(refused.status, 405, method);
        assert.equal(refused.headers.allow, 'POST');
        if (method !== 'HEAD') assert.equal(refused.body.error_code, 'method_not_allowed');
      }
    });
  }

  test('/health', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const refused = await service.call('/health', undefined, { method });
      assert.equal(refused.status, 405, method);
      assert.deepEqual(String(refused.headers.allow).split(', ').sort(), ['GET', 'HEAD', 'POST']);
    }
  });
});

describe('requests are checked in a fixed order', () => {
  const bound = { domain: 'shop.kz', ratePerMinute: 1 };
  type Step = { name: string; wrong: Partial<InjectOptions>; code: string };
  const foreign = { origin: 'https://evil.kz' };

  test('route, method, key, origin, rate, body', async () => {
    const { key } = await service.key(bound);
    const used = await service.key({ ...bound, balance: 2 });
    const headers = { authorization: `Bearer ${key}` };
    const text = { 'content-type': 'text/plain' };
    const steps: Step[] = [
      { name: 'route', wrong: { url: '/api/x', method: 'GET', headers: text }, code: 'not_found' },
      { name: 'method', wrong: { method: 'GET' }, code: 'method_not_allowed' },
      { name: 'key', wrong: { headers: { ...foreign, ...text } }, code: 'missing_api_key' },
      {
        name: 'origin',
        wrong: { headers: { ...headers, ...foreign, ...text } },
        code: 'origin_not_allowed',
      },
    ];
    for (const { name, wrong, code } of steps) {
      const request = { method: 'POST', url: '/api/otp/send', payload: '{', ...wrong } as const;
      const response = await service.http.inject(request);
      assert.equal(response.json().error_code, code, name);
    }
    const good = { headers: { origin: 'https://shop.kz' }, key: used.key };
    assert.equal((await service.call('/otp/send', '{', good)).body.error_code, 'invalid_json');
    assert.equal((await service.call('/otp/send', '{', good)).body.error_code, 'api_rate_limited');
  });

  test('body, idempotency, then phone rate limit and balance', async () => {
    const key = await service.key({ balance: 3 });
    const phone = service.phone();
    const headers = { 'idempotency-key': 'order' };
    const sent = await service.call('/otp/send', { phone }, { ...key, headers });
    assert.equal(sent.status, 200);
    const invalid = await service.call('/otp/send', { phone: 1 }, { ...key, headers });
    assert.equal(invalid.body.error_code, 'validation_error');
    const reused = await service.call('/otp/send', { phone, purpose: 'x' }, { ...key, headers });
    assert.equal(reused.body.error_code, 'idempotency_key_reused');
    const replayed = await service.call('/otp/send', { phone }, { ...key, headers });
    assert.equal(replayed.status, 200);
    const limited = await service.call('/otp/send', { phone }, key);
    assert.equal(limited.body.error_code, 'send_rate_limited');
    const balance = await service.call('/otp/send', { phone: service.phone() }, key);
    assert.equal(balance.body.error_code, 'insufficient_tokens');
  });
});
