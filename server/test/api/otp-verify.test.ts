import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answered, type TestKey, together, useService } from '../harness.ts';

const service = useService();

/** Sends a code and gives it back together with codes that are surely wrong. */
async function sentCode(key: TestKey, phone: string, purpose?: string) {
  const sent = await service.call('/otp/send', { phone, purpose }, key);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const code = service.codeOn(key, phone);
  return { code, wrong: wrongFor(code) };
}

function wrongFor(code: string): string {
  return String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');
}

const guess = (key: TestKey, phone: string, code: string, purpose?: string): Promise<Answered> =>
  service.call('/otp/verify', { phone, code, purpose }, key);

async function guessWrongly(key: TestKey, phone: string, wrong: string, times: number) {
  const left: unknown[] = [];
  for (let i = 0; i < times; i++) {
    const answer = await guess(key, phone, wrong);
    assert.equal(answer.body.error_code, 'invalid_code');
    left.push(answer.body.attempts_left);
  }
  return left;
}

test('a right code is confirmed and used up', async () => {
  const key = await service.key();
  const phone = service.phone();
  const { code } = await sentCode(key, phone);
  const right = await guess(key, phone, code);
  assert.deepEqual(right.body, { success: true, message: 'Код подтверждён' });
  const again = await guess(key, phone, code);
  assert.equal(again.body.error_code, 'code_already_used');
});

test('verifying charges nothing', async () => {
  const key = await service.key();
  const phone = service.phone();
  const { code, wrong } = await sentCode(key, phone);
  await guess(key, phone, wrong);
  await guess(key, phone, code);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

describe('a code is read as a person types it', () => {
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
      const { code } = await sentCode(key, phone);
      assert.equal((await guess(key, phone, spell(code))).status, 200);
    });
  }
});

describe('wrong guesses', () => {
  test('count down from four to none, and then even the right code is refused', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code, wrong } = await sentCode(key, phone);
    assert.deepEqual(await guessWrongly(key, phone, wrong, 5), [4, 3, 2, 1, 0]);
    for (const typed of [code, wrong, code]) {
      const locked = await guess(key, phone, typed);
      assert.equal(locked.body.error_code, 'too_many_attempts');
    }
  });

  test('four of them do not spoil the right one', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code, wrong } = await sentCode(key, phone);
    await guessWrongly(key, phone, wrong, 4);
    assert.equal((await guess(key, phone, code)).status, 200);
  });

  test('lock a code only until a new one is sent', async () => {
    const key = await service.key();
    const phone = service.phone();
    const first = await sentCode(key, phone);
    await guessWrongly(key, phone, first.wrong, 5);
    await service.passTime(60);
    const second = await sentCode(key, phone);
    assert.equal((await guess(key, phone, second.code)).status, 200);
  });

  test('ten within an hour lock the phone whatever is resent, and an hour later it is free', async () => {
    const key = await service.key();
    const phone = service.phone();
    await guessWrongly(key, phone, (await sentCode(key, phone)).wrong, 5);
    await service.passTime(60);
    const second = await sentCode(key, phone);
    assert.deepEqual(await guessWrongly(key, phone, second.wrong, 5), [4, 3, 2, 1, 0]);
    await service.passTime(60);
    const third = await sentCode(key, phone);
    const locked = await guess(key, phone, third.code);
    assert.equal(locked.body.error_code, 'too_many_attempts');
    const wait = Number(locked.body.retry_after);
    // The first of the ten was made two minutes ago, so in 58 minutes there are only nine.
    assert(wait > 3_400 && wait <= 3_480, `retry_after ${wait}`);
    await service.passTime(wait);
    const fourth = await sentCode(key, phone);
    assert.equal((await guess(key, phone, fourth.code)).status, 200);
  });

  test('for one purpose do not lock another', async () => {
    const key = await service.key();
    const phone = service.phone();
    const login = await sentCode(key, phone, 'login');
    for (let i = 0; i < 5; i++) await guess(key, phone, login.wrong, 'login');
    await service.passTime(60);
    const payment = await sentCode(key, phone, 'payment');
    assert.equal((await guess(key, phone, payment.code, 'payment')).status, 200);
    assert.equal((await guess(key, phone, login.code, 'login')).status, 429);
  });
});

describe('a code that cannot be right any more', () => {
  test('has expired after 300 s', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sentCode(key, phone);
    await service.passTime(300);
    assert.equal((await guess(key, phone, code)).body.error_code, 'code_expired');
  });

  test('lives for all of the 300 s', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sentCode(key, phone);
    await service.passTime(297);
    assert.equal((await guess(key, phone, code)).status, 200);
  });

  test('was never sent', async () => {
    const key = await service.key();
    const none = await guess(key, service.phone(), '123456');
    assert.equal(none.body.error_code, 'code_not_found');
  });

  test('was replaced by a newer one', async () => {
    const key = await service.key({ codeLength: 8 });
    const phone = service.phone();
    const first = await sentCode(key, phone);
    await service.passTime(60);
    const second = await sentCode(key, phone);
    assert.equal((await guess(key, phone, first.code)).body.error_code, 'invalid_code');
    assert.equal((await guess(key, phone, second.code)).status, 200);
  });

  test('belongs to a send that every channel refused', async () => {
    const key = await service.key({ isTest: true });
    const phone = '+77000000004';
    assert.equal((await service.call('/otp/send', { phone }, key)).status, 502);
    assert.equal((await guess(key, phone, '123456')).body.error_code, 'code_not_found');
  });
});

describe('a code belongs to its key, phone and purpose', () => {
  test('another purpose has no code', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sentCode(key, phone, 'login');
    assert.equal((await guess(key, phone, code)).body.error_code, 'code_not_found');
    assert.equal((await guess(key, phone, code, 'Login')).body.error_code, 'code_not_found');
    assert.equal((await guess(key, phone, code, 'login')).status, 200);
  });

  test('an omitted purpose is the one called default', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sentCode(key, phone);
    assert.equal((await guess(key, phone, code, 'default')).status, 200);
  });

  test('another key of the same company has no code', async () => {
    const key = await service.key();
    const other = await service.key({ companyId: key.companyId });
    const phone = service.phone();
    const { code } = await sentCode(key, phone);
    assert.equal((await guess(other, phone, code)).body.error_code, 'code_not_found');
  });

  test('another phone has no code', async () => {
    const key = await service.key();
    const { code } = await sentCode(key, service.phone());
    assert.equal((await guess(key, service.phone(), code)).body.error_code, 'code_not_found');
  });
});

describe('at once', () => {
  test('200 wrong guesses are counted one by one: five are compared', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code, wrong } = await sentCode(key, phone);
    const answers = await together(200, () => guess(key, phone, wrong));
    const compared = answers.filter((answer) => answer.body.error_code === 'invalid_code');
    assert.deepEqual(compared.map((answer) => answer.body.attempts_left).sort(), [0, 1, 2, 3, 4]);
    assert.equal(answers.filter((answer) => answer.status === 429).length, 195);
    assert.equal((await guess(key, phone, code)).status, 429);
  });

  test('200 right guesses succeed once', async () => {
    const key = await service.key();
    const phone = service.phone();
    const { code } = await sentCode(key, phone);
    const answers = await together(200, () => guess(key, phone, code));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    const used = answers.filter((answer) => answer.body.error_code === 'code_already_used');
    assert.equal(used.length, 199);
  });

  test('200 different guesses never compare more than five', async () => {
    const key = await service.key({ codeLength: 4 });
    const phone = service.phone();
    const { code } = await sentCode(key, phone);
    const others = Array.from({ length: 200 }, (_, i) =>
      String((Number(code) + 1 + i) % 10_000).padStart(4, '0'),
    );
    const answers = await together(200, (i) => guess(key, phone, others[i] as string));
    assert.equal(answers.filter((answer) => answer.status === 422).length, 5);
    assert.equal(answers.filter((answer) => answer.status === 200).length, 0);
  });
});

describe('a body that is not right names its fields', () => {
  const phone = '+77011234567';
  const wrong: Record<string, { body: object; fields: string[] }> = {
    'nothing at all': { body: {}, fields: ['code', 'phone'] },
    'no code': { body: { phone }, fields: ['code'] },
    'a code that is a number': { body: { phone, code: 123456 }, fields: ['code'] },
    'a code that is null': { body: { phone, code: null }, fields: ['code'] },
    'a code of letters': { body: { phone, code: 'abcdef' }, fields: ['code'] },
    'a code of other digits': { body: { phone, code: '١٢٣٤٥٦' }, fields: ['code'] },
    'an empty code': { body: { phone, code: '' }, fields: ['code'] },
    'a code of nine digits': { body: { phone, code: '123456789' }, fields: ['code'] },
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
