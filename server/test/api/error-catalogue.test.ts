/** Provokes every code of the error catalogue. A code without a provocation does not compile. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERROR_CODES, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { ChannelAdapter } from '../../src/channels/channel.ts';
import { suspendCompany } from '../../src/company/suspend-company.ts';
import { markKeyRevoked } from '../../src/keys/key-store.ts';
import { newKeyText } from '../../src/keys/key-text.ts';
import { type ApiAnswer, type TestKey, useService } from '../harness.ts';

const service = useService();
const codeOnly: ChannelAdapter = {
  name: 'edge',
  carries: new Set(['code'] as const),
  send: () => Promise.reject(new Error('broken on purpose')),
};
const live = useService({ providers: { whatsapp: codeOnly } });
const shortTimeout = useService({ env: { DATABASE_TIMEOUT_MS: '1500' } });

const URL_42 = 'https://example.kz/42';
const send = (key: TestKey, more: object = {}, headers: Record<string, string> = {}) =>
  service.call('/otp/send', { phone: service.phone(), ...more }, { ...key, headers });
const verify = (key: TestKey, phone: string, code: string) =>
  service.call('/otp/verify', { phone, code }, key);

async function sendCode(key: TestKey) {
  const phone = service.phone();
  await service.call('/otp/send', { phone }, key);
  const code = service.readSentCode(key, phone);
  return { phone, code, wrong: code === '111111' ? '222222' : '111111' };
}

type Provocation = {
  status: number;
  /** The field that the error names. */
  field?: string;
  provoke: () => Promise<ApiAnswer>;
};

const CATALOGUE = {
  missing_api_key: { status: 401, provoke: () => service.call('/otp/send', {}) },
  invalid_api_key: {
    status: 401,
    provoke: () => service.call('/otp/send', {}, { key: newKeyText(false) }),
  },
  key_revoked: {
    status: 401,
    provoke: async () => {
      const key = await service.key();
      await markKeyRevoked(service.ctx.db, key);
      return await send(key);
    },
  },
  insufficient_tokens: {
    status: 402,
    provoke: async () => send(await service.key({ balance: 2 })),
  },
  origin_required: {
    status: 403,
    provoke: async () => send(await service.key({ domain: 'shop.kz' })),
  },
  origin_not_allowed: {
    status: 403,
    provoke: async () =>
      send(await service.key({ domain: 'shop.kz' }), {}, { origin: 'https://evil.kz' }),
  },
  company_suspended: {
    status: 403,
    provoke: async () => {
      const key = await service.key();
      await suspendCompany(service.ctx, { companyId: key.companyId, reason: 'Жалобы' });
      return await send(key);
    },
  },
  host_not_allowed: {
    status: 403,
    provoke: () =>
      service.call('/health', undefined, { method: 'GET', headers: { host: 'evil.kz' } }),
  },
  blocked_by_fraud_guard: {
    status: 403,
    provoke: async () => send(await service.key(), { phone: '+881612345678' }),
  },
  not_found: { status: 404, provoke: () => service.call('/nothing', {}) },
  method_not_allowed: {
    status: 405,
    provoke: () => service.call('/otp/send', undefined, { method: 'GET' }),
  },
  request_in_progress: {
    status: 409,
    provoke: async () => {
      const key = await service.key();
      const request = { ...key, headers: { 'idempotency-key': 'a' } };
      await service.call('/links/shorten', { url: URL_42 }, request);
      const forget = 'update idempotency set status = null, answer = null where key_id = $1';
      await service.sql(forget, [key.keyId]);
      return await service.call('/links/shorten', { url: URL_42 }, request);
    },
  },
  payload_too_large: {
    status: 413,
    provoke: async () => send(await service.key(), { pad: 'x'.repeat(20_000) }),
  },
  unsupported_media_type: {
    status: 415,
    provoke: async () => send(await service.key(), {}, { 'content-type': 'text/plain' }),
  },
  validation_error: {
    status: 422,
    field: 'channel',
    provoke: async () => send(await service.key(), { channel: 'pigeon' }),
  },
  invalid_json: {
    status: 422,
    provoke: async () => service.call('/otp/send', '{', await service.key()),
  },
  invalid_phone: {
    status: 422,
    field: 'phone',
    provoke: async () => send(await service.key(), { phone: 'nonsense' }),
  },
  country_not_supported: {
    status: 422,
    provoke: async () => send(await service.key(), { phone: '+491701234567', channel: 'sms' }),
  },
  invalid_url: {
    status: 422,
    field: 'url',
    provoke: async () => service.call('/links/shorten', { url: 'x' }, await service.key()),
  },
  alias_taken: {
    status: 422,
    field: 'alias',
    provoke: async () => {
      const body = { url: URL_42, alias: 'catalogue' };
      await service.call('/links/shorten', body, await service.key());
      return await service.call('/links/shorten', body, await service.key());
    },
  },
  channel_disabled: {
    status: 422,
    provoke: async () => send(await service.key({ channels: ['sms'] }), { channel: 'telegram' }),
  },
  channel_unsuitable: {
    status: 422,
    provoke: async () => {
      const body = { phone: live.phone(), channel: 'whatsapp', link: URL_42 };
      return await live.call('/otp/send', body, await live.key());
    },
  },
  channel_not_connected: {
    status: 422,
    provoke: async () =>
      live.call('/otp/send', { phone: live.phone(), channel: 'telegram' }, await live.key()),
  },
  no_channel_available: {
    status: 422,
    provoke: async () => send(await service.key({ channels: [] })),
  },
  text_too_long: {
    status: 422,
    field: 'text',
    provoke: async () => {
      const body = { phone: service.phone(), url: URL_42, channel: 'sms', text: 'я'.repeat(300) };
      return await service.call('/links/send', body, await service.key());
    },
  },
  group_not_found: {
    status: 422,
    field: 'group',
    provoke: async () =>
      service.call('/group/send', { group: 'x', text: 'x' }, await service.key()),
  },
  invalid_code: {
    status: 422,
    provoke: async () => {
      const key = await service.key();
      const { phone, wrong } = await sendCode(key);
      return await verify(key, phone, wrong);
    },
  },
  code_expired: {
    status: 422,
    provoke: async () => {
      const key = await service.key();
      const { phone, code } = await sendCode(key);
      await service.passTime(300);
      return await verify(key, phone, code);
    },
  },
  code_already_used: {
    status: 422,
    provoke: async () => {
      const key = await service.key();
      const { phone, code } = await sendCode(key);
      await verify(key, phone, code);
      return await verify(key, phone, code);
    },
  },
  code_not_found: {
    status: 422,
    provoke: async () => verify(await service.key(), service.phone(), '123456'),
  },
  idempotency_key_reused: {
    status: 422,
    provoke: async () => {
      const key = await service.key();
      const headers = { 'idempotency-key': 'a' };
      await send(key, {}, headers);
      return await send(key, {}, headers);
    },
  },
  send_rate_limited: {
    status: 429,
    provoke: async () => {
      const key = await service.key();
      const phone = service.phone();
      await send(key, { phone });
      return await send(key, { phone });
    },
  },
  daily_limit_reached: {
    status: 429,
    provoke: async () => {
      const key = await service.key();
      const phone = service.phone();
      for (let i = 0; i < 10; i++) {
        await send(key, { phone });
        await service.passTime(60);
      }
      return await send(key, { phone });
    },
  },
  too_many_attempts: {
    status: 429,
    provoke: async () => {
      const key = await service.key();
      const { phone, code, wrong } = await sendCode(key);
      for (let i = 0; i < 5; i++) await verify(key, phone, wrong);
      return await verify(key, phone, code);
    },
  },
  api_rate_limited: {
    status: 429,
    provoke: async () => {
      const key = await service.key({ ratePerMinute: 1 });
      await send(key);
      return await send(key);
    },
  },
  spend_cap_reached: {
    status: 429,
    provoke: async () => {
      const key = await service.key({ monthlyCap: 5 });
      await send(key, { channel: 'whatsapp' });
      return await send(key, { channel: 'whatsapp' });
    },
  },
  internal_error: {
    status: 500,
    provoke: async () => {
      const key = await service.key();
      await service.sql('alter function shorten rename to mislaid');
      try {
        return await service.call('/links/shorten', { url: URL_42 }, key);
      } finally {
        await service.sql('alter function mislaid rename to shorten');
      }
    },
  },
  delivery_failed: {
    status: 502,
    provoke: async () => send(await service.key({ isTest: true }), { phone: '+77000000004' }),
  },
  service_unavailable: {
    status: 503,
    provoke: async () => {
      const key = await shortTimeout.key();
      return await shortTimeout.ctx.db.transaction(async (tx) => {
        // The lock must outlast the call.
        await tx.query('set local idle_in_transaction_session_timeout = 0');
        await tx.query('lock table code in access exclusive mode');
        return await shortTimeout.call(
          '/otp/verify',
          { phone: shortTimeout.phone(), code: '123456' },
          key,
        );
      });
    },
  },
  delivery_unconfirmed: {
    status: 504,
    provoke: async () => live.call('/otp/send', { phone: live.phone() }, await live.key()),
  },
} as const satisfies Record<ErrorCode, Provocation>;

test('the table covers exactly the codes of the catalogue', () => {
  assert.deepEqual(Object.keys(CATALOGUE).sort(), [...ERROR_CODES].sort());
});

describe('each code can be provoked', () => {
  for (const code of ERROR_CODES) {
    const entry: Provocation = CATALOGUE[code];
    test(`${entry.status} ${code}`, async () => {
      const answer = await entry.provoke();
      assert.equal(answer.body.error_code, code, JSON.stringify(answer.body));
      assert.equal(answer.status, entry.status);
      assert.match(String(answer.body.message), /[а-яё]/i);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      if ([429, 503].includes(entry.status)) assert(Number(answer.headers['retry-after']) >= 1);
      if (code === 'internal_error') {
        const fields = ['docs_url', 'error_code', 'message', 'request_id', 'success'];
        assert.deepEqual(Object.keys(answer.body).sort(), fields);
      }
      const docs = new URL(String(answer.body.docs_url));
      assert.equal(docs.pathname, `/docs/errors/${code}`);
      assert.equal((await service.http.inject(docs.pathname)).statusCode, 200);
    });
  }
});

describe('a 422 for an invalid field names the field', () => {
  for (const code of ERROR_CODES) {
    const { field, provoke }: Provocation = CATALOGUE[code];
    if (field === undefined) continue;
    test(`${code} names ${field}`, async () => {
      const errors = (await provoke()).body.errors as Record<string, string[]> | undefined;
      assert.deepEqual(Object.keys(errors ?? {}), [field]);
      assert.match(errors?.[field]?.[0] ?? '', /[а-яё]/i);
    });
  }
});
