import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiAnswer, type TestKey, useService } from '../harness.ts';
import { wrongCode } from '../wrong-code.ts';

const service = useService();

/** Sends a code and returns it with a wrong one. */
async function sendCode(key: TestKey, phone: string, purpose?: string) {
  const sent = await service.call('/otp/send', { phone, purpose }, key);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const code = service.readSentCode(key, phone);
  return { code, wrong: wrongCode(code) };
}

const verify = (key: TestKey, phone: string, code: string, purpose?: string): Promise<ApiAnswer> =>
  service.call('/otp/verify', { phone, code, purpose }, key);

async function verifyWrongCodes(key: TestKey, phone: string, wrong: string, times: number) {
  const left: unknown[] = [];
  for (let i = 0; i < times; i++) {
    const answer = await verify(key, phone, wrong);
    assert.equal(answer.body.error_code, 'invalid_code');
    left.push(answer.body.attempts_left);
  }
  return left;
}

test('a correct code is confirmed once', async () => {
  const key = await service.key();
  const phone = service.phone();
  const { code } = await sendCode(key, phone);
  const right = await verify(key, phone, code);
  assert.deepEqual(right.body, { success: true, message: 'Код подтверждён' });
  const again = await verify(key, phone, code);
  assert.equal(again.body.error_code, 'code_already_used');
});

test('after a confirmed code the next one to the same phone can be confirmed', async () => {
  const key = await service.key();
  const phone = service.phone();
  const { code: first } = await sendCode(key, phone);
  assert.equal((await verify(key, phone, first)).status, 200);
  await service.passTime(61);
  const { code: second } = await sendCode(key, phone);
  assert.equal((await verify(key, phone, second)).status, 200);
});

test('verifying charges nothing', async () => {
  const key = await service.key();
  const phone = service.phone();
  const { code, wrong } = await sendCode(key, phone);
  await verify(key, phone, wrong);
  await verify(key, phone, code);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

describe('a code is accepted as people type it', () => {
  const spellings: Record<string, (code: string) => string> = {
    'with a space in the middle': (code) => `${code.slice(0, 3)} ${code.slice(3)}`,
    'with a dash in the middle': (code) => `${code.slice(0, 3)}-${code.slice(3)}`,
    'with spaces around it': (code) => `  ${code} `,
    'with a space after each digit': (code) => [...code].join(' '),
  };
  for (const [name, spell] of Object.entries(spellings)) {
    test(name, async () => {
      const key = await service.key();
      const phone = service.phone();
      const { code } = await sendCode(key, phone);
      assert.equal((await verify(key, phone, spell(code))).status, 200);
    });
  }
});

describe('wrong attempts', () => {
  test('count down from four to zero, and then even the correct code is refused', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code, wrong } = await sendCode(key, phone);
    assert.deepEqual(await verifyWrongCodes(key, phone, wrong, 5), [4, 3, 2, 1, 0]);
    for (const typed of [code, wrong, code]) {
      const locked = await verify(key, phone, typed);
      assert.equal(locked.body.error_code, 'too_many_attempts');
    }
  });

  test('may be four before the correct code', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code, wrong } = await sendCode(key, phone);
    await verifyWrongCodes(key, phone, wrong, 4);
    assert.equal((await verify(key, phone, code)).status, 200);
  });

  test('lock a code only until a new one is sent', async () => {
    const key = await service.key();
    const phone = service.phone();
    const first = await sendCode(key, phone);
    await verifyWrongCodes(key, phone, first.wrong, 5);
    await service.passTime(60);
    const second = await sendCode(key, phone);
    assert.equal((await verify(key, phone, second.code)).status, 200);
  });

  test('lock the phone when there are ten within an hour: no code is compared or sent', async () => {
    const key = await service.key();
    const phone = service.phone();
    await verifyWrongCodes(key, phone, (await sendCode(key, phone)).wrong, 5);
    await service.passTime(60);
    const second = await sendCode(key, phone);
    assert.deepEqual(await verifyWrongCodes(key, phone, second.wrong, 5), [4, 3, 2, 1, 0]);
    await service.passTime(60);
    const locked = await verify(key, phone, second.code);
    assert.equal(locked.body.error_code, 'too_many_attempts');
    const wait = Number(locked.body.retry_after);
    // The first of the ten was two minutes ago, so after 58 minutes only nine are left.
    assert(wait > 3_400 && wait <= 3_480, `retry_after ${wait}`);
    const refused = await service.call('/otp/send', { phone }, key);
    assert.equal(refused.body.error_code, 'too_many_attempts');
    await service.passTime(wait);
    const third = await sendCode(key, phone);
    assert.equal((await verify(key, phone, third.code)).status, 200);
  });

  test('for one purpose do not lock another', async () => {
    const key = await service.key();
    const phone = service.phone();
    const login = await sendCode(key, phone, 'login');
    for (let i = 0; i < 5; i++) await verify(key, phone, login.wrong, 'login');
    await service.passTime(60);
    const payment = await sendCode(key, phone, 'payment');
    assert.equal((await verify(key, phone, payment.code, 'payment')).status, 200);
    assert.equal((await verify(key, phone, login.code, 'login')).status, 429);
  });
});

describe('the validity of a code', () => {
  test('ends after 300 s', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sendCode(key, phone);
    await service.passTime(300);
    assert.equal((await verify(key, phone, code)).body.error_code, 'code_expired');
  });

  test('lasts for at least 297 s', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sendCode(key, phone);
    await service.passTime(297);
    assert.equal((await verify(key, phone, code)).status, 200);
  });

  test('requires that a code was sent', async () => {
    const key = await service.key();
    const none = await verify(key, service.phone(), '123456');
    assert.equal(none.body.error_code, 'code_not_found');
  });

  test('ends when a newer code is sent', async () => {
    const key = await service.key({ codeLength: 8 });
    const phone = service.phone();
    const first = await sendCode(key, phone);
    await service.passTime(60);
    const second = await sendCode(key, phone);
    assert.equal((await verify(key, phone, first.code)).body.error_code, 'invalid_code');
    assert.equal((await verify(key, phone, second.code)).status, 200);
  });

  test('never begins when every channel refused the send', async () => {
    const key = await service.key({ isTest: true });
    const phone = '+77000000004';
    assert.equal((await service.call('/otp/send', { phone }, key)).status, 502);
    assert.equal((await verify(key, phone, '123456')).body.error_code, 'code_not_found');
  });
});

describe('a code belongs to its key, phone and purpose', () => {
  test('another purpose has no code', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sendCode(key, phone, 'login');
    assert.equal((await verify(key, phone, code)).body.error_code, 'code_not_found');
    assert.equal((await verify(key, phone, code, 'Login')).body.error_code, 'code_not_found');
    assert.equal((await verify(key, phone, code, 'login')).status, 200);
  });

  test('an omitted purpose means the purpose "default"', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sendCode(key, phone);
    assert.equal((await verify(key, phone, code, 'default')).status, 200);
  });

  test('another key of the same company has no code', async () => {
    const key = await service.key();
    const other = await service.key({ companyId: key.companyId });
    const phone = service.phone();
    const { code } = await sendCode(key, phone);
    assert.equal((await verify(other, phone, code)).body.error_code, 'code_not_found');
  });

  test('another phone has no code', async () => {
    const key = await service.key();
    const { code } = await sendCode(key, service.phone());
    assert.equal((await verify(key, service.phone(), code)).body.error_code, 'code_not_found');
  });
});

describe('an invalid body names its invalid fields', () => {
  const phone = '+77011234567';
  const wrong: Record<string, { body: object; fields: string[] }> = {
    'an empty body': { body: {}, fields: ['code', 'phone'] },
    'no code': { body: { phone }, fields: ['code'] },
    'a code that is a number': { body: { phone, code: 123456 }, fields: ['code'] },
    'a code that is null': { body: { phone, code: null }, fields: ['code'] },
    'an empty code': { body: { phone, code: '' }, fields: ['code'] },
    'a long purpose': {
      body: { phone, code: '123456', purpose: 'x'.repeat(65) },
      fields: ['purpose'],
    },
  };
  for (const [name, { body, fields }] of Object.entries(wrong)) {
    test(name, async () => {
      const refused = await service.call('/otp/verify', body, await service.key());
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object).sort(), fields);
    });
  }
});
