/** Test keys and live keys are counted apart, and every 429 says when the send is possible. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiAnswer, runConcurrently, type TestKey, useService } from '../harness.ts';
import { wrongCode } from '../wrong-code.ts';
import { tally } from './two-nodes.ts';

const service = useService();

const send = (key: TestKey, phone: string): Promise<ApiAnswer> =>
  service.call('/otp/send', { phone }, key);
const sendLink = (key: TestKey, phone: string): Promise<ApiAnswer> =>
  service.call('/links/send', { phone, url: 'https://shop.kz', channel: 'whatsapp' }, key);
const guess = (key: TestKey, phone: string, code: string): Promise<ApiAnswer> =>
  service.call('/otp/verify', { phone, code }, key);

/** A live and a test key of one company. */
async function keyPair(): Promise<{ live: TestKey; test: TestKey }> {
  const live = await service.key({ balance: 1_000 });
  return { live, test: await service.key({ companyId: live.companyId, isTest: true }) };
}

function assertRefused(answer: ApiAnswer, code: string): number {
  assert.deepEqual([answer.status, answer.body.error_code], [429, code]);
  assert.equal(answer.headers['retry-after'], String(answer.body.retry_after));
  return Number(answer.body.retry_after);
}

for (const first of ['live', 'test'] as const) {
  const second = first === 'live' ? 'test' : 'live';
  describe(`sends with a ${first} key`, () => {
    test(`leave the minute of a ${second} key free when both have sent before`, async () => {
      const keys = await keyPair();
      const phone = service.phone();
      assert.equal((await send(keys[first], phone)).status, 200);
      assert.equal((await send(keys[second], phone)).status, 200);
      await service.passTime(61);
      assert.equal((await send(keys[first], phone)).status, 200);
      assert.equal((await send(keys[second], phone)).status, 200);
    });
    test(`leave the minute of a ${second} key free`, async () => {
      const keys = await keyPair();
      const phone = service.phone();
      assert.equal((await send(keys[first], phone)).status, 200);
      assert.equal((await send(keys[second], phone)).status, 200);
      assertRefused(await send(keys[first], phone), 'send_rate_limited');
      assertRefused(await send(keys[second], phone), 'send_rate_limited');
    });

    test(`do not use up the caps of a ${second} key`, async () => {
      const keys = await keyPair();
      const phone = service.phone();
      for (let sent = 1; sent <= 10; sent++) {
        assert.equal((await send(keys[first], phone)).status, 200);
        await service.passTime(61);
      }
      assertRefused(await send(keys[first], phone), 'daily_limit_reached');
      assert.equal((await send(keys[second], phone)).status, 200);
    });

    test(`do not use up the links of a ${second} key`, async () => {
      const keys = await keyPair();
      const phone = service.phone();
      const answers = await runConcurrently(31, () => sendLink(keys[first], phone));
      assert.deepEqual(tally(answers), { ok: 30, daily_limit_reached: 1 });
      assert.equal((await sendLink(keys[second], phone)).status, 200);
    });

    test(`released together with those of a ${second} key are one each`, async () => {
      const keys = await keyPair();
      const phone = service.phone();
      const answers = await runConcurrently(40, (i) =>
        send(keys[i % 2 === 0 ? first : second], phone),
      );
      assert.deepEqual(tally(answers), { ok: 2, send_rate_limited: 38 });
    });
  });
}

test('a failed send with a live key frees its own minute, and not that of a test key', async () => {
  const keys = await keyPair();
  const phone = service.phone();
  assert.equal((await send(keys.test, phone)).status, 200);
  const before = service.sandbox.switches;
  service.sandbox.switches = { ...before, noWhatsapp: true, noTelegram: true, notMobile: true };
  assert.equal((await send(keys.live, phone)).status, 502);
  service.sandbox.switches = before;
  assert.equal((await send(keys.live, phone)).status, 200);
  assertRefused(await send(keys.test, phone), 'send_rate_limited');
});

describe('while no guess is possible', () => {
  /** Ten wrong guesses: five at each of two codes. */
  async function lock(key: TestKey, phone: string): Promise<void> {
    for (let round = 0; round < 2; round++) {
      assert.equal((await send(key, phone)).status, 200);
      const right = service.readSentCode(key, phone);
      const wrong = right === '111111' ? '222222' : '111111';
      for (let tries = 0; tries < 5; tries++)
        assert.equal((await guess(key, phone, wrong)).status, 422);
      await service.passTime(61);
    }
  }

  test('a send is refused with the same answer, and nothing is charged', async () => {
    const key = await service.key();
    const phone = service.phone();
    await lock(key, phone);
    const before = await service.balance(key.companyId);
    const verified = assertRefused(await guess(key, phone, '111111'), 'too_many_attempts');
    const sent = assertRefused(await send(key, phone), 'too_many_attempts');
    assert.ok(Math.abs(sent - verified) <= 1, `${sent} and ${verified}`);
    assert.deepEqual(await service.balance(key.companyId), before);
    await service.passTime(sent);
    assert.equal((await send(key, phone)).status, 200);
    assert.equal((await guess(key, phone, service.readSentCode(key, phone))).status, 200);
  });

  test('another purpose and another key are not refused', async () => {
    const key = await service.key();
    const other = await service.key({ companyId: key.companyId });
    const phone = service.phone();
    await lock(key, phone);
    const body = { phone, purpose: 'payment' };
    assert.equal((await service.call('/otp/send', body, key)).status, 200);
    await service.passTime(61);
    assert.equal((await send(other, phone)).status, 200);
  });

  test('links are still sent', async () => {
    const key = await service.key();
    const phone = service.phone();
    await lock(key, phone);
    assert.equal((await sendLink(key, phone)).status, 200);
  });
});

describe('retry_after', () => {
  test('names the limit that lasts longest', async () => {
    const key = await service.key();
    const phone = service.phone();
    for (let sent = 1; sent <= 10; sent++) {
      if (sent > 1) await service.passTime(61);
      assert.equal((await send(key, phone)).status, 200);
    }
    // Within the minute of the tenth.
    const wait = assertRefused(await send(key, phone), 'daily_limit_reached');
    assert.ok(wait > 3_000, String(wait));
    await service.passTime(wait);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('of used up guesses says when a new code may be sent', async () => {
    const key = await service.key();
    const phone = service.phone();
    await send(key, phone);
    const right = service.readSentCode(key, phone);
    const wrong = right === '111111' ? '222222' : '111111';
    for (let tries = 0; tries < 5; tries++) await guess(key, phone, wrong);
    const wait = assertRefused(await guess(key, phone, right), 'too_many_attempts');
    assert.ok(wait > 50 && wait <= 60, String(wait));
    await service.passTime(wait);
    assert.equal(assertRefused(await guess(key, phone, right), 'too_many_attempts'), 0);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('of used up guesses counts no sends of the other mode', async () => {
    const keys = await keyPair();
    const phone = service.phone();
    for (let sent = 1; sent <= 10; sent++) {
      assert.equal((await send(keys.live, phone)).status, 200);
      await service.passTime(61);
    }
    assert.equal((await send(keys.test, phone)).status, 200);
    const right = service.readSentCode(keys.test, phone);
    for (let tries = 0; tries < 5; tries++) await guess(keys.test, phone, wrongCode(right));
    const wait = assertRefused(await guess(keys.test, phone, right), 'too_many_attempts');
    assert.ok(wait <= 60, String(wait));
  });
});

test('what cannot be a code of the key is no guess', async () => {
  const key = await service.key();
  const phone = service.phone();
  await send(key, phone);
  for (const text of [
    '12345',
    '1234567',
    '123456789',
    'abcdef',
    '12345a',
    '１２３４５６',
    '١٢٣٤٥٦',
  ]) {
    const answer = await guess(key, phone, text);
    assert.deepEqual([answer.status, answer.body.error_code], [422, 'invalid_code'], text);
    assert.equal(answer.body.attempts_left, undefined);
  }
  const right = service.readSentCode(key, phone);
  assert.equal((await guess(key, phone, ` ${right.slice(0, 3)}-${right.slice(3)}`)).status, 200);
});
