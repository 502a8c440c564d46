/**
 * Provokes every error code over HTTP, and names the codes that a caller cannot cause, with the
 * reason.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERROR_CODES, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { checkAnswer } from '../check-answer.ts';
import { useHostileServer } from './hostile-server.ts';
import { createKeepAliveClient, type KeepAliveClient } from './keep-alive-client.ts';
import { type JsonBody, readJsonAnswer } from './raw/raw-answers.ts';

/** Tested elsewhere, because only an internal fault causes these codes. */
const INTERNAL_ONLY: Partial<Record<ErrorCode, string>> = {
  channel_not_connected: 'the sandbox carries every channel',
  internal_error: 'a bug; no request is known to cause one',
  service_unavailable: 'the database is away or the server is overloaded',
};

const seen = new Set<ErrorCode>();
let client: KeepAliveClient;
let keys: Record<
  'revoked' | 'domainBound' | 'rateLimited' | 'capped' | 'smsOnly' | 'outOfMoney' | 'suspended',
  string
>;

const hostile = useHostileServer({
  async prepare() {
    client = createKeepAliveClient(hostile.port, 8);
    const revoked = await hostile.key();
    await hostile.zhiber('key', 'revoke', String(revoked.keyId));
    const company = await hostile.zhiber('company', 'create', '--name', 'Бедная');
    const outOfMoney = await hostile.zhiber(
      'key',
      'create',
      '--company',
      String(company.company_id),
      '--name',
      'k',
    );
    const rich = await hostile.zhiber('company', 'create', '--name', 'Бережливая');
    const ofRich = ['--company', String(rich.company_id), '--name', 'k', '--monthly-cap', '2'];
    const capped = await hostile.zhiber('key', 'create', ...ofRich);
    const suspended = await hostile.zhiber('company', 'create', '--name', 'Остановленная');
    const suspendedId = String(suspended.company_id);
    const ofSuspended = ['--company', suspendedId, '--name', 'k', '--test'];
    const suspendedKey = await hostile.zhiber('key', 'create', ...ofSuspended);
    await hostile.zhiber('company', 'suspend', suspendedId, '--reason', 'спам');
    keys = {
      suspended: suspendedKey.key as string,
      revoked: revoked.key,
      outOfMoney: outOfMoney.key as string,
      domainBound: (await hostile.key('--domain', 'shop.kz')).key,
      rateLimited: (await hostile.key('--rate', '1')).key,
      capped: capped.key as string,
      smsOnly: (await hostile.key('--channels', 'sms')).key,
    };
  },
});

type CallOptions = { key?: string | null; headers?: Record<string, string>; method?: string };

/** Calls the API, validates the answer against the OpenAPI description and records its code. */
async function ask(path: string, body: unknown, options: CallOptions = {}): Promise<JsonBody> {
  const { key = hostile.keys.test, method = 'POST' } = options;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    host: 'localhost',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...options.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} /api${path} HTTP/1.1`, ...lines].join('\r\n');
  const answer = await client.send(Buffer.from(`${head}\r\n\r\n${text}`));
  assert(answer, 'the server closed the connection without an answer');
  const read = readJsonAnswer(path, answer);
  checkAnswer({ path, method, status: answer.status, body: read, headers: answer.headers });
  if (read.error_code !== undefined) seen.add(read.error_code);
  return read;
}

const LINK = { url: 'https://example.kz' };
const PHONE = '+77015550001';
/** The magic test phones, by their last digit. */
const testPhone = (digit: number) => `+7700000000${digit}`;
const readCode = async (answer: Promise<JsonBody>) => (await answer).error_code;
const send = (phone: string, more: object = {}, options: CallOptions = {}) =>
  ask('/otp/send', { phone, ...more }, options);
const verify = (phone: string, code = '000000') => ask('/otp/verify', { phone, code });

/** The calls that provoke each code; the last answer has the code. */
const PROVOCATIONS: Partial<Record<ErrorCode, () => Promise<JsonBody>>> = {
  missing_api_key: () => ask('/links/shorten', LINK, { key: null }),
  invalid_api_key: () => ask('/links/shorten', LINK, { key: 'zk_live_nonsense' }),
  key_revoked: () => ask('/links/shorten', LINK, { key: keys.revoked }),
  company_suspended: () => ask('/links/shorten', LINK, { key: keys.suspended }),
  origin_required: () => ask('/links/shorten', LINK, { key: keys.domainBound }),
  origin_not_allowed: () =>
    ask('/links/shorten', LINK, {
      key: keys.domainBound,
      headers: { origin: 'https://evil-shop.kz' },
    }),
  insufficient_tokens: async () => {
    const { key } = { key: keys.outOfMoney };
    // A new company has 50 tokens; six SMS cost 48.
    for (let i = 0; i < 6; i++) await send(`+770255500${10 + i}`, { channel: 'sms' }, { key });
    return send('+77025550099', { channel: 'sms' }, { key });
  },
  host_not_allowed: () => ask('/links/shorten', LINK, { headers: { host: 'evil.kz' } }),
  blocked_by_fraud_guard: () => send('+19005551234'),
  not_found: () => ask('/nothing', {}),
  method_not_allowed: () => ask('/otp/send', {}, { method: 'PUT' }),
  request_in_progress: async () => {
    const options = { headers: { 'idempotency-key': 'twice' } };
    const first = send(testPhone(7), { channel: 'whatsapp' }, options);
    let second = await send(testPhone(7), { channel: 'whatsapp' }, options);
    // Either request may be processed first.
    if (second.error_code !== 'request_in_progress') second = await first;
    else await first;
    return second;
  },
  payload_too_large: () => ask('/links/shorten', { ...LINK, pad: 'x'.repeat(20_000) }),
  unsupported_media_type: () =>
    ask('/links/shorten', LINK, { headers: { 'content-type': 'text/plain' } }),
  validation_error: () => ask('/links/shorten', {}),
  invalid_json: () => ask('/links/shorten', '{'),
  invalid_phone: () => send('12'),
  country_not_supported: () => send('+12025550123', { channel: 'sms' }),
  invalid_url: () => ask('/links/shorten', { url: 'javascript:alert(1)' }),
  alias_taken: async () => {
    await ask('/links/shorten', { ...LINK, alias: 'taken' });
    return ask('/links/shorten', { url: 'https://other.kz', alias: 'Taken' });
  },
  channel_disabled: () => send(PHONE, { channel: 'whatsapp' }, { key: keys.smsOnly }),
  channel_unsuitable: () =>
    ask('/group/send', { group: 'Дежурные', text: 'т', channel: 'whatsapp' }),
  no_channel_available: () => send('+12025550123', {}, { key: keys.smsOnly }),
  text_too_long: () =>
    ask('/links/send', { phone: PHONE, ...LINK, channel: 'sms', text: 'ж'.repeat(500) }),
  group_not_found: () => ask('/group/send', { group: 'нет такой', text: 'т' }),
  invalid_code: async () => {
    await send(testPhone(0));
    return verify(testPhone(0), '123456');
  },
  code_expired: async () => {
    await send(testPhone(8));
    return verify(testPhone(8));
  },
  code_already_used: async () => {
    await send(testPhone(0));
    await verify(testPhone(0));
    return verify(testPhone(0));
  },
  code_not_found: () => verify('+77015559999'),
  idempotency_key_reused: async () => {
    const options = { headers: { 'idempotency-key': 'reused' } };
    await ask('/links/shorten', LINK, options);
    return ask('/links/shorten', { url: 'https://other.kz' }, options);
  },
  send_rate_limited: async () => {
    await send(PHONE);
    return send(PHONE);
  },
  daily_limit_reached: async () => {
    for (let i = 0; i < 20; i++) await ask('/group/send', { group: 'Дежурные', text: 'т' });
    return ask('/group/send', { group: 'Дежурные', text: 'т' });
  },
  too_many_attempts: async () => {
    await send(testPhone(0));
    for (let i = 0; i < 5; i++) await verify(testPhone(0), '123456');
    return verify(testPhone(0));
  },
  api_rate_limited: async () => {
    await ask('/links/shorten', LINK, { key: keys.rateLimited });
    return ask('/links/shorten', LINK, { key: keys.rateLimited });
  },
  spend_cap_reached: () => send(PHONE, { channel: 'whatsapp' }, { key: keys.capped }),
  delivery_failed: () => send(testPhone(4)),
  delivery_unconfirmed: () => send(testPhone(7), { channel: 'whatsapp' }),
};

describe('each code can be provoked', () => {
  for (const code of ERROR_CODES) {
    const provoke = PROVOCATIONS[code];
    if (provoke !== undefined)
      test(code, async () => assert.equal(await readCode(provoke()), code));
  }
});

test('every code was seen except those that callers cannot cause', async () => {
  const never = ERROR_CODES.filter((code) => !seen.has(code));
  assert.deepEqual(never.toSorted(), Object.keys(INTERNAL_ONLY).toSorted());
  client.close();
  await hostile.assertUnharmed();
  const reasons = never.map((code) => `${code} (${INTERNAL_ONLY[code]})`);
  console.log(`${seen.size} of ${ERROR_CODES.length} codes seen; never: ${reasons.join('; ')}`);
});
