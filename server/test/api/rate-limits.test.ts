import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiAnswer, runConcurrently, type TestKey, useService } from '../harness.ts';

const service = useService();

const send = (key: TestKey, phone: string, more: object = {}): Promise<ApiAnswer> =>
  service.call('/otp/send', { phone, ...more }, key);

function assertWait(answer: ApiAnswer, code: string, from: number, to: number): void {
  assert.equal(answer.body.error_code, code);
  const wait = Number(answer.body.retry_after);
  assert(wait >= from && wait <= to, `retry_after ${wait}, expected ${from} to ${to}`);
  assert.equal(answer.headers['retry-after'], String(wait));
}

describe('the limit of one code a minute per company and phone', () => {
  test('refuses the second code with the time to wait', async () => {
    const key = await service.key();
    const phone = service.phone();
    const startedAt = performance.now();
    assert.equal((await send(key, phone)).status, 200);
    const refused = await send(key, phone);
    // Rounded up, so it is 60 during the first second.
    const elapsed = (performance.now() - startedAt) / 1_000;
    assertWait(refused, 'send_rate_limited', Math.ceil(60 - elapsed), 60);
  });

  test('applies across keys, purposes, channels and spellings', async () => {
    const key = await service.key();
    const other = await service.key({ companyId: key.companyId });
    const phone = service.phone();
    await send(key, phone);
    for (const refused of [
      await send(other, phone),
      await send(key, phone, { purpose: 'other' }),
      await send(key, phone, { channel: 'sms' }),
      await send(key, `8${phone.slice(2)}`),
    ]) {
      assert.equal(refused.body.error_code, 'send_rate_limited');
    }
  });

  test('does not apply to another phone or another company', async () => {
    const key = await service.key();
    const phone = service.phone();
    await send(key, phone);
    assert.equal((await send(key, service.phone())).status, 200);
    assert.equal((await send(await service.key(), phone)).status, 200);
  });

  describe('does not start with a refused send', () => {
    const refusals: Record<string, { more: object; code: string }> = {
      'a disabled channel': { more: { channel: 'sms' }, code: 'channel_disabled' },
      'an invalid link': { more: { link: 'nonsense' }, code: 'invalid_url' },
      'an invalid field': { more: { purpose: '' }, code: 'validation_error' },
    };
    for (const [name, { more, code }] of Object.entries(refusals)) {
      test(name, async () => {
        const key = await service.key({ channels: ['whatsapp'] });
        const phone = service.phone();
        assert.equal((await send(key, phone, more)).body.error_code, code);
        assert.equal((await send(key, phone)).status, 200);
      });
    }

    test('insufficient balance', async () => {
      const key = await service.key({ balance: 4 });
      const phone = service.phone();
      const refused = await send(key, phone, { channel: 'sms' });
      assert.equal(refused.body.error_code, 'insufficient_tokens');
      assert.equal((await send(key, phone)).status, 200);
    });

    test('every channel refused', async () => {
      const key = await service.key();
      const phone = service.phone();
      service.sandbox.switches = {
        noWhatsapp: true,
        noTelegram: true,
        notMobile: true,
        offline: false,
      };
      const failed = await send(key, phone);
      service.sandbox.switches = {
        noWhatsapp: false,
        noTelegram: false,
        notMobile: false,
        offline: false,
      };
      assert.equal(failed.body.error_code, 'delivery_failed');
      assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
      assert.equal((await send(key, phone)).status, 200);
    });
  });
});

describe('hourly and daily limits of codes per company and phone', () => {
  test('at most ten codes an hour', async () => {
    const key = await service.key();
    const phone = service.phone();
    for (let i = 0; i < 10; i++) {
      assert.equal((await send(key, phone)).status, 200, `send ${i + 1}`);
      await service.passTime(61);
    }
    // The first was sent 610 s ago.
    assertWait(await send(key, phone), 'daily_limit_reached', 2_970, 2_990);
    assert.equal((await send(key, service.phone())).status, 200);
    await service.passTime(2_990);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('at most twenty codes a day', async () => {
    const key = await service.key({ balance: 100 });
    const phone = service.phone();
    for (let i = 0; i < 20; i++) {
      assert.equal((await send(key, phone)).status, 200, `send ${i + 1}`);
      await service.passTime(400);
    }
    assertWait(await send(key, phone), 'daily_limit_reached', 78_300, 78_400);
    await service.passTime(78_400);
    assert.equal((await send(key, phone)).status, 200);
  });
});

describe('the request rate of a key', () => {
  const shorten = (key: TestKey, body: unknown = { url: 'https://example.kz' }) =>
    service.call('/links/shorten', body, key);

  test('is sent in RateLimit headers, and requests above it are refused', async () => {
    const key = await service.key({ ratePerMinute: 2 });
    const first = await shorten(key);
    assert.equal(first.status, 200);
    assert.equal(first.headers['ratelimit-policy'], '"key";q=2;w=60');
    assert.match(String(first.headers.ratelimit), /^"key";r=1;t=\d+$/);
    const second = await shorten(key);
    assert.match(String(second.headers.ratelimit), /^"key";r=0;t=\d+$/);
    const third = await shorten(key);
    assertWait(third, 'api_rate_limited', 1, 30);
    assert.equal(third.headers['ratelimit-policy'], '"key";q=2;w=60');
    assert.match(String(third.headers.ratelimit), /^"key";r=0;t=\d+$/);
  });

  test('counts all endpoints together, including invalid bodies', async () => {
    const key = await service.key({ ratePerMinute: 3 });
    assert.equal((await service.call('/otp/verify', {}, key)).status, 422);
    assert.equal((await service.call('/links/shorten', '{', key)).status, 422);
    assert.equal((await send(key, service.phone())).status, 200);
    assert.equal((await service.call('/group/send', {}, key)).status, 429);
  });

  test('is checked before the body', async () => {
    const key = await service.key({ ratePerMinute: 1 });
    await shorten(key);
    assert.equal((await shorten(key, '{')).body.error_code, 'api_rate_limited');
  });

  test('is independent of other keys of the same company', async () => {
    const key = await service.key({ ratePerMinute: 1 });
    const other = await service.key({ companyId: key.companyId, ratePerMinute: 1 });
    await shorten(key);
    assert.equal((await shorten(key)).status, 429);
    assert.equal((await shorten(other)).status, 200);
  });

  test('is unlimited by default', async () => {
    const key = await service.key();
    const answers = await runConcurrently(300, () => shorten(key));
    assert(answers.every((answer) => answer.status === 200));
    assert.equal(answers[0]?.headers.ratelimit, undefined);
    assert.equal(answers[0]?.headers['ratelimit-policy'], undefined);
  });
});

describe('the default request rate of the operator', () => {
  const limited = useService({ env: { API_RATE_PER_MINUTE: '1' } });

  test('applies to a key without its own rate and is overridden by it', async () => {
    const body = { url: 'https://example.kz' };
    const plain = await limited.key();
    assert.equal((await limited.call('/links/shorten', body, plain)).status, 200);
    const refused = await limited.call('/links/shorten', body, plain);
    assert.equal(refused.body.error_code, 'api_rate_limited');
    const own = await limited.key({ ratePerMinute: 5 });
    for (let i = 0; i < 5; i++) {
      assert.equal((await limited.call('/links/shorten', body, own)).status, 200);
    }
    assert.equal((await limited.call('/links/shorten', body, own)).status, 429);
  });
});
