import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askUntilServed } from '../come-back.ts';
import { type Answered, type TestKey, together, useService } from '../harness.ts';

const service = useService();

const send = (key: TestKey, phone: string, more: object = {}): Promise<Answered> =>
  service.call('/otp/send', { phone, ...more }, key);

function assertWait(answer: Answered, code: string, from: number, to: number): void {
  assert.equal(answer.body.error_code, code);
  const wait = Number(answer.body.retry_after);
  assert(wait >= from && wait <= to, `retry_after ${wait}, expected ${from} to ${to}`);
  assert.equal(answer.headers['retry-after'], String(wait));
}

describe('one code a minute for a company and a phone', () => {
  test('the second is refused and told when to come back', async () => {
    const key = await service.key();
    const phone = service.phone();
    const startedAt = performance.now();
    assert.equal((await send(key, phone)).status, 200);
    const refused = await send(key, phone);
    // Rounded up, so within the first second it is all of the 60.
    const elapsed = (performance.now() - startedAt) / 1_000;
    assertWait(refused, 'send_rate_limited', Math.ceil(60 - elapsed), 60);
  });

  test('it holds across keys, purposes, channels and spellings', async () => {
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

  test('it concerns neither another phone nor another company', async () => {
    const key = await service.key();
    const phone = service.phone();
    await send(key, phone);
    assert.equal((await send(key, service.phone())).status, 200);
    assert.equal((await send(await service.key(), phone)).status, 200);
  });

  test('it is over after exactly 60 s, and a refusal does not extend it', async () => {
    const key = await service.key();
    const phone = service.phone();
    await send(key, phone);
    await service.passTime(30);
    assertWait(await send(key, phone), 'send_rate_limited', 1, 30);
    await service.passTime(30);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('a thousand at once yield one send', async () => {
    const key = await service.key();
    const other = await service.key({ companyId: key.companyId });
    const phone = service.phone();
    const { answers } = await askUntilServed({
      count: 1_000,
      ask: (numbers) =>
        Promise.all(numbers.map((number) => send(number % 2 === 0 ? key : other, phone))),
      sql: service.sql,
    });
    const refused = answers.filter((answer) => answer.body.error_code === 'send_rate_limited');
    assert.equal(refused.length, 999);
    const [one] = answers.filter((answer) => !refused.includes(answer));
    // A machine that is too busy to write it down in time has sent it for nothing.
    assert(one?.status === 200 || one?.status === 504, JSON.stringify(one?.body));
    const balance = one.status === 200 ? 47 : 50;
    assert.deepEqual(await service.balance(key.companyId), { balance, held: 0 });
  });

  describe('a send that did not happen does not start it', () => {
    const refusals: Record<string, { more: object; code: string }> = {
      'a disabled channel': { more: { channel: 'sms' }, code: 'channel_disabled' },
      'a bad link': { more: { link: 'nonsense' }, code: 'invalid_url' },
      'a bad field': { more: { purpose: '' }, code: 'validation_error' },
    };
    for (const [name, { more, code }] of Object.entries(refusals)) {
      test(name, async () => {
        const key = await service.key({ channels: ['whatsapp'] });
        const phone = service.phone();
        assert.equal((await send(key, phone, more)).body.error_code, code);
        assert.equal((await send(key, phone)).status, 200);
      });
    }

    test('too little money', async () => {
      const poor = await service.key({ balance: 4 });
      const phone = service.phone();
      const refused = await send(poor, phone, { channel: 'sms' });
      assert.equal(refused.body.error_code, 'insufficient_tokens');
      assert.equal((await send(poor, phone)).status, 200);
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

describe('caps on codes for a company and a phone', () => {
  test('ten an hour', async () => {
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

  test('twenty a day', async () => {
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

  test('is told in RateLimit fields, and the request past it is refused', async () => {
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

  test('counts every endpoint together, and refused bodies too', async () => {
    const key = await service.key({ ratePerMinute: 3 });
    assert.equal((await service.call('/otp/verify', {}, key)).status, 422);
    assert.equal((await service.call('/links/shorten', '{', key)).status, 422);
    assert.equal((await send(key, service.phone())).status, 200);
    assert.equal((await service.call('/group/send', {}, key)).status, 429);
  });

  test('comes before the body is looked at', async () => {
    const key = await service.key({ ratePerMinute: 1 });
    await shorten(key);
    assert.equal((await shorten(key, '{')).body.error_code, 'api_rate_limited');
  });

  test('of one key does not slow another of the same company', async () => {
    const key = await service.key({ ratePerMinute: 1 });
    const other = await service.key({ companyId: key.companyId, ratePerMinute: 1 });
    await shorten(key);
    assert.equal((await shorten(key)).status, 429);
    assert.equal((await shorten(other)).status, 200);
  });

  test('is none by default', async () => {
    const key = await service.key();
    const answers = await together(300, () => shorten(key));
    assert(answers.every((answer) => answer.status === 200));
    assert.equal(answers[0]?.headers.ratelimit, undefined);
    assert.equal(answers[0]?.headers['ratelimit-policy'], undefined);
  });
});

describe('the request rate the operator has set', () => {
  const limited = useService({ env: { API_RATE_PER_MINUTE: '1' } });

  test('holds for a key without a rate of its own, and gives way to one', async () => {
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
