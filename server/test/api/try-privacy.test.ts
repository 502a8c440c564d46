/** The sandbox shows codes and hands out keys without a sign-in: to its own pages, and uncached. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openDemo } from '../../src/installation/demo-company.ts';
import { useService } from '../harness.ts';

const service = useService();

type Ask = { method?: 'GET' | 'PUT' | 'DELETE'; url: string; body?: object };
const ASKED: Ask[] = [
  { url: '/try/session' },
  { url: '/try/switches' },
  {
    method: 'PUT',
    url: '/try/switches',
    body: { no_whatsapp: false, no_telegram: false, offline: false, not_mobile: false },
  },
  { url: '/try/messages/0199a1b2-0000-7000-8000-000000000000' },
  { method: 'DELETE', url: '/try/messages' },
];

const ask = (
  { method = 'GET', url, body }: Ask,
  headers: Record<string, string> = {},
  host = 'localhost:3000',
) =>
  service.http.inject({
    method,
    url,
    headers: { host, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { payload: JSON.stringify(body) }),
  });

describe('no answer of the virtual phone is cached', () => {
  const refused: Ask[] = [
    { url: '/try/nothing' },
    { url: '/try/%zz' },
    { method: 'DELETE', url: '/try/session' },
    { method: 'PUT', url: '/try/switches', body: { offline: 'yes' } },
    { url: '/sandbox/messages' },
    { url: '/sandbox/nothing' },
  ];
  for (const asked of [...ASKED, ...refused]) {
    test(`${asked.method ?? 'GET'} ${asked.url}`, async () => {
      const answer = await ask(asked);
      assert.equal(answer.headers['cache-control'], 'no-store', answer.payload);
    });
  }

  test('the messages of a key', async () => {
    const { key } = await service.key({ isTest: true });
    for (const method of ['GET', 'DELETE'] as const) {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await ask({ method, url: '/sandbox/messages' }, headers);
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
  });

  test('the stream of events', async () => {
    const answer = await readHead({});
    assert.deepEqual([answer.status, answer.cacheControl], [200, 'no-store']);
  });
});

/** The head of the stream of events, which itself has no end. */
async function readHead(headers: Record<string, string>) {
  const response = await service.http.inject({
    url: '/try/events',
    headers: { host: 'localhost:3000', ...headers },
    payloadAsStream: true,
  });
  response.stream().destroy();
  return { status: response.statusCode, cacheControl: response.headers['cache-control'] };
}

describe('a page of another site cannot ask the virtual phone', () => {
  before(() => openDemo(service.ctx));

  const foreign: Record<string, Record<string, string>> = {
    'by its origin': { origin: 'https://evil.example' },
    'by another port of this machine': { origin: 'http://localhost:3001' },
    'from a frame without an origin': { origin: 'null' },
    'by the mark of the browser': { 'sec-fetch-site': 'cross-site' },
    'from a subdomain': { 'sec-fetch-site': 'same-site' },
  };
  for (const [how, headers] of Object.entries(foreign)) {
    test(how, async () => {
      for (const asked of ASKED) {
        const answer = await ask(asked, headers);
        assert.equal(answer.statusCode, 403, `${asked.method} ${asked.url}`);
        assert.equal(answer.json().error_code, 'foreign_request');
        assert.match(answer.json().message, /[а-я]/);
        assert.equal(answer.headers['cache-control'], 'no-store');
      }
      assert.equal((await readHead(headers)).status, 403);
    });
  }

  test('and clears nothing', async () => {
    const key = await service.key({ isTest: true });
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    await ask({ method: 'DELETE', url: '/try/messages' }, { origin: 'https://evil.example' });
    assert.equal(service.sandbox.phone.messages({ keyId: key.keyId, phone }).length, 1);
  });

  test('while its own page and a program can', async () => {
    const own = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' };
    for (const headers of [{}, own]) {
      for (const asked of ASKED) {
        const { statusCode } = await ask(asked, headers);
        const isFound = !asked.url.startsWith('/try/messages/');
        assert.equal(statusCode, isFound ? 200 : 404, `${asked.method} ${asked.url}`);
      }
      assert.equal((await readHead(headers)).status, 200);
    }
  });
});

describe('the inbox of a key that is bound to a domain', () => {
  const cases: Record<string, { headers: Record<string, string>; status: number; code?: string }> =
    {
      'is refused without an origin': { headers: {}, status: 403, code: 'origin_required' },
      'is refused to another domain': {
        headers: { origin: 'https://evil-shop.kz' },
        status: 403,
        code: 'origin_not_allowed',
      },
      'is shown to the domain': { headers: { origin: 'https://shop.kz' }, status: 200 },
      'is shown to a subdomain': { headers: { referer: 'https://www.shop.kz/a' }, status: 200 },
    };
  for (const [what, { headers, status, code }] of Object.entries(cases)) {
    test(what, async () => {
      const { key } = await service.key({ isTest: true, domain: 'shop.kz' });
      for (const method of ['GET', 'DELETE'] as const) {
        const all = { authorization: `Bearer ${key}`, ...headers };
        const answer = await ask({ method, url: '/sandbox/messages' }, all);
        assert.equal(answer.statusCode, status);
        assert.equal(answer.json().error_code, code);
      }
    });
  }
});
