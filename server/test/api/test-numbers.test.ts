import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchOnce } from '../../src/delivery/watch.ts';
import { type ApiAnswer, type TestKey, until, useService } from '../harness.ts';

const service = useService();

const testKey = () => service.key({ isTest: true, balance: 0 });
const send = (key: TestKey, phone: string, more: object = {}): Promise<ApiAnswer> =>
  service.call('/otp/send', { phone, ...more }, key);

const inboxOf = (key: TestKey, phone: string) =>
  service.sandbox.phone.messages({ keyId: key.keyId, phone });

type Shown = { state: string; receipt: string | null; channel: string | null; attempt: number };
async function readMessage(sent: ApiAnswer): Promise<Shown> {
  const [row] = await service.sql<Shown>(
    'select state, receipt, channel, attempt from message where id = $1',
    [sent.body.message_id],
  );
  assert(row);
  return row;
}

describe('with a test key the test number selects the outcome', { concurrency: true }, () => {
  test('any other number: accepted by the first channel, delivered in 1 s, read in 3 s', async () => {
    const key = await testKey();
    const phone = service.phone();
    const startedAt = performance.now();
    const sent = await send(key, phone);
    assert.equal(sent.body.channel, 'whatsapp');
    assert.equal(sent.body.cost, 0);
    assert.match(service.readSentCode(key, phone), /^\d{6}$/);
    const receiptIs =
      (...receipts: string[]) =>
      async () =>
        receipts.includes(String((await readMessage(sent)).receipt));
    // On a busy machine the receipt may already be "read" at the first check.
    await until('delivered', receiptIs('delivered', 'read'));
    assert(performance.now() - startedAt >= 1_000, 'delivered too early');
    await until('read', receiptIs('read'));
    assert(performance.now() - startedAt >= 3_000, 'read too early');
  });

  test('00: the code is always 000000', async () => {
    const key = await testKey();
    const phone = '+77000000000';
    await send(key, phone);
    assert.equal(service.readSentCode(key, phone), '000000');
    const wrong = await service.call('/otp/verify', { phone, code: '000001' }, key);
    assert.equal(wrong.body.error_code, 'invalid_code');
    const right = await service.call('/otp/verify', { phone, code: '000000' }, key);
    assert.equal(right.status, 200);
  });

  test('01: not on WhatsApp, the next channel accepts', async () => {
    const key = await testKey();
    const phone = '+77000000001';
    const sent = await send(key, phone);
    assert.equal(sent.body.channel, 'telegram');
    assert.deepEqual(
      inboxOf(key, phone).map((message) => message.channel),
      ['telegram'],
    );
    const explicit = await send(key, phone, { channel: 'whatsapp' });
    assert.equal(explicit.body.error_code, 'delivery_failed');
  });

  test('03: accepted, then a failure receipt from every channel', async () => {
    const key = await testKey();
    const sent = await send(key, '+77000000003');
    assert.equal(sent.status, 200);
    assert.equal(sent.body.channel, 'whatsapp');
    const explicit = await send(key, '+77000000003', { channel: 'sms', purpose: 'other' });
    await until('a failure receipt', async () => {
      return (await readMessage(explicit)).receipt === 'failed';
    });
    await until('the fallback has tried every channel', async () => {
      const message = await readMessage(sent);
      return message.attempt === 3 && message.channel === 'sms' && message.receipt === 'failed';
    });
    assert.deepEqual(inboxOf(key, '+77000000003'), []);
  });

  test('04: every channel refuses', async () => {
    const key = await testKey();
    for (const more of [{}, { channel: 'whatsapp' }, { channel: 'telegram' }, { channel: 'sms' }]) {
      const failed = await send(key, '+77000000004', more);
      assert.equal(failed.status, 502);
      assert.equal(failed.body.error_code, 'delivery_failed');
    }
    const link = { phone: '+77000000004', url: 'https://example.kz', channel: 'auto' };
    assert.equal((await service.call('/links/send', link, key)).status, 502);
  });

  test('05: insufficient balance', async () => {
    const key = await testKey();
    const refused = await send(key, '+77000000005');
    assert.equal(refused.status, 402);
    assert.equal(refused.body.error_code, 'insufficient_tokens');
    assert.equal(typeof refused.body.required, 'number');
    assert.equal(typeof refused.body.balance, 'number');
    assert(Number(refused.body.balance) < Number(refused.body.required));
  });

  test('06: rate limited', async () => {
    const key = await testKey();
    const refused = await send(key, '+77000000006');
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error_code, 'send_rate_limited');
    const wait = Number(refused.body.retry_after);
    assert(wait >= 1 && wait <= 60, `retry_after ${wait}`);
  });

  test('07: the provider hangs, and after 4 s the next channel accepts', async () => {
    const key = await testKey();
    const phone = '+77000000007';
    const startedAt = performance.now();
    const sent = await send(key, phone);
    const elapsed = performance.now() - startedAt;
    assert.equal(sent.body.channel, 'telegram');
    assert(elapsed >= 3_900, `it took ${elapsed} ms`);
    const code = service.readSentCode(key, phone);
    assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
  });

  test('07 with WhatsApp only: the outcome is unknown and the code stays valid', async () => {
    const key = await testKey();
    const answer = await send(key, '+77000000007', { channel: 'whatsapp' });
    assert.equal(answer.status, 504);
    assert.equal(answer.body.error_code, 'delivery_unconfirmed');
    const body = { phone: '+77000000007', code: '123456' };
    const wrong = await service.call('/otp/verify', body, key);
    assert.equal(wrong.body.error_code, 'invalid_code');
  });

  test('08: the code is already expired when it is verified', async () => {
    const key = await testKey();
    const phone = '+77000000008';
    assert.equal((await send(key, phone)).status, 200);
    const code = service.readSentCode(key, phone);
    const expired = await service.call('/otp/verify', { phone, code }, key);
    assert.equal(expired.body.error_code, 'code_expired');
  });
});

test('02: WhatsApp accepts without a receipt, and the same code falls back after 30 s', async () => {
  const key = await testKey();
  const phone = '+77000000002';
  const sent = await send(key, phone);
  assert.equal(sent.body.channel, 'whatsapp');
  const code = service.readSentCode(key, phone);
  await watchOnce(service.ctx);
  assert.equal(inboxOf(key, phone).length, 1, 'it fell back too early');
  await service.passTime(31);
  await watchOnce(service.ctx);
  assert.deepEqual(
    inboxOf(key, phone).map((message) => [message.channel, message.code]),
    [
      ['whatsapp', code],
      ['telegram', code],
    ],
  );
  assert.equal((await readMessage(sent)).channel, 'telegram');
  assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
});

test('02 with WhatsApp only: no fallback, the receipt stays unconfirmed', async () => {
  const key = await testKey();
  const sent = await send(key, '+77000000002', { channel: 'whatsapp' });
  await service.passTime(31);
  await watchOnce(service.ctx);
  assert.equal(inboxOf(key, '+77000000002').length, 1);
  assert.equal((await readMessage(sent)).receipt, 'unconfirmed');
});

test('02 twice: the fallback brings the code of the second send', async () => {
  const key = await testKey();
  const phone = '+77000000002';
  await send(key, phone);
  const first = service.readSentCode(key, phone);
  await send(key, phone);
  const second = service.readSentCode(key, phone);
  assert.notEqual(second, first);
  await service.passTime(31);
  await watchOnce(service.ctx);
  const fallbacks = inboxOf(key, phone).filter((message) => message.channel === 'telegram');
  assert.deepEqual(
    fallbacks.map((message) => message.code),
    [second],
  );
});

describe('rate limits', () => {
  test('do not apply to test numbers', async () => {
    const key = await testKey();
    for (let i = 0; i < 25; i++) {
      assert.equal((await send(key, '+77000000000')).status, 200, `send ${i + 1}`);
    }
  });

  test('do not apply to test numbers after ten wrong guesses either', async () => {
    const key = await testKey();
    const phone = '+77000000000';
    for (let guesses = 0; guesses < 10; guesses++) {
      if (guesses % 5 === 0) assert.equal((await send(key, phone)).status, 200);
      const guess = await service.call('/otp/verify', { phone, code: '111111' }, key);
      assert.equal(guess.body.error_code, 'invalid_code');
    }
    assert.equal((await send(key, phone)).status, 200);
  });

  test('apply to all other numbers of a test key', async () => {
    const key = await testKey();
    const phone = service.phone();
    assert.equal((await send(key, phone)).status, 200);
    assert.equal((await send(key, phone)).body.error_code, 'send_rate_limited');
  });
});

test('test numbers have no special meaning with a live key', async () => {
  const key = await service.key({ balance: 100, codeLength: 8 });
  for (let last = 0; last <= 8; last++) {
    const phone = `+7700000000${last}`;
    const sent = await send(key, phone);
    assert.equal(sent.status, 200, phone);
    assert.equal(sent.body.channel, 'whatsapp', phone);
    assert.equal(sent.body.cost, 3, phone);
    const code = service.readSentCode(key, phone);
    assert.notEqual(code, '00000000', phone);
    const verified = await service.call('/otp/verify', { phone, code }, key);
    assert.equal(verified.status, 200, phone);
  }
});
