import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { topUp } from '../../src/billing/top-up.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { insertGroup } from '../../src/group/group-store.ts';
import { type Answered, type TestKey, together, useService } from '../harness.ts';

const service = useService();
const TARGET = 'https://example.kz/order/42';

function ask(key: TestKey, name: string, path: string, body: object): Promise<Answered> {
  return service.call(path, body, { ...key, headers: { 'idempotency-key': name } });
}

const isReplay = (answer: Answered) => answer.headers['idempotent-replayed'] === 'true';

function assertReplayed(again: Answered, first: Answered): void {
  assert.equal(again.status, first.status);
  assert.equal(isReplay(again), true);
  const { request_id: _again, ...said } = again.body;
  const { request_id: _first, ...saidFirst } = first.body;
  assert.deepEqual(said, saidFirst);
}

const arrived = (key: TestKey) => service.sandbox.phone.messages({ keyId: key.keyId }).length;

/** As if the process had died after its work and before its answer was kept, long enough ago. */
async function forgetAnswer(key: TestKey): Promise<void> {
  await service.sql('update idempotency set status = null, answer = null where key_id = $1', [
    key.keyId,
  ]);
  await service.passTime(21);
}

describe('the same request again gets the first answer', () => {
  const bodies: Record<string, (key: TestKey) => Promise<object>> = {
    '/otp/send': async () => ({ phone: service.phone(), link: TARGET }),
    '/links/send': async () => ({ phone: service.phone(), url: TARGET, channel: 'sms' }),
    '/links/shorten': async () => ({ url: TARGET }),
    '/group/send': async ({ companyId }) => {
      const group = { companyId, channel: 'telegram', name: 'Группа', chatId: '-1' } as const;
      await insertGroup(service.ctx.db, group);
      return { group: 'Группа', text: 'Привет' };
    },
  };
  for (const [path, makeBody] of Object.entries(bodies)) {
    test(`${path}, before any limit or charge`, async () => {
      const key = await service.key();
      const body = await makeBody(key);
      const first = await ask(key, 'a', path, body);
      assert.equal(first.status, 200);
      assert.equal(isReplay(first), false);
      const before = { arrived: arrived(key), ...(await service.balance(key.companyId)) };
      for (let i = 0; i < 3; i++) assertReplayed(await ask(key, 'a', path, body), first);
      const after = { arrived: arrived(key), ...(await service.balance(key.companyId)) };
      assert.deepEqual(after, before);
    });
  }

  test('/otp/verify: a right code stays right, a wrong one is counted once', async () => {
    const key = await service.key({ codeLength: 8 });
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    const code = service.codeOn(key, phone);
    const wrong = code === '11111111' ? '22222222' : '11111111';
    const missed = await ask(key, 'wrong', '/otp/verify', { phone, code: wrong });
    assert.equal(missed.body.attempts_left, 4);
    const again = await ask(key, 'wrong', '/otp/verify', { phone, code: wrong });
    assertReplayed(again, missed);
    const right = await ask(key, 'right', '/otp/verify', { phone, code });
    assert.equal(right.status, 200);
    assertReplayed(await ask(key, 'right', '/otp/verify', { phone, code }), right);
  });

  test('the order of the fields, unknown ones and nulls do not make another body', async () => {
    const key = await service.key();
    const phone = service.phone();
    const first = await ask(key, 'a', '/otp/send', { phone, purpose: 'x' });
    const body = { note: 1, channel: null, purpose: 'x', phone };
    assertReplayed(await ask(key, 'a', '/otp/send', body), first);
  });

  test('a send that every channel refused stays refused', async () => {
    const key = await service.key({ isTest: true });
    const body = { phone: '+77000000004' };
    const first = await ask(key, 'a', '/otp/send', body);
    assert.equal(first.body.error_code, 'delivery_failed');
    assertReplayed(await ask(key, 'a', '/otp/send', body), first);
  });

  test('for 24 hours', async () => {
    const key = await service.key();
    const body = { phone: service.phone() };
    const first = await ask(key, 'a', '/otp/send', body);
    await service.passTime(24 * 3600 - 60);
    assertReplayed(await ask(key, 'a', '/otp/send', body), first);
    await service.passTime(61);
    const second = await ask(key, 'a', '/otp/send', body);
    assert.equal(second.status, 200);
    assert.equal(isReplay(second), false);
    assert.notEqual(second.body.message_id, first.body.message_id);
    assertReplayed(await ask(key, 'a', '/otp/send', body), second);
  });
});

describe('another request', () => {
  test('with the same key and another body is refused', async () => {
    const key = await service.key();
    await ask(key, 'a', '/otp/send', { phone: service.phone() });
    const reused = await ask(key, 'a', '/otp/send', { phone: service.phone() });
    assert.equal(reused.body.error_code, 'idempotency_key_reused');
    assert.equal(arrived(key), 1);
  });

  test('at another path or with another API key is a request of its own', async () => {
    const key = await service.key();
    const other = await service.key({ companyId: key.companyId });
    const phone = service.phone();
    const first = await ask(key, 'a', '/links/send', { phone, url: TARGET, channel: 'auto' });
    const elsewhere = await ask(key, 'a', '/otp/send', { phone });
    const byOther = await ask(other, 'a', '/links/send', { phone, url: TARGET, channel: 'auto' });
    const ids = [first, elsewhere, byOther].map((answer) => answer.body.message_id);
    assert.equal(new Set(ids).size, 3);
    assert.equal([first, elsewhere, byOther].some(isReplay), false);
  });
});

describe('a refusal that changed nothing is not kept', () => {
  test('too little money, then a top-up', async () => {
    const key = await service.key({ balance: 0 });
    const body = { phone: service.phone() };
    const refused = await ask(key, 'a', '/otp/send', body);
    assert.equal(refused.body.error_code, 'insufficient_tokens');
    await topUp(service.ctx, { companyId: key.companyId, amount: 1_000 });
    const sent = await ask(key, 'a', '/otp/send', body);
    assert.equal(sent.status, 200);
    assert.equal(isReplay(sent), false);
  });

  test('the minute of a phone, then it is over', async () => {
    const key = await service.key();
    const body = { phone: service.phone() };
    await service.call('/otp/send', body, key);
    const refused = await ask(key, 'a', '/otp/send', body);
    assert.equal(refused.body.error_code, 'send_rate_limited');
    assert.equal(refused.headers['retry-after'], String(refused.body.retry_after));
    await service.passTime(60);
    assert.equal((await ask(key, 'a', '/otp/send', body)).status, 200);
  });

  test('a refused field, then another body with the same key', async () => {
    const key = await service.key({ channels: ['whatsapp'] });
    const phone = service.phone();
    for (const body of [{ phone: '1' }, { phone, channel: 'sms' }, { phone, link: 'x' }]) {
      assert.equal((await ask(key, 'a', '/otp/send', body)).status, 422);
    }
    assert.equal((await ask(key, 'a', '/otp/send', { phone })).status, 200);
  });
});

describe('a request that is still under way', () => {
  test('is told so, and then gets the answer of the first', async () => {
    const key = await service.key();
    const body = { phone: service.phone() };
    const running = await service.ctx.db.transaction(async (tx) => {
      // The first request waits for the account that we hold.
      await tx.query('select 1 from account where company_id = $1 for update', [key.companyId]);
      const first = ask(key, 'a', '/otp/send', body);
      const claims = () => service.sql('select 1 from idempotency where key_id = $1', [key.keyId]);
      while ((await claims()).length === 0);
      const second = await ask(key, 'a', '/otp/send', body);
      assert.equal(second.status, 409);
      assert.equal(second.body.error_code, 'request_in_progress');
      return { first };
    });
    const first = await running.first;
    assert.equal(first.status, 200);
    assertReplayed(await ask(key, 'a', '/otp/send', body), first);
  });

  test('100 at once: one is sent, the others are told so or get its answer', async () => {
    const key = await service.key();
    const body = { phone: service.phone(), url: TARGET, channel: 'auto' };
    const answers = await together(100, () => ask(key, 'a', '/links/send', body));
    const others = answers.filter((answer) => answer.status !== 200 || isReplay(answer));
    assert.equal(others.length, 99);
    for (const answer of others) {
      if (answer.status !== 200) assert.equal(answer.body.error_code, 'request_in_progress');
    }
    assert.equal(arrived(key), 1);
    assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  });
});

describe('after a crash', () => {
  const sends: Record<string, object> = {
    '/otp/send': { link: TARGET },
    '/links/send': { url: TARGET, channel: 'auto' },
  };
  for (const [path, more] of Object.entries(sends)) {
    test(`${path} that was sent is answered from what is recorded`, async () => {
      const key = await service.key();
      const body = { phone: service.phone(), ...more };
      const first = await ask(key, 'a', path, body);
      await forgetAnswer(key);
      const resumed = await ask(key, 'a', path, body);
      assert.equal(resumed.status, 200);
      assert.equal(isReplay(resumed), true);
      for (const field of ['success', 'message', 'message_id', 'channel', 'cost', 'short_url']) {
        assert.deepEqual(resumed.body[field], first.body[field], field);
      }
      const passed = Number(first.body.expires_in) - Number(resumed.body.expires_in);
      assert(passed >= 21 && passed <= 30, `expires_in went down by ${passed}`);
      assert.equal(arrived(key), 1);
      assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
      assertReplayed(await ask(key, 'a', path, body), resumed);
    });
  }

  test('a send that died on its way is unconfirmed, and never sent again', async () => {
    const key = await service.key({ isTest: true });
    const body = { phone: service.phone() };
    await ask(key, 'a', '/otp/send', body);
    await service.sql(
      `update message set state = 'sending', settled_at = null, channel = null where key_id = $1`,
      [key.keyId],
    );
    await forgetAnswer(key);
    // Until it is settled, an answer might not stay true.
    const early = await ask(key, 'a', '/otp/send', body);
    assert.equal(early.status, 409);
    assert.equal(early.body.error_code, 'request_in_progress');
    await service.passTime(40);
    await watchOnce(service.ctx);
    const resumed = await ask(key, 'a', '/otp/send', body);
    assert.equal(resumed.status, 504);
    assert.equal(resumed.body.error_code, 'delivery_unconfirmed');
    assertReplayed(await ask(key, 'a', '/otp/send', body), resumed);
    assert.equal(arrived(key), 1);
  });

  test('a request that died before it had begun runs, once', async () => {
    const key = await service.key();
    const body = { phone: service.phone(), url: TARGET, channel: 'auto' };
    await ask(key, 'a', '/links/send', body);
    const abandon = `insert into idempotency (key_id, path, idempotency_key, body_hash, subject, created_at)
      select key_id, path, 'b', body_hash, gen_random_uuid(), clock_timestamp()
      from idempotency where key_id = $1`;
    await service.sql(abandon, [key.keyId]);
    const early = await ask(key, 'b', '/links/send', body);
    assert.equal(early.body.error_code, 'request_in_progress');
    await service.passTime(21);
    const answers = await together(10, () => ask(key, 'b', '/links/send', body));
    assert.equal(answers.filter((answer) => answer.status === 200 && !isReplay(answer)).length, 1);
    assert.equal(arrived(key), 2);
  });

  test('a code that was verified stays verified', async () => {
    const key = await service.key();
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    const body = { phone, code: service.codeOn(key, phone) };
    await ask(key, 'a', '/otp/verify', body);
    await forgetAnswer(key);
    const resumed = await ask(key, 'a', '/otp/verify', body);
    assert.equal(resumed.status, 200);
    const foreign = await ask(key, 'b', '/otp/verify', body);
    assert.equal(foreign.body.error_code, 'code_already_used');
  });

  test('a link is simply made', async () => {
    const key = await service.key();
    const body = { url: TARGET, alias: 'after-crash' };
    const first = await ask(key, 'a', '/links/shorten', body);
    await forgetAnswer(key);
    const again = await ask(key, 'a', '/links/shorten', body);
    assert.equal(again.body.short_url, first.body.short_url);
  });
});

describe('the Idempotency-Key itself', () => {
  for (const name of ['x', '~'.repeat(255), 'a b "c" {d}', 'A', 'a']) {
    test(`may be ${name.slice(0, 20)}`, async () => {
      const key = await service.key();
      assert.equal((await ask(key, name, '/links/shorten', { url: TARGET })).status, 200);
    });
  }

  for (const name of ['', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
    test(`may not be ${JSON.stringify(name).slice(0, 20)}`, async () => {
      const refused = await ask(await service.key(), name, '/links/shorten', { url: TARGET });
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object), ['Idempotency-Key']);
    });
  }
});
