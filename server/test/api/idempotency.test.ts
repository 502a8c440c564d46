import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchOnce } from '../../src/delivery/watch.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { type ApiAnswer, type TestKey, until, useService } from '../harness.ts';

const service = useService();
const TARGET = 'https://example.kz/order/42';

function ask(key: TestKey, name: string, path: string, body: object): Promise<ApiAnswer> {
  return service.call(path, body, { ...key, headers: { 'idempotency-key': name } });
}

const isReplay = (answer: ApiAnswer) => answer.headers['idempotent-replayed'] === 'true';

function assertReplayed(again: ApiAnswer, first: ApiAnswer): void {
  assert.equal(again.status, first.status);
  assert.equal(isReplay(again), true);
  const { request_id: _again, ...repeatedBody } = again.body;
  const { request_id: _first, ...firstBody } = first.body;
  assert.deepEqual(repeatedBody, firstBody);
}

const countMessages = (key: TestKey) => service.sandbox.phone.messages({ keyId: key.keyId }).length;

/** Simulates a process that died after its work and before it stored the answer, 21 s ago. */
async function deleteStoredAnswer(key: TestKey): Promise<void> {
  await service.sql('update idempotency set status = null, answer = null where key_id = $1', [
    key.keyId,
  ]);
  await service.passTime(21);
}

describe('a repeated request gets the first answer', () => {
  const bodies: Record<string, (key: TestKey) => Promise<object>> = {
    '/otp/send': async () => ({ phone: service.phone(), link: TARGET }),
    '/links/send': async () => ({ phone: service.phone(), url: TARGET, channel: 'sms' }),
    '/links/shorten': async () => ({ url: TARGET }),
    '/group/send': async ({ companyId }) => {
      const group = { companyId, channel: 'telegram', name: 'Группа', chatId: '-1' } as const;
      await insertGroup(service.ctx.db, group);
      await service.markPaid(companyId);
      return { group: 'Группа', text: 'Привет' };
    },
  };
  for (const [path, makeBody] of Object.entries(bodies)) {
    test(`${path}, without another message or charge`, async () => {
      const key = await service.key();
      const body = await makeBody(key);
      const first = await ask(key, 'a', path, body);
      assert.equal(first.status, 200);
      assert.equal(isReplay(first), false);
      const before = { messages: countMessages(key), ...(await service.balance(key.companyId)) };
      for (let i = 0; i < 3; i++) assertReplayed(await ask(key, 'a', path, body), first);
      const after = { messages: countMessages(key), ...(await service.balance(key.companyId)) };
      assert.deepEqual(after, before);
    });
  }

  test('/otp/verify: a correct code stays correct, a wrong one is counted once', async () => {
    const key = await service.key({ codeLength: 8 });
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    const code = service.readSentCode(key, phone);
    const wrong = code === '11111111' ? '22222222' : '11111111';
    const missed = await ask(key, 'wrong', '/otp/verify', { phone, code: wrong });
    assert.equal(missed.body.attempts_left, 4);
    const again = await ask(key, 'wrong', '/otp/verify', { phone, code: wrong });
    assertReplayed(again, missed);
    const right = await ask(key, 'right', '/otp/verify', { phone, code });
    assert.equal(right.status, 200);
    assertReplayed(await ask(key, 'right', '/otp/verify', { phone, code }), right);
  });

  test('when the body differs only in field order, unknown fields and nulls', async () => {
    const key = await service.key();
    const phone = service.phone();
    const first = await ask(key, 'a', '/otp/send', { phone, purpose: 'x' });
    const body = { note: 1, channel: null, purpose: 'x', phone };
    assertReplayed(await ask(key, 'a', '/otp/send', body), first);
  });

  test('when every channel refused the send', async () => {
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
  test('with another path or another API key is independent', async () => {
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

describe('a refusal without effect is not stored', () => {
  test('insufficient balance, then a top-up', async () => {
    const key = await service.key({ balance: 0 });
    const body = { phone: service.phone() };
    const refused = await ask(key, 'a', '/otp/send', body);
    assert.equal(refused.body.error_code, 'insufficient_tokens');
    await topUp(service.ctx, { companyId: key.companyId, amount: 1_000 });
    const sent = await ask(key, 'a', '/otp/send', body);
    assert.equal(sent.status, 200);
    assert.equal(isReplay(sent), false);
  });

  test('the rate limit of a phone, then its end', async () => {
    const key = await service.key();
    const body = { phone: service.phone() };
    await service.call('/otp/send', body, key);
    const refused = await ask(key, 'a', '/otp/send', body);
    assert.equal(refused.body.error_code, 'send_rate_limited');
    assert.equal(refused.headers['retry-after'], String(refused.body.retry_after));
    await service.passTime(60);
    assert.equal((await ask(key, 'a', '/otp/send', body)).status, 200);
  });

  test('an invalid field, then another body with the same idempotency key', async () => {
    const key = await service.key({ channels: ['whatsapp'] });
    const phone = service.phone();
    for (const body of [{ phone: '1' }, { phone, channel: 'sms' }, { phone, link: 'x' }]) {
      assert.equal((await ask(key, 'a', '/otp/send', body)).status, 422);
    }
    assert.equal((await ask(key, 'a', '/otp/send', { phone })).status, 200);
  });
});

describe('a repeat of a request in progress', () => {
  test('is refused with 409, and later gets the first answer', async () => {
    const key = await service.key();
    const body = { phone: service.phone() };
    const running = await service.ctx.db.transaction(async (tx) => {
      // The first request waits for the account row that this transaction has locked.
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
});

test('a claim and the use of a key are stored with their company', async () => {
  const key = await service.key();
  await ask(key, 'a', '/otp/send', { phone: service.phone() });
  const read = (table: string) =>
    service.sql(`select company_id::integer from ${table} where key_id = $1`, [key.keyId]);
  assert.deepEqual(await read('idempotency'), [{ company_id: key.companyId }]);
  await until('the use is recorded', async () => (await read('key_use')).length > 0);
  assert.deepEqual(await read('key_use'), [{ company_id: key.companyId }]);
});

describe('after a crash', () => {
  const sends: Record<string, object> = {
    '/otp/send': { link: TARGET },
    '/links/send': { url: TARGET, channel: 'auto' },
  };
  for (const [path, more] of Object.entries(sends)) {
    test(`a repeated ${path} is answered from the recorded message`, async () => {
      const key = await service.key();
      const body = { phone: service.phone(), ...more };
      const first = await ask(key, 'a', path, body);
      await deleteStoredAnswer(key);
      const resumed = await ask(key, 'a', path, body);
      assert.equal(resumed.status, 200);
      assert.equal(isReplay(resumed), true);
      for (const field of ['success', 'message', 'message_id', 'channel', 'cost', 'short_url']) {
        assert.deepEqual(resumed.body[field], first.body[field], field);
      }
      const passed = Number(first.body.expires_in) - Number(resumed.body.expires_in);
      assert(passed >= 21 && passed <= 30, `expires_in went down by ${passed}`);
      assert.equal(countMessages(key), 1);
      assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
      assertReplayed(await ask(key, 'a', path, body), resumed);
    });
  }

  test('an interrupted send is unconfirmed and never sent again', async () => {
    const key = await service.key({ isTest: true });
    const body = { phone: service.phone() };
    await ask(key, 'a', '/otp/send', body);
    await service.sql(
      `update message set state = 'sending', settled_at = null, channel = null where key_id = $1`,
      [key.keyId],
    );
    await deleteStoredAnswer(key);
    // The outcome may still change until the message is settled.
    const early = await ask(key, 'a', '/otp/send', body);
    assert.equal(early.status, 409);
    assert.equal(early.body.error_code, 'request_in_progress');
    await service.passTime(40);
    await watchOnce(service.ctx);
    const resumed = await ask(key, 'a', '/otp/send', body);
    assert.equal(resumed.status, 504);
    assert.equal(resumed.body.error_code, 'delivery_unconfirmed');
    assertReplayed(await ask(key, 'a', '/otp/send', body), resumed);
    assert.equal(countMessages(key), 1);
  });

  test('a verified code stays verified', async () => {
    const key = await service.key();
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    const body = { phone, code: service.readSentCode(key, phone) };
    await ask(key, 'a', '/otp/verify', body);
    await deleteStoredAnswer(key);
    const resumed = await ask(key, 'a', '/otp/verify', body);
    assert.equal(resumed.status, 200);
    const foreign = await ask(key, 'b', '/otp/verify', body);
    assert.equal(foreign.body.error_code, 'code_already_used');
  });

  test('a repeated shortening returns the same link', async () => {
    const key = await service.key();
    const body = { url: TARGET, alias: 'after-crash' };
    const first = await ask(key, 'a', '/links/shorten', body);
    await deleteStoredAnswer(key);
    const again = await ask(key, 'a', '/links/shorten', body);
    assert.equal(again.body.short_url, first.body.short_url);
  });
});

/** While `work` runs, any attempt to store an answer terminates its database connection. */
async function withoutStoringAnswers<T>(work: () => Promise<T>): Promise<T> {
  await service.sql(`
    create function cut_connection() returns trigger language plpgsql as $$
    begin
      perform pg_terminate_backend(pg_backend_pid());
      return old;
    end $$;
    create trigger cut_connection before update or delete on idempotency
      for each row execute function cut_connection()`);
  try {
    return await work();
  } finally {
    await service.sql('drop trigger cut_connection on idempotency; drop function cut_connection()');
  }
}

describe('when the connection is lost before the answer is stored', () => {
  test('a charged send is answered as sent, and its repeats from the recorded message', async () => {
    const key = await service.key();
    const body = { phone: service.phone() };
    const first = await withoutStoringAnswers(() => ask(key, 'a', '/otp/send', body));
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
    const early = await ask(key, 'a', '/otp/send', body);
    assert.equal(early.body.error_code, 'request_in_progress');

    await service.passTime(21);
    const unstored = await withoutStoringAnswers(() => ask(key, 'a', '/otp/send', body));
    const stored = await ask(key, 'a', '/otp/send', body);
    for (const again of [unstored, stored]) {
      assert.equal(again.status, 200);
      assert.equal(isReplay(again), true);
      assert.equal(again.body.message_id, first.body.message_id);
    }
    assert.equal(countMessages(key), 1);
    assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  });

  test('a refusal is answered as such, and its idempotency key can be used again', async () => {
    const key = await service.key({ balance: 0 });
    const body = { phone: service.phone() };
    const refused = await withoutStoringAnswers(() => ask(key, 'a', '/otp/send', body));
    assert.equal(refused.body.error_code, 'insufficient_tokens');
    await topUp(service.ctx, { companyId: key.companyId, amount: 1_000 });
    await service.passTime(21);
    const sent = await ask(key, 'a', '/otp/send', body);
    assert.equal(sent.status, 200);
    assert.equal(isReplay(sent), false);
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
