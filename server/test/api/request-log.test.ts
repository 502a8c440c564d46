import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dropPreviousSecret, markKeyRevoked } from '../../src/keys/key-store.ts';
import { rotateKey } from '../../src/keys/manage-keys.ts';
import { type ApiAnswer, type TestKey, until, useService } from '../harness.ts';

const service = useService();

type Logged = {
  company_id: number;
  key_id: number;
  path: string;
  status: number;
  error_code: string | null;
  phone: string | null;
  channel: string | null;
  message_id: string | null;
  duration_ms: number;
};

const findLogged = (requestId: unknown) =>
  service.sql<Logged>('select * from request_log where request_id = $1', [requestId]);

/** Waits for the log entry: the log is written in batches shortly after the answer. */
async function readLogged(answer: ApiAnswer): Promise<Logged> {
  const requestId = answer.headers['x-request-id'];
  await until(`${requestId} is logged`, async () => (await findLogged(requestId)).length > 0);
  const rows = await findLogged(requestId);
  assert.equal(rows.length, 1, `${requestId} is in the log ${rows.length} times`);
  return rows[0] as Logged;
}

const mask = (phone: string) => `${phone.slice(0, 5)}***${phone.slice(-4)}`;

describe('a refused call can be found by its request id', () => {
  type Case = {
    settings?: Parameters<typeof service.key>[0];
    prepare?: (key: TestKey, phone: string) => Promise<unknown>;
    path: string;
    body: (phone: string) => unknown;
    headers?: Record<string, string>;
    code: string;
    showsPhone?: true;
  };
  const send = { path: '/otp/send', showsPhone: true } as const;
  const cases: Record<string, Case> = {
    'a revoked key': {
      prepare: (key) => markKeyRevoked(service.ctx.db, key),
      path: '/otp/send',
      body: (phone) => ({ phone }),
      code: 'key_revoked',
    },
    'a missing origin': {
      settings: { domain: 'shop.kz' },
      path: '/otp/send',
      body: (phone) => ({ phone }),
      code: 'origin_required',
    },
    'an unsupported content type': {
      path: '/otp/send',
      body: (phone) => ({ phone }),
      headers: { 'content-type': 'text/plain' },
      code: 'unsupported_media_type',
    },
    'a body that is too large': {
      path: '/links/shorten',
      body: () => ({ url: 'x'.repeat(20_000) }),
      code: 'payload_too_large',
    },
    'broken JSON': { path: '/group/send', body: () => '{', code: 'invalid_json' },
    'an invalid field': { path: '/otp/send', body: () => ({}), code: 'validation_error' },
    'an invalid phone': { path: '/otp/send', body: () => ({ phone: '1' }), code: 'invalid_phone' },
    'insufficient balance': {
      ...send,
      settings: { balance: 0 },
      body: (phone) => ({ phone }),
      code: 'insufficient_tokens',
    },
    'the rate limit of a phone': {
      ...send,
      prepare: (key, phone) => service.call('/otp/send', { phone }, key),
      body: (phone) => ({ phone }),
      code: 'send_rate_limited',
    },
    'a code that was never sent': {
      path: '/otp/verify',
      body: (phone) => ({ phone, code: '123456' }),
      code: 'code_not_found',
      showsPhone: true,
    },
    'an invalid address': {
      path: '/links/shorten',
      body: () => ({ url: 'nonsense' }),
      code: 'invalid_url',
    },
    'an unknown group': {
      path: '/group/send',
      body: () => ({ group: 'x', text: 'x' }),
      code: 'group_not_found',
    },
  };
  for (const [name, { settings, prepare, path, body, headers, code, showsPhone }] of Object.entries(
    cases,
  )) {
    test(name, async () => {
      const key = await service.key(settings);
      const phone = service.phone();
      await prepare?.(key, phone);
      const refused = await service.call(path, body(phone), {
        key: key.key,
        ...(headers === undefined ? {} : { headers }),
      });
      assert.equal(refused.body.error_code, code);
      const row = await readLogged(refused);
      assert.equal(row.error_code, code);
      assert.equal(row.status, refused.status);
      assert.equal(row.company_id, key.companyId);
      assert.equal(row.key_id, key.keyId);
      assert(row.path.endsWith(path), row.path);
      assert(row.duration_ms >= 0);
      assert.equal(row.phone, showsPhone ? mask(phone) : null);
    });
  }

  test('a failed delivery, with its message id and channel', async () => {
    const key = await service.key({ isTest: true });
    const body = { phone: '+77000000004', channel: 'sms' };
    const failed = await service.call('/otp/send', body, key);
    const row = await readLogged(failed);
    assert.equal(row.status, 502);
    assert.equal(row.message_id, failed.body.message_id);
    assert.equal(row.channel, 'sms');
    assert.equal(row.phone, '+7700***0004');
  });
});

test('successful verifications and shortenings are logged too', async () => {
  const key = await service.key();
  const phone = service.phone();
  await service.call('/otp/send', { phone }, key);
  const code = service.readSentCode(key, phone);
  const verified = await readLogged(await service.call('/otp/verify', { phone, code }, key));
  assert.equal(verified.status, 200);
  assert.equal(verified.error_code, null);
  assert.equal(verified.phone, mask(phone));
  const body = { url: 'https://example.kz' };
  const shortened = await readLogged(await service.call('/links/shorten', body, key));
  assert.equal(shortened.status, 200);
});

test('an accepted send is not logged, but its message has the request id', async () => {
  const key = await service.key();
  const phone = service.phone();
  const headers = { 'x-request-id': 'accepted-send' };
  const sent = await service.call('/otp/send', { phone }, { ...key, headers });
  assert.equal(sent.status, 200);
  // The log is written in the order of the answers: an entry for the first call would precede this.
  await readLogged(await service.call('/otp/send', { phone }, key));
  assert.deepEqual(await findLogged('accepted-send'), []);
  const messages = await service.sql('select id from message where request_id = $1', [
    'accepted-send',
  ]);
  assert.deepEqual(messages, [{ id: sent.body.message_id }]);
});

test('a call without a valid key belongs to no company and is not logged', async () => {
  const headers = { 'x-request-id': 'belongs-to-nobody' };
  await service.call('/otp/send', { phone: service.phone() }, { headers });
  await readLogged(await service.call('/otp/send', {}, await service.key()));
  assert.deepEqual(await findLogged('belongs-to-nobody'), []);
});

test('a verification stores no code in any table, and its phone where it is masked by right', async () => {
  const key = await service.key({ codeLength: 8 });
  const phone = service.phone();
  const link = 'https://example.kz';
  await service.call('/otp/send', { phone, link }, key);
  const code = service.readSentCode(key, phone);
  const wrong = code === '13579135' ? '24680246' : '13579135';
  const headers = { 'idempotency-key': 'once' };
  await service.call('/otp/verify', { phone, code: wrong }, { ...key, headers });
  await readLogged(await service.call('/otp/verify', { phone, code }, key));
  const tables = await service.sql<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  );
  assert(tables.length > 10);
  for (const { name } of tables) {
    const found = await service.sql(
      `select 1 from ${name} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      [code, wrong],
    );
    assert.deepEqual(found, [], `${name} contains the code`);
  }
  // The columns that are read only by who may see phones, or masked.
  const elsewhere = await service.sql(
    `select 1 from request_log t
     where (to_jsonb(t) - 'recipient' - 'request_body')::text like '%' || $1 || '%'`,
    [phone.slice(2)],
  );
  assert.deepEqual(elsewhere, [], 'the request log has the whole phone in another column');
});

test('a code in the place of the phone is not logged, also where it looks like a short number of a country', async () => {
  const key = await service.key();
  // South Africa.
  const code = '27932758';
  const answer = await service.call('/otp/verify', { phone: `+${code}`, code }, key);
  const logged = await readLogged(answer);
  assert.equal(logged.phone, null);
  assert.equal(JSON.stringify(logged).includes(code), false);
});

test('what a caller adds to the address is not logged: it may hold a phone', async () => {
  const key = await service.key();
  const phone = service.phone().slice(1);
  const row = await readLogged(await service.call(`/otp/send?phone=${phone}`, {}, key));
  assert.equal(row.path, '/api/otp/send');
});

describe('a key that is not valid any more', () => {
  const countLogged = async (key: TestKey): Promise<number> => {
    const rows = await service.sql('select from request_log where key_id = $1', [key.keyId]);
    return rows.length;
  };
  const endings: Record<string, (key: TestKey) => Promise<unknown>> = {
    'because it was replaced at once': (key) => rotateKey(service.ctx.db, key.keyId, 0),
    'because its time after the replacement is over': async (key) => {
      await rotateKey(service.ctx.db, key.keyId, 1);
      await service.passTime(3_601);
    },
    'because somebody ended it early': async (key) => {
      await rotateKey(service.ctx.db, key.keyId, 24);
      assert(await dropPreviousSecret(service.ctx.db, key));
    },
  };
  for (const [why, end] of Object.entries(endings)) {
    test(`${why} is refused, and its company sees the call`, async () => {
      const key = await service.key();
      await end(key);
      const refused = await service.call('/otp/send', { phone: service.phone() }, key);
      assert.equal(refused.status, 401);
      assert.equal(refused.body.error_code, 'invalid_api_key');
      const row = await readLogged(refused);
      assert.deepEqual(
        [row.company_id, row.key_id, row.status, row.error_code],
        [key.companyId, key.keyId, 401, 'invalid_api_key'],
      );
    });
  }

  test('fills the log of its company with no more than 60 calls a minute', async () => {
    const key = await service.key();
    const other = await service.key();
    await markKeyRevoked(service.ctx.db, key);
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => service.call('/otp/send', {}, key)),
    );
    const minutes = (performance.now() - started) / 60_000;
    assert(answers.every(({ status }) => status === 401));
    // The log is written in the order of the answers.
    await readLogged(await service.call('/otp/send', {}, other));
    const logged = await countLogged(key);
    assert(logged >= 60 && logged <= 60 + Math.ceil(60 * minutes), `${logged} calls`);
  });

  test('does not hide the calls of another key', async () => {
    const key = await service.key();
    for (let i = 0; i < 70; i++) await service.call('/otp/send', {}, key);
    await until('70 calls are logged', async () => (await countLogged(key)) === 70);
  });
});
